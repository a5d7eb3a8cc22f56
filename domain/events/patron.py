"""A patron's name or alias: who it is, and whether they may play."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta, field

from domain.events import base
from domain.rules.play_limits import Limit


class Event(base.Event):
    """About one name."""

    NAMED_BY = ("patron",)
    patron: str = ""


class Known(Event, topic="patron.known", first=True):
    """A name came up that the floor never had before."""


class State(base.State):
    """The patron's identity, and whether they may play."""

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.patron = known.patron
        self.patron_is: str | None = None
        self.barring: str | None = None  # its kind, while it lasts
        self.barred_at: datetime | None = None  # when the last one began
        self.barred_for = ""  # its reason
        self.apart: set[str] = set()  # names that look the same and are somebody else's
        self.separated_from: set[str] = set()  # patrons as whom it was identified by mistake
        # By kind, period, and who set it (R-PLAY-1).
        self.limits: dict[tuple[str, str, str], Limit] = {}
        self.break_until: datetime | None = None  # the end of the last break
        self.break_whose = ""  # who wanted it: `patron` or `house`
        self.played_on: datetime | None = None  # when they last did, in a pause with an end
        self.rest_announced: datetime | None = None  # when a rest last was
        self.limit_near: datetime | None = None  # when the dealer was shown that one is
        # For whom they play, each with the gaming day from which; of those that began, the last.
        self.plays_for: list[tuple[str, str]] = []
        self.agents: set[str] = set()  # who ever played for them


class Identified(Event, topic="patron.identified"):
    """The alias was identified as a patron."""

    patron_is: str

    def apply(self, state: State) -> None:
        state.patron_is = self.patron_is


class Separated(Event, topic="patron.separated"):
    """The alias was identified as the wrong patron; it is nobody's again."""

    was: str  # the patron
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.patron_is = None
        state.separated_from.add(self.was)


class ToldApart(Event, topic="patron.told-apart"):
    """Another name looks the same, and somebody said that it is another patron's."""

    other: str
    reason: str  # '' where it was asked and answered at a table

    def apply(self, state: State) -> None:
        state.apart.add(self.other)


class Barred(Event, topic="patron.barred"):
    """The patron may not play."""

    reason: str
    kind: str  # `barred` by the house, or `self-excluded`

    def apply(self, state: State) -> None:
        state.barring, state.barred_at = self.kind, self.timestamp
        state.barred_for = self.reason


class Unbarred(Event, topic="patron.unbarred"):
    """The patron may play again."""

    reason: str
    was: str  # `barred` by the house, or `self-excluded`

    def apply(self, state: State) -> None:
        state.barring = None


class LimitStated(Event, topic="patron.limit-stated"):
    """The patron, or the house, limited what they deposit or lose, or how long they play."""

    kind: str  # `deposit`, `loss` or `time`
    period: str  # `day`, `week` or `month`
    whose: str  # `patron` or `house`
    amount: int | None  # None: no limit of an amount
    amount_before: int | None  # which held until then
    holds_from: Annotated[str, Meta(description="from when it holds; later for a higher limit")]
    minutes: int | None = None  # of time; None: no limit of time
    minutes_before: int | None = None  # which held until then

    def apply(self, state: State) -> None:
        key = (self.kind, self.period, self.whose)
        since = datetime.fromisoformat(self.holds_from)
        limit = state.limits.get(key, Limit())
        stated = self.minutes if self.kind == "time" else self.amount
        state.limits[key] = limit.stated(stated, self.timestamp, since)


class BreakBegun(Event, topic="patron.break-begun"):
    """The patron takes a break from play, or makes one longer."""

    until: str
    whose: str  # `patron` or `house`

    def apply(self, state: State) -> None:
        state.break_until, state.break_whose = datetime.fromisoformat(self.until), self.whose
        state.played_on = None


class PlayedOn(Event, topic="patron.played-on"):
    """A dealer was shown that the patron should pause, and the patron played on."""

    table: str
    seat: int
    until: str  # the end of the break or rest; '' for a limit

    def apply(self, state: State) -> None:
        state.played_on = self.timestamp if self.until else state.played_on


class RestAnnounced(Event, topic="patron.rest-announced"):
    """A dealer was shown in how many minutes a rest will be due for the patron (R-PLAY-4)."""

    table: str
    seat: int
    minutes: int

    def apply(self, state: State) -> None:
        state.rest_announced = self.timestamp


class LimitNear(Event, topic="patron.limit-near"):
    """A dealer was shown that a limit of the patron's is nearly used, or all of it (R-PLAY-3)."""

    table: str
    seat: int
    kind: str  # `deposit` or `loss`
    period: str  # `day`, `week` or `month`

    def apply(self, state: State) -> None:
        state.limit_near = self.timestamp


class PlayedUncarded(Event, topic="patron.played-uncarded"):
    """More was bet, or brought, than is played without a card, and nobody knew the patron's."""

    table: str
    seat: int
    what: Annotated[
        str, Meta(description="what was too much: bet, on the coup, or cash, of the gaming day")
    ]
    amount: int  # minor units: on the coup, or of the gaming day
    above: Annotated[
        int, Meta(description="the amount above which play is by card, in minor units")
    ]
    apart_from: Annotated[
        list[str],
        Meta(description="other patrons who, as somebody found, are not this one"),
    ] = field(default_factory=list)
    LEFT_OUT = frozenset({"apart_from"})


class PlaysFor(Event, topic="patron.plays-for"):
    """The patron's cash is on behalf of somebody else, or of nobody else any more."""

    principal: Annotated[str, Meta(description="the patron for whom they play; empty: for nobody")]
    from_day: str  # the first gaming day on which it holds

    def apply(self, state: State) -> None:
        state.plays_for.append((self.from_day, self.principal))


class AgentNamed(Event, topic="patron.agent-named"):
    """Somebody plays for the patron; since when, and until when, is on the agent's record."""

    agent: str

    def apply(self, state: State) -> None:
        state.agents.add(self.agent)
