"""The inventory slip of a shift: the tray's chips as counted, and who hands over to whom.

It is made from the record alone, so that a slip printed again is the same, until money that moved
before the count is put right.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.table_day import TableDay
from domain.events import table_counts, table_day
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.ledger.installed import label
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.words import language
from ops.words.language import _
from ops.words.pdf import pdf

if TYPE_CHECKING:
    import psycopg

    from ops.ledger.chain import Recorded


class Named(Struct, frozen=True):
    """A line of the slip: a label and its value."""

    label: str
    value: str
    bold: bool = False

    def __str__(self) -> str:
        return f"{self.label}: {self.value}"


class Signature(Struct, frozen=True):
    """A place to sign, and the person whose it is."""

    label: str
    name: str


class Slip(Struct, frozen=True):
    """What is printed: the values of the template `inventory-slip`."""

    title: str
    house: str
    about: list[Named]
    heads: list[str]
    chips: list[list[str]]  # a chip, how many of them, their worth
    amounts: list[Named]
    signatures: list[Signature]
    footer: str


class InventorySlip(Struct, frozen=True):
    """A count at the end of a shift, with everything that is printed of it."""

    address: addresses.TableDay
    house: Property
    recorded: "Recorded"
    count: table_counts.ShiftCounted
    reckoned: table_counts.ShiftCounted | table_counts.ShiftVarianceChanged  # the last one
    currency: str

    def text(self) -> str:
        """The slip, line by line, in the reader's language."""
        slip = self._slip()
        lines = [
            slip.title,
            *map(str, slip.about),
            *("".join(cell.rjust(16) for cell in row) for row in (slip.heads, *slip.chips)),
            *map(str, slip.amounts),
            *(f"{each.label}: {each.name}" for each in slip.signatures),
            slip.footer,
        ]
        return "".join(f"{line}\n" for line in lines)

    def pdf(self) -> bytes:
        """The slip as a PDF; one program makes the same bytes of it in one language."""
        return pdf("inventory-slip", self._slip(), self.count.timestamp)

    def _slip(self) -> Slip:
        position = _("Ledger position {position}", position=self.recorded.position)
        return Slip(
            title=_("Inventory slip"),
            house=self.house.name,
            about=self._about(),
            heads=[_("Chip"), _("Count"), _("Worth")],
            chips=list(self._chips()),
            amounts=self._amounts(),
            signatures=[
                Signature(_("Counted by (leaving)"), self.count.counted_by),
                Signature(_("Signed by (taking over)"), self.count.signed_by),
            ],
            footer=f"{position} · {label()}",
        )

    def _about(self) -> list[Named]:
        local = self.count.timestamp.astimezone(ZoneInfo(self.house.zone))
        return [
            Named(_("Table"), self.address.table),
            Named(_("Gaming day"), language.day(self.address.day)),
            Named(_("Shift"), self.count.shift),
            Named(_("Counted"), language.moment(local)),
        ]

    def _chips(self) -> Iterator[list[str]]:
        for chip in sorted(map(int, self.count.chips), reverse=True):
            many = self.count.chips[str(chip)]
            short = language.amount(chip, self.currency, short=True)
            yield [short, language.number(many), self._money(chip * many)]

    def _amounts(self) -> list[Named]:
        total = f"{self.currency} {self._money(self.count.total)}"
        return [
            Named(_("Total"), total, bold=True),
            Named(_("Expected"), self._money(self.reckoned.expected)),
            Named(_("Difference"), self._money(self.reckoned.variance)),
        ]

    def _money(self, amount: int) -> str:
        return language.amount(amount, self.currency)


def find(
    connection: "psycopg.Connection[Any]", address: addresses.TableDay, shift: str
) -> InventorySlip:
    """The last count of a shift. Refuses: NotFound."""
    recorded = read_stream(connection, TableDay.stream(address))
    events = [(each, event_of(each)) for each in recorded]
    counts = [
        (each, event)
        for each, event in events
        if isinstance(event, table_counts.ShiftCounted) and event.shift == shift
    ]
    if not counts:
        raise NotFound(what=Words("count of the {shift} shift of {day}", shift=shift, day=address))
    house = Property.project(
        None,
        (
            event_of(each)
            for each in read_stream(connection, PROPERTY_STREAM)
            if each.position <= counts[-1][0].position
        ),
    )
    assert house is not None
    opened = events[0][1]
    assert isinstance(opened, table_day.Opened)
    recounted = [
        event
        for each, event in events
        if isinstance(event, table_counts.ShiftVarianceChanged)
        and event.shift == shift
        and each.position > counts[-1][0].position
    ]
    reckoned = recounted[-1] if recounted else counts[-1][1]
    return InventorySlip(address, house, *counts[-1], reckoned, currency=opened.currency)
