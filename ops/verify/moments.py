"""Checks the moments of recording: the database gives them, and whoever rules it can rewrite them.

They never go back along the chain of commands, the events of a command have the moment of the
command, and it is near the moment at which the machine that decided the command sent it. The seal
covers that one.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ops.commands.machine_time import MOST_OFF
from ops.verify.diagnosis import Wrong
from ops.verify.faults import MOST
from ops.verify.scanning import Command, Events

_MICROSECOND = timedelta(microseconds=1)
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


class Moments:
    """The moments of commands, in the order of recording; at most MOST faults are listed.

    `before`: the last command that was compared already.
    """

    def __init__(self, before: Command | None = None) -> None:
        self._before = before  # the last one that was sent when it was recorded
        self._wrong: list[Wrong] = []

    def check(self, command: Command) -> None:
        """Compares a command's moment with the command before, and with when it was sent.

        While the database's clock is behind its last moment, it gives that moment again.
        """
        before = self._before or command
        waits = before.recorded == command.recorded >= command.sent and before is not command
        if not waits and abs(command.recorded - command.sent) * _MICROSECOND > MOST_OFF:
            self._note([command], _shifted(command))
            return
        if command.recorded < before.recorded:
            self._note([before, command], _went_back(command, before))
        self._before = command

    def pass_over(self, first: Command, last: Command) -> None:
        """Takes moments for good that were compared with one another already, in order."""
        self.check(first)
        self._before = last

    def compare(self, command: Command, events: Events) -> None:
        """Compares a command's moment with those of its events."""
        if events.recorded != (command.recorded, command.recorded):
            self._note([command], _unlike(command, events))

    def _note(self, commands: Sequence[Command], words: str) -> None:
        if len(self._wrong) < MOST:
            self._wrong.append((commands, words))

    def wrong(self) -> Sequence[Wrong]:
        """The commands of each moment that somebody changed, in words."""
        return self._wrong


def _shifted(command: Command) -> str:
    return (
        f"{_named(command)} was recorded at {_in_utc(command.recorded)}, but sent at "
        f"{_in_utc(command.sent)} by the clock of the machine that decided it: its moment was "
        "changed, or that clock was set just then."
    )


def _went_back(command: Command, before: Command) -> str:
    return (
        f"{_named(command)} was recorded at {_in_utc(command.recorded)}, but number "
        f"{before.number:,} before it at {_in_utc(before.recorded)}: one of these moments was "
        "changed."
    )


def _unlike(command: Command, events: Events) -> str:
    first, last = map(_in_utc, events.recorded)
    moments = first if first == last else f"{first} to {last}"
    return (
        f"{_named(command)} was recorded at {_in_utc(command.recorded)}, but its events at "
        f"{moments}: one of these moments was changed."
    )


def _named(command: Command) -> str:
    return f"Command {command.command_id.decode(errors='replace')}, number {command.number:,},"


def _in_utc(microseconds: int) -> str:
    """A moment in UTC; one that no calendar has as it is stored."""
    try:
        moment = _BEGINNING + microseconds * _MICROSECOND
    except OverflowError:
        return f"{microseconds} µs"
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f UTC")
