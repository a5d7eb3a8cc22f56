"""The cash of a patron on one gaming day, over all tables."""

from domain.events import base


class Event(base.Event):
    """Of one patron, on one day."""

    patron: str = ""
    day: str = ""


class Begun(Event):
    """The first cash of the day."""

    TOPIC = "cash-day.begun"
    FIRST = True


class State(base.State):
    """The day's cash so far, each way."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(begun)
        self.patron = begun.patron
        self.day = begun.day
        self.totals: dict[str, int] = {"in": 0, "out": 0}
        self.told: set[tuple[str, str]] = set()  # each alert once a direction and day


class CashCounted(Event):
    """Cash came in, or went out."""

    TOPIC = "cash-day.cash-counted"
    direction: str  # `in` or `out`
    amount: int  # minor units
    total: int  # of this direction, on this day, with this amount
    table: str  # '' where an alias's cash of the day was carried over
    name: str  # under which it came

    def apply(self, state: State) -> None:
        state.totals[self.direction] = self.total


class ReportingAmountNear(Event):
    """The floor hears in time that the reporting amount is near."""

    TOPIC = "cash-day.reporting-amount-near"
    direction: str
    total: int
    reporting_amount: int

    def apply(self, state: State) -> None:
        state.told.add((self.direction, "near"))


class ReportingAmountPassed(Event):
    """There was more cash than the reporting amount."""

    TOPIC = "cash-day.reporting-amount-passed"
    direction: str
    total: int
    reporting_amount: int

    def apply(self, state: State) -> None:
        state.told.add((self.direction, "passed"))
