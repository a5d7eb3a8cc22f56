"""Chooses the events that matter to a coup, each as a row of the pack file."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from msgspec import Struct

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.coup import Coup
from domain.aggregates.dispute import Dispute
from domain.aggregates.meter import Meter, MeterDay
from domain.aggregates.open_money import OpenMoney
from domain.aggregates.property import PROPERTY_STREAM
from domain.aggregates.rule_set import RuleSet
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.events import commission_account, open_money, table_day, table_money
from domain.events import coup as coup_events
from domain.events import meter as meter_events
from domain.events import property as property_events
from domain.events import shoe as shoe_events
from domain.events.base import Unreadable, event_name
from domain.rules.addresses import Case
from domain.rules.refusals import SENSELESS
from ops.ledger.chain import Recorded, link
from ops.ledger.mapper import fields_of
from ops.ledger.reading import hashes_before, read_stream
from ops.ledger.streams import lines, metadata_of, read_lines, recorded_until
from ops.pack.content import PackEvent
from ops.replay.coup_record import stay_streams
from ops.replay.story import CoupRecord
from ops.words.events import sentence

if TYPE_CHECKING:
    import psycopg

# Not in the next pack: otherwise no two packs would be the same.
PACK_MADE = "dispute.pack-made"
RELIEFS = {table_day.DealerRelieved: "dealer", table_day.SupervisorRelieved: "supervisor"}
# The house's settings for its duties to a patron who disputes, and to the regulator.
TERMS = ("dispute_notice_from", "dispute_notice_minutes", "dispute_patron_days")
_PREPARATION = (
    shoe_events.Loaded,
    shoe_events.Inspected,
    shoe_events.Shuffled,
    shoe_events.Cut,
    shoe_events.Burned,
)

_DEALT = (shoe_events.CardDrawn, shoe_events.CarriedCardDealt)
_BURNS = (shoe_events.BurnedBetween, shoe_events.BurnLeftOut)


class SourceEvent(Struct, frozen=True):
    """An event of the pack, with its subject and the hash of the event before it."""

    # `coup`, `shoe`, `table day`, `commission`, `open money`, `meter`, `rule set`, `property`,
    # `case`, `inquiry`, `aml case`, `cash day` or `evidence`
    about: str
    recorded: Recorded
    event: Any
    previous: bytes = b""  # empty: the event before it is missing

    @property
    def position(self) -> int:
        """The event's position in the ledger."""
        return self.recorded.position

    @property
    def chained(self) -> bool:
        """Whether the event's hash fits its columns and the event before it."""
        return link(self.previous, self.recorded) == self.recorded.hash

    def row(self, currency: str) -> PackEvent:
        """The event as a row of the pack file."""
        event = self.recorded
        return PackEvent(
            position=event.position,
            about=self.about,
            event=event_name(event.topic, first=event.originator_version == 1),
            at=moment(self.event.timestamp),
            words=self._words(currency),
            originator_id=str(event.originator_id),
            originator_version=event.originator_version,
            topic=event.topic,
            **_text_or_hex(event.state),
            recorded_at=moment(event.recorded_at),
            gaming_day=event.gaming_day.isoformat(),
            table_code=event.table_code,
            actor=event.actor,
            command_id=event.command_id,
            metadata=event.metadata,
            previous=self.previous.hex(),
            hash=event.hash.hex(),
        )

    def _words(self, currency: str) -> str | None:
        unreadable = isinstance(self.event, Unreadable)
        first = self.recorded.originator_version == 1
        name = "Unreadable" if unreadable else event_name(self.recorded.topic, first=first)
        try:
            return sentence({"type": name, **fields_of(self.event)}, currency)
        except SENSELESS:  # the event was altered
            return None


def moment(at: datetime) -> str:
    """The moment in UTC, with microseconds if not zero."""
    return at.astimezone(UTC).isoformat()


def _text_or_hex(state: bytes) -> dict[str, str]:
    """The state as text; in hex, if it was altered to something that is no text."""
    try:
        return {"state": state.decode()}
    except UnicodeDecodeError:
        return {"state_hex": state.hex()}


