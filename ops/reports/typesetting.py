"""Sets a table of texts on A4: the size of the print, the width of each column, lines and pages.

For a font with letters of one width; a Chinese one has the room of two. A text with such a letter
is placed by itself, because its font has other widths.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct
from rich.cells import cell_len, chop_cells

from ops.words.pdf import EAST_ASIAN

_GAP = "  "
_COMFORTABLE = 34  # letters of a column of words, before the paper is turned or the print smaller
_NARROWEST = 16
_SEVERAL = 26  # letters of a column whose values have several parts
_MARGINS = (24, 40)  # millimetres: left and right together, top and bottom together
_A4 = (210, 297)
_WIDE, _HIGH = 0.602, 1.3  # of a letter and of a line, as multiples of the print size
_POINT = 72 / 25.4
_LATIN = f"(?:(?!{EAST_ASIAN})[^ /])"
_PIECES = re.compile(rf"(?:{EAST_ASIAN}|{_LATIN}*/|{_LATIN}+)[、。，；：）]*| +")
_SEVERAL_WIDE = 8  # letters: East Asian text breaks anywhere, but in no narrower a column
_RIGHT_TO_LEFT = ("R", "AL", "AN")


class Sheet(Struct, frozen=True):
    """Paper upright or turned, with the size of the print in points."""

    landscape: bool
    size: float

    @property
    def letters(self) -> int:
        """The letters in a line."""
        return int((_A4[self.landscape] - _MARGINS[0]) * _POINT / (_WIDE * self.size))

    @property
    def lines(self) -> int:
        """The lines on a page."""
        high = (_A4[not self.landscape] - _MARGINS[1]) * _POINT
        return int(high / (_HIGH * self.size))


_SHEETS = (Sheet(False, 7.5), Sheet(True, 7.5), Sheet(True, 6.5), Sheet(True, 5.5))
_SMALLEST = Sheet(True, 5.2)  # rather than break a word


class Block(Struct, frozen=True):
    """Lines as they are set, and texts apart from them: line, letters before it, text."""

    lines: str
    placed: list[tuple[int, int, str]]


NO_LINES = Block("", [])


class Page(Struct, frozen=True):
    """A page as it is set: its rows, which of them are shaded, and the sums below.

    `shaded`: first line, number of lines.
    """

    rows: Block
    shaded: list[tuple[int, int]]
    last: Block = NO_LINES


class Line(Struct, frozen=True):
    """A line, as texts that are each placed after a number of letters."""

    text: str
    placed: list[tuple[int, str]]


class Column(Struct, frozen=True, dict=True):
    """A column's texts, and how they are set."""

    head: str
    texts: list[str]
    total: str = ""
    right: bool = False
    moments: bool = False
    several: bool = False  # whether its values have several parts

    @cached_property
    def want(self) -> int:
        """The width in letters at which only the heading may be wrapped."""
        return max(self.need, self._longest_line)

    @cached_property
    def _longest_line(self) -> int:
        lines = (line for text in (*self.texts, self.total) for line in text.split("\n"))
        return max(map(cell_len, lines), default=1)

    @cached_property
    def need(self) -> int:
        """The least width in letters: no amount is wrapped, and only very long words are."""
        head = max(map(cell_len, self.head.split()))
        if self.right or self._is_name:
            return max(head, self._longest_line)
        longest = max(head, *map(_longest, self.texts), 1)
        return min(longest, max(head, _SEVERAL if self.several else _NARROWEST))

    @cached_property
    def _is_name(self) -> bool:
        """Whether the column has addresses or other names, which people search for or copy."""
        if self.moments or self.several or self._longest_line > _COMFORTABLE:
            return False
        return not any(" " in text for text in self.texts)

    @property
    def enough(self) -> int:
        """The width in letters that is comfortable to read; a moment has its day above its time."""
        return self.need if self.moments else max(self.need, min(self.want, _COMFORTABLE))


def fitted(columns: list[Column]) -> tuple[Sheet, list[int]]:
    """The largest print at which every column fits, and the width of each."""
    wants = [column.want for column in columns]
    needs = [column.need for column in columns]
    gaps = len(_GAP) * (len(columns) - 1)
    enough = [column.enough for column in columns]
    for least, sheets in ((enough, _SHEETS), (needs, (*_SHEETS, _SMALLEST))):
        for sheet in sheets:
            if sum(least) + gaps <= sheet.letters:
                return sheet, _widened(least, wants, sheet.letters - gaps)
    return _SMALLEST, _narrowed(needs, _SMALLEST.letters - gaps)


