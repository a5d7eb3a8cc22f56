"""Writes and reads events through one connection and one database function, in one order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from domain.rules.inquiries import last_visible
from domain.rules.wording import Words
from ops.ledger.appending import (
    STATEMENTS,
    TYPES,
    Appended,
    Decided,
    Decision,
    NotAppended,
    NotGathered,
    Reads,
    reads_of,
    row_of,
    values_of,
)
from ops.ledger.chain import Recorded
from ops.ledger.database import Database, LedgerHeld, LedgerLost, OnStandby, Role
from ops.ledger.fit import clock_off, machine_clock
from ops.ledger.pepper import require_own
from ops.ledger.reading import read_spans
from ops.ledger.seals import sealing_key
from ops.ledger.standby import only_reads
from ops.words.failure import MAY_BE_LOST, Unconfirmed

if TYPE_CHECKING:
    import psycopg

    from ops.ledger.confirmed import Connection


ASKED_AGAIN = timedelta(seconds=1)  # a clock that was off by this much is checked again


class Ledger:
    """A process's connection to the ledger. Raises LedgerLost when it breaks.

    With a `role` that may only read, nothing can be appended. `together`: appends one decision
    with those of others, on a connection of its own.
    """

    def __init__(
        self,
        database: Database,
        role: Role = "sabot_app",
        together: "Callable[[Decided], Appended] | None" = None,
    ) -> None:
        self.database = database
        self._together = together
        self._role: Role = role
        self._connection: Connection | None = None
        self._turns: psycopg.Connection[Any] | None = None  # made for the first turn
        self._key: bytes | None = None  # which seals commands; made for the first append
        self._prepared = False  # whether the append statement is prepared on this connection
        self._gathered: list[Decided] | None = None
        self.unflushed = False
        self.opened: Callable[[Connection], None] = lambda connection: None  # checks a new one

    @property
    def clock_off(self) -> timedelta:
        """How far this machine's clock is ahead of the server's, at least. Raises LedgerLost.

        As of the last append, or of the connection; a clock that was off then is checked again,
        because somebody may have set it since.
        """
        with self.stream_connection() as connection:
            if abs(self.database.clock_off) >= ASKED_AGAIN:
                self.database.clock_off = flush(connection)
            return self.database.clock_off

    @property
    def connected(self) -> bool:
        """Whether there is a connection; it may have died since its last use."""
        return self._connection is not None

    @contextmanager
    def connection(self) -> Iterator["Connection"]:
        """The connection, made if there is none, dropped if it breaks.

        Raises LedgerLost; NotGathered, while decisions wait whose events it would not see.
        """
        if self._gathered:
            raise NotGathered
        with self.stream_connection() as connection:
            yield connection

    @contextmanager
    def stream_connection(self) -> Iterator["Connection"]:
        """A connection like `connection`, for reads that are right even while decisions wait."""
        import psycopg

        if self._connection is None:
            self._connection = self._checked()
            self._prepared = False
        try:
            yield self._connection
        except psycopg.errors.LockNotAvailable as error:
            raise LedgerHeld from error
        except psycopg.errors.ReadOnlySqlTransaction as error:
            raise OnStandby(self.database.only_reads or error) from error
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            if isinstance(error, psycopg.errors.SerializationFailure):
                raise
            self.close()
            raise LedgerLost(error) from error

    def _checked(self) -> "Connection":
        """A new connection, closed again if it is not as it should be. Raises LedgerLost."""
        connection = self.database.connect(self._role)
        try:
            self.opened(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def only_reads(self) -> str:
        """Why nothing can be recorded here now, on a standby or a copy; '' if it can.

        Raises LedgerLost.
        """
        with self.stream_connection() as connection:
            if self.database.only_reads:
                self.database.only_reads = only_reads(connection)
        return self.database.only_reads

    def require_leader(self) -> None:
        """Requires a server on which something can be recorded. Raises OnStandby, LedgerLost."""
        if why := self.only_reads:
            raise OnStandby(why)

    def close(self) -> None:
        """Closes the connection; what was not flushed on it may be lost."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._give_up_turns()
        self.unflushed = False

    def _give_up_turns(self) -> None:
        if self._turns is not None:
            self._turns.close()
            self._turns = None

    @contextmanager
    def turn(self, table: str) -> Iterator[None]:
        """Makes others with a turn at this table wait until the block ends, 5 s at most.

        It uses a connection of its own, so that the append commits independently. Turns only save
        retries: without one, the block runs all the same.
        """
        import psycopg

        try:
            if self._turns is None:
                self._turns = self.database.connect("sabot_app")
            self._turns.execute("BEGIN")
            self._turns.execute("SELECT ledger.take_turn(%s)", (table,))
        except (psycopg.Error, LedgerLost):
            self._give_up_turns()
        try:
            yield
        finally:
            self._end_turn()

    def _end_turn(self) -> None:
        import psycopg

        try:
            if self._turns is not None:
                self._turns.execute("COMMIT")
        except psycopg.Error:
            self._give_up_turns()

    def append(
        self, events: Sequence[StoredEvent], decision: Decision, *, flush: bool = True
    ) -> Sequence[int]:
        """Writes the events and the answer; the events' positions. Raises NotAppended.

        They are on disk when this returns; but with `decision.beside`, or without `flush`, only
        after flush(). Within `gather` they only wait, and their positions count from 1.
        """
        if self._gathered is not None:
            if decision.beside:
                raise NotGathered
            self._gathered.append(Decided(events, decision))
            return range(1, len(events) + 1)
        decided = Decided(events, decision)
        if self._together and flush and not decision.beside:
            outcome, first = self._together(decided)
            if outcome != "done":
                raise NotAppended(outcome)
        else:
            first = self._append_alone(decided, flush=flush)
        return range(first, first + len(events)) if first else ()

    def _append_alone(self, decided: Decided, *, flush: bool) -> int | None:
        """Writes a decision on this connection; its first position. Raises NotAppended."""
        decision = decided.decision
        with self.stream_connection() as connection, _beside(connection, decision):
            statement = b"append_and_flush" if flush and not decision.beside else b"append"
            reads = [list(decision.reads.items())]
            ((outcome, first),) = self._call(connection, statement, [decided], reads, each=False)
            if outcome != "done":
                raise NotAppended(outcome)
        return first

    @contextmanager
    def gather(self) -> Iterator[list[Decided]]:
        """Collects what is appended within the block in a list, for `append_several`."""
        self._gathered = []
        try:
            yield self._gathered
        finally:
            self._gathered = None

    def waits(self, stream: UUID | str) -> bool:
        """Whether events of a stream wait to be appended."""
        return any(stream in one.decision.places for one in self._gathered or ())

    def append_several(self, decided: Sequence[Decided], *, each: bool = False) -> list[Appended]:
        """Writes several decisions in one call: each one's outcome and its first position.

        All of them or none, and a later one may depend on earlier ones; with `each`, as many as
        possible, each independent. They are on disk when this returns. None may have `beside`.
        """
        if not decided:
            return []
        reads = reads_of(decided, each=each)
        if reads is None:
            return [("conflict", None)] * len(decided)
        with self.stream_connection() as connection:
            return self._call(connection, b"append_and_flush", decided, reads, each=each)

    def _call(
        self,
        connection: "Connection",
        statement: bytes,
        decided: Sequence[Decided],
        reads: "Sequence[Reads]",
        *,
        each: bool,
    ) -> list[Appended]:
        if self._key is None:
            require_own(connection)
            self._key = sealing_key(anew=True)
        asked = machine_clock()
        sent_at = asked - self.database.clock_off  # a clock known to be wrong is put right
        values = values_of(decided, reads, self._key, sent_at, each=each)
        outcomes, firsts, *at = self._executed(connection, statement, values)
        if at:
            self.database.clock_off = clock_off(asked, at[0], machine_clock())
        else:
            self.unflushed = True
        return list(zip(outcomes, firsts, strict=True))

    def _executed(
        self, connection: "Connection", statement: bytes, values: list[bytes]
    ) -> tuple[Any, ...]:
        """The row that a statement returns; it is prepared, unless it is part of a transaction.

        After a ROLLBACK the driver drops prepared statements: then it is prepared again.
        """
        import psycopg

        wire, sql, formats = connection.pgconn, STATEMENTS[statement].encode(), [1] * len(values)

        def row(send: Callable[..., None], *args: Any) -> tuple[Any, ...]:
            return row_of(connection, connection.result(send, *args))

        if statement == b"append":
            return row(wire.send_query_params, sql, values, TYPES, formats, 1)
        if self._prepared:
            with suppress(psycopg.errors.InvalidSqlStatementName):
                return row(wire.send_query_prepared, statement, values, formats, 1)
        row(wire.send_prepare, statement, sql, TYPES)
        self._prepared = True
        return row(wire.send_query_prepared, statement, values, formats, 1)

    def flush(self) -> None:
        """Waits until everything appended on this connection is on disk."""
        if self.unflushed:
            with self.stream_connection() as connection:
                self.database.clock_off = flush(connection)
            self.unflushed = False

    def moved(self, versions: Mapping[UUID, int]) -> list[UUID]:
        """The streams, of these, that have events after these versions."""
        with self.stream_connection() as connection:
            rows = connection.execute(
                """
                SELECT id FROM unnest(%s::uuid[], %s::bigint[]) AS held (id, version)
                 WHERE EXISTS (SELECT FROM ledger.events WHERE originator_id = id
                                  AND originator_version > version)
                """,
                (list(versions), list(versions.values())),
            ).fetchall()
        return [stream for (stream,) in rows]

    def answered(self, command_id: str, content: bytes) -> bool:
        """Whether a command with this id and content has a stored answer."""
        with self.stream_connection() as connection:
            row = connection.execute(
                "SELECT FROM ledger.commands WHERE command_id = %s AND content = %s",
                (command_id, content),
            ).fetchone()
        return row is not None

    def used_ids(self, command_ids: Sequence[str]) -> set[str]:
        """The ids, of these, that were used before, for any command."""
        with self.stream_connection() as connection:
            rows = connection.execute(
                "SELECT command_id FROM ledger.commands WHERE command_id = ANY(%s)",
                (list(command_ids),),
            ).fetchall()
        return {command_id for (command_id,) in rows}

    def stored_answers(self, command_ids: Sequence[str]) -> dict[str, "Stored"]:
        """What is stored under those of the ids that were used; flush() before you pass it on."""
        with self.stream_connection() as connection:
            rows = connection.execute(
                "SELECT command_id, content, answer, first_position, last_position"
                " FROM ledger.commands WHERE command_id = ANY(%s)",
                (list(command_ids),),
            ).fetchall()
            spans = {row[0]: range(row[3], row[4] + 1) for row in rows if row[3]}
            events = {each.position: each for each in read_spans(connection, spans.values())}
        self.unflushed |= bool(rows)  # another connection wrote them, perhaps not to disk yet
        return {
            name: Stored(content, answer, [events[n] for n in spans.get(name, ()) if n in events])
            for name, content, answer, *_ in rows
        }