def events_of(
    connection: "psycopg.Connection[Any]",
    record: CoupRecord,
    case_events: Sequence[Recorded] = (),
) -> list[SourceEvent]:
    """The events of the coup, and those of other streams that matter to it, in ledger order.

    Raises UnreadableEvent.
    """
    around, until = _Around(connection, record), record.read_until
    case = [event for event in case_events if event.topic != PACK_MADE]
    mine = [
        *around.table(),
        *around.meters(),
        *(single_event("case", event) for event in recorded_until(case, until)),
    ]
    mine += around.cases({each.position for each in mine})
    last = max(each.position for each in mine)
    return linked(connection, [*mine, *around.house(last)])


def linked(
    connection: "psycopg.Connection[Any]", events: Sequence[SourceEvent]
) -> list[SourceEvent]:
    """The events in ledger order, each with the hash of the event before it."""
    every = sorted(events, key=lambda each: each.position)
    before = hashes_before(connection, [each.position for each in every])
    return [
        SourceEvent(each.about, each.recorded, each.event, before[each.position]) for each in every
    ]


def events_of_stream(
    connection: "psycopg.Connection[Any]", about: str, stream: UUID, until: int | None
) -> list[SourceEvent]:
    """The events of one stream up to a position. Raises UnreadableEvent."""
    recorded = recorded_until(read_stream(connection, stream), until)
    return [single_event(about, event) for event in recorded]


def single_event(about: str, event: Recorded) -> SourceEvent:
    """An event as it is recorded, read. Raises UnreadableEvent."""
    (line,) = lines([event])
    return SourceEvent(about, event, line.event)