def _widened(widths: list[int], wants: list[int], room: int) -> list[int]:
    """The widths after free room went to the columns that lack least, to avoid wrapping."""
    widths = list(widths)
    left = room - sum(widths)
    for n in sorted(range(len(widths)), key=lambda n: wants[n] - widths[n]):
        more = min(left, max(wants[n] - widths[n], 0))
        widths[n] += more
        left -= more
    return widths


def _narrowed(widths: list[int], room: int) -> list[int]:
    """The widths after the widest gave way, letter by letter, down to wrapping amounts."""
    widths = list(widths)
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    return widths


def lines_of(texts: Iterable[str], columns: list[Column], widths: list[int]) -> list[Line]:
    """A row, in as many lines as its longest cell needs."""
    cells = [_wrapped(text, width) for text, width in zip(texts, widths, strict=True)]
    return [
        _line([cell[n] if n < len(cell) else "" for cell in cells], columns, widths)
        for n in range(max(map(len, cells)))
    ]


def _line(texts: list[str], columns: list[Column], widths: list[int]) -> Line:
    """One line; text that would leave its column is placed there by itself."""
    placed, begin = [], 0
    for n, (text, column, width) in enumerate(zip(texts, columns, widths, strict=True)):
        if not text.isascii() and any(map(_goes_its_own_way, text)):
            placed.append((begin + (width - cell_len(text) if column.right else 0), text))
            texts[n] = ""
        begin += width + len(_GAP)
    beside = zip(texts, columns, widths, strict=True)
    padded = (text.rjust(width) if col.right else text.ljust(width) for text, col, width in beside)
    return Line(_GAP.join(padded).rstrip(), placed)


def _goes_its_own_way(letter: str) -> bool:
    """Whether a letter is wide, runs from right to left, or is a mark above or below another."""
    return (
        cell_len(letter) != 1
        or unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT
        or unicodedata.category(letter) == "Mn"
    )


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines of that width: broken at blanks, after strokes, and in too long words."""
    if cell_len(text) <= width and "\n" not in text:
        return [text]
    lines = []
    for whole in text.split("\n"):
        line = ""
        for piece in _PIECES.findall(whole):
            if cell_len(line) + cell_len(piece.rstrip()) > width and line.strip():
                lines.append(line.rstrip())
                line = ""
            line = line + piece if line or piece.strip() else ""
            *full, line = chop_cells(line, width) if cell_len(line.rstrip()) > width else [line]
            lines += full
        lines.append(line.rstrip())
    return lines


def _longest(text: str) -> int:
    longest = max(map(cell_len, _PIECES.findall(text)), default=0)
    return longest if text.isascii() else max(longest, min(cell_len(text), _SEVERAL_WIDE))


def block(lines: Sequence[Line]) -> Block:
    """The lines as they are set together."""
    placed = [(n, *each) for n, line in enumerate(lines) for each in line.placed]
    return Block("\n".join(line.text for line in lines), placed)


def pages(rows: list[list[Line]], days: Sequence[str], room: int) -> list[Page]:
    """Pages of whole rows; every other row is shaded.

    A day, '' for none, heads its rows, again on each further page.
    """
    pages: list[Page] = []
    lines: list[Line] = []
    shaded: list[tuple[int, int]] = []
    current = ""

    def turn() -> None:
        nonlocal current
        pages.append(Page(block(lines), list(shaded)))
        lines.clear()
        shaded.clear()
        current = ""

    for n, (row, day) in enumerate(zip(rows, days, strict=True)):
        if lines and len(lines) + len(row) + (day != current) > room:
            turn()
        whole = room - bool(day)
        for first in range(0, len(row), whole):  # a row longer than a page continues on the next
            if first:
                turn()
            if day != current:
                lines.append(Line(day, []))
                current = day
            piece = row[first : first + whole]
            if n % 2:
                shaded.append((len(lines), len(piece)))
            lines += piece
    turn()
    return pages
