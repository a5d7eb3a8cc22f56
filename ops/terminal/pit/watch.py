"""Follows the board on a thread of its own, and passes each state on."""

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Protocol

from ops.board.rows import Seen
from ops.ledger.database import LedgerLost


class Follows(Protocol):
    """A board, such as `ops.board.board.Board`."""

    def follow(self) -> Iterator[Seen | LedgerLost]:
        """The state of the pit, again and again; while the ledger is lost, the reason."""

    def close(self) -> None:
        """Closes its connection."""


class Watch:
    """Follows until the program ends, or until soon after `stop`."""

    def __init__(
        self,
        board: Follows,
        hand_on: Callable[[Seen | LedgerLost], None],
        fail: Callable[[Exception], None],
    ) -> None:
        self._board = board
        self._hand_on = hand_on
        self._fail = fail
        self._over = False
        self._thread = Thread(target=self._follow, name="pit-watch", daemon=True)

    def start(self) -> None:
        """Begins to follow."""
        self._thread.start()

    def stop(self) -> None:
        """Stops following; later states are dropped."""
        self._over = True

    def _follow(self) -> None:
        try:
            for state in self._board.follow():
                if self._over:
                    return
                self._hand_on(state)
        except Exception as error:  # noqa: BLE001  (whoever shows it raises it)
            if not self._over:
                self._fail(error)
        finally:
            self._board.close()