class _Around(Struct, frozen=True, dict=True):
    """A coup, with the streams that may have events about it."""

    connection: "psycopg.Connection[Any]"
    record: CoupRecord

    @cached_property
    def coup(self) -> list[SourceEvent]:
        """The events of the coup's own stream."""
        return self._of("coup", Coup.stream(self.record.address))

    @cached_property
    def stays(self) -> list[str]:
        """The stays that had a wager in the coup."""
        names = ("stay", "to_stay")
        stays = {getattr(each.event, name, None) for each in self.coup for name in names}
        return sorted(stay for stay in stays if stay is not None)

    @property
    def _address(self) -> str:
        return str(self.record.address)

    @property
    def last(self) -> int:
        """The position of the coup's last event of its own."""
        return self.coup[-1].position

    def table(self) -> list[SourceEvent]:
        """The events of the coup, its shoe, its table day, its stays' commission and open money."""
        shoe = self.record.address.shoe
        return [
            *self.coup,
            *self._of("shoe", Shoe.stream(shoe), self._of_the_shoe),
            *self._of("table day", TableDay.stream(self.record.table_day), self._of_the_table_day),
            *(
                each
                for stream in stay_streams(CommissionAccount, self.stays)
                for each in self._of("commission", stream, self._of_the_commission)
            ),
            *(
                each
                for stream in stay_streams(OpenMoney, self.stays)
                for each in self._of("open money", stream, self._of_what_is_open)
            ),
        ]

    def meters(self) -> list[SourceEvent]:
        """Of each meter that followed the coup: its gaming day, up to what it did for the coup.

        And the point that was fixed when it did, if it must be won by an amount.
        """
        at: dict[str, list[int]] = {}  # by meter, the positions at which the coup has it
        for each in self.coup:
            if isinstance(each.event, coup_events.MeterFollowed):
                at.setdefault(each.event.meter, []).append(each.position)
        return [event for meter, own in at.items() for event in self._of_a_meter(meter, own)]

    def _of_a_meter(self, meter: str, own: list[int]) -> Iterator[SourceEvent]:
        every = self._of("meter", Meter.stream(meter))
        yield from every[:1]
        days = [each for each in every if isinstance(each.event, meter_events.DayBegun)]
        points = [each for each in every if isinstance(each.event, meter_events.PointFixed)]
        followed = {day.position: day for at in own for day in _last_before(days, at)}
        yield from followed.values()
        for day in followed.values():
            moves = self._of("meter", MeterDay.stream(meter, day.event.day))
            mine = [each for each in moves if getattr(each.event, "coup", "") == self._address]
            yield from (each for each in moves if mine and each.position <= mine[-1].position)
        yield from _last_before(points, own[0])

    def cases(self, known: set[int]) -> list[SourceEvent]:
        """The events of the coup's disputes, without those whose positions are `known`."""
        became = {line.position for line in self.record.became} - known
        cases = {getattr(line.event, "case", "") for line in self.record.became}
        return [
            each
            for case in sorted(cases - {""})
            for each in self._of("case", Dispute.stream(Case.parse(case)))
            if each.position in became
        ]

    def house(self, last: int) -> list[SourceEvent]:
        """The coup's rule set and the house's name and settings, recorded before `last`."""
        rules = getattr(self.coup[0].event, "rules", None)
        adopted = self._of("rule set", RuleSet.stream(rules)) if rules else []
        house = self._of("property", PROPERTY_STREAM, self._of_the_house)
        return [each for each in (*adopted, *house) if each.position < last]

    def _of_the_house(self, each: SourceEvent) -> bool:
        """Whether the event names the house, or is about a restore that lost something.

        Of the lines that were lost only those count that were taken again for this coup.
        """
        event = each.event
        if isinstance(event, property_events.EventsMissing):
            taken_again = {metadata_of(own.recorded).get("again_id") for own in self.coup}
            return bool(event.line_id) and event.line_id in taken_again
        return isinstance(event, property_events.RecordRestored) or names_the_house(each)

    def _of(
        self, about: str, stream: UUID, which: Callable[[SourceEvent], bool] = lambda _: True
    ) -> list[SourceEvent]:
        """The events of one stream that matter, and any that cannot be read."""
        events = events_of_stream(self.connection, about, stream, self.record.read_until)
        return [each for each in events if isinstance(each.event, Unreadable) or which(each)]

    @cached_property
    def _between(self) -> set[int]:
        """The last card of a coup before and the last burn before this coup's first card."""
        rules = self.record.replay.rules if self.record.replay else None
        if rules is None or rules.burn_between == "none":
            return set()
        number, last = self.record.address.number, dict[bool, int]()  # by whether it is a burn
        for line in read_lines(
            self.connection, Shoe.stream(self.record.address.shoe), self.record.read_until
        ):
            if isinstance(line.event, _DEALT) and line.event.coup >= number:
                break
            if isinstance(line.event, (*_DEALT, *_BURNS)):
                last[isinstance(line.event, _BURNS)] = line.position
        return {*last.values()}

    def _of_the_shoe(self, each: SourceEvent) -> bool:
        """Whether the shoe's event is of its preparation, its holder or this coup."""
        event, number = each.event, self.record.address.number
        if isinstance(event, _PREPARATION) or each.position in self._between:
            return True
        if isinstance(event, shoe_events.CutCardShown):
            return each.position in {line.position for line in self.record.noted}
        if isinstance(event, shoe_events.Passed):
            return each.position <= self.last
        if isinstance(event, shoe_events.CardMisdrawn) and event.coup == number - 1:
            return any(getattr(own.event, "carried", False) for own in self.coup)
        return bool(getattr(event, "coup", None) == number)

    def _of_the_table_day(self, each: SourceEvent) -> bool:
        """Whether the table day's event is of its opening, dealer, limits or the coup's patrons.

        Payments for this coup on a later day count too.
        """
        event = each.event
        if isinstance(event, table_money.EarlierCoupPutRight):
            return bool(event.coup == str(self.record.address))
        if each.position > self.last:
            return False
        seated = isinstance(event, table_day.PatronSeated | table_day.PatronMoved)
        of_all = (table_day.Opened, table_day.LimitsChanged, *RELIEFS)
        return isinstance(event, of_all) or (seated and event.stay in self.stays)

    def _of_the_commission(self, each: SourceEvent) -> bool:
        """Whether the account's event is of its opening, or of this coup's commission."""
        return (
            isinstance(each.event, commission_account.Opened)
            or getattr(each.event, "coup", None) == str(self.record.address)
            or each.position in {line.position for line in self.record.became}
        )

    def _of_what_is_open(self, each: SourceEvent) -> bool:
        """Whether the event is of what this coup left open, or of its settlement."""
        became = {line.position for line in self.record.became}
        return isinstance(each.event, open_money.Opened) or each.position in became


def _last_before(events: list[SourceEvent], position: int) -> list[SourceEvent]:
    """The last of these events before a position, if there is one."""
    return [each for each in events if each.position < position][-1:]


def names_the_house(each: SourceEvent) -> bool:
    """Whether an event of the house has its name, its money, its zone or its terms of disputes."""
    return isinstance(each.event, property_events.Founded) or (
        isinstance(each.event, property_events.SettingChanged)
        and (each.event.name in ("name", "currency", "zone") or each.event.name in TERMS)
    )
