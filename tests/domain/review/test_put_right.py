"""Every event by which two people put something right names what it puts right."""

from msgspec.structs import fields

from domain.review.put_right import PUT_RIGHT
from tests.worlds.stored_events import KINDS

SIGNED = {"reason", "requested_by", "approved_by"}
# Decided by two people, and about nothing that was wrong before.
OF_ITS_OWN = {"CoupsLeft", "KeyReplaced", "MoneyMoved", "RecordRestored"}


def test_there_is_none_that_is_left_out():
    signed = {kind for kind in KINDS.values() if {each.name for each in fields(kind)} >= SIGNED}

    assert {kind.__name__ for kind in signed - PUT_RIGHT} == OF_ITS_OWN
