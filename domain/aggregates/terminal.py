"""A terminal of the house server, by its key: approved once, and retired for good."""

import re
from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import terminal as events
from domain.rules.addresses import stream_id
from domain.rules.likeness import alike
from domain.rules.refusals import BadValue
from domain.rules.wording import Words

_PLACE = re.compile(r".+/[0-9]+")


class Terminal(Aggregate, events.State):
    """One terminal's key."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(terminal: str) -> UUID:
        """The stream of a key, by its fingerprint."""
        return stream_id("terminal", terminal)

    @staticmethod
    def is_place(name: str) -> bool:
        """Whether a terminal of this name bets at a seat: there is one of it only.

        >>> Terminal.is_place("E01/3"), Terminal.is_place("pit 1")
        (True, False)
        """
        return _PLACE.fullmatch(name) is not None

    @staticmethod
    def is_same_place(name: str, other: str) -> bool:
        """Whether two names of places are one seat's, in whatever letters its table is written.

        >>> [Terminal.is_same_place("E01/3", each) for each in ("e01/3", "E0l/03", "E01/4", "pit")]
        [True, True, False, False]
        """
        (table, _, seat), (table_too, _, seat_too) = name.rpartition("/"), other.rpartition("/")
        both = Terminal.is_place(name) and Terminal.is_place(other)
        return both and int(seat) == int(seat_too) and alike(table, table_too)

    # Commands: decide; refuse, or record an event.
    @classmethod
    def approve(cls, terminal: str, name: str, at: datetime) -> Self:
        """Approves a terminal, so that people may sign on there."""
        return cls.begin(events.Approved(terminal=terminal, name=name), cls.stream(terminal), at)

    def refuse_again(self) -> BadValue:
        """The refusal to approve it a second time."""
        if self.retired:
            return BadValue(
                message=Words(
                    "{terminal} is retired for good. Delete the file of its key there, and approve "
                    "the new key that it makes.",
                    terminal=self.terminal,
                )
            )
        return BadValue(
            message=Words(
                "{terminal} is approved already, as {name}.", terminal=self.terminal, name=self.name
            )
        )

    def require_left(self, name: str) -> None:
        """Refuses a second terminal at a place while this one is not retired. Refuses: BadValue."""
        if self.is_same_place(self.name, name) and not self.retired:
            raise BadValue(
                message=Words(
                    "{name} is the place of {terminal}, which is approved. Retire that one first, "
                    "with `sabot staff retire-terminal {terminal}`; or name another place.",
                    name=self.name,
                    terminal=self.terminal,
                )
            )

    def retire(self, reason: str) -> None:
        """Retires it, after a theft or for a new one. Refuses: BadValue."""
        if self.retired:
            raise BadValue(message=Words("{terminal} is retired already.", terminal=self.terminal))
        self.record(events.TerminalRetired(name=self.name, reason=reason))
