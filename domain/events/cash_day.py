"""The cash of a patron on one gaming day, over all tables."""

from domain.events import base


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
        self.alerts: set[tuple[str, str]] = set()  # each of them once a direction and day


class CashCounted(Event, topic="cash-day.cash-counted"):
    """Cash came in, or went out."""

    direction: str  # `in` or `out`
    amount: int  # minor units
    total: int  # of this direction, on this day, with this amount
    table: str  # '' where an alias's cash of the day was carried over
    name: str  # under which it came

    def apply(self, state: State) -> None:
        state.totals[self.direction] = self.total


class ReportingAmountNear(Event, topic="cash-day.reporting-amount-near"):
    """Cash is near the reporting amount; the floor is alerted in time."""

    direction: str
    total: int
    reporting_amount: int

    def apply(self, state: State) -> None:
        state.alerts.add((self.direction, "near"))


class ReportingAmountPassed(Event, topic="cash-day.reporting-amount-passed"):
    """Cash is over the reporting amount."""

    direction: str
    total: int
    reporting_amount: int

    def apply(self, state: State) -> None:
        state.alerts.add((self.direction, "passed"))
