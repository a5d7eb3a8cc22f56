"""The forms of one year for commission that a patron left owing, and for its later payment."""

from msgspec import Struct
from msgspec.structs import replace

from domain.events import base


class Opened(base.Event, topic="form-book.opened", first=True):
    """The first form of a year opens its book."""

    year: int


class Uncollected(Struct, frozen=True):
    """An Uncollected Vigorish form: whose commission it is, and how much of it is still open."""

    stay: str
    patron: str
    shoes: tuple[str, ...]
    open: int  # minor units

    def less(self, amount: int) -> "Uncollected":
        """The form after a part of it was recovered, or taken off."""
        return replace(self, open=self.open - amount)


class State(base.State):
    """The forms of the year: what is open of each, and how often each part was printed."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.year = opened.year
        self.uncollected: dict[str, Uncollected] = {}  # by number, the oldest first
        self.recoveries = 0
        self.jackpots = 0
        self.jackpot_of: dict[tuple[str, int, str], str] = {}  # by coup, seat and spot, the last
        self.copies: dict[str, dict[str, int]] = {}  # of each form, by part


class UncollectedFormIssued(base.Event, topic="form-book.uncollected-form-issued"):
    """A patron left owing commission; the form has the written-off amount."""

    form: str
    table_day: str
    patron: str
    stay: str
    amount: int  # minor units
    by_shoe: dict[str, int]
    currency: str
    reason: str
    prepared_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        form = Uncollected(self.stay, self.patron, tuple(self.by_shoe), self.amount)
        state.uncollected[self.form] = form
        state.copies[self.form] = {}


class RecoveryFormIssued(base.Event, topic="form-book.recovery-form-issued"):
    """Commission that was written off is paid, wholly or in part."""

    form: str
    table_day: str  # where it was paid
    patron: str
    stay: str  # that owed it
    amount: int  # minor units
    by_shoe: dict[str, int]
    currency: str
    by_form: dict[str, int]  # recovered of each Uncollected Vigorish form
    still_open: dict[str, int]  # of each of these forms
    prepared_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.recoveries += 1
        state.copies[self.form] = {}


class JackpotFormIssued(base.Event, topic="form-book.jackpot-form-issued"):
    """A meter pays more than one person may pay alone (R-PROG-5)."""

    form: str
    table_day: str
    coup: str
    seat: int
    spot: str
    patron: str
    stay: str
    meter: str
    stood: str  # exact minor units, when it paid
    amount: int  # minor units, without the stake
    currency: str
    prepared_by: str
    approved_by: str
    instead_of: str = ""  # the form of the same bet before its payment was put right

    LEFT_OUT = frozenset({"instead_of"})

    def apply(self, state: State) -> None:
        state.jackpots += 1
        state.jackpot_of[self.coup, self.seat, self.spot] = self.form
        state.copies[self.form] = {}


class FormRecovered(base.Event, topic="form-book.form-recovered"):
    """A part of an Uncollected Vigorish form, or all of it, was paid."""

    form: str
    recovery: str
    amount: int  # minor units

    def apply(self, state: State) -> None:
        state.uncollected[self.form] = state.uncollected[self.form].less(self.amount)


class FormAdjusted(base.Event, topic="form-book.form-adjusted"):
    """A corrected coup took commission off an Uncollected Vigorish form; nobody paid it."""

    form: str
    coup: str
    amount: int  # minor units

    def apply(self, state: State) -> None:
        state.uncollected[self.form] = state.uncollected[self.form].less(self.amount)


class FormPrinted(base.Event, topic="form-book.form-printed"):
    """A part of a form was printed."""

    form: str
    part: str  # `original`, for the drop box; `duplicate`, for accounting
    copy: int  # 1: the part itself, which is printed once; 2 and on: copies

    def apply(self, state: State) -> None:
        state.copies[self.form][self.part] = self.copy
