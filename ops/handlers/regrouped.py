"""Who counts together is changed: the cash of their gaming days is looked at again."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date

from domain.aggregates.cash import CashDay
from domain.rules.regimes import Direction
from ops.handlers.cash_together import DIRECTIONS, counted_with
from ops.handlers.desk import Desk
from ops.handlers.regimes import regime_of
from ops.handlers.split_cash import note_pieces
from ops.reports.names import aliases_of, days_here


@contextmanager
def regrouped(desk: Desk, *names: str) -> Iterator[None]:
    """While it is changed who these are, or for whom they play: then their days are looked at.

    Alerts of cash that does not count together any more end, and new ones are raised.
    """
    before = _everybody(desk, _with_agents(desk, names))
    yield
    people = _with_agents(desk, (*names, *(patron for patron, *_ in before)))
    for patron, day, direction in dict.fromkeys((*before, *_everybody(desk, people))):
        cash = desk.casino.find(CashDay, CashDay.stream(patron, day))
        if cash:
            others = counted_with(desk, cash, direction)
            cash.look_again(direction, regime_of(desk, day), others)
            note_pieces(desk, cash, direction)


def _with_agents(desk: Desk, names: Iterable[str]) -> list[str]:
    """The patrons whom these names stand for, for whom they play, and who plays for them.

    Nobody, if none of them plays for anybody.
    """
    people, some = dict[str, None](), False
    for record in (record for name in names for record in desk.names.known_as(name)):
        theirs = {principal for _, principal in record.plays_for if principal} | record.agents
        some = some or bool(theirs)
        people |= dict.fromkeys((record.identity, *sorted(theirs)))
    return [*dict.fromkeys(desk.names.identity(each) for each in people)] if some else []


def _days_of(desk: Desk, people: Iterable[str]) -> list[date]:
    """The gaming days on which any of them sat at a table, under whichever name."""
    with desk.casino.ledger.connection() as connection:
        names = {name for each in people for name in (each, *aliases_of(connection, each))}
        return sorted({day for name in names for day in days_here(connection, name)})


def _everybody(desk: Desk, people: Sequence[str]) -> list[tuple[str, date, Direction]]:
    """Whose cash of which day counts together with theirs, each way; their own, too."""
    return [
        (each.patron, day, direction)
        for day in _days_of(desk, people)
        for patron in people
        if (cash := desk.casino.find(CashDay, CashDay.stream(patron, day)))
        for direction in DIRECTIONS
        for each in (cash, *counted_with(desk, cash, direction).every)
    ]
