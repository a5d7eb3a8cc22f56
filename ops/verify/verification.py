"""Verifies the whole record, as the auditor, on one core or several, in constant memory."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from ops.ledger.database import Database
from ops.ledger.recorder import flush
from ops.verify.beside import check_beside
from ops.verify.diagnosis import name_commands, name_events, name_others
from ops.verify.far_off import read_all_moments
from ops.verify.faults import MOST, Fault, Verified
from ops.verify.matching import MOST_UNEQUAL, matched
from ops.verify.moments import Moments
from ops.verify.readings import check_readings
from ops.verify.rows_sealed import check_kinds, check_sealed
from ops.verify.scanning import (
    MOST_BAD,
    Bad,
    Command,
    Events,
    Scanned,
    join,
    scan_commands,
    scan_events,
)
from ops.verify.sealing import Seals

if TYPE_CHECKING:
    import psycopg

PIECE = 5_000  # rows in a range
SMALL = 40_000  # events for which other processes are not worth starting
Leaves = Callable[[bytes], None]  # takes hashes of 32 bytes, one for each event, in order
Scan = Callable[..., Scanned]
Scans = Callable[[Scan, int], Iterator[Scanned]]
_worker: Any = None  # in a worker: its connection


def walk(
    database: Database,
    *,
    jobs: int | None = None,
    leaves: Leaves | None = None,
    watch: Callable[[int], None] = lambda _: None,
    breathe: Callable[[], None] = lambda: None,
) -> Verified:
    """Verifies events and commands, as far as the record was when it began, and what is beside.

    `jobs`: processes; None: one for each core. `leaves` gets each piece's leaf hashes in order;
    where the chain has gaps they are those of the events that are there. `watch` gets the position.
    `breathe` is called after each range that this process itself scanned.
    """
    with database.session("sabot_auditor") as connection:
        read_all_moments(connection)
        last, last_number = _ends(connection)
        events, commands = _Chain(), _Chain()
        seals, moments = Seals(), Moments()
        many = jobs or os.cpu_count() or 1
        with _scanning(database, connection, many if last > SMALL else 1, breathe) as scans:
            runs = _collected(scans(partial(scan_events, leaves=leaves is not None), last), events)
            ranges = _collected(scans(scan_commands, last_number), commands)
            compared = matched(
                _events(_handing(runs, leaves, watch)),
                _with_events(ranges, seals, moments),
                last,
                partial(_find, connection),
                seals,
                moments,
            )
            unequal = list(islice(compared, MOST_UNEQUAL + 1))
            deque(_events(_handing(runs, leaves, watch)), maxlen=0)  # the rest, if it ended early
            deque(ranges, maxlen=0)
        result = _walked(connection, last, events, commands)
        _check_beside(connection, result)
        result.add(unequal[:MOST_UNEQUAL])
        for fault, wrong in (("not sealed", seals.wrong()), ("moment changed", moments.wrong())):
            result.add(name_others(connection, fault, wrong, events.bad, commands.bad))
        result.not_checked += [*seals.not_checked(), *_too_many(result, unequal)]
        flush(connection)
    return result


def _walked(
    connection: "psycopg.Connection[Any]", last: int, events: "_Chain", commands: "_Chain"
) -> Verified:
    """What the two chains themselves show."""
    result = Verified()
    result.events, result.head = events.rows, events.head
    result.commands, result.command_head = commands.rows, commands.head
    result.gapless = not any(each.kind != "changed" for each in events.bad)
    result.add(_odd(connection, last))
    result.gapless = result.gapless and result.ok
    result.add(name_events(connection, events.bad))
    result.add(name_commands(connection, commands.bad))
    return result


def _check_beside(connection: "psycopg.Connection[Any]", result: Verified) -> None:
    """Compares what stands beside the record with it."""
    result.add(check_beside(connection))
    forged, unsealed = check_sealed(connection)
    result.add([*forged, *check_kinds(connection), *check_readings(connection)])
    result.not_checked += unsealed


def _too_many(result: Verified, unequal: Sequence[Fault]) -> Iterator[str]:
    """What was not compared, or is not listed, because too much differs."""
    if len(unequal) > MOST_UNEQUAL:
        yield (
            f"From position {unequal[-1].position} on, commands were not compared with their "
            "events: too many differ."
        )
    if len(result.faults) == MOST:
        yield f"There may be more faults: the first {MOST} are listed."


class _Chain:
    """One chain: its rows so far, the hash of the last, and what is bad."""

    def __init__(self) -> None:
        self.rows = 0
        self.head = bytes(32)
        self.bad: list[Bad] = []


def _ends(connection: "psycopg.Connection[Any]") -> tuple[int, int]:
    """The last event's position and the last command's number, at one moment."""
    row = connection.execute(
        "SELECT (SELECT coalesce(max(position), 0) FROM ledger.events),"
        " (SELECT coalesce(max(number), 0) FROM ledger.commands)"
    ).fetchone()
    assert row is not None
    return max(row[0], 0), max(row[1], 0)


def _collected(scanned: Iterator[Scanned], chain: _Chain) -> Iterator[Scanned]:
    """The ranges in order, while the chain's total grows."""
    for each in scanned:
        chain.rows += each.rows
        chain.head = each.head or chain.head
        join(chain.bad, each.bad)
        yield each


