"""Coups adjudicated again from the ledger alone: one, or every one of a range.

A range is done shoe by shoe: three short queries for a few shoes of a table day, all about the
record at the moment of the beginning. A coup whose events were altered and cannot be read counts as
a disagreement; it does not stop the others.
"""

import gc
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.coup import Coup
from domain.aggregates.open_money import OpenMoney
from domain.aggregates.shoe import Shoe
from domain.events import commission_account
from domain.events import coup as coup_events
from domain.events import shoe as shoe_events
from domain.events.base import Unreadable
from domain.review.adjudication import Adjudicated, Around, adjudicate, charges
from domain.review.replay import Disagreement, Line
from domain.rules import addresses
from domain.rules.money import Rounding
from domain.rules.refusals import SENSELESS
from ops.commands import rule_book
from ops.ledger.database import Database, LedgerLost
from ops.ledger.mapper import UnknownEvent
from ops.ledger.reading import head_of
from ops.ledger.recorder import flush
from ops.ledger.streams import line_of

if TYPE_CHECKING:
    import psycopg

AT_ONCE = 4  # shoes of one table day
WINDOW = 100_000  # positions in one search for shoes
FEW = 100  # shoes; fewer are done before other processes have started
HALF_THE_CORES = max((os.cpu_count() or 2) // 2, 1)  # PostgreSQL has the other half
_NUMBER = re.compile(r"[1-9][0-9]{0,5}")

# Each names its shoe; a coup is overlooked only if two of them are missing.
_TELL_OF_SHOES = (shoe_events.Loaded.TOPIC, shoe_events.CoupBegun.TOPIC, coup_events.Opened.TOPIC)
_OF_A_SHOE = (
    shoe_events.CoupBegun.TOPIC,
    shoe_events.CardDrawn.TOPIC,
    shoe_events.CarriedCardDealt.TOPIC,
    shoe_events.CardRenamed.TOPIC,
)
_NOTED = (  # read for one coup, but not for a range
    *(
        shoe_events.UndueCardRefused.TOPIC,
        shoe_events.CardMisdrawn.TOPIC,
        shoe_events.CardDiscarded.TOPIC,
    ),
    *(
        shoe_events.CutCardPassed.TOPIC,
        shoe_events.CutCardShown.TOPIC,
        shoe_events.CoupNotDealt.TOPIC,
    ),
)


class Range(Struct, frozen=True):
    """The coups asked for: of a table, of gaming days (both ends included), of a shoe; or all.

    A shoe that was dealt on two gaming days, over a roll-over, is done whole for either.
    """

    table: str | None = None
    first: date | None = None
    last: date | None = None
    shoe: addresses.Shoe | None = None


class ShoeToWalk(Struct, frozen=True):
    """A shoe, with its coups that are named in other streams."""

    address: addresses.Shoe
    coups: frozenset[int] = frozenset()


class Walked(Struct):
    """The result for some coups, with those that disagree by table day, shoe and number."""

    coups: int = 0
    open: int = 0
    voided: int = 0
    events: int = 0
    wagers: int = 0
    payments: int = 0
    cards: int = 0
    disagreeing: list[tuple[str, list[Disagreement]]] = field(default_factory=list)

    def add(self, other: "Walked") -> None:
        """Adds the result of other coups."""
        for name in ("coups", "open", "voided", "events", "wagers", "payments", "cards"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.disagreeing += other.disagreeing

    def count(self, coup: Adjudicated, events: int) -> None:
        """Counts one more coup."""
        self.coups += 1
        self.events += events
        replay = coup.replay
        if replay:
            self.open += replay.phase not in coup_events.OVER
            self.voided += replay.phase == "voided"
            self.wagers += len(replay.in_play)
            self.payments += len(replay.payments)
            self.cards += len(replay.dealt)
        if coup.disagreements:
            self.disagreeing.append((coup.coup, coup.disagreements))

    @property
    def ok(self) -> bool:
        """Whether every coup agrees."""
        return not self.disagreeing


def one(connection: "psycopg.Connection[Any]", address: addresses.Coup) -> Adjudicated | None:
    """Adjudicates one coup, or returns None if neither its own stream nor its shoe's has it."""
    head = head_of(connection)
    [rows] = _read(connection, [Coup.stream(address)], head)
    own = [_line(row) for row in rows]
    learn_rules(connection, [own])
    shoe = shoe_record(connection, address, head)
    return beside(connection, address, own, head, shoe) if own or shoe.begun or shoe.drawn else None


def beside(
    connection: "psycopg.Connection[Any]",
    address: addresses.Coup,
    own: Sequence[Line],
    until: int,
    shoe: "ByShoe",
) -> Adjudicated:
    """Adjudicates a coup's own events with its shoe and the accounts, up to a position."""
    accounts = _accounts(connection, {address: own}, until)
    return adjudicate(str(address), own, shoe.around(accounts.get(str(address))))


def shoe_record(
    connection: "psycopg.Connection[Any]", address: addresses.Coup, until: int
) -> "ByShoe":
    """The events of the coup in the shoe's stream, up to a position."""
    [rows] = _read(connection, [Shoe.stream(address.shoe)], until, (*_OF_A_SHOE, *_NOTED))
    known: dict[int, ByShoe] = {}
    noted: list[Line] = []
    last = 0  # the last coup begun
    shown: Line | None = None
    for line in map(_line, rows):
        event = line.event
        if isinstance(event, shoe_events.CutCardShown):
            shown = line
            if address.number in (last, event.last_coup):
                noted.append(line)
        elif isinstance(event, shoe_events.CoupNotDealt):
            if shown and shown not in noted and event.last_coup == address.number:
                noted.append(shown)
        elif getattr(event, "TOPIC", None) not in _NOTED:
            _add(known, line)
            last = event.coup if isinstance(event, shoe_events.CoupBegun) else last
        elif event.coup == address.number:
            noted.append(line)
    return replace(known.get(address.number) or ByShoe(), noted=noted)


def walk(
    database: Database,
    asked: Range,
    processes: int | None = None,
    begins: Callable[[int], None] = lambda _: None,
    done: Callable[[int], None] = lambda _: None,
) -> tuple[int, Walked]:
    """Adjudicates a range; returns the last position read, and the result.

    Any number of processes gives the same result. `begins` is called with the number of shoes,
    `done` with each few that are finished.
    """
    total = Walked()
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
        flush(connection)
        shoes = shoes_of(connection, asked, head)
        begins(len(shoes))
        pieces = list(_pieces(shoes))
        workers = processes or (1 if len(shoes) <= FEW else HALF_THE_CORES)
        if workers == 1:
            for piece in pieces:
                total.add(walk_shoes(connection, piece, head))
                done(len(piece))
            return head, total
    for piece, walked in zip(pieces, _at_once(database.given, pieces, head, workers), strict=True):
        total.add(walked)
        done(len(piece))
    return head, total


def shoes_of(connection: "psycopg.Connection[Any]", asked: Range, head: int) -> list[ShoeToWalk]:
    """Every shoe of the range, by gaming day, table and number."""
    named: dict[str, set[str]] = {}  # numbers of coups, as written
    for topic, state in _tell_of_shoes(connection, asked, head):
        with suppress(*SENSELESS):
            event = msgspec.json.decode(state)
            if topic == coup_events.Opened.TOPIC:
                shoe, _, number = event["coup"].rpartition("/")
                named.setdefault(shoe, set()).add(number)
            else:
                named.setdefault(event["shoe"], set())
    shoes = {asked.shoe: frozenset[int]()} if asked.shoe else {}
    for name, numbers in named.items():
        with suppress(*SENSELESS):
            address = addresses.Shoe.parse(name)
            if asked.shoe in (None, address):
                shoes[address] = frozenset(map(int, filter(_NUMBER.fullmatch, numbers)))
    return [
        ShoeToWalk(shoe, shoes[shoe])
        for shoe in sorted(shoes, key=lambda each: (*_table_day(each), each.number))
    ]


def _table_day(shoe: addresses.Shoe) -> tuple[date, str]:
    return shoe.table_day.day, shoe.table_day.table


def _tell_of_shoes(
    connection: "psycopg.Connection[Any]", asked: Range, head: int
) -> Iterator[tuple[str, bytes]]:
    """Events that name a shoe, read in ranges so that no snapshot stays open."""
    where: LiteralString = "topic = ANY(%s)"
    values: list[object] = [list(_TELL_OF_SHOES)]
    if asked.table:
        where += " AND table_code = %s"
        values.append(asked.table)
    at, last = 0, head
    if asked.first or asked.last:
        where += " AND gaming_day BETWEEN %s AND %s"
        values += [asked.first or date.min, asked.last or date.max]
        row = connection.execute(
            f"SELECT coalesce(min(position) - 1, 0), coalesce(max(position), 0)"  # noqa: S608
            f" FROM ledger.events WHERE {where}",
            values,
        ).fetchone()
        assert row is not None
        at, last = row[0], min(row[1], head)
    while at < last:
        until = min(at + WINDOW, last)
        yield from connection.execute(
            f"SELECT topic, state FROM ledger.events WHERE position > %s AND position <= %s"  # noqa: S608
            f" AND {where} ORDER BY position",
            (at, until, *values),
            binary=True,
        ).fetchall()
        at = until


def _pieces(shoes: Sequence[ShoeToWalk]) -> Iterator[list[ShoeToWalk]]:
    """Groups of a few shoes of one table day, so that its accounts are read once or twice."""
    for _, of_a_day in groupby(shoes, key=lambda each: each.address.table_day):
        together = list(of_a_day)
        for first in range(0, len(together), AT_ONCE):
            yield together[first : first + AT_ONCE]


def walk_shoes(
    connection: "psycopg.Connection[Any]", shoes: Sequence[ShoeToWalk], until: int
) -> Walked:
    """The result for every coup of some shoes of one table day."""
    walked = Walked()
    for coup, events in _adjudicated(connection, shoes, until):
        walked.count(coup, events)
    return walked


class ByShoe(Struct):
    """The events of a coup in its shoe's stream."""

    begun: bool = False
    drawn: list[Line] = field(default_factory=list)
    renamed: list[Line] = field(default_factory=list)
    noted: list[Line] = field(default_factory=list)  # not draws; for one coup only

    def around(self, entries: "_Entries | None") -> Around:
        """These events, with the accounts' entries about the coup."""
        commission, charged = entries or ([], {})
        return Around(self.begun, self.drawn, self.renamed, commission, charged)


def _adjudicated(
    connection: "psycopg.Connection[Any]", shoes: Sequence[ShoeToWalk], until: int
) -> Iterator[tuple[Adjudicated, int]]:
    """Each coup, with the number of its events."""
    coups: dict[addresses.Coup, ByShoe] = {}
    streams = [Shoe.stream(shoe.address) for shoe in shoes]
    for shoe, rows in zip(shoes, _read(connection, streams, until, _OF_A_SHOE), strict=True):
        known = {number: ByShoe() for number in shoe.coups}
        for line in map(_line, rows):
            _add(known, line)
        for number in sorted(known):
            coups[addresses.Coup(shoe.address, number)] = known[number]
    streams = [Coup.stream(address) for address in coups]
    lines = {
        address: [_line(row) for row in rows]
        for address, rows in zip(coups, _read(connection, streams, until), strict=True)
    }
    learn_rules(connection, lines.values())
    accounts = _accounts(connection, lines, until)
    for address, own in lines.items():
        by_shoe = coups[address]
        if own or by_shoe.begun or by_shoe.drawn:
            around = by_shoe.around(accounts.get(str(address)))
            yield (
                adjudicate(str(address), own, around),
                len(own) + len(by_shoe.drawn) + len(around.commission),
            )


def _add(known: dict[int, ByShoe], line: Line) -> None:
    """Adds a shoe's event to its coup; an unreadable event names no coup."""
    event = line.event
    if isinstance(event, Unreadable):
        return
    coup = known.setdefault(event.coup, ByShoe())
    if isinstance(event, shoe_events.CoupBegun):
        coup.begun = True
    elif isinstance(event, shoe_events.CardRenamed):
        coup.renamed.append(line)
    else:
        coup.drawn.append(line)


def learn_rules(connection: "psycopg.Connection[Any]", coups: Iterable[Sequence[Line]]) -> None:
    """Reads the house's own rule sets of these coups; the replay reports unknown ones."""
    opened = (
        lines[0].event
        for lines in coups
        if lines and isinstance(lines[0].event, coup_events.Opened)
    )
    for name, digest in sorted({(event.rules, event.rules_digest) for event in opened}):
        with suppress(*SENSELESS, UnknownEvent):
            rule_book.learn(connection, name, digest)


_Entries = tuple[list[Line], dict[int, int]]


def _accounts(
    connection: "psycopg.Connection[Any]",
    coups: Mapping[addresses.Coup, Sequence[Line]],
    until: int,
) -> dict[str, _Entries]:
    """The entries about each coup in the accounts of all stays that had a wager."""
    stays = {
        getattr(line.event, name)
        for lines in coups.values()
        for line in lines
        for name in ("stay", "to_stay")
        if hasattr(line.event, name)
    }
    entries: dict[str, _Entries] = {}
    for rows in _read(connection, stay_streams(CommissionAccount, stays), until):
        account = [_line(row) for row in rows if row[2] in _ENTRIES or row[1] == 1]
        opened = account[0].event if account else None
        charged: dict[int, int] = {}
        if isinstance(opened, commission_account.Opened) and opened.moment == "on-collection":
            with suppress(*SENSELESS):  # otherwise every charge disagrees
                charged = charges(map(_line, rows), _rounding(opened))
        for line in account:
            coup = getattr(line.event, "coup", None)
            if coup is not None:
                lines, known = entries.setdefault(coup, ([], {}))
                lines.append(line)
                known.update(charged)
    return entries


def stay_streams(kind: type[CommissionAccount | OpenMoney], stays: Iterable[object]) -> list[UUID]:
    """The streams of this kind of these stays, without any that was altered into nonsense."""
    streams = []
    for stay in sorted(stays, key=str):
        with suppress(*SENSELESS):
            streams.append(kind.stream(stay))  # type: ignore[arg-type]
    return streams


def _rounding(opened: commission_account.Opened) -> Rounding:
    return Rounding(
        mode=opened.rounding,  # type: ignore[arg-type]
        unit=opened.unit,
        minimum=opened.minimum,
        moment=opened.moment,  # type: ignore[arg-type]
    )


_ENTRIES = (
    commission_account.CommissionAccrued.TOPIC,
    commission_account.CommissionCorrected.TOPIC,
)


_Row = tuple[int, int, str, bytes, int]


def _read(
    connection: "psycopg.Connection[Any]",
    streams: Sequence[UUID],
    until: int,
    topics: Sequence[str] = (),
) -> list[list[_Row]]:
    """The events of each stream, in order."""
    rows: list[Any] = connection.execute(
        """
        SELECT asked.n, originator_version, topic, state, position
          FROM unnest(%s::uuid[]) WITH ORDINALITY AS asked (stream, n)
          JOIN ledger.events ON originator_id = asked.stream
         WHERE position <= %s AND (cardinality(%s::text[]) = 0 OR topic = ANY(%s::text[]))
        """,
        (list(streams), until, list(topics), list(topics)),
        binary=True,
    ).fetchall()
    rows.sort()  # faster here than in the database, because each stream is in order
    streams_rows: list[list[_Row]] = [[] for _ in streams]
    for row in rows:
        streams_rows[row[0] - 1].append(row)
    return streams_rows


def _line(row: _Row) -> Line:
    _, _, topic, state, position = row
    return line_of(position, topic, state)


# Several at once, in processes of their own.

_connection: Any = None  # in a worker


def _at_once(
    url: str | None, pieces: Sequence[Sequence[ShoeToWalk]], head: int, processes: int
) -> Iterator[Walked]:
    """The result of each piece, in order. Raises the first exception of any."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, spawn, _begin, (url,))
    try:
        with _deaf_to_interrupts():  # the workers inherit this; this process ends them
            results = pool.map(_do, pieces, [head] * len(pieces))
        yield from results
    except BrokenProcessPool as error:
        raise LedgerLost("a process that read it was ended") from error
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    import signal

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(url: str | None) -> None:
    global _connection  # noqa: PLW0603  (a worker has one)
    gc.disable()  # events are dropped in order, and none refers to another
    _connection = Database(url).connect("sabot_auditor")


def _do(piece: Sequence[ShoeToWalk], head: int) -> Walked:
    import psycopg

    try:
        return walk_shoes(_connection, piece, head)
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise LedgerLost(str(error)) from None
