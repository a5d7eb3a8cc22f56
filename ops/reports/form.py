"""A form for uncollected commission (N.J.A.C. 13:69D-1.30) or a jackpot, as text and as PDF.

It is made from the record alone: its values are those of the moment when it was issued, so a copy
differs from the part itself only in its head.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.aggregates.forms import FormBook
from domain.events.form_book import (
    FormPrinted,
    JackpotFormIssued,
    RecoveryFormIssued,
    UncollectedFormIssued,
)
from domain.rules import addresses
from domain.rules.wording import Words
from ops.commands.house_events import house
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.reports.slip_lines import COLUMNS, SlipLine, by_shoe, centred, lines, moment, wrapped
from ops.words import language
from ops.words.amounts_in_words import in_words
from ops.words.language import N_, _, shown
from ops.words.meter_events import meter_called
from ops.words.pdf import pdf
from ops.words.terms import spot_called

if TYPE_CHECKING:
    from datetime import datetime

    import psycopg

    from ops.ledger.chain import Recorded

_HASH_SHOWN = 16  # digits; `sabot audit verify` shows the whole hash
_TITLES = {
    "UV": N_("UNCOLLECTED VIGORISH"),
    "VR": N_("VIGORISH RECOVERY"),
    "JP": N_("JACKPOT OF A METER"),
}
Issued = UncollectedFormIssued | RecoveryFormIssued | JackpotFormIssued
_HEADS: Mapping[str, str] = {"original": N_("ORIGINAL"), "duplicate": N_("DUPLICATE")}
_COPIES: Mapping[str, str] = {
    "original": N_("COPY {number} OF THE ORIGINAL"),
    "duplicate": N_("COPY {number} OF THE DUPLICATE"),
}
_GOES_TO: Mapping[str, str] = {
    "original": N_("for the drop box"),
    "duplicate": N_("for accounting"),
}


class Printed(Struct, frozen=True):
    """One part of a form, as it was printed."""

    part: str
    copy: int  # 1: the part itself
    at: "datetime"

    @property
    def head(self) -> Words:
        """The name of the part, or the number of the copy."""
        if self.copy == 1:
            return Words(_HEADS[self.part])
        return Words(_COPIES[self.part], number=self.copy - 1)


class Part(Struct, frozen=True):
    """The contents of one part, as text."""

    title: str
    form: str
    head: str
    goes_to: str
    printed: str  # the moment of a copy; '' on the part itself
    blocks: list[list[SlipLine]]
    signatures: list[str]


class Contents(Struct, frozen=True):
    """What is printed: the values of the template `form`."""

    house: str
    parts: list[Part]


class Paper(Struct, frozen=True):
    """The parts of a form that one command printed, with everything on them."""

    form: addresses.Form
    parts: Sequence[Printed]
    issued: "Recorded"
    event: Issued
    house: str
    zone: str

    @property
    def head(self) -> Words:
        """The heads of the parts."""
        if len(self.parts) == 1:
            return self.parts[0].head
        return Words("{first}, {second}", first=self.parts[0].head, second=self.parts[1].head)

    def text(self) -> str:
        """The parts, one below the other, line by line, in the reader's language."""
        rule = "-" * COLUMNS
        text: list[str] = []
        for part in self._contents().parts:
            text += [*map(centred, wrapped(self.house)), rule]
            text += map(centred, (part.title, part.form, part.head, part.goes_to))
            text += [centred(part.printed)] if part.printed else []
            for block in part.blocks:
                text += [rule, *(line.text for line in block)]
            for who in part.signatures:
                text += ["", "", rule, who]
            text += [""]
        return "".join(f"{line}\n" for line in text[:-1])

    def pdf(self) -> bytes:
        """The parts as a PDF, each on a page; it always has the same bytes in one language."""
        return pdf("form", self._contents(), self.parts[-1].at)

    def _contents(self) -> Contents:
        return Contents(self.house, [self._part(each) for each in self.parts])

    def _part(self, part: Printed) -> Part:
        event = self.event
        if isinstance(event, JackpotFormIssued):
            of_what = self._meter(event)
        else:
            of_what = by_shoe(event.by_shoe, event.currency)
        return Part(
            title=_(_TITLES[self.form.series]),
            form=str(self.form),
            head=shown(part.head),
            goes_to=_(_GOES_TO[part.part]),
            printed="" if part.copy == 1 else moment(part.at, self.zone),
            blocks=[self._about(), of_what, self._amounts(), self._people()],
            signatures=[_("Dealer or clerk"), _("Supervisor")],
        )

    def _about(self) -> list[SlipLine]:
        day = addresses.TableDay.parse(self.event.table_day)
        return [
            *lines(_("Gaming day"), language.day(day.day)),
            *lines(_("Table"), day.table),
            *lines(_("When"), moment(self.event.timestamp, self.zone)),
            *lines(_("Patron"), self.event.patron),
            *lines(_("Stay"), self.event.stay),
        ]

    def _meter(self, event: JackpotFormIssued) -> list[SlipLine]:
        return [
            *lines(_("Coup"), event.coup),
            *lines(_("Seat"), str(event.seat)),
            *lines(_("Bet"), shown(spot_called(event.spot))),
            *lines(_("Meter"), shown(meter_called(event.meter))),
            *lines(_("In the meter"), self._money(int(Fraction(event.stood)))),
            *(lines(_("Instead of"), event.instead_of) if event.instead_of else []),
        ]

    def _amounts(self) -> list[SlipLine]:
        event = self.event
        money = f"{event.currency} {self._money(event.amount)}"
        amounts = lines(_("AMOUNT"), money, bold=True)
        if language.spoken() == "en":
            amounts += lines(_("In words"), in_words(event.amount, event.currency))
        if isinstance(event, JackpotFormIssued):
            return amounts
        if isinstance(event, UncollectedFormIssued):
            return [*amounts, *lines(_("Reason"), event.reason)]
        for form, part in event.by_form.items():
            amounts += lines(_("Paid of {form}", form=form), self._money(part))
            amounts += lines(_("Still open of it"), self._money(event.still_open[form]))
        return amounts

    def _people(self) -> list[SlipLine]:
        approved = self.event.approved_by
        return [
            *lines(_("Prepared by"), self.event.prepared_by),
            *(lines(_("Approved by"), approved) if approved else []),
            *lines(_("Ledger position"), str(self.issued.position)),
            *lines(_("Chain"), self.issued.hash.hex()[:_HASH_SHOWN]),
        ]

    def _money(self, amount: int) -> str:
        return language.amount(amount, self.event.currency)


def find(
    connection: "psycopg.Connection[Any]",
    form: addresses.Form,
    copies: Sequence[tuple[str, int]],
) -> Paper:
    """The form with these parts and copies, whose printing is on record."""
    events = [
        (recorded, event_of(recorded))
        for recorded in read_stream(connection, FormBook.stream(form.year))
    ]
    own = [each for each in events if getattr(each[1], "form", None) == str(form)]
    issued, event = next((recorded, event) for recorded, event in own if isinstance(event, Issued))
    printed = {
        (event.part, event.copy): Printed(event.part, event.copy, event.timestamp)
        for _recorded, event in own
        if isinstance(event, FormPrinted)
    }
    owner = house(connection, issued.position)
    return Paper(
        form=form,
        parts=[printed[each] for each in copies],
        issued=issued,
        event=event,
        house=owner.name,
        zone=owner.zone,
    )