def _handing(
    scanned: Iterator[Scanned], leaves: Leaves | None, watch: Callable[[int], None]
) -> Iterator[Scanned]:
    for each in scanned:
        if leaves:
            leaves(each.leaves)
        watch(each.until)
        yield each


def _events(scanned: Iterator[Scanned]) -> Iterator[Events]:
    """The events of each command, joined where a range ends within a command."""
    held: Events | None = None
    for each in scanned:
        for run in each.events:
            if held and held.command_id == run.command_id:
                held = held.joined(run)
            else:
                if held:
                    yield held
                held = run
    if held:
        yield held


def _with_events(scanned: Iterator[Scanned], seals: Seals, moments: Moments) -> Iterator[Command]:
    """The commands that recorded events; the seals of the refused ones are checked here."""
    for each in scanned:
        for command in each.commands:
            moments.check(command)
            if command.refused:
                seals.check(command, b"")
            else:
                yield command


def _find(
    connection: "psycopg.Connection[Any]", command_id: bytes
) -> tuple[int, int | None] | None:
    row = connection.execute(
        "SELECT number, first_position FROM ledger.commands WHERE command_id = %s",
        (command_id.decode(errors="replace"),),
    ).fetchone()
    return (row[0], row[1]) if row else None


def _odd(connection: "psycopg.Connection[Any]", last: int) -> list[Fault]:
    """Events and commands that no range shows: without a place, or with one below 1."""
    events = connection.execute(
        "SELECT coalesce(position, 0) FROM ledger.events WHERE position < 1"
        " UNION ALL (SELECT 0 FROM ledger.events WHERE position IS NULL LIMIT 1)"
        " ORDER BY 1 LIMIT %s",
        (MOST_BAD,),
    ).fetchall()
    commands = connection.execute(
        "SELECT command_id FROM ledger.commands WHERE number < 1 OR number IS NULL LIMIT %s",
        (MOST_BAD,),
    ).fetchall()
    return [
        *(Fault(at, "inserted", f"An event at position {at} was inserted.") for (at,) in events),
        *(
            Fault(last, "command forged", f"The command {each} has no number in the chain.")
            for (each,) in commands
        ),
    ]


def _scanning(
    database: Database,
    connection: "psycopg.Connection[Any]",
    jobs: int,
    breathe: Callable[[], None],
) -> AbstractContextManager[Scans]:
    return _in_turn(connection, breathe) if jobs == 1 else _at_once(database, jobs)


@contextmanager
def _in_turn(connection: "psycopg.Connection[Any]", breathe: Callable[[], None]) -> Iterator[Scans]:
    """Scans range after range on this connection."""

    def scans(scan: Scan, last: int) -> Iterator[Scanned]:
        for each in _ranges(last):
            scanned = scan(connection, *each)
            breathe()
            yield scanned

    yield scans


@contextmanager
def _at_once(database: Database, jobs: int) -> Iterator[Scans]:
    """Scans several ranges at once in processes of their own; their results come in order."""
    import multiprocessing
    from concurrent.futures import Future, ProcessPoolExecutor

    def scans(scan: Scan, last: int) -> Iterator[Scanned]:
        ranges, waiting = _ranges(last), deque[Future[Scanned]]()
        for each in ranges:
            waiting.append(pool.submit(_scan, scan, *each))
            if len(waiting) > jobs * 2:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, _begin, (database.url,)) as pool:
        try:
            yield scans
        finally:
            pool.shutdown(cancel_futures=True)


def _ranges(last: int) -> Iterator[tuple[int, int]]:
    return ((after, min(after + PIECE, last)) for after in range(0, last, PIECE))


def _begin(url: str) -> None:
    global _worker  # noqa: PLW0603  (a worker has one)
    _worker = Database(url).connect("sabot_auditor")


def _scan(scan: Scan, after: int, until: int) -> Scanned:
    return scan(_worker, after, until)
