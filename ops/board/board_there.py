"""The board through the house server's door, for a terminal that has no database."""

import time
from collections.abc import Iterator
from http.client import HTTPException
from urllib.parse import urlencode

import msgspec

from ops.board.rows import Seen
from ops.door.coded import decoded
from ops.door.connection import Connection, why
from ops.door.stream import AGAIN, OPEN, TurnedAway, followed
from ops.ledger.database import LedgerLost
from ops.words.failure import Failure


class NotShown(Failure):
    """The house does not show the board here; its words."""


class BoardThere:
    """Follows the pit, or one table of it, by the server's stream."""

    def __init__(self, address: str, table: str | None = None) -> None:
        """Raises NoHouse."""
        self._connection = Connection(address)
        self._asked = {"started": "1"} | ({"table": table} if table else {})

    def close(self) -> None:
        """Ends it."""
        self._connection.close()

    def follow(self) -> Iterator[Seen | LedgerLost]:
        """The pit, again whenever it changes; while the house cannot be reached, the reason.

        Raises NotShown.
        """
        while True:
            try:
                yield from self._looks()
            except TurnedAway as error:
                raise NotShown(str(error)) from error
            except (HTTPException, OSError, msgspec.MsgspecError) as error:
                yield LedgerLost(why(error))
            time.sleep(AGAIN)

    def _looks(self) -> Iterator[Seen | LedgerLost]:
        for kind, text in followed(self._connection, f"/api/board?{urlencode(self._asked)}"):
            if kind == OPEN:
                self._asked.pop("started", None)  # it is on record now
            elif kind == "seen":
                yield decoded(text.encode(), Seen)
            elif kind == "lost":
                yield LedgerLost(text)
