"""A connection on which a commit that was answered is on the synchronous standby, too.

If somebody cancels the wait for the standby, PostgreSQL answers that the transaction is committed,
and warns that the standby may not have it. If the standby is promoted then, it is lost. So after a
warning this connection waits for the standby again, and answers only when no warning came.
"""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from datetime import datetime
from typing import Any, TypeVar

import psycopg
from psycopg.generators import execute
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from ops.words.failure import FOR_STANDBY, Unconfirmed

T = TypeVar("T")
_TIMES = 10  # that somebody may cancel one wait
_WAITS = """
SELECT bool_or(pid = %s), min(query_start) FROM pg_catalog.pg_stat_activity
 WHERE wait_event = 'SyncRep'
"""


def _looks() -> Generator[bool]:
    """Whether it is time to look why it takes so long: ever less often, for a long report."""
    began, patience = time.monotonic(), FOR_STANDBY
    while True:
        due = time.monotonic() - began > patience
        patience *= 2 if due else 1
        yield due


class StandbyAway(psycopg.OperationalError, Unconfirmed):
    """The synchronous standby does not answer: what was committed may be lost with this server."""

    def __init__(self, since: datetime) -> None:
        self.since = f"{since.astimezone():%H:%M:%S}"
        super().__init__(
            f"the synchronous standby has not answered since {self.since}, and nothing can be "
            "recorded safely without it"
        )


def _one_of(results: list[PGresult]) -> PGresult:
    """The error, if there is one: a row comes before its commit, which may fail."""
    return next((each for each in results if each.status == ExecStatus.FATAL_ERROR), results[0])


class Connection(psycopg.Connection[Any]):
    """Answers a commit when the standby has it; StandbyAway, if the standby does not answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.beside: Callable[[], psycopg.Connection[Any]] | None = None  # opens another one
        self.server_pid = self.pgconn.backend_pid  # a pooler gives a number of its own
        # Writes to the log and waits: a standby that has this has everything before it.
        self.again = b"SELECT pg_catalog.pg_logical_emit_message(true, 'sabot', '')"
        self._warned = False
        self.add_notice_handler(self._noted)

    def _noted(self, notice: psycopg.errors.Diagnostic) -> None:
        self._warned |= notice.severity_nonlocalized == "WARNING"

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **kwargs: Any) -> T:
        """What the statements of a generator gave, when the standby has what they committed."""
        self._warned = False
        came = super().wait(self._watched(gen), *args, **kwargs)
        for _ in range(_TIMES):
            if not self._unconfirmed():
                return came
            self._warned = False
            super().wait(self._watched(self._again()))
        if self._unconfirmed():
            raise StandbyAway(datetime.now().astimezone())
        return came

    def result(self, send: Callable[..., None], *args: Any) -> PGresult:
        """The one result of what `send` sends with these, as `pgconn.send_query_params` does."""
        send(*args)
        return _one_of(self.wait(execute(self.pgconn)))

    def _unconfirmed(self) -> bool:
        """Whether the server warned, and something may be committed that the standby has not."""
        return self._warned and self.pgconn.transaction_status == TransactionStatus.IDLE

    def _again(self) -> Generator[Any, Any, None]:
        self.pgconn.send_query(self.again)
        result = _one_of((yield from execute(self.pgconn)))
        if result.status != ExecStatus.TUPLES_OK:
            raise psycopg.errors.error_from_result(result)

    def _watched(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        """The same generator, which ends with StandbyAway if it waits for the standby too long."""
        looks, since = _looks(), None
        try:
            wants = next(gen)
            while True:
                ready = yield wants
                if not ready and not since and next(looks):
                    since = self._gave_up()
                wants = gen.send(ready)
        except StopIteration as end:
            if since and self._warned:
                raise StandbyAway(since) from None
            value: T = end.value
            return value

    def _gave_up(self) -> datetime | None:
        """Stops waiting for the standby, if this connection does; since when somebody waits."""
        since = self._waits_since()
        if since:
            self.cancel_safe(timeout=FOR_STANDBY)
        return since

    def _waits_since(self) -> datetime | None:
        """Since when somebody waits for the standby, if this connection does; None: it does not."""
        busy = self.pgconn.transaction_status == TransactionStatus.ACTIVE
        if not busy or self.beside is None:
            return None
        with closing(self.beside()) as beside:
            row = beside.execute(_WAITS, (self.server_pid,)).fetchone()
        return row[1] if row and row[0] else None
