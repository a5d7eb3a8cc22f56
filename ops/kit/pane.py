"""A part of the screen that shows lines, and repaints only those that changed."""

from collections.abc import Sequence

from rich.text import Span, Text
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ops.kit.colours import FAINT, SELECTED, SELECTED_PLAIN
from ops.kit.lines import CHOSEN


class Pane(Widget, can_focus=False):
    """Lines of text, one a row."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Text] = ()
        self._faint = False
        self._tall: int | None = None

    def tall(self, lines: int) -> None:
        """Sets the height in lines; the screen is laid out again only if it changed."""
        if lines != self._tall:
            self._tall = lines
            self.styles.height = lines

    @property
    def plain(self) -> str:
        """Its text."""
        return "\n".join(line.plain for line in self._lines)

    def show(self, lines: Sequence[Text], *, faint: bool = False) -> None:
        """Shows these lines; `faint`: they may be out of date."""
        before, self._lines = self._lines, lines
        if faint != self._faint or not self.is_mounted:
            self._faint = faint
            self.refresh()
            return
        changed = [
            Region(0, y, self.size.width, 1)
            for y in range(max(len(before), len(lines)))
            if y >= len(before) or y >= len(lines) or before[y] != lines[y]
            or before[y].spans != lines[y].spans or before[y].style != lines[y].style
        ]  # fmt: skip
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """One row in its full width."""
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        line = self._inked(self._lines[y])
        strip = Strip(line.render(self.app.console)).adjust_cell_length(self.size.width)
        if self._faint:
            strip = strip.apply_style(FAINT)
        return strip.apply_style(self.rich_style)

    def _inked(self, line: Text) -> Text:
        """The line in the screen's colours; what is selected has its own background."""
        chosen = SELECTED_PLAIN if self.app.native_ansi_color else SELECTED
        inked = line.copy()
        inked.end = ""
        inked.style = chosen if line.style == CHOSEN else line.style
        inked.spans = [
            Span(start, end, chosen if style == CHOSEN else style)
            for start, end, style in line.spans
        ]
        inked.truncate(self.size.width, pad=line.style == CHOSEN)
        inked.stylize_before(inked.style)  # without spans Rich forgets it
        return inked
