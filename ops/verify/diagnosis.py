"""Names what happened to events and commands that do not fit into their chain."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ops.ledger.answers import read_answers
from ops.ledger.chain import (
    GENESIS,
    Answered,
    Recorded,
    link,
    link_command,
)
from ops.ledger.growth import command_at
from ops.ledger.reading import UnreadableEvent, read_events
from ops.verify.faults import Fault
from ops.verify.scanning import Bad, Command

if TYPE_CHECKING:
    import psycopg

Wrong = tuple[Sequence[Command], str]  # commands that are wrong together, in words


def name_events(connection: "psycopg.Connection[Any]", bad: Sequence[Bad]) -> list[Fault]:
    """A fault for each run of bad positions."""
    twice = {each.first for each in bad if each.kind == "twice"}
    bad = [each for each in bad if each.kind != "changed" or each.first not in twice]
    changed = [each for each in bad if each.kind == "changed"]
    return [_event_fault(connection, each, changed) for each in bad]


def _event_fault(connection: "psycopg.Connection[Any]", bad: Bad, changed: Sequence[Bad]) -> Fault:
    first, last = bad.first, bad.last
    if bad.kind == "missing":
        return Fault(first, "missing", f"{_places(first, last)} missing.")
    if bad.kind == "twice":
        return Fault(first, "inserted", f"Position {first} has more than one event.")
    kind, words = _happened(connection, first, changed)
    if last > first:
        words += f" From there to position {last} no event fits."
    return Fault(first, kind, words)


def _places(first: int, last: int) -> str:
    if first == last:
        return f"The event at position {first} is"
    return f"The events at positions {first} to {last} are"


def _happened(
    connection: "psycopg.Connection[Any]", at: int, changed: Sequence[Bad]
) -> tuple[str, str]:
    """What happened at a position whose event does not fit, with a sentence."""
    try:
        near = {row.position: row for row in read_events(connection, at - 2, limit=4)}
        here, before = near[at], near[at - 1].hash if at > 1 else GENESIS
    except (UnreadableEvent, KeyError):
        return "changed", f"The event at position {at} cannot be read: it was changed."
    after = near.get(at + 1)
    if after and _fits(after, at, before):
        if _fits(here, at + 1, after.hash):
            return "reordered", f"The events at positions {at} and {at + 1} changed places."
        return "inserted", f"The event at position {at} was inserted."
    if after and _fits(after, at + 2, here.hash):
        return "missing", f"An event at position {at} is missing; later ones were moved up."
    return _happened_elsewhere(connection, at, before, changed, is_last=after is None)


def _happened_elsewhere(
    connection: "psycopg.Connection[Any]",
    at: int,
    before: bytes,
    changed: Sequence[Bad],
    *,
    is_last: bool,
) -> tuple[str, str]:
    """What happened, when the events next to it do not show it."""
    for other in changed:
        if other.first > at and _is_at(connection, other.first, at, before):
            words = f"The event of position {at} is at position {other.first} now."
            return "reordered", words
    if is_last and not _of_a_command(connection, at):
        return "inserted", f"The event at position {at} was inserted: no command recorded it."
    return (
        "changed",
        f"The event at position {at} is not as it was recorded, or the one before it is not.",
    )


def _fits(event: Recorded, position: int, before: bytes) -> bool:
    """Whether the event is right at a position, after an event with this hash."""
    try:
        return link(before, replace(event, position=position)) == event.hash
    except (ValueError, OverflowError):
        return False


def _is_at(connection: "psycopg.Connection[Any]", place: int, position: int, before: bytes) -> bool:
    """Whether the event at a place is right at another position."""
    try:
        result = read_events(connection, place - 1, limit=1, until=place)
    except UnreadableEvent:
        return False
    return bool(result) and _fits(result[0], position, before)


def _of_a_command(connection: "psycopg.Connection[Any]", position: int) -> bool:
    """Whether a command recorded this position."""
    row = connection.execute(
        "SELECT FROM ledger.commands WHERE %s BETWEEN first_position AND last_position LIMIT 1",
        (position,),
    ).fetchone()
    return row is not None


def name_commands(connection: "psycopg.Connection[Any]", bad: Sequence[Bad]) -> list[Fault]:
    """A fault for each run of bad numbers."""
    return [_command_fault(connection, each) for each in bad]


def _command_fault(connection: "psycopg.Connection[Any]", bad: Bad) -> Fault:
    first, last = bad.first, bad.last
    at = position_of(connection, first)
    if bad.kind == "missing":
        which = f"Command number {first} is" if first == last else f"Commands {first} to {last} are"
        return Fault(at, "command missing", f"{which} missing from the answers.")
    if bad.kind == "twice":
        return Fault(at, "command forged", f"More than one command has the number {first}.")
    here, after = _command(connection, first), _command(connection, first + 1)
    if here is None:
        words = f"Command number {first} cannot be read: it was changed."
        return Fault(at, "answer changed", words)
    before = _command(connection, first - 1)
    copied = before is not None and before.hash == here.hash  # so that the next one fits
    goes_on = after is not None and link_command(here.hash, after) == after.hash and not copied
    if goes_on or (after is None and _has_events(connection, here)):
        words = (
            f"The answer to command {here.command_id}, number {first}, is not as it was recorded."
        )
        return Fault(at, "answer changed", words)
    words = f"The command {here.command_id}, number {first}, was forged or changed."
    if last > first:
        words += f" From there to number {last} no command fits."
    return Fault(at, "command forged", words)


def _command(connection: "psycopg.Connection[Any]", number: int) -> Answered | None:
    import psycopg

    try:
        return next(iter(read_answers(connection, number - 1, number)), None)
    except psycopg.DataError:
        return None


def name_others(
    connection: "psycopg.Connection[Any]",
    fault: str,
    wrong: Sequence[Wrong],
    events: Sequence[Bad],
    commands: Sequence[Bad],
) -> list[Fault]:
    """A fault for what is wrong with commands, but those that do not fit into their chain.

    `events`, `commands`: what does not fit, which has faults already.
    """
    return [
        Fault(position_of(connection, of[-1].number), fault, words)
        for of, words in wrong
        if not any(each.is_named(events, commands) for each in of)
    ]


def position_of(connection: "psycopg.Connection[Any]", number: int) -> int:
    """The position of a command's first event; without events, of the last event before it."""
    row = connection.execute(
        "SELECT coalesce(first_position, 0), number FROM ledger.commands WHERE number = %s"
        " UNION ALL (SELECT last_position, number FROM ledger.commands"
        " WHERE number < %s AND last_position IS NOT NULL ORDER BY number DESC LIMIT 1)",
        (number, number),
    ).fetchall()
    return next((int(position) for position, _ in row if position), 0)


def _has_events(connection: "psycopg.Connection[Any]", command: Answered) -> bool:
    """Whether the events of the command's positions name it."""
    first = command.first_position
    return first is not None and command_at(connection, first) == command.command_id
