"""Lines of text that screens are made of: fitted, ruled, wrapped, side by side.

Widths are in cells: a Chinese letter takes two.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from ops.kit.colours import ALARM, BAR, LABEL, TITLE
from ops.words.language import _

CHOSEN = "selected"  # the style of a selected line: `pane` has its colours
EDGE = "│"
LEAST = (80, 24)  # columns and lines of a screen


def cut(line: Text, width: int) -> Text:
    """The line cut to this width, with an ellipsis at the end if it was longer."""
    line.truncate(max(width, 0), overflow="ellipsis" if width > 0 else "crop")
    return line


def fitted(line: Text, width: int) -> Text:
    """The line cut or padded to exactly this width."""
    cut(line, width).pad_right(max(width - line.cell_len, 0))
    return line


def ends(left: Text, right: Text, width: int) -> Text:
    """One text at either end of a line; the right one is never cut."""
    room = max(width - right.cell_len, 0)
    return fitted(fitted(left.copy(), room).append_text(right), width)


def ruled(title: Text, width: int, right: Text | None = None) -> Text:
    """A horizontal line with words in it; those at the right are never cut."""
    line = Text.assemble(("─", LABEL))
    if title.plain:
        line.append(" ").append_text(title).append(" ")
    tail = Text()
    if right is not None and right.plain:
        tail = Text(" ").append_text(right).append(" ─", LABEL)
    cut(line, width - tail.cell_len)
    line.append("─" * (width - line.cell_len - tail.cell_len), LABEL)
    return fitted(line.append_text(tail), width)


def crossed(line: Text, places: Mapping[int, str]) -> Text:
    """The line with these characters where other lines meet it, unless words are there."""
    for column, character in places.items():
        if line.plain[column : column + 1] not in tuple("─┬┴"):
            continue
        line = line[:column].append(character, LABEL).append_text(line[column + 1 :])
    return line


def joined(parts: Iterable[Text | str]) -> Text:
    """The parts that are not empty, with a dot between them."""
    some = [Text(each) if isinstance(each, str) else each for each in parts]
    return Text(" · ").join(each for each in some if each.plain)


def padded(lines: Iterable[Text], height: int) -> list[Text]:
    """Exactly this many lines."""
    some = list(lines)[: max(height, 0)]
    return [*some, *(Text() for _ in range(height - len(some)))]


def wrapped(words: str, width: int, style: str = "") -> list[Text]:
    """Text in lines of this width; a word wider than a line is divided."""
    return [Text(line, style) for line in _lines(words, max(width, 1))]


def _lines(words: str, width: int) -> Iterator[str]:
    line = ""
    for word in words.split():
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            yield line
        line = word
        while cell_len(line) > width:
            head = Text(line)
            head.truncate(width)
            cut = max(len(head.plain.rstrip()), 1)
            yield line[:cut]
            line = line[cut:]
    if line:
        yield line


def marked(mark: tuple[str, str], words: str, width: int, style: str = "") -> list[Text]:
    """Text in lines of this width, with a mark before the first and an indent before the others."""
    sign, look = mark
    before = Text.assemble((f"{sign} ", look))
    lines = wrapped(words, width - before.cell_len, style)
    blank = Text(" " * before.cell_len)
    return [(blank if n else before).copy().append_text(line) for n, line in enumerate(lines)]


def explained(pairs: Iterable[tuple[str, str]], before: int, width: int) -> Iterator[Text]:
    """What is typed at the left, and at the right what it does."""
    for typed, words in pairs:
        for n, line in enumerate(wrapped(words, width - before)):
            head = Text.assemble((typed if n == 0 else "", TITLE))
            yield fitted(head, before).append_text(line)


def beside(
    left: Sequence[Text], width: int, right: Sequence[Text], height: int, edge: str = EDGE
) -> list[Text]:
    """Two blocks side by side with an edge between them, the left one of this width."""
    lines = []
    for one, other in zip(padded(left, height), padded(right, height), strict=True):
        lines.append(fitted(one.copy(), width).append(edge, LABEL).append_text(other))
    return lines


def barred(line: Text, width: int, aside: str = "") -> Text:
    """A bar across the screen that nobody can miss; `aside`, at the right, is never cut."""
    one = ends(Text(" ").append_text(line), Text(f" {aside} "), width)
    one.stylize(BAR)
    return one


def too_small(width: int, height: int, what: str) -> Text:
    """A warning that the screen is too small; empty if it is not."""
    if width >= LEAST[0] and height >= LEAST[1]:
        return Text()
    words = _("Too small for {what}: {columns}×{lines} are needed.",
              what=what, columns=LEAST[0], lines=LEAST[1])  # fmt: skip
    return Text(f" {words}", ALARM)
