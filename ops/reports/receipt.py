"""A receipt for commission (R-COM-2) as a slip: made from the record alone, as text and as PDF.

Its values are those of the moment of payment. A reprint in the same language differs from the
original only in its head.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.base import Aggregate
from domain.aggregates.commission import CommissionAccount
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.wording import Words
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.reports.slip_lines import COLUMNS, beside, centred, rows, wrapped
from ops.words import language
from ops.words.language import N_, _, shown

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
        lines = [*map(centred, slip["house"]), rule]
        lines += [centred(slip[name]) for name in ("title", "copy", "printed") if slip[name]]
        for block in slip["blocks"]:
            lines += [rule, *(beside(row["label"], row["value"]) for row in block)]
        lines += [rule, *map(centred, slip["helpline"])]
        return "".join(f"{line}\n" for line in lines)

    def pdf(self) -> bytes:
        """The slip as a PDF; a copy in one language always has the same bytes."""
        from ops.words.pdf import pdf

        return pdf("receipt", self._slip(), self.printed)

    def _slip(self) -> dict[str, Any]:
        """The contents of the slip, in lines of at most COLUMNS."""
        title, _label = _TITLES[self.payment.topic]
        return {
            "house": wrapped(self.house.name),
            "title": _(title),
            "copy": shown(self.head),
            "printed": "" if self.number == 1 else self._moment(self.printed),
            "blocks": [self._about(), self._parts(), self._amounts(), self._place()],
            "helpline": wrapped(self.house.helpline),
        }

    def _about(self) -> list[dict[str, Any]]:
        day = self.receipt.table_day
        taken_by = self.payment.actor or self.table_day.dealer or _("the dealer")
        return [
            *rows(_("Receipt"), str(self.receipt)),
            *rows(_("When"), self._moment(self.event.timestamp)),
            *rows(_("Table"), day.table),
            *rows(_("Gaming day"), language.day(day.day)),
            *rows(_("Patron"), self.event.patron),
            *rows(_("By"), taken_by),
        ]

    def _parts(self) -> list[dict[str, Any]]:
        parts = self.event.by_shoe.items()
        return [
            row
            for shoe, part in parts
            for row in rows(_("Shoe {shoe}", shoe=shoe), self._money(part))
        ]

    def _amounts(self) -> list[dict[str, Any]]:
        _title, label = _TITLES[self.payment.topic]
        currency = self.account.currency
        return [
            *rows(_(label), f"{currency} {self._money(self.event.amount)}", bold=True),
            *rows(_("Still owed"), f"{currency} {self._money(self.account.owed)}"),
        ]

    def _place(self) -> list[dict[str, Any]]:
        return [
            *rows(_("Ledger position"), str(self.payment.position)),
            *rows(_("Chain"), self.payment.hash.hex()[:_HASH_SHOWN]),
        ]

    def _money(self, amount: int) -> str:
        return language.amount(amount, self.account.currency)

    def _moment(self, moment: "datetime") -> str:
        """The house's time with its offset, because one hour of the year comes twice."""
        local = moment.astimezone(ZoneInfo(self.house.zone))
        return f"{language.moment(local)}{local.isoformat()[-6:]}"


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
