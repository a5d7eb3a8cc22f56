"""Whoever has a staff number, and the refusal of a number that nobody has."""

from domain.aggregates.staff import StaffMember
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.finding.hits import names_staff
from ops.handlers.desk import Desk


def member(desk: Desk, staff: str) -> StaffMember:
    """Whoever has this staff number. Refuses: NotFound."""
    enrolled = desk.casino.find(StaffMember, StaffMember.stream(staff))
    if enrolled is None:
        raise NotFound(
            message=Words(
                "There is no staff number {staff}. An administrator enrols it.", staff=staff
            )
        )
    return enrolled


def require_staff(desk: Desk, *numbers: str) -> None:
    """Refuses a staff number that nobody has or had: NotFound.

    In open house any is taken, and those who worked then are on record without being enrolled.
    """
    if desk.casino.open_house:
        return
    with desk.casino.ledger.connection() as connection:
        unknown = [each for each in numbers if not names_staff(connection, each)]
    for each in unknown:
        member(desk, each)
