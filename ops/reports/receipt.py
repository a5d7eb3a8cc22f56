"""A receipt for commission (R-COM-2) as a slip: made from the record alone, as text and as PDF.

Its values are those of the moment of payment. A reprint in the same language differs from the
original only in its head.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.aggregates.base import Aggregate
from domain.aggregates.commission import CommissionAccount
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.wording import Words
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.reports.slip_lines import COLUMNS, SlipLine, by_shoe, centred, lines, moment, wrapped
from ops.words import language
from ops.words.language import N_, _, shown
from ops.words.pdf import pdf

if TYPE_CHECKING:
    from datetime import datetime

    import psycopg

    from ops.ledger.chain import Recorded

_HASH_SHOWN = 16  # digits; `sabot audit verify` shows the whole hash
# The events with a receipt: its title, and the label of its amount.
_TITLES: Mapping[str, tuple[str, str]] = {
    "commission-account.commission-collected": (N_("COMMISSION RECEIPT"), N_("PAID")),
    "commission-account.commission-refunded": (N_("COMMISSION REFUND"), N_("REFUNDED")),
}
A = TypeVar("A", bound=Aggregate)


class Slip(Struct, frozen=True):
    """What is printed, in lines of at most COLUMNS: the values of the template `receipt`."""

    house: list[str]
    title: str
    copy: str
    printed: str  # the moment of a reprint; '' on the original
    blocks: list[list[SlipLine]]
    helpline: list[str]


class Copy(Struct, frozen=True):
    """One copy of a receipt, with everything that is printed on it."""

    receipt: addresses.Receipt
    number: int  # 1: the original
    printed: "datetime"
    payment: "Recorded"
    event: Any  # of the payment
    account: CommissionAccount  # after the payment
    table_day: TableDay
    house: Property

    @property
    def head(self) -> Words:
        """The words ORIGINAL, or the number of the reprint."""
        if self.number == 1:
            return Words("ORIGINAL")
        return Words("REPRINT {number}", number=self.number - 1)

    def text(self) -> str:
        """The slip, line by line, in the reader's language."""
        slip = self._slip()
        rule = "-" * COLUMNS
        text = [*map(centred, slip.house), rule]
        text += [centred(line) for line in (slip.title, slip.copy, slip.printed) if line]
        for block in slip.blocks:
            text += [rule, *(line.text for line in block)]
        text += [rule, *map(centred, slip.helpline)]
        return "".join(f"{line}\n" for line in text)

    def pdf(self) -> bytes:
        """The slip as a PDF; a copy in one language always has the same bytes."""
        return pdf("receipt", self._slip(), self.printed)

    def _slip(self) -> Slip:
        title, _label = _TITLES[self.payment.topic]
        shoes = by_shoe(self.event.by_shoe, self.account.currency)
        return Slip(
            house=wrapped(self.house.name),
            title=_(title),
            copy=shown(self.head),
            printed="" if self.number == 1 else moment(self.printed, self.house.zone),
            blocks=[self._about(), shoes, self._amounts(), self._place()],
            helpline=wrapped(self.house.helpline),
        )

    def _about(self) -> list[SlipLine]:
        day = self.receipt.table_day
        taken_by = self.payment.actor or self.table_day.dealer or _("the dealer")
        return [
            *lines(_("Receipt"), str(self.receipt)),
            *lines(_("When"), moment(self.event.timestamp, self.house.zone)),
            *lines(_("Table"), day.table),
            *lines(_("Gaming day"), language.day(day.day)),
            *lines(_("Patron"), self.event.patron),
            *lines(_("By"), taken_by),
        ]

    def _amounts(self) -> list[SlipLine]:
        _title, label = _TITLES[self.payment.topic]
        currency = self.account.currency
        return [
            *lines(_(label), f"{currency} {self._money(self.event.amount)}", bold=True),
            *lines(_("Still owed"), f"{currency} {self._money(self.account.owed)}"),
        ]

    def _place(self) -> list[SlipLine]:
        return [
            *lines(_("Ledger position"), str(self.payment.position)),
            *lines(_("Chain"), self.payment.hash.hex()[:_HASH_SHOWN]),
        ]

    def _money(self, amount: int) -> str:
        return language.amount(amount, self.account.currency)


def find(connection: "psycopg.Connection[Any]", receipt: addresses.Receipt, number: int) -> Copy:
    """The copy with this number, whose printing is on record."""
    stream = CommissionAccount.stream(receipt.stay)
    events = [(recorded, event_of(recorded)) for recorded in read_stream(connection, stream)]
    own = [each for each in events if getattr(each[1], "receipt", None) == str(receipt)]
    payment, paid = next(each for each in own if each[0].topic in _TITLES)
    printed = next(event for _, event in own if getattr(event, "copy", None) == number)
    day = TableDay.stream(receipt.table_day)
    return Copy(
        receipt=receipt,
        number=number,
        printed=printed.timestamp,
        payment=payment,
        event=paid,
        account=_as_of(connection, CommissionAccount, stream, _whole_act(events, payment)),
        table_day=_as_of(connection, TableDay, day, payment.position),
        house=_as_of(connection, Property, PROPERTY_STREAM, payment.position),
    )


def _whole_act(events: "list[tuple[Recorded, Any]]", payment: "Recorded") -> int:
    """The last position of the payment's command; a refund is followed by its reason."""
    own = (event for event, _ in events if event.command_id == payment.command_id)
    return max(event.position for event in own)


def _as_of(connection: "psycopg.Connection[Any]", kind: type[A], stream: UUID, position: int) -> A:
    """An aggregate as it was at this position of the record."""
    events = read_stream(connection, stream)
    state = kind.project(None, (event_of(event) for event in events if event.position <= position))
    assert state is not None
    return state
