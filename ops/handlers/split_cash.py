"""Cash of one gaming day in pieces, each just under an amount that is reported of one alone.

Where the law adds up a day's cash, pieces are reported together. Where it asks for each transaction
alone, as in Australia, nothing is due of two that stay under the amount: then they are an alert,
over all tables, all names of a patron, and all who count together.
"""

from collections.abc import Iterator
from datetime import date

from domain.aggregates.cash import CashDay
from domain.rules.regimes import Direction, Threshold
from ops.handlers.cash_together import counted_with
from ops.handlers.desk import Desk
from ops.handlers.regimes import regime_of
from ops.handlers.transactions import transactions_of

PIECES = 2  # from which on it is an alert


def note_pieces(
    desk: Desk, cash: CashDay, direction: Direction, amount: int = 0, *, instead_of: int = 0
) -> None:
    """Notes once a day that the cash of all who count together came in such pieces.

    `amount`: of the transaction that is taken, or corrected, now: `instead_of` what is at that
    position. Without it the day is looked at as it is.
    """
    day = date.fromisoformat(cash.day)
    for each in regime_of(desk, day).thresholds:
        if direction not in each.directions or (amount and not each.is_just_missed_by(amount)):
            continue
        if each.counts != "one" or "report" not in each.due:
            continue
        others = counted_with(desk, cash, direction)
        if cash.was_split(direction, others):
            return
        people = {one.patron for one in (cash, *others.every)}
        pieces = [*_pieces(desk, day, direction, each, people, instead_of)]
        pieces += [amount] if amount else []
        if len(pieces) >= PIECES:
            cash.note_split(direction, each, pieces, others)


def _pieces(
    desk: Desk,
    day: date,
    direction: Direction,
    threshold: Threshold,
    people: set[str],
    instead_of: int,
) -> Iterator[int]:
    """The amounts of a day's transactions of these patrons that are just under a threshold."""
    for each in transactions_of(desk, day):
        if (
            each.direction == direction
            and each.position != instead_of
            and threshold.is_just_missed_by(each.amount)
            and desk.names.identity(each.name) in people
        ):
            yield each.amount
