"""Somebody signs for the master figures of a gaming day."""

from datetime import date

from domain.aggregates.day_audit import DayAudit
from domain.rules.refusals import BadValue
from tests.domain.floor import EVENING
from tests.scenario import given

DAY = date(2026, 11, 21)


def day():
    return DayAudit.begin_day(DAY, EVENING)


def test_an_audit_has_its_position_and_a_day_may_be_audited_again():
    event = {"position": 40, "text": "agreed", "audited_by": "A-9"}

    given(day()).when(lambda each: each.audit(40, 42, "agreed", "A-9")).then(
        ("MasterAudited", event)
    )
    given(day(), lambda each: each.audit(40, 42, "", "A-9")).when(
        lambda each: each.audit(42, 42, "", "A-9")
    ).then("MasterAudited")
    assert (DAY, "") == day().belongs_to


def test_a_position_that_is_still_to_come_is_refused():
    refusal = given(day()).when(lambda each: each.audit(43, 42, "", "A-9")).then_refused(BadValue)

    assert "The ledger has no position 43 yet: its newest is 42." in str(refusal)
