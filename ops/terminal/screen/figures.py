"""Small things that several parts of the screen write alike: amounts, counts, fitted lines."""

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from domain.money import digits, major
from ops.terminal.acts import KEY_OF
from ops.terminal.screen.inks import LABEL

CODES = {spot: key.upper() for spot, key in KEY_OF.items()}  # as they are typed


def chips(amount: int, currency: str) -> str:
    """An amount without minor units where it has none: `1,000`, `12.50`."""
    places = digits(currency)
    said = major(amount, currency)
    return said[: -places - 1] if places and amount % 10**places == 0 else said


def fitted(line: Text, width: int) -> Text:
    """Exactly so wide; what there is no room for ends in an ellipsis."""
    line.truncate(width, overflow="ellipsis", pad=True)
    return line


def ends(left: Text, right: Text, width: int) -> Text:
    """One at either end; what is at the right stays whole."""
    room = max(width - right.cell_len, 0)
    return fitted(fitted(left.copy(), room).append_text(right), width)


def ruled(title: Text, width: int, right: Text | None = None) -> Text:
    """A line across the screen with words in it."""
    line = Text("──", LABEL)
    if title.plain:
        line.append(" ").append_text(title).append(" ")
    tail = Text()
    if right is not None and right.plain:
        tail = Text(" ").append_text(right).append(" ──", LABEL)
    line.truncate(max(width - tail.cell_len, 0), overflow="ellipsis")
    line.append("─" * (width - line.cell_len - tail.cell_len), LABEL)
    return fitted(line.append_text(tail), width)


def joined(line: Text, places: Mapping[int, str]) -> Text:
    """A line with these characters at these columns, where others meet it."""
    for column, character in places.items():
        line = line[:column].append(character, LABEL).append_text(line[column + 1 :])
    return line


def wrapped(words: str, width: int, style: str = "") -> list[Text]:
    """Whole words a line; one that is wider than a line is cut where the line ends."""
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


def beside(left: Sequence[Text], width: int, right: Sequence[Text], height: int) -> list[Text]:
    """Two blocks with a line between them, the left one so wide."""
    lines = []
    for y in range(height):
        one = left[y].copy() if y < len(left) else Text()
        line = fitted(one, width).append("│", LABEL)
        lines.append(line.append_text(right[y]) if y < len(right) else line)
    return lines
