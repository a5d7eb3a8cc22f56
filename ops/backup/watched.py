"""The backup as a board or a server follows it: read now and then, by a thread of its own.

Its directory may be on a disk that hangs, and nobody waits for that.
"""

import threading
import time

from ops.backup.standing import Backups, read_backups, unread
from ops.ledger.database import Database
from ops.ledger.fit import machine_clock

AGAIN = 5.0  # seconds between two reads
PATIENCE = 2.0  # seconds for a read, before its disk counts as one that hangs


class Watched:
    """How the backup of one home is, as it was read last."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last: Backups | None = None
        self._began = 0.0
        self._thread: threading.Thread | None = None

    def look(self) -> Backups:
        """How it is; only a first read is waited for."""
        if self._is_due():
            self._began = time.monotonic()
            self._thread = threading.Thread(target=self._read, name="backup", daemon=True)
            self._thread.start()
        if self._thread and self._last is None:
            self._thread.join(PATIENCE)
        if self._hangs() or self._last is None:
            return Backups(None, (unread("its disk does not answer. Mount it again."),))
        return self._last

    def _is_due(self) -> bool:
        if self._thread is None:
            return True
        return not self._thread.is_alive() and time.monotonic() - self._began > AGAIN

    def _hangs(self) -> bool:
        reads = self._thread is not None and self._thread.is_alive()
        return reads and time.monotonic() - self._began > PATIENCE

    def _read(self) -> None:
        self._last = read_backups(self._database, machine_clock())
