"""Whose something was that happened before: a seat means who sat there then, not who does now."""

from domain.aggregates.coup import Coup
from domain.aggregates.table_day import TableDay
from domain.rules.refusals import BadValue
from domain.rules.seating import Stay, When, short
from domain.rules.wording import Words, listed
from ops.handlers.desk import Desk


def when_betting(desk: Desk, coup: Coup) -> When:
    """The time in which a wager of the coup was placed: from its opening to its first card."""
    return When(coup.created_on, coup.first_card_at or max(coup.created_on, desk.casino.moment))


def named_then(desk: Desk, day: TableDay, patron: str, when: When) -> Stay:
    """The stay of a patron who was at the table then; `patron` may also be a stay, as `stay-3`.

    A patron with one stay may be named for what was before it: their name was another one then.
    Refuses: NotFound, BadValue.
    """
    accounts = list(desk.stays.accounts(day))
    if by_stay := [each for each in accounts if patron in (each.stay, short(each.stay))]:
        return Stay(by_stay[0].patron, by_stay[0].stay)
    last = desk.stays.stay_of(day, patron)
    theirs = [each for each in accounts if desk.names.same(each.patron, patron)]
    then = [each for each in theirs if day.seating.there(each.stay, when)]
    if len(then) == 1:
        return Stay(then[0].patron, then[0].stay)
    if len(theirs) == 1:
        return last
    stays = listed(short(each.stay) for each in then or theirs)
    template = (
        "{patron} had several stays then: {stays}. Name one of them, as in `--patron {stay}`."
        if then
        else "{patron} was not at the table then, but in {stays}. Name one of them, as in "
        "`--patron {stay}`."
    )
    raise BadValue(message=Words(template, patron=patron, stays=stays, stay=short(theirs[0].stay)))
