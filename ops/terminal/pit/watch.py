"""Follows the board on a thread of its own, and hands on whatever it tells."""

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Protocol

from ops.board.board import Seen
from ops.ledger.database import LedgerLost


class Follows(Protocol):
    """A board, as `ops.board.board.Board` is one."""

    def follow(self) -> Iterator[Seen | LedgerLost]:
        """How it stands, again and again; while the ledger cannot be reached, why."""

    def close(self) -> None:
        """Lets its connection go."""


class Watch:
    """Ends with the program, or soon after it was asked to."""

    def __init__(
        self,
        board: Follows,
        tell: Callable[[Seen | LedgerLost], None],
        fail: Callable[[Exception], None],
    ) -> None:
        self._board = board
        self._tell = tell
        self._fail = fail
        self._over = False
        self._thread = Thread(target=self._follow, name="pit-watch", daemon=True)

    def start(self) -> None:
        """From now on."""
        self._thread.start()

    def stop(self) -> None:
        """What comes after this is told to nobody."""
        self._over = True

    def _follow(self) -> None:
        try:
            for told in self._board.follow():
                if self._over:
                    return
                self._tell(told)
        except Exception as error:  # noqa: BLE001  (told to whoever shows it, who raises it)
            if not self._over:
                self._fail(error)
        finally:
            self._board.close()
