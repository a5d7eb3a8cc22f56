"""One page of the pit's terminal: what it lists, how it is drawn, and where its Enter leads."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rich.text import Text

from ops.kit.key_bar import Hint
from ops.terminal.pit.books import Books
from ops.terminal.pit.sieve import Sieve
from ops.terminal.pit.sight import Sight

READING = "Reading the record …"


class View:
    """A list with one selected line; what is behind the board is read on a thread."""

    crumb = ""  # where one is
    hints: ClassVar[tuple[Hint, ...]] = ()
    listed = "lines"  # what they are, when a filter hides them all
    reads = False  # anything behind the board
    follows = True  # the ledger, by reading again whenever it grew

    def __init__(self) -> None:
        self.sieve = Sieve()
        self.cursor = ""
        self.book: Any = None  # what was read
        self.read_at: int | None = None  # the ledger's position when it was
        self.why = ""  # it cannot be read
        self._place = 0

    # Each page has its own.
    def read(self, books: Books, sight: Sight) -> Any:
        """What the page shows besides the board. Raises what reading raises."""

    def keys(self, sight: Sight) -> Sequence[str]:
        """The names of the lines that the filter shows, in their order."""
        return ()

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The page, in no more lines and cells than that."""
        raise NotImplementedError

    def into(self, sight: Sight) -> "View | None":
        """The page behind the selected line, or None."""
        return None

    # The same on all of them.
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
        """`3 of 16`, or '' for a list with fewer than two lines."""
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
