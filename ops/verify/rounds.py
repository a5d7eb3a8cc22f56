"""Verifies the whole record again and again, slowly, and tells of what it finds.

A round takes a share of one core. What it finds is told once, for as long as it lasts: it is new if
the last whole round did not find it. Beside the rounds, `AsRead` verifies what is new as it comes.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, ValidationError, convert, to_builtins

from ops.ledger.database import Database, NotFit
from ops.ledger.growth import ends
from ops.ledger.reading import head_of
from ops.verify.diagnosis import name_commands, name_events
from ops.verify.faults import Fault, Verified
from ops.verify.scanning import scan_commands, scan_events
from ops.verify.verification import PIECE, walk
from ops.verify.whole import verify_record

if TYPE_CHECKING:
    import psycopg

SHARE = 5  # percent of one core
PAUSE = 60.0  # seconds between two rounds
_LONGEST_WHY = 500  # letters
ANNOUNCED_AT_ONCE = 20  # faults of one round that are told; `audit verify` lists the others
Record = Callable[[Fault, str], None]  # records a fault, found first by the round of this moment


class Round(Struct, frozen=True):
    """How far the present round is, and what the last whole one found."""

    begun_at: datetime
    position: int
    head: int  # so many events the round has to verify
    finished_at: datetime | None  # the end of the last whole round
    seconds: float | None  # how long that one took
    faults: list[Fault]  # of the last whole round
    failing_since: datetime | None = None  # since when rounds fail
    failing_why: str | None = None  # by what the last one did

    def as_dict(self) -> dict[str, object]:
        """The round as JSON fields."""
        return dict(to_builtins(self))


class Ended(Exception):
    """The round was stopped."""


def read_round(connection: "psycopg.Connection[Any]") -> Round | None:
    """The round as it stands; None before the first, or if its row cannot be read."""
    import psycopg

    try:
        row = connection.execute(
            "SELECT begun_at, position, head, finished_at, seconds, faults, failing_since,"
            " failing_why FROM projections.rounds"
        ).fetchone()
        if row is None:
            return None
        begun_at, position, head, finished_at, seconds, faults, *failing = row
        last = convert(faults, list[Fault])
        return Round(begun_at, position, head, finished_at, seconds, last, *failing)
    except (psycopg.DataError, ValidationError):  # somebody changed it; the next round replaces it
        return None


def _identity(fault: Fault) -> tuple[str, str]:
    """What a fault is known by. The position may move as the record grows.

    A record that was cut off or rolled back says how long it is now, which grows too.
    """
    grows = fault.fault in ("cut off", "rolled back")
    return fault.fault, "" if grows else fault.words


class Announcer:
    """What was told already; recording is tried again until it worked."""

    def __init__(self, record: Record, known: Iterable[Fault] = ()) -> None:
        self._record = record
        self._known = {_identity(each) for each in known}
        self._lock = threading.Lock()

    def tell(self, faults: Sequence[Fault], since: str) -> None:
        """Records each fault that is new."""
        with self._lock:
            new = {_identity(each): each for each in faults if _identity(each) not in self._known}
            for identity, each in [*new.items()][:ANNOUNCED_AT_ONCE]:
                self._record(each, since)
                self._known.add(identity)

    def forget_but(self, faults: Iterable[Fault]) -> None:
        """Forgets what is repaired, so that it is told if it comes back."""
        with self._lock:
            self._known &= {_identity(each) for each in faults}


class Rounds:
    """One round after the other, until `stop` is set. `share`: percent of one core."""

    def __init__(
        self,
        database: Database,
        announcer: Announcer,
        stop: threading.Event,
        *,
        share: int = SHARE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database = database
        self._announcer = announcer
        self._stop = stop
        self._rest = 100 / share - 1  # seconds of rest for a second of work
        self._clock = clock
        self._since = clock()

    def once(self) -> Verified:
        """Makes a whole round. Raises Ended, if it was stopped; LedgerLost; NotFit.

        With another pepper than the ledger's it accuses nobody, and is not a whole one.
        """
        with self.database.session("sabot_projector") as connection:
            begun = connection.execute(_BEGIN, (head_of(connection),)).fetchone()
            assert begun is not None
            self._since = started = self._clock()

            def noting(position: int, _: int) -> None:
                connection.execute("UPDATE projections.rounds SET position = %s", (position,))

            slow = partial(walk, self.database, jobs=1, breathe=self._breathe, watch=noting)
            result = verify_record(
                self.database, lambda leaves, since: slow(leaves=leaves, since=since)
            )
            self._announcer.tell(result.faults, begun[0].isoformat())
            self._announcer.forget_but(result.faults)
            if result.foreign_pepper:
                raise NotFit(result.foreign_pepper)
            connection.execute(_END, (self._clock() - started, _json(result.faults)))
        return result

    def note_failure(self, why: str) -> None:
        """Notes that a round failed, until the next whole one. Raises LedgerLost."""
        with self.database.session("sabot_projector") as connection:
            connection.execute(_FAILING, {"why": why[:_LONGEST_WHY]})

    def _breathe(self) -> None:
        """Rests after a piece of work, so that the work takes its share of a core."""
        if self._stop.wait((self._clock() - self._since) * self._rest):
            raise Ended
        self._since = self._clock()


_BEGIN = """
    INSERT INTO projections.rounds AS r (begun_at, head)
    VALUES (clock_timestamp(), %s)
    ON CONFLICT (one) DO UPDATE SET
        begun_at = excluded.begun_at, head = excluded.head, position = 0
    RETURNING begun_at