class Stored(Struct, frozen=True):
    """What is stored under an id: the digest of the line, its answer and its events."""

    content: bytes
    answer: str
    events: Sequence[Recorded]

    @property
    def position(self) -> int | None:
        """The position that the answer has, or None; see `last_visible`."""
        return last_visible((each.topic, each.position) for each in self.events)


@contextmanager
def _beside(connection: "psycopg.Connection[Any]", decision: Decision) -> Iterator[None]:
    """A transaction for the append and the statements beside it, if there are any."""
    if not decision.beside:
        yield
        return
    with connection.transaction():
        for sql, values in decision.beside:
            if connection.execute(sql, values).rowcount != 1:  # another process was first
                raise NotAppended("conflict")
        yield


def flush(connection: "psycopg.Connection[Any]") -> timedelta:
    """Waits until all that this connection has read or appended is on disk.

    Returns how far this machine's clock is ahead of the server's, at least.
    """
    asked = machine_clock()
    row = connection.execute("SELECT clock_timestamp(), ledger.flush()").fetchone()
    assert row is not None
    return clock_off(asked, row[0], machine_clock())


def flush_to_show(connection: "psycopg.Connection[Any]") -> Words | None:
    """Waits like flush(), before something is shown.

    Returns why the newest of it may still be lost: the synchronous standby does not answer. Whoever
    reads reads on; what leaves the house waits with flush().
    """
    try:
        flush(connection)
    except Unconfirmed as error:
        return Words(MAY_BE_LOST, since=error.since)
    return None
