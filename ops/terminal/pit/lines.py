"""Lines of text on the screen, as they are: none is wrapped, and nothing in them is markup."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Span, Text
from textual.strip import Strip
from textual.widget import Widget

from ops.terminal.pit.look import SELECTED, SELECTED_PLAIN
from ops.terminal.pit.sheet import SELECTED_STYLE

if TYPE_CHECKING:
    from rich.segment import Segment
    from rich.style import Style


class Lines(Widget):
    """A part of the screen."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.lines: Sequence[Text] = ()

    def show(self, lines: Sequence[Text]) -> None:
        """These from now on."""
        self.lines = lines
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line, as wide as the screen."""
        line = self.lines[y].copy() if y < len(self.lines) else Text()
        selected = SELECTED_PLAIN if self.app.no_color else SELECTED
        line.style = selected if line.style == SELECTED_STYLE else line.style
        line.spans = [
            Span(start, end, selected if style == SELECTED_STYLE else style)
            for start, end, style in line.spans
        ]
        line.truncate(self.size.width, pad=True)
        line.stylize_before(line.style)  # without spans Rich forgets it
        segments: list[Segment] = list(line.render(self.app.console, end=""))
        ground: Style = self.rich_style
        return Strip(segments, self.size.width).apply_style(ground)
