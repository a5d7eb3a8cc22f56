"""A meter on one gaming day: what it stands at, to the millionth of a minor unit."""

from fractions import Fraction

from domain.events import base


class Event(base.Event):
    """About one meter on one gaming day."""

    NAMED_BY = ("meter",)
    meter: str = ""


class Opened(Event, topic="meter-day.opened", first=True):
    """The gaming day began with what the meter stood at, or with the house's seed."""

    day: str
    currency: str
    standing: str  # carried from the day before
    reserve: str
    seeded: int  # minor units that the house put in


class State(base.State):
    """What it stands at, and its hidden reserve, in minor units."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.meter = opened.meter
        self.day = opened.day
        self.currency = opened.currency
        self.standing = Fraction(opened.standing) + opened.seeded
        self.reserve = Fraction(opened.reserve)


class MeterMoved(Event, topic="meter-day.meter-moved"):
    """A coup fed the meter, or was paid by it; less than 0: given back."""

    coup: str
    staked: int
    share: str
    to_reserve: str
    stood: str  # with the share, before it paid
    paid: int
    from_reserve: str
    seeded: int
    secret: str = ""  # of the point that it reached (R-PROG-6)
    lowest: int | None = None
    highest: int | None = None

    LEFT_OUT = frozenset({"secret", "lowest", "highest"})

    def apply(self, state: State) -> None:
        state.standing = Fraction(self.stood) - self.paid + Fraction(self.from_reserve)
        state.standing += self.seeded
        state.reserve += Fraction(self.to_reserve) - Fraction(self.from_reserve)
