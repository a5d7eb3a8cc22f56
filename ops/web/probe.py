"""Whether something could be recorded now, although nobody records: asked every few seconds."""

import threading
from contextlib import suppress

from ops.ledger.database import Database
from ops.ledger.recordable import why_not
from ops.ledger.standby import is_standby
from ops.words.failure import Failure

EVERY = 2.0  # seconds


class Probe:
    """Why nothing could be recorded when it was asked last; its thread asks until `close`."""

    def __init__(self, database: Database) -> None:
        self.why = ""
        self._database = database
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._ask, name="probe", daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        import psycopg

        while not self._ending.is_set():
            with suppress(Failure, psycopg.Error):  # `news` says that the ledger is lost
                self._ask_on_one_connection()
            self._ending.wait(EVERY)

    def _ask_on_one_connection(self) -> None:
        with self._database.session("sabot_auditor") as connection:
            while not self._ending.is_set() and not connection.closed:
                self.why = "" if is_standby(connection) else why_not(connection)
                self._ending.wait(EVERY)

    def close(self) -> None:
        """Asks no more."""
        self._ending.set()
