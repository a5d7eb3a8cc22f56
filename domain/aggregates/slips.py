"""The fills and credits of one year: numbered without a gap, and each slip used once.

A fill brings chips from the cage to a table, a credit takes them back. Every step is done by a
different person, so that nobody moves chips alone; a voided slip keeps its number.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.aggregates.tray import Signed
from domain.events import slip_book as events
from domain.rules.addresses import stream_id
from domain.rules.chips import Chips, require_countable, total
from domain.rules.refusals import BadValue, NotFound, SecondPersonNeeded, SlipReused
from domain.rules.wording import N_, Words, either

KINDS = ("fill", "credit")
STEPS = ("requested", "issued", "carried", "received")

_NEXT = {
    "requested": N_("Slip {slip} is only requested. Next comes `slip issue`."),
    "issued": N_("Slip {slip} is only issued. Next comes `slip carry`."),
    "carried": N_("Slip {slip} is only carried. Next comes `slip receive`."),
}
_USED = {
    "issued": N_("Slip {slip} is already issued. Take the next number, and call the pit boss."),
    "carried": N_("Slip {slip} is already carried. Take the next number, and call the pit boss."),
    "received": N_("Slip {slip} is already received. Take the next number, and call the pit boss."),
    "voided": N_("Slip {slip} is void. Take the next number, and call the pit boss."),
}
_SAME_PERSON = {
    "requested": N_("{person} already requested slip {slip}. Another person has to do this step."),
    "issued": N_("{person} already issued slip {slip}. Another person has to do this step."),
    "carried": N_("{person} already carried slip {slip}. Another person has to do this step."),
}


class SlipBook(Aggregate, events.State):
    """One year's slips of the house."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(year: int) -> UUID:
        """The stream of a year's slips."""
        return stream_id("slip-book", str(year))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """Opens a year's book, with its first slip."""
        return cls.begin(events.Opened(year=year), cls.stream(year), at)

    def request(self, kind: str, table_day: str, chips: Chips, requested_by: str) -> str:
        """Requests a fill or a credit, and returns the slip's number. Refuses: BadValue."""
        if kind not in KINDS:
            kinds = either(f"`{each}`" for each in KINDS)
            raise BadValue(field="kind", value=repr(kind), why=Words("write {kinds}", kinds=kinds))
        if not any(chips.values()):
            raise BadValue(message=Words("There are no chips on the slip. Name at least one chip."))
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
        """Issues a fill's chips, or expects a credit's. Refuses: SlipReused, BadValue."""
        slip_now = self._require_step(slip, "issued", "issue")
        _require_apart(slip, cashier, slip_now, "requested")
        self.record(events.SlipIssued(slip=slip, table_day=slip_now.table_day, cashier=cashier))

    def carry(self, slip: str, runner: str) -> None:
        """Carries the chips between cage and table. Refuses: SlipReused, BadValue."""
        slip_now = self._require_step(slip, "carried", "carry")
        _require_apart(slip, runner, slip_now, "requested", "issued")
        self.record(events.SlipCarried(slip=slip, table_day=slip_now.table_day, runner=runner))

    def receive(self, slip: str, dealer: str, supervisor: str) -> None:
        """Receives the chips, which two people counted. Refuses: SlipReused, BadValue."""
        slip_now = self._require_step(slip, "received", "receive")
        _require_apart(slip, dealer, slip_now, "issued", "carried")
        if dealer and dealer == supervisor:
            raise BadValue(
                message=Words(
                    "{person} cannot be both dealer and supervisor of slip {slip}. Name another "
                    "person.",
                    person=dealer,
                    slip=slip,
                )
            )
        self.record(
            events.SlipReceived(
                slip=slip,
                kind=slip_now.kind,
                table_day=slip_now.table_day,
                chips=slip_now.chips,
                total=total(slip_now.chips),
                issued_by=slip_now.people["issued"],
                carried_by=slip_now.people["carried"],
                dealer=dealer,
                supervisor=supervisor,
            )
        )

    def void(self, slip: str, reason: str, requested_by: str, approved_by: str) -> None:
        """Voids a slip whose chips have not arrived. Refuses: SlipReused, SecondPersonNeeded."""
        slip_now = self._require(slip)
        if slip_now.step in ("received", "voided"):
            raise self._refuse_reuse(slip, slip_now, "void")
        if approved_by in ("", requested_by):
            raise SecondPersonNeeded(act=Words("Voiding a slip"), who=Words("a supervisor"))
        self.record(
            events.SlipVoided(
                slip=slip,
                kind=slip_now.kind,
                chips=slip_now.chips,
                total=slip_now.worth,
                table_day=slip_now.table_day,
                reason=reason,
                by=requested_by,
                approved_by=approved_by,
            )
        )

    def correct(self, slip: str, chips: Chips, signed: Signed) -> None:
        """Corrects the chips of a slip that was received (R-IRR-5)."""
        slip_now = self._require(slip)
        self.record(
            events.SlipCorrected(
                slip=slip,
                table_day=slip_now.table_day,
                chips=chips,
                total=total(chips),
                total_before=slip_now.worth,
                **signed.fields,
            )
        )

    def _require(self, serial: str) -> events.Slip:
        if serial not in self.slips:
            raise NotFound(what=Words("slip {slip}", slip=serial))
        return self.slips[serial]

    def _require_step(self, serial: str, step: str, act: str) -> events.Slip:
        slip = self._require(serial)
        if slip.step == "voided" or step in slip.people:
            raise self._refuse_reuse(serial, slip, act)
        if step != STEPS[len(slip.people)]:
            raise BadValue(message=Words(_NEXT[slip.step], slip=serial))
        return slip

    def _refuse_reuse(self, serial: str, slip: events.Slip, act: str) -> SlipReused:
        """Records that a slip came a second time, and returns the refusal to raise."""
        self.record(
            events.SlipReuseRefused(slip=serial, table_day=slip.table_day, act=act, why=slip.step)
        )
        return SlipReused(message=Words(_USED[slip.step], slip=serial))


def gaming_year(day: date) -> int:
    """The year of the book for the slips of a gaming day."""
    return day.year


def _require_apart(serial: str, person: str, slip: events.Slip, *steps: str) -> None:
    """Refuses whoever has done one of these steps already: BadValue."""
    for step in steps:
        if person and person == slip.people[step]:
            raise BadValue(message=Words(_SAME_PERSON[step], slip=serial, person=person))