"""
_FAILING = """
    INSERT INTO projections.rounds AS r (begun_at, failing_since, failing_why)
    VALUES (clock_timestamp(), clock_timestamp(), %(why)s)
    ON CONFLICT (one) DO UPDATE SET
        failing_since = coalesce(r.failing_since, excluded.failing_since),
        failing_why = excluded.failing_why
"""
_END = """
    UPDATE projections.rounds
       SET position = head, finished_at = clock_timestamp(), seconds = %s, faults = %s,
           failing_since = NULL, failing_why = NULL,
           (readings, readings_head) = (
               SELECT coalesce(max(n), 0), (array_agg(hash ORDER BY n DESC))[1]
                 FROM (SELECT n, hash FROM ledger.readings ORDER BY n DESC LIMIT 1) AS last)
"""


def _json(faults: Sequence[Fault]) -> Any:
    from psycopg.types.json import Jsonb

    return Jsonb(to_builtins(faults))


class AsRead:
    """Verifies what is new: events as the projection `integrity` has hashed them, and commands.

    Whatever was there when it began is for the rounds.
    """

    def __init__(self, connection: "psycopg.Connection[Any]", announcer: Announcer) -> None:
        self._connection = connection
        self._announcer = announcer
        self._ends = self._read_ends()

    def check(self) -> None:
        """Tells what is wrong with what came since the last check."""
        before, now = self._ends, self._read_ends()
        faults: list[Fault] = []
        if now.bad and now.bad != before.bad:
            until = min(now.bad + PIECE, now.position)
            faults += name_events(
                self._connection, scan_events(self._connection, now.bad - 1, until).bad
            )
        for after in range(before.number, now.number, PIECE):
            until = min(after + PIECE, now.number)
            faults += name_commands(
                self._connection, scan_commands(self._connection, after, until).bad
            )
        if faults:
            self._announcer.tell(faults, now.at.isoformat())
        self._ends = now

    def _read_ends(self) -> "_Ends":
        row = self._connection.execute(
            "SELECT (SELECT first_bad FROM projections.integrity), clock_timestamp()"
        ).fetchone()
        assert row is not None
        return _Ends(*ends(self._connection), *row)


class _Ends(Struct, frozen=True):
    """The ends of both chains, and the first event that `integrity` found wrong."""

    position: int
    number: int
    bad: int | None
    at: datetime
