"""The page of one coup, from the record alone, as `sabot replay` prints it."""

import io
from typing import ClassVar

from rich.console import Console
from rich.text import Text

from ops.kit.colours import ALARM, LABEL
from ops.kit.key_bar import Hint
from ops.kit.lines import cut, padded
from ops.now.books import Books, CoupBook
from ops.replay.page import Page
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.view import READING, View

WIDEST = 110  # cells; a wider story is hard to read


class CoupView(View):
    """The coup as of the position at which it was read; a line below says if it goes on."""

    hints: ClassVar[tuple[Hint, ...]] = (
        *(Hint("PgUp PgDn", "scroll"), Hint("[ ]", "coup before, after", "coup")),
        Hint("r", "read again", "read"),
    )
    reads = True
    follows = False
    book: CoupBook | None

    def __init__(self, coup: str) -> None:
        super().__init__()
        self.go_to(coup)

    def go_to(self, coup: str) -> None:
        """Changes to another coup, from its beginning."""
        self.coup = coup
        self.crumb = f"coup {coup.rpartition('/')[2]}"
        self.up = 0
        self._drawn: tuple[CoupBook, int, list[Text]] | None = None

    def read(self, books: Books, sight: Sight) -> CoupBook | None:
        """Reads the coup."""
        return books.coup(self.coup)

    def scroll(self, steps: int) -> None:
        """Scrolls down the page, or up with a minus."""
        self.up = max(self.up + steps, 0)

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The part of the story that fits."""
        if self.book is None:
            return padded([Text(), Text(f"  {self.why or READING}", LABEL)], height)
        story = self._story(self.book, min(width - 2, WIDEST))
        below = [_went_on(self.book, width)] if self.book.goes_on else []
        room = height - len(below)
        self.up = min(self.up, max(len(story) - room, 0))
        some = [cut(Text(" ") + line, width) for line in story[self.up : self.up + room]]
        rest = len(story) - self.up - room
        if rest > 0 and some:
            some[-1] = Text(f" … {rest + 1} more lines: PgDn", LABEL)
        return [*padded(some, room), *below]

    def _story(self, book: CoupBook, width: int) -> list[Text]:
        if self._drawn is None or self._drawn[0] is not book or self._drawn[1] != width:
            self._drawn = book, width, _story(book, width)
        return self._drawn[2]


def _went_on(book: CoupBook, width: int) -> Text:
    words = f" ! Something was added to this coup at #{book.goes_on}. r reads it again."
    return cut(Text(words, ALARM), width)


def _story(book: CoupBook, width: int) -> list[Text]:
    """The page, line by line."""
    console = Console(
        file=io.StringIO(),
        width=width,
        color_system="standard",
        force_terminal=True,
        no_color=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    if book.record.replay is None:
        return [
            Text(f"The record of {book.record.address} cannot be read. Run `sabot audit verify`.")
        ]
    with console.capture() as page:
        Page(book.record, book.record.replay, console, book.zone).print()
    return list(Text.from_ansi(page.get()).split(allow_blank=False))
