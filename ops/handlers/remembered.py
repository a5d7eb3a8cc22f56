"""What this machine saw acknowledged: the newest event of the record, for after a restore.

A checkpoint covers what was signed. Between two checkpoints a house server remembers the position
and the hash of the newest event that is on disk, in a file too. So it notices when its database was
restored beneath it, or while it was stopped.
"""

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from domain.rules.refusals import Refusal
from ops.handlers.checkpoints import look
from ops.handlers.continued import UNREADABLE
from ops.ledger.database import Database, LedgerLost
from ops.ledger.growth import Last
from ops.proof import epochs, seen, stored
from ops.proof.epochs import Known
from ops.words.failure import Failure

if TYPE_CHECKING:
    import psycopg

SELDOM = 1.0  # seconds between two writes of the file


class Remembered:
    """The newest event that a server saw on disk."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mark: Known | None = None
        self._epoch = 1
        self._written = float("-inf")  # when the file was

    def compare(self, connection: "psycopg.Connection[Any]") -> None:
        """Records what is missing from the record, if anything is. Raises LedgerLost."""
        known = list(filter(None, (self._mark, seen.mark_of(connection))))
        with suppress(*UNREADABLE, Refusal):
            if epochs.missing(connection, known, stored.tiles_of(connection)):
                look(self._database, known)

    def note(self, connection: "psycopg.Connection[Any]", last: Last) -> None:
        """Remembers an event, in the file once a second.

        The ledger was flushed after `last` was read. A newer event may be lost in a crash, and
        nobody had an answer about it.
        """
        seldom = time.monotonic() - self._written > SELDOM
        if seldom:
            self._epoch = epochs.epoch_now(epochs.restores(connection))
        place = last.position, last.hash
        self._mark = Known("on this machine", self._epoch, *place, signed=False, at=last.now)
        if seldom:
            self._written = time.monotonic()
            with suppress(OSError):
                seen.keep_mark(connection, self._mark)

    def close(self) -> None:
        """Writes the file, if the ledger is there."""
        with suppress(LedgerLost, Failure, OSError):
            if self._mark:
                with self._database.session("sabot_auditor") as connection:
                    seen.keep_mark(connection, self._mark)
