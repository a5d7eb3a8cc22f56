"""The cash of a patron on one gaming day, over all tables."""

from typing import Annotated

from msgspec import Meta, field

from domain.events import base

Alike = Annotated[
    list[str],
    Meta(description="other patrons, whose names look the same and whose cash is in the total"),
]


class Event(base.Event):
    """Of one patron, on one day."""

    NAMED_BY = ("patron", "day")
    patron: str = ""
    day: str = ""


class Begun(Event, topic="cash-day.begun", first=True):
    """The first cash of the day."""


class State(base.State):
    """The day's cash so far, each way."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(begun)
        self.patron = begun.patron
        self.day = begun.day
        self.totals: dict[str, int] = {"in": 0, "out": 0}
        self.by_name: dict[str, dict[str, int]] = {}  # the same, by the name that was used
        self.little_play = False  # whether it was noted already
        self.alerts: set[tuple[str, str]] = set()  # each of them once a direction and day

    def enter(self, name: str, direction: str, amount: int, total: int) -> None:
        """Adds cash under a name; `total`: the day's, of this direction."""
        of_name = self.by_name.setdefault(name, {"in": 0, "out": 0})
        of_name[direction] += amount
        self.totals[direction] = total


class CashCounted(Event, topic="cash-day.cash-counted"):
    """Cash came in, or went out."""

    direction: str  # `in` or `out`
    amount: int  # minor units
    total: int  # of this direction, on this day, with this amount
    table: str  # '' where an alias's cash of the day was carried over
    name: str  # under which it came

    def apply(self, state: State) -> None:
        state.enter(self.name, self.direction, self.amount, self.total)


class CashChanged(Event, topic="cash-day.cash-changed"):
    """Cash of the day was typed wrong, or came under another name."""

    direction: str  # `in` or `out`
    amount: int  # minor units; the change, negative for less
    total: int  # of this direction, on this day, with this change
    table: str  # '' where cash goes to another name
    name: str  # under which it came
    near: bool  # whether the total is still near the reporting amount
    over: bool  # whether it is still over it

    def apply(self, state: State) -> None:
        state.enter(self.name, self.direction, self.amount, self.total)
        holds = {"near": self.near or self.over, "passed": self.over}
        state.alerts -= {(self.direction, kind) for kind, true in holds.items() if not true}


class ReportingAmountNear(Event, topic="cash-day.reporting-amount-near"):
    """Cash is near the reporting amount; the floor is alerted in time."""

    direction: str
    total: int
    reporting_amount: int
    alike: Alike = field(default_factory=list)

    def apply(self, state: State) -> None:
        state.alerts.add((self.direction, "near"))


class ReportingAmountPassed(Event, topic="cash-day.reporting-amount-passed"):
    """Cash is over the reporting amount."""

    direction: str
    total: int
    reporting_amount: int
    alike: Alike = field(default_factory=list)

    def apply(self, state: State) -> None:
        state.alerts.add((self.direction, "passed"))


class LittlePlayNoted(Event, topic="cash-day.little-play-noted"):
    """Cash came in and went out again, with little or no play between."""

    total_in: int  # minor units, of this day
    total_out: int
    played: int  # staked on coups that were settled

    def apply(self, state: State) -> None:
        state.little_play = True
