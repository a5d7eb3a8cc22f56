"""Whose cash of a gaming day counts together with a patron's: the one place that knows.

Names that look the same, or those of a third whose cash moved the same way on that day; and who
plays for the same person (31 CFR 1021.313: by or on behalf of any person). The report of cash has
the same patrons in one row.
"""

from collections.abc import Iterable, Iterator
from datetime import date

from domain.aggregates.cash import CashDay, Others
from domain.rules.regimes import Direction
from ops.handlers.desk import Desk
from ops.reports.names import names_like

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
