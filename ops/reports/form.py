"""A form for uncollected commission (N.J.A.C. 13:69D-1.30), as text and as PDF.

It is made from the record alone: its values are those of the moment when it was issued, so a copy
differs from the part itself only in its head.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.forms import FormBook
from domain.events.form_book import FormPrinted, RecoveryFormIssued, UncollectedFormIssued
from domain.rules import addresses
from domain.rules.wording import Words
from ops.commands.house_events import house
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.reports.slip_lines import COLUMNS, beside, centred, rows, wrapped
from ops.words import language
from ops.words.amounts_in_words import in_words
from ops.words.language import N_, _, shown

if TYPE_CHECKING:
    from datetime import datetime

    import psycopg

    from ops.ledger.chain import Recorded

_HASH_SHOWN = 16  # digits; `sabot audit verify` shows the whole hash
_TITLES = {"UV": N_("UNCOLLECTED VIGORISH"), "VR": N_("VIGORISH RECOVERY")}
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


class Paper(Struct, frozen=True):
    """The parts of a form that one command printed, with everything on them."""

    form: addresses.Form
    parts: Sequence[Printed]
    issued: "Recorded"
    event: UncollectedFormIssued | RecoveryFormIssued
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
        lines: list[str] = []
        for part in self._paper()["parts"]:
            lines += [*map(centred, wrapped(self.house)), rule]
            lines += [centred(part[name]) for name in ("title", "form", "head", "goes_to")]
            lines += [centred(part["printed"])] if part["printed"] else []
            for block in part["blocks"]:
                lines += [rule, *(beside(row["label"], row["value"]) for row in block)]
            for who in part["signatures"]:
                lines += ["", "", rule, who]
            lines += [""]
        return "".join(f"{line}\n" for line in lines[:-1])

    def pdf(self) -> bytes:
        """The parts as a PDF, each on a page; it always has the same bytes in one language."""
        from ops.words.pdf import pdf

        return pdf("form", self._paper(), self.parts[-1].at)

    def _paper(self) -> dict[str, Any]:
        return {"house": self.house, "parts": [self._part(each) for each in self.parts]}

    def _part(self, part: Printed) -> dict[str, Any]:
        return {
            "title": _(_TITLES[self.form.series]),
            "form": str(self.form),
            "head": shown(part.head),
            "goes_to": _(_GOES_TO[part.part]),
            "printed": "" if part.copy == 1 else self._moment(part.at),
            "blocks": [self._about(), self._shoes(), self._amounts(), self._people()],
            "signatures": [_("Dealer or clerk"), _("Supervisor")],
        }

    def _about(self) -> list[dict[str, Any]]:
        day = addresses.TableDay.parse(self.event.table_day)
        return [
            *rows(_("Gaming day"), language.day(day.day)),
            *rows(_("Table"), day.table),
            *rows(_("When"), self._moment(self.event.timestamp)),
            *rows(_("Patron"), self.event.patron),
            *rows(_("Stay"), self.event.stay),
        ]

    def _shoes(self) -> list[dict[str, Any]]:
        return [
            row
            for shoe, part in self.event.by_shoe.items()
            for row in rows(_("Shoe {shoe}", shoe=shoe), self._money(part))
        ]

    def _amounts(self) -> list[dict[str, Any]]:
        event = self.event
        money = f"{event.currency} {self._money(event.amount)}"
        lines = rows(_("AMOUNT"), money, bold=True)
        if language.spoken() == "en":
            lines += rows(_("In words"), in_words(event.amount, event.currency))
        if isinstance(event, UncollectedFormIssued):
            return [*lines, *rows(_("Reason"), event.reason)]
        for form, part in event.by_form.items():
            lines += rows(_("Paid of {form}", form=form), self._money(part))
            lines += rows(_("Still open of it"), self._money(event.still_open[form]))
        return lines

    def _people(self) -> list[dict[str, Any]]:
        approved = self.event.approved_by
        return [
            *rows(_("Prepared by"), self.event.prepared_by),
            *(rows(_("Approved by"), approved) if approved else []),
            *rows(_("Ledger position"), str(self.issued.position)),
            *rows(_("Chain"), self.issued.hash.hex()[:_HASH_SHOWN]),
        ]

    def _money(self, amount: int) -> str:
        return language.amount(amount, self.event.currency)

    def _moment(self, moment: "datetime") -> str:
        """The house's time with its offset, because one hour of the year comes twice."""
        local = moment.astimezone(ZoneInfo(self.zone))
        return f"{language.moment(local)}{local.isoformat()[-6:]}"


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
    issued, event = next(
        (recorded, event)
        for recorded, event in own
        if isinstance(event, UncollectedFormIssued | RecoveryFormIssued)
    )
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
