"""Pieces of the record: some commands and their events, scanned and compared with one another.

Nothing of a piece that is in order has to be kept or sent to another process, but its ends.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.ledger.growth import command_over
from ops.verify.matching import matched
from ops.verify.moments import Moments
from ops.verify.scanning import Command, Scanned, scan_commands, scan_events
from ops.verify.sealing import Seals, why_unchecked

if TYPE_CHECKING:
    import psycopg


class Ends(Struct, frozen=True):
    """A place in the record: so many events, and so many commands."""

    events: int = 0
    commands: int = 0


class Piece(Struct, frozen=True):
    """What is after one place, until another."""

    after: Ends
    until: Ends


class Compared(Struct):
    """A piece that was scanned. If it is good, its rows are not listed, but the first and last."""

    events: Scanned
    commands: Scanned
    good: bool
    ends: tuple[Command, ...]  # the first and the last command, if it is good and has any


def pieces(
    connection: "psycopg.Connection[Any]", after: Ends, until: Ends, size: int
) -> Iterator[Piece]:
    """The record from one place to another, in pieces of about so many events or commands.

    They end where a command ends, as far as the record says where that is.
    """
    while after.events < until.events:
        upto = _end_of_command(connection, after, until, size)
        while upto.commands > after.commands + size:
            yield Piece(after, after := Ends(after.events, after.commands + size))
        yield Piece(after, after := upto)
    while after.commands < until.commands:
        upto = Ends(after.events, min(after.commands + size, until.commands))
        yield Piece(after, after := upto)


def _end_of_command(
    connection: "psycopg.Connection[Any]", after: Ends, until: Ends, size: int
) -> Ends:
    """The end of the command whose event is at about `size` positions after a place."""
    position = after.events + size
    if position >= until.events:
        return until
    row = command_over(connection, position)
    good = row and position <= row[0] <= min(position + size, until.events)
    if row and good and after.commands < row[1] <= until.commands:
        return Ends(*row)
    return Ends(position, after.commands)  # somebody changed it: any division will do


def with_events(commands: Iterable[Command], seals: Seals, moments: Moments) -> Iterator[Command]:
    """The commands that recorded events; the seals of the refused ones are checked here."""
    for command in commands:
        moments.check(command)
        if command.refused:
            seals.check(command, b"")
        else:
            yield command


def compare(connection: "psycopg.Connection[Any]", piece: Piece) -> Compared:
    """Scans a piece, and compares its commands with its events."""
    seals = Seals(checked=not why_unchecked(connection))
    events = scan_events(connection, piece.after.events, piece.until.events)
    commands = scan_commands(connection, piece.after.commands, piece.until.commands)
    good = not events.bad and not commands.bad and _fit(events, commands, seals)
    ends = (*commands.commands[:1], *commands.commands[-1:]) if good else ()
    if good:
        events.events, commands.commands = [], []
    return Compared(events, commands, good, ends)


def _fit(events: Scanned, commands: Scanned, seals: Seals) -> bool:
    """Whether each event has its command, and each command its events, its seal and its moment."""
    moments = Moments()
    done = with_events(commands.commands, seals, moments)
    unequal = matched(iter(events.events), done, events.until, lambda _: None, seals, moments)
    return not any(True for _ in unequal) and seals.all_good and not moments.wrong()
