"""One patron, by the name or alias that the floor has for them: who it is, and whether welcome.

A patron may be known by an alias first; who it turned out to be is said later, once.
"""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import patron as events
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue, PatronBarred

BARRINGS = ("barred", "self-excluded")


class Patron(Aggregate, events.State):
    """One name of the floor's patrons."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(patron: str) -> UUID:
        """Where this patron's events are."""
        return stream_id("patron", patron)

    @property
    def identity(self) -> str:
        """Who it turned out to be; until then, the name it is known by."""
        return self.patron_is or self.patron

    @property
    def barred(self) -> bool:
        """Whether the patron may not play, by the house's wish or their own."""
        return self.barring is not None

    # Commands: decide; refuse, or record an event.
    @classmethod
    def know(cls, patron: str, at: datetime) -> Self:
        """A name that the floor never had before."""
        return cls.begin(events.Known(patron=patron), cls.stream(patron), at)

    def identify(self, patron_is: str) -> None:
        """The alias turned out to be that patron. Refuses: BadValue."""
        if self.patron_is is not None:
            raise BadValue(
                field="patron", value=self.patron, why=f"identified already, as {self.patron_is}"
            )
        if patron_is == self.patron:
            raise BadValue(field="patron_is", value=patron_is, why="that is the alias itself")
        self.record(events.Identified(patron_is=patron_is))

    def bar(self, reason: str, kind: str = "barred") -> None:
        """The patron may not play from now on. Refuses: BadValue."""
        if kind not in BARRINGS:
            raise BadValue(field="kind", value=repr(kind), why=f"say {' or '.join(BARRINGS)}")
        if self.barred:
            raise BadValue(field="patron", value=self.patron, why=f"{self.barring} already")
        self.record(events.Barred(reason=reason, kind=kind))

    def unbar(self, reason: str) -> None:
        """The patron may play again. Refuses: BadValue."""
        if not self.barred:
            raise BadValue(field="patron", value=self.patron, why="not barred")
        self.record(events.Unbarred(reason=reason))

    def require_welcome(self) -> None:
        """Refuses: PatronBarred."""
        if self.barred:
            raise PatronBarred(patron=self.patron, why=self.barring)
