"""Compares the commands' positions with the events' commands, in the order of both chains."""

from collections.abc import Callable, Iterator

from ops.verify.faults import Fault
from ops.verify.moments import Moments
from ops.verify.scanning import Command, Events, Run
from ops.verify.sealing import Seals

MOST_UNEQUAL = 20  # then the comparison ends: everything behind has moved
Find = Callable[[bytes], tuple[int, int | None] | None]  # a command's number, and first position


def matched(
    runs: Iterator[Events],
    commands: Iterator[Command],
    head: int,
    find: Find,
    seals: Seals,
    moments: Moments,
) -> Iterator[Fault]:
    """Faults: commands without events, events without a command, and positions that differ.

    `head`: the last event's position. `find`: looks a command up by its id. The seals and the
    moments of commands that have their events are checked.
    """
    run, command = next(runs, None), next(commands, None)
    cut_off = False
    while run or command:
        if command and command.last > head:
            if not cut_off:
                cut_off = True
                yield Fault(head + 1, "cut off", _cut_off(command, head))
            if run and run.first == command.first:
                run = next(runs, None)
            command = next(commands, None)
        elif command is None or (run and run.last < command.first):
            assert run is not None
            yield Fault(run.first, "command missing", _no_command(run))
            run = next(runs, None)
        elif run is None or command.last < run.first:
            yield Fault(command.first, "events missing", _no_events(command))
            command = next(commands, None)
        elif run.as_command == command.as_command:
            seals.check(command, run.digests)
            moments.compare(command, run)
            run, command = next(runs, None), next(commands, None)
        elif run.command_id == command.command_id:
            yield Fault(_parting(run, command), "positions differ", _differs(run, command))
            run, command = next(runs, None), next(commands, None)
        elif _written_later(run, command, find):
            yield Fault(command.first, "cut off", _written_over(command))
            command = next(commands, None)
        else:
            yield Fault(max(run.first, command.first), "wrong command", _wrong(run, command))
            ends = min(run.last, command.last)
            run = next(runs, None) if run.last == ends else run
            command = next(commands, None) if command.last == ends else command


def _parting(run: Run, command: Run) -> int:
    """The first position of only one of the two."""
    if run.first != command.first:
        return min(run.first, command.first)
    return min(run.last, command.last) + 1


def _written_later(run: Run, command: Command, find: Find) -> bool:
    """Whether these positions were written again by a later command."""
    known = find(run.command_id)
    return known is not None and known[0] > command.number and known[1] == run.first


def _named(command_id: bytes) -> str:
    return command_id.decode(errors="replace")


def _range(run: Run) -> str:
    if run.first == run.last:
        return f"position {run.first}"
    return f"positions {run.first} to {run.last}"


def _cut_off(command: Run, head: int) -> str:
    return (
        f"The record ends at position {head}, but command {_named(command.command_id)} recorded "
        f"{_range(command)}: the end was cut off."
    )


def _written_over(command: Run) -> str:
    return (
        f"The events of command {_named(command.command_id)} at {_range(command)} were cut off, "
        "and later commands recorded others there."
    )


def _no_command(run: Run) -> str:
    return f"The events at {_range(run)} name command {_named(run.command_id)}, which is missing."


def _no_events(command: Run) -> str:
    return (
        f"Command {_named(command.command_id)} recorded {_range(command)}, but its events are "
        "missing."
    )


def _differs(run: Run, command: Run) -> str:
    return (
        f"Command {_named(command.command_id)} says {_range(command)}, but its events are at "
        f"{_range(run)}."
    )


def _wrong(run: Run, command: Run) -> str:
    return (
        f"The events at {_range(run)} name command {_named(run.command_id)}, but command "
        f"{_named(command.command_id)} recorded {_range(command)}."
    )
