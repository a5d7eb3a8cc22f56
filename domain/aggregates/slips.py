"""The fills and credits of one year: numbered without a gap, and each slip used once.

A fill brings chips from the cage to a table, a credit takes them back. Every step has a person
of its own, so that nobody alone moves chips; a voided slip keeps its number.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Self
from uuid import UUID

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.aggregates.table_day import Chips, require_countable, total
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue, NotFound, SecondPersonNeeded, SlipReused

KINDS = ("fill", "credit")
STEPS = ("requested", "issued", "carried", "received")

# The command that is next after each step.
NEXT = {"requested": "slip.issue", "issued": "slip.carry", "carried": "slip.receive"}


@dataclass(frozen=True)
class Slip:
    """Chips on their way between the cage and a table: how far they are, and through whom."""

    kind: str
    table_day: str
    chips: Chips
    step: str
    people: dict[str, str]  # who took each step

    @property
    def worth(self) -> int:
        """What its chips are worth, in minor units."""
        return total(self.chips)

    def taken(self, step: str, person: str) -> "Slip":
        """The slip one step further."""
        return replace(self, step=step, people={**self.people, step: person})


class SlipBook(Aggregate):
    """One year's slips of the house."""

    TOPIC = "slip-book"
    MANY_CLOCKS = True

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Created(Aggregate.Created):
        TOPIC = "slip-book.opened"
        year: int

    class SlipRequested(Aggregate.Event):
        TOPIC = "slip-book.slip-requested"
        slip: str
        kind: str  # `fill`, or `credit`
        table_day: str
        chips: Chips
        total: int  # minor units
        requested_by: str

    class SlipIssued(Aggregate.Event):
        TOPIC = "slip-book.slip-issued"
        slip: str
        table_day: str
        cashier: str

    class SlipCarried(Aggregate.Event):
        TOPIC = "slip-book.slip-carried"
        slip: str
        table_day: str
        runner: str

    class SlipReceived(Aggregate.Event):
        TOPIC = "slip-book.slip-received"
        slip: str
        kind: str  # told whole once more: now the chips have changed hands
        table_day: str
        chips: Chips
        total: int  # minor units
        dealer: str
        supervisor: str

    class SlipVoided(Aggregate.Event):
        TOPIC = "slip-book.slip-voided"
        slip: str
        table_day: str
        reason: str
        by: str
        approved_by: str

    class SlipReuseRefused(Aggregate.Event):
        TOPIC = "slip-book.slip-reuse-refused"
        slip: str
        table_day: str
        act: str  # `issue`, `carry`, `receive` or `void`
        why: str  # the step that the slip had reached, or `voided`

    # State: what later decisions ask.
    def __init__(self, year: int) -> None:
        self.year = year
        self.next_number = 1
        self.slips: dict[str, Slip] = {}

    @staticmethod
    def stream(year: int) -> UUID:
        """Where that year's slips are."""
        return stream_id("slip-book", str(year))

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """The first slip of a year opens its book."""
        return cls.begin(cls.Created, cls.stream(year), at, year=year)

    def request(self, kind: str, table_day: str, chips: Chips, requested_by: str) -> str:
        """A table asks for chips, or gives them back, on the next slip. Refuses: BadValue."""
        if kind not in KINDS:
            raise BadValue(field="kind", value=repr(kind), why=f"say {' or '.join(KINDS)}")
        if not any(chips.values()):
            raise BadValue(field="chips", value=repr(chips), why="name at least one chip")
        require_countable("chips", chips)
        serial = f"{self.year}-{self.next_number:06}"
        self._slip_requested(
            slip=serial,
            kind=kind,
            table_day=table_day,
            chips=chips,
            total=total(chips),
            requested_by=requested_by,
        )
        return serial

    def issue(self, slip: str, cashier: str) -> None:
        """The cage counts out the chips, or awaits them. Refuses: SlipReused, BadValue."""
        found = self._require_step(slip, "issued", "issue")
        _require_apart("cashier", cashier, found, "requested")
        self._slip_issued(slip=slip, table_day=found.table_day, cashier=cashier)

    def carry(self, slip: str, runner: str) -> None:
        """The chips are on their way. Refuses: SlipReused, BadValue."""
        found = self._require_step(slip, "carried", "carry")
        _require_apart("runner", runner, found, "requested", "issued")
        self._slip_carried(slip=slip, table_day=found.table_day, runner=runner)

    def receive(self, slip: str, dealer: str, supervisor: str) -> None:
        """The chips arrived, and two people counted them. Refuses: SlipReused, BadValue."""
        found = self._require_step(slip, "received", "receive")
        _require_apart("dealer", dealer, found, "issued", "carried")
        if dealer and dealer == supervisor:
            raise BadValue(
                field="dealer", value=dealer, why="the same person is named as the supervisor"
            )
        self._slip_received(
            slip=slip,
            kind=found.kind,
            table_day=found.table_day,
            chips=found.chips,
            total=total(found.chips),
            dealer=dealer,
            supervisor=supervisor,
        )

    def void(self, slip: str, reason: str, requested_by: str, approved_by: str) -> None:
        """No chips move on it, before they arrived. Refuses: SlipReused, SecondPersonNeeded."""
        found = self._require(slip)
        if found.step in ("received", "voided"):
            raise self._refuse_reuse(slip, found, "void")
        if approved_by in ("", requested_by):
            raise SecondPersonNeeded(act="Voiding a slip", who="a supervisor", but="")
        self._slip_voided(
            slip=slip,
            table_day=found.table_day,
            reason=reason,
            by=requested_by,
            approved_by=approved_by,
        )

    def _require(self, serial: str) -> Slip:
        if serial not in self.slips:
            raise NotFound(what=f"slip {serial}")
        return self.slips[serial]

    def _require_step(self, serial: str, step: str, act: str) -> Slip:
        slip = self._require(serial)
        if slip.step == "voided" or step in slip.people:
            raise self._refuse_reuse(serial, slip, act)
        if step != STEPS[len(slip.people)]:
            why = f"it is {slip.step} and next is {NEXT[slip.step]}"
            raise BadValue(field="slip", value=serial, why=why)
        return slip

    def _refuse_reuse(self, serial: str, slip: Slip, act: str) -> SlipReused:
        """The fact that a slip came a second time; what it returns is to be raised."""
        self._slip_reuse_refused(slip=serial, table_day=slip.table_day, act=act, why=slip.step)
        return SlipReused(slip=serial, why=f"is {slip.step} already")

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(SlipRequested)
    def _slip_requested(
        self,
        slip: str,
        kind: str,
        table_day: str,
        chips: Chips,
        total: int,
        requested_by: str,
    ) -> None:
        people = {"requested": requested_by}
        self.slips[slip] = Slip(kind, table_day, chips, "requested", people)
        self.next_number += 1

    @event(SlipIssued)
    def _slip_issued(self, slip: str, table_day: str, cashier: str) -> None:
        self.slips[slip] = self.slips[slip].taken("issued", cashier)

    @event(SlipCarried)
    def _slip_carried(self, slip: str, table_day: str, runner: str) -> None:
        self.slips[slip] = self.slips[slip].taken("carried", runner)

    @event(SlipReceived)
    def _slip_received(
        self,
        slip: str,
        kind: str,
        table_day: str,
        chips: Chips,
        total: int,
        dealer: str,
        supervisor: str,
    ) -> None:
        self.slips[slip] = self.slips[slip].taken("received", dealer)

    @event(SlipVoided)
    def _slip_voided(
        self, slip: str, table_day: str, reason: str, by: str, approved_by: str
    ) -> None:
        self.slips[slip] = self.slips[slip].taken("voided", by)

    @event(SlipReuseRefused)
    def _slip_reuse_refused(self, slip: str, table_day: str, act: str, why: str) -> None:
        pass  # worth knowing; the slip is as it was


def gaming_year(day: date) -> int:
    """The year in whose book the slips of a gaming day are."""
    return day.year


def _require_apart(field: str, person: str, slip: Slip, *steps: str) -> None:
    for step in steps:
        if person and person == slip.people[step]:
            raise BadValue(field=field, value=person, why=f"the same person {step} it")
