"""Whose cash of a gaming day counts together with a patron's: the one place that knows.

Names that look the same, or those of a third whose cash moved the same way on that day; and who
plays for the same person (31 CFR 1021.313: by or on behalf of any person). The report of cash has
the same patrons in one row.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date

from domain.aggregates.cash import CashDay, Others
from domain.rules.regimes import Direction
from ops.handlers.desk import Desk
from ops.handlers.regimes import regime_of
from ops.reports.names import aliases_of, days_here, names_like

DIRECTIONS: tuple[Direction, ...] = ("in", "out")


def principal_of(desk: Desk, patron: str, day: date) -> str:
    """For whom a patron plays on a gaming day, as that one is known now; '' for themselves."""
    record = desk.names.record(patron)
    principal = record.principal_on(day) if record else ""
    known = desk.names.identity(principal) if principal else ""
    return known if known != patron else ""


def name_agent(desk: Desk, agent: str, principal: str) -> None:
    """Records who plays for a patron, under each name that they were identified as."""
    for each in desk.names.known_as(principal):
        if each.patron != agent:
            each.have_agent(agent)


def counted_with(
    desk: Desk, cash: CashDay, direction: Direction, names: Iterable[str] | None = None
) -> Others:
    """The day's cash of others that counts together with this; none of them has none.

    `names`: the patron's own and those under which their cash came or went; None: as it is.
    """
    day, alike = date.fromisoformat(cash.day), set[str]()
    there: dict[str, CashDay | None] = {cash.patron: cash}
    ahead = [cash.patron]
    while ahead:
        patron = ahead.pop()
        theirs = there[patron]
        own: Iterable[str] = ()
        if theirs is cash and names is not None:
            own = names
        elif theirs and theirs.totals[direction]:
            own = theirs.names(direction)
        for other, its in _looking_like(desk, patron, own, day, direction):
            alike |= {patron, other}
            if other not in there:
                there[other] = its
                ahead.append(other)
        for other in _beside(desk, patron, day):
            if other not in there:
                known = desk.casino.find(CashDay, CashDay.stream(other, day))
                there[other] = known if known and known.totals[direction] else None
                ahead.append(other)
    others = [each for each in there.values() if each is not None and each is not cash]
    return Others(
        alike=[each for each in others if each.patron in alike],
        agents=[each for each in others if each.patron not in alike],
    )


def _looking_like(
    desk: Desk, patron: str, names: Iterable[str], day: date, direction: Direction
) -> Iterator[tuple[str, CashDay]]:
    """Other patrons with cash under a name that looks like one of these, each with that cash."""
    for name in sorted({*names} - {""}):
        with desk.casino.ledger.connection() as connection:
            known = set(names_like(connection, name))
        for other in sorted({desk.names.identity(each) for each in known} - {patron}):
            theirs = desk.casino.find(CashDay, CashDay.stream(other, day))
            if theirs and theirs.totals[direction] and known & theirs.names(direction):
                yield other, theirs


def _beside(desk: Desk, patron: str, day: date) -> Iterator[str]:
    """For whom a patron plays on a day, and who plays for them."""
    if principal := principal_of(desk, patron, day):
        yield principal
    record = desk.names.record(patron)
    for agent in sorted({desk.names.identity(each) for each in (record.agents if record else ())}):
        if agent != patron and principal_of(desk, agent, day) == patron:
            yield agent


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
