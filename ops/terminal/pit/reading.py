"""Reads the pages' contents, each in a thread of its own, and none twice at a time."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace
from textual.message import Message

from ops.kit.outcome import Outcome
from ops.ledger.database import LedgerLost
from ops.now.books import Books, CoupBook
from ops.terminal.pit.coup_view import CoupView
from ops.terminal.pit.messages import Answered, Read
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.view import View
from ops.words.failure import exit_status, in_words


class Reading:
    """Brings pages up to the position of the board."""

    def __init__(
        self, books: Books, apart: Callable[..., None], tell: Callable[[Message], None]
    ) -> None:
        """Makes a reader; `apart` runs a function in another thread, `tell` takes its messages."""
        self._books = books
        self._apart = apart
        self._tell = tell
        self._going_on: set[View] = set()

    def bring(self, view: View, sight: Sight | None) -> None:
        """Reads the page's contents, unless they are up to date or being read."""
        if not view.reads or view in self._going_on or sight is None or sight.lost:
            return
        if view.read_at == sight.seen.position:
            return
        self._going_on.add(view)
        ask = partial(view.read, self._books, sight)
        if view.read_at is not None and isinstance(view, CoupView) and view.book:
            ask = partial(self._look_on, view.book)
        self._apart(self._read, view, sight.seen.position, ask)

    def _look_on(self, book: CoupBook) -> CoupBook:
        """The coup as read, with the position where its record goes on."""
        return replace(book, goes_on=self._books.goes_on(book.record))

    def step(self, view: CoupView, sight: Sight, steps: int) -> None:
        """Goes so many coups on, or back with a minus; a message says if there is none."""
        self._apart(self._read, view, sight.seen.position, partial(self._beside, view, steps))

    def _beside(self, view: CoupView, steps: int) -> CoupBook | None:
        coup = view.coup
        book = self._books.coup(coup, steps)
        if book is None:
            which = "last" if steps > 0 else "first"
            words = f"{coup} is the {which} coup of its table's gaming day."
            self._tell(Answered(Outcome("answered", (words,))))
        elif view.coup == coup:
            view.go_to(str(book.record.address))
            return book
        return None

    def _read(self, view: View, position: int, ask: Callable[[], Any]) -> None:
        """Reads in the other thread. Raises errors other than a refusal or a lost ledger."""
        try:
            read = Read(view, position, ask())
        except LedgerLost:
            read = Read(view, position)
        except Exception as error:
            if exit_status(error) is None:
                raise
            read = Read(view, position, why=in_words(error))
        self._tell(read)

    def take(self, read: Read) -> bool:
        """Takes the contents; returns False if there are none, and the next board asks again."""
        view = read.view
        self._going_on.discard(view)
        if read.book is None and not read.why:
            return False
        view.book = view.book if read.book is None else read.book
        view.why, view.read_at = read.why, read.position
        return True
