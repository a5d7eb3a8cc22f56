"""One page of the pit's terminal: its list, its drawing, and the page that Enter opens."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rich.text import Text

from ops.kit.key_bar import Hint
from ops.now.books import Books
from ops.terminal.pit.sieve import Sieve
from ops.terminal.pit.sight import Sight

READING = "Reading the record …"


class View:
    """A list with one selected line; contents other than the board's are read on a thread."""

    crumb = ""  # the page's name in the head
    hints: ClassVar[tuple[Hint, ...]] = ()
    listed = "lines"  # the word for its lines, if a filter hides all of them
    reads = False  # whether it has contents other than the board's
    follows = True  # whether it reads again when the ledger grew

    def __init__(self) -> None:
        self.sieve = Sieve()
        self.cursor = ""
        self.book: Any = None  # the contents
        self.read_at: int | None = None  # the ledger's position at the last reading
        self.why = ""  # why it cannot be read, or ''
        self._place = 0

    # Different on each page.
    def read(self, books: Books, sight: Sight) -> Any:
        """Reads the contents other than the board's. Raises what reading raises."""

    def keys(self, sight: Sight) -> Sequence[str]:
        """The names of the lines that the filter shows, in their order."""
        return ()

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The page, in at most so many lines and cells."""
        raise NotImplementedError

    def into(self, sight: Sight) -> "View | None":
        """The page behind the selected line, or None."""
        return None

    # The same on all pages.
    def selected(self, sight: Sight) -> str:
        """The selected line, or the one in its place once it is gone, or '' if there is none."""
        keys = self.keys(sight)
        if not keys:
            return ""
        if self.cursor in keys:
            self._place = keys.index(self.cursor)
        else:
            self._place = min(self._place, len(keys) - 1)
            self.cursor = keys[self._place]
        return self.cursor

    def move(self, sight: Sight, steps: int) -> None:
        """Moves the selection down, or up with a minus, as far as the list goes."""
        keys = self.keys(sight)
        if self.selected(sight):
            self._place = min(max(self._place + steps, 0), len(keys) - 1)
            self.cursor = keys[self._place]

    def place(self, sight: Sight) -> str:
        """The place in the list, `3 of 16`, or '' for fewer than two lines."""
        keys = self.keys(sight)
        if len(keys) < 2:
            return ""
        self.selected(sight)
        return f"{self._place + 1} of {len(keys)}"

    @property
    def empty(self) -> str:
        """The sentence in place of an empty list."""
        if self.sieve:
            return f"No {self.listed} match {self.sieve}. Esc shows all."
        return f"No {self.listed}."
