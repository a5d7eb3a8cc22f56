"""The fills and credits of one year: numbered without a gap, and each slip used once.

A fill brings chips from the cage to a table, a credit takes them back. Every step has a person
of its own, so that nobody alone moves chips; a voided slip keeps its number.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import slip_book as events
from domain.rules.addresses import stream_id
from domain.rules.chips import Chips, require_countable, total
from domain.rules.refusals import BadValue, NotFound, SecondPersonNeeded, SlipReused

KINDS = ("fill", "credit")
STEPS = ("requested", "issued", "carried", "received")

# The command that is next after each step.
NEXT = {"requested": "slip.issue", "issued": "slip.carry", "carried": "slip.receive"}


class SlipBook(Aggregate, events.State):
    """One year's slips of the house."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(year: int) -> UUID:
        """Where that year's slips are."""
        return stream_id("slip-book", str(year))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """The first slip of a year opens its book."""
        return cls.begin(events.Opened(year=year), cls.stream(year), at)

    def request(self, kind: str, table_day: str, chips: Chips, requested_by: str) -> str:
        """A table asks for chips, or gives them back, on the next slip. Refuses: BadValue."""
        if kind not in KINDS:
            raise BadValue(field="kind", value=repr(kind), why=f"say {' or '.join(KINDS)}")
        if not any(chips.values()):
            raise BadValue(field="chips", value=repr(chips), why="name at least one chip")
        require_countable("chips", chips)
        serial = f"{self.year}-{self.next_number:06}"
        self.record(
            events.SlipRequested(
                slip=serial,
                kind=kind,
                table_day=table_day,
                chips=chips,
                total=total(chips),
                requested_by=requested_by,
            )
        )
        return serial

    def issue(self, slip: str, cashier: str) -> None:
        """The cage counts out the chips, or awaits them. Refuses: SlipReused, BadValue."""
        found = self._require_step(slip, "issued", "issue")
        _require_apart("cashier", cashier, found, "requested")
        self.record(events.SlipIssued(slip=slip, table_day=found.table_day, cashier=cashier))

    def carry(self, slip: str, runner: str) -> None:
        """The chips are on their way. Refuses: SlipReused, BadValue."""
        found = self._require_step(slip, "carried", "carry")
        _require_apart("runner", runner, found, "requested", "issued")
        self.record(events.SlipCarried(slip=slip, table_day=found.table_day, runner=runner))

    def receive(self, slip: str, dealer: str, supervisor: str) -> None:
        """The chips arrived, and two people counted them. Refuses: SlipReused, BadValue."""
        found = self._require_step(slip, "received", "receive")
        _require_apart("dealer", dealer, found, "issued", "carried")
        if dealer and dealer == supervisor:
            raise BadValue(
                field="dealer", value=dealer, why="the same person is named as the supervisor"
            )
        self.record(
            events.SlipReceived(
                slip=slip,
                kind=found.kind,
                table_day=found.table_day,
                chips=found.chips,
                total=total(found.chips),
                dealer=dealer,
                supervisor=supervisor,
            )
        )

    def void(self, slip: str, reason: str, requested_by: str, approved_by: str) -> None:
        """No chips move on it, before they arrived. Refuses: SlipReused, SecondPersonNeeded."""
        found = self._require(slip)
        if found.step in ("received", "voided"):
            raise self._refuse_reuse(slip, found, "void")
        if approved_by in ("", requested_by):
            raise SecondPersonNeeded(act="Voiding a slip", who="a supervisor", but="")
        self.record(
            events.SlipVoided(
                slip=slip,
                table_day=found.table_day,
                reason=reason,
                by=requested_by,
                approved_by=approved_by,
            )
        )

    def _require(self, serial: str) -> events.Slip:
        if serial not in self.slips:
            raise NotFound(what=f"slip {serial}")
        return self.slips[serial]

    def _require_step(self, serial: str, step: str, act: str) -> events.Slip:
        slip = self._require(serial)
        if slip.step == "voided" or step in slip.people:
            raise self._refuse_reuse(serial, slip, act)
        if step != STEPS[len(slip.people)]:
            why = f"it is {slip.step} and next is {NEXT[slip.step]}"
            raise BadValue(field="slip", value=serial, why=why)
        return slip

    def _refuse_reuse(self, serial: str, slip: events.Slip, act: str) -> SlipReused:
        """Records that a slip came a second time; what it returns is to be raised."""
        self.record(
            events.SlipReuseRefused(slip=serial, table_day=slip.table_day, act=act, why=slip.step)
        )
        return SlipReused(slip=serial, why=f"is {slip.step} already")


def gaming_year(day: date) -> int:
    """The year in whose book the slips of a gaming day are."""
    return day.year


def _require_apart(field: str, person: str, slip: events.Slip, *steps: str) -> None:
    for step in steps:
        if person and person == slip.people[step]:
            raise BadValue(field=field, value=person, why=f"the same person {step} it")
