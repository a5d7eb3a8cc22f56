"""One patron, by the name or alias that the floor has for them: who it is, and whether welcome.

A patron may be known by an alias first; who it turned out to be is said later, once.
"""

from datetime import datetime
from typing import Self
from uuid import UUID

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue, PatronBarred

BARRINGS = ("barred", "self-excluded")


class Patron(Aggregate):
    """One name of the floor's patrons."""

    TOPIC = "patron"
    MANY_CLOCKS = True

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Event(Aggregate.Event):
        patron: str

    class Created(Aggregate.Created):
        TOPIC = "patron.known"
        patron: str

    class Identified(Event):
        TOPIC = "patron.identified"
        patron_is: str

    class Barred(Event):
        TOPIC = "patron.barred"
        reason: str
        kind: str  # `barred` by the house, or `self-excluded`

    class Unbarred(Event):
        TOPIC = "patron.unbarred"
        reason: str

    # State: what later decisions ask.
    def __init__(self, patron: str) -> None:
        self.patron = patron
        self.patron_is: str | None = None
        self.barring: str | None = None  # of what kind, while it lasts

    @property
    def own_name(self) -> dict[str, str]:
        """Every fact says whose it is."""
        return {"patron": self.patron}

    @staticmethod
    def stream(patron: str) -> UUID:
        """Where this patron's facts are."""
        return stream_id("patron", patron)

    @property
    def identity(self) -> str:
        """Who it turned out to be; until then, the name it is known by."""
        return self.patron_is or self.patron

    @property
    def barred(self) -> bool:
        """Whether the patron may not play, by the house's wish or their own."""
        return self.barring is not None

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def know(cls, patron: str, at: datetime) -> Self:
        """A name that the floor never had before."""
        return cls.begin(cls.Created, cls.stream(patron), at, patron=patron)

    def identify(self, patron_is: str) -> None:
        """The alias turned out to be that patron. Refuses: BadValue."""
        if self.patron_is is not None:
            raise BadValue(
                field="patron", value=self.patron, why=f"identified already, as {self.patron_is}"
            )
        if patron_is == self.patron:
            raise BadValue(field="patron_is", value=patron_is, why="that is the alias itself")
        self._identified(patron_is=patron_is)

    def bar(self, reason: str, kind: str = "barred") -> None:
        """The patron may not play from now on. Refuses: BadValue."""
        if kind not in BARRINGS:
            raise BadValue(field="kind", value=repr(kind), why=f"say {' or '.join(BARRINGS)}")
        if self.barred:
            raise BadValue(field="patron", value=self.patron, why=f"{self.barring} already")
        self._barred(reason=reason, kind=kind)

    def unbar(self, reason: str) -> None:
        """The patron may play again. Refuses: BadValue."""
        if not self.barred:
            raise BadValue(field="patron", value=self.patron, why="not barred")
        self._unbarred(reason=reason)

    def require_welcome(self) -> None:
        """Refuses: PatronBarred."""
        if self.barred:
            raise PatronBarred(patron=self.patron, why=self.barring)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(Identified)
    def _identified(self, patron_is: str) -> None:
        self.patron_is = patron_is

    @event(Barred)
    def _barred(self, reason: str, kind: str) -> None:
        self.barring = kind

    @event(Unbarred)
    def _unbarred(self, reason: str) -> None:
        self.barring = None
