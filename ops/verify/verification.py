"""Verifies the whole record, as the auditor, on one core or several, in constant memory."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, tee
from typing import TYPE_CHECKING, Any

from ops.ledger.archived import Archived
from ops.ledger.chain import GENESIS
from ops.ledger.database import Database
from ops.ledger.growth import ends, misplaced
from ops.ledger.pepper import is_foreign
from ops.ledger.recorder import flush
from ops.verify.at_once import comparing
from ops.verify.beside import check_beside
from ops.verify.bookmark import Bookmark
from ops.verify.diagnosis import name_commands, name_events, name_others
from ops.verify.far_off import read_all_moments
from ops.verify.faults import MOST, Fault, Verified
from ops.verify.matching import MOST_UNEQUAL, matched
from ops.verify.meters import check_meters
from ops.verify.moments import Moments
from ops.verify.pieces import Compared, Ends, pieces, with_events
from ops.verify.readings import check_readings
from ops.verify.rows_sealed import check_kinds, check_sealed
from ops.verify.scanning import MOST_BAD, Bad, Command, Events, Scanned, join, scan_commands
from ops.verify.sealing import Seals, why_unchecked

if TYPE_CHECKING:
    import psycopg

PIECE = 5_000  # events in a piece
SMALL = 250_000  # events for which other processes are not worth starting
Watch = Callable[[int, int], None]  # gets the position that was reached, and the last
Leaves = Callable[[bytes], None]  # takes hashes of 32 bytes, one for each event, in order


def nowhere(_: bytes) -> None:
    """Takes leaves that nobody wants."""


def walk(
    database: Database,
    *,
    jobs: int | None = None,
    leaves: Leaves = nowhere,
    since: Bookmark | None = None,
    watch: Watch = lambda _position, _last: None,
    breathe: Callable[[], None] = lambda: None,
) -> Verified:
    """Verifies events and commands, as far as the record was when it began, and what is beside.

    `jobs`: processes; None: one for each core. `leaves` gets each piece's leaf hashes in order;
    where the chain has gaps they are those of the events that are there. `since`: from where on, if
    everything before was verified already. `watch` gets the position, and the last.
    `breathe` is called after each piece that this process itself scanned.
    """
    with database.session("sabot_auditor") as connection:
        read_all_moments(connection)
        after, until = since.ends if since else Ends(), _ends(connection)
        events, commands = _chains(since)
        why = why_unchecked(connection)
        seals = Seals(since.first_sealed if since else None, checked=not why)
        moments = Moments(_command_at(connection, after.commands))
        many = (jobs or os.cpu_count() or 1) if until.events - after.events > SMALL else 1
        parts = pieces(connection, after, until, PIECE)
        with comparing(database, connection, many, breathe) as compared:
            collected = _collected(
                compared(parts), events, commands, leaves, lambda at: watch(at, until.events)
            )
            unequal = _unequal(connection, collected, until.events, seals, moments)
        result = _walked(connection, until.events, events, commands)
        _check_beside(connection, result, seals=not why)
        result.add(unequal[:MOST_UNEQUAL])
        for fault, wrong in (("not sealed", seals.wrong()), ("moment changed", moments.wrong())):
            result.add(name_others(connection, fault, wrong, events.bad, commands.bad))
        result.foreign_pepper = why if is_foreign(connection) else ""
        result.not_checked += [*_seals(why), *seals.not_checked(), *_too_many(result, unequal)]
        result.first_sealed = seals.first_good
        flush(connection)
    return result


def _seals(why: str) -> Iterator[str]:
    """That no seal was checked, and why."""
    if why:
        yield f"The seals of commands, names, wrong PINs, sign-ons and devices: {why}"


def _unequal(
    connection: "psycopg.Connection[Any]",
    collected: Iterable[Compared],
    last: int,
    seals: Seals,
    moments: Moments,
) -> list[Fault]:
    """How commands differ from their events, until MOST_UNEQUAL; the pieces are read to the end."""
    of_events, of_commands = tee(collected)
    unlike = matched(
        _events(of_events),
        _commands(of_commands, seals, moments),
        last,
        partial(_find, connection),
        seals,
        moments,
    )
    unequal = list(islice(unlike, MOST_UNEQUAL + 1))
    deque(zip(of_events, of_commands, strict=False), maxlen=0)
    return unequal


def _chains(since: Bookmark | None) -> "tuple[_Chain, _Chain]":
    """The chains of events and of commands, as far as they were verified before."""
    if since is None:
        return _Chain(), _Chain()
    ends = since.ends
    return _Chain(ends.events, since.head), _Chain(ends.commands, since.command_head)


def _command_at(connection: "psycopg.Connection[Any]", number: int) -> Command | None:
    """The command with this number; None if there is none."""
    if number == 0:
        return None
    return next(iter(scan_commands(connection, number - 1, number).commands), None)


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


def _check_beside(connection: "psycopg.Connection[Any]", result: Verified, *, seals: bool) -> None:
    """Compares what stands beside the record with it."""
    result.add(check_beside(connection))
    try:
        result.add(check_meters(connection))
    except Archived:
        result.not_checked.append("What the meters of side bets are at: it takes coups that left.")
    forged = check_sealed(connection, checked=seals)
    result.add([*forged, *check_kinds(connection), *check_readings(connection)])


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

    def __init__(self, rows: int = 0, head: bytes = GENESIS) -> None:
        self.rows = rows
        self.head = head
        self.bad: list[Bad] = []

    def add(self, scanned: Scanned) -> None:
        """Adds the range that follows."""
        self.rows += scanned.rows
        self.head = scanned.head or self.head
        join(self.bad, scanned.bad)


def _ends(connection: "psycopg.Connection[Any]") -> Ends:
    """The last event's position and the last command's number, at one moment."""
    position, number = ends(connection)
    return Ends(max(position, 0), max(number, 0))


def _collected(
    compared: Iterable[Compared],
    events: _Chain,
    commands: _Chain,
    leaves: Leaves,
    watch: Callable[[int], None],
) -> Iterator[Compared]:
    """The pieces in order, while the totals of both chains grow."""
    for each in compared:
        events.add(each.events)
        commands.add(each.commands)
        leaves(each.events.leaves)
        each.events.leaves = b""
        watch(each.events.until)
        yield each


def _events(compared: Iterable[Compared]) -> Iterator[Events]:
    """The events of the pieces that are not good, joined where a piece ends within a command."""
    held: Events | None = None
    for each in compared:
        for run in each.events.events:
            if held and held.command_id == run.command_id:
                held = held.joined(run)
            else:
                if held:
                    yield held
                held = run
        if held and each.good and each.events.rows:
            yield held
            held = None
    if held:
        yield held


def _commands(compared: Iterable[Compared], seals: Seals, moments: Moments) -> Iterator[Command]:
    """The commands of the pieces that are not good, in order, to be compared with their events."""
    for each in compared:
        if each.ends:
            seals.pass_over(each.ends[0])
            moments.pass_over(*each.ends)
        yield from with_events(each.commands.commands, seals, moments)


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
    events = misplaced(connection, MOST_BAD)
    commands = connection.execute(
        "SELECT command_id FROM ledger.commands WHERE number < 1 OR number IS NULL LIMIT %s",
        (MOST_BAD,),
    ).fetchall()
    return [
        *(Fault(at, "inserted", f"An event at position {at} was inserted.") for at in events),
        *(
            Fault(last, "command forged", f"The command {each} has no number in the chain.")
            for (each,) in commands
        ),
    ]
