"""The forms of one year: for uncollected commission (N.J.A.C. 13:69D-1.30), and for jackpots.

An Uncollected Vigorish form is issued when a patron leaves owing commission, a Vigorish Recovery
form for each later payment of it, a jackpot form for a large payment of a meter (R-PROG-5). Each
series is numbered without a gap.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from msgspec import Struct
from msgspec.structs import asdict

from domain.aggregates.base import Aggregate
from domain.events import form_book as events
from domain.rules.addresses import Form, stream_id
from domain.rules.refusals import NotFound
from domain.rules.wording import Words

PARTS = ("original", "duplicate")


class Debt(Struct, frozen=True, kw_only=True):
    """Commission of one stay that is written off, or paid later; amounts in minor units."""

    table_day: str  # where it is written off or paid
    patron: str
    stay: str
    by_shoe: Mapping[str, int]
    currency: str
    prepared_by: str
    approved_by: str

    @property
    def amount(self) -> int:
        """The minor units of all shoes together."""
        return sum(self.by_shoe.values())

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the form for this debt."""
        return {**asdict(self), "amount": self.amount, "by_shoe": dict(self.by_shoe)}


class Jackpot(Struct, frozen=True, kw_only=True):
    """What a meter pays a wager; amounts in minor units."""

    table_day: str
    coup: str
    seat: int
    spot: str
    patron: str
    stay: str
    meter: str
    stood: str  # exact
    amount: int
    currency: str
    prepared_by: str
    approved_by: str


class FormBook(Aggregate, events.State):
    """One year's forms of the house."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(year: int) -> UUID:
        """The stream of a year's forms."""
        return stream_id("form-book", str(year))

    @property
    def open(self) -> dict[str, events.Uncollected]:
        """The Uncollected Vigorish forms of which something is open, the oldest first."""
        return {number: form for number, form in self.uncollected.items() if form.open}

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """Opens a year's book, with its first form."""
        return cls.begin(events.Opened(year=year), cls.stream(year), at)

    def issue_uncollected(self, debt: Debt, reason: str) -> str:
        """Issues a form for commission that a patron left owing, and returns its number."""
        number = str(Form("UV", self.year, len(self.uncollected) + 1))
        self.record(
            events.UncollectedFormIssued(
                form=number,
                **debt.fields,
                reason=reason,
            )
        )
        return number

    def issue_recovery(self, debt: Debt, earlier: "FormBook", by_form: Mapping[str, int]) -> str:
        """Issues a form for a later payment, and returns its number.

        `by_form`: the parts of the paid forms, which are in the `earlier` book or in this one.
        """
        number = str(Form("VR", self.year, self.recoveries + 1))
        self.record(
            events.RecoveryFormIssued(
                form=number,
                **debt.fields,
                by_form=dict(by_form),
                still_open={
                    form: earlier.uncollected[form].open - part for form, part in by_form.items()
                },
            )
        )
        return number

    def issue_jackpot(self, jackpot: Jackpot) -> str:
        """Issues a form for what a meter pays, and returns its number (R-PROG-5)."""
        number = str(Form("JP", self.year, self.jackpots + 1))
        before = self.jackpot_of.get((jackpot.coup, jackpot.seat, jackpot.spot), "")
        self.record(events.JackpotFormIssued(form=number, **asdict(jackpot), instead_of=before))
        return number

    def parts(self, stay: str, amount: int, shoe: str | None = None) -> dict[str, int]:
        """An amount by the stay's open forms, the oldest first; those with the `shoe` before.

        Commission that was written off before forms were kept is on no form.
        """
        theirs = [(number, form) for number, form in self.open.items() if form.stay == stay]
        by_form = {}
        for number, form in sorted(theirs, key=lambda each: shoe not in each[1].shoes):
            if part := min(form.open, amount):
                by_form[number] = part
                amount -= part
        return by_form

    def recover(self, by_form: Mapping[str, int], recovery: str) -> None:
        """Takes the parts that were paid off their forms."""
        for form, part in by_form.items():
            self.record(events.FormRecovered(form=form, recovery=recovery, amount=part))

    def adjust(self, stay: str, by_shoe: Mapping[str, int], coup: str) -> None:
        """Takes commission that a corrected coup no longer charges off the stay's forms."""
        for shoe, amount in by_shoe.items():
            for form, part in self.parts(stay, amount, shoe).items():
                self.record(events.FormAdjusted(form=form, coup=coup, amount=part))

    def print_part(self, form: str, part: str) -> int:
        """Prints a part of a form and returns the copy's number, 1 for the part itself.

        Refuses: NotFound.
        """
        if form not in self.copies:
            raise NotFound(what=Words("form {form}", form=form))
        copy = self.copies[form].get(part, 0) + 1
        self.record(events.FormPrinted(form=form, part=part, copy=copy))
        return copy
