"""What of a patron's cash of a gaming day is to be reported, by the record itself (R-CASH-1).

The report of cash lists the same. A decision reads no rows of a report: those may be computed from
less of the record than what the decision relies on.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from domain.aggregates.cash import NOBODY, CashDay, Others
from domain.aggregates.property import PROPERTY_STREAM
from domain.events.property import Founded, SettingChanged
from domain.rules.regimes import Direction, Regime, Threshold
from ops.handlers.cash_together import DIRECTIONS, counted_with, principal_of
from ops.handlers.desk import Desk
from ops.handlers.transactions import Transaction, transactions_of
from ops.ledger.reading import read_stream
from ops.reports.batch import event_of

Sums = Mapping[Direction, int]  # cash each way, in minor units


def to_report(
    desk: Desk, cash: CashDay, regime: Regime
) -> Iterator[tuple[Threshold, Mapping[int, Sums]]]:
    """The day's cash beside each threshold of a report: what reaches it.

    It is by transaction where each is reported alone, by its position; else all of it, under 0.
    """
    day = transactions_of(desk, date.fromisoformat(cash.day))
    for each in regime.thresholds:
        if "report" not in each.due:
            continue
        if each.counts == "one":
            yield each, _alone(desk, cash, each, day)
        else:
            sums = {
                way: _together(desk, cash, each, way, day) if way in each.directions else 0
                for way in DIRECTIONS
            }
            yield each, {0: sums} if any(sums.values()) else {}


def in_one_report(desk: Desk, cash: CashDay, threshold: Threshold) -> Sequence[CashDay]:
    """Whose cash is in the same report: nobody's, where it is about one transaction."""
    if threshold.counts == "one":
        return ()
    others = [each for way in threshold.directions for each in _others(desk, cash, way).every]
    return [*{each.patron: each for each in others}.values()]


def _others(desk: Desk, cash: CashDay, direction: Direction) -> Others:
    """Whose cash counts together with a patron's; nobody's, if the patron has no part in it."""
    names = None if cash.totals[direction] else ()
    others = counted_with(desk, cash, direction, names)
    day = date.fromisoformat(cash.day)
    for_them = (principal_of(desk, each.patron, day) == cash.patron for each in others.every)
    return others if cash.totals[direction] or any(for_them) else NOBODY


def _alone(
    desk: Desk, cash: CashDay, threshold: Threshold, day: Sequence[Transaction]
) -> Mapping[int, Sums]:
    """The patron's transactions that reach a threshold, each by itself."""
    return {
        each.position: {"in": 0, "out": 0, each.direction: each.amount}
        for each in day
        if each.direction in threshold.directions
        and threshold.is_reached_by(each.amount)
        and desk.names.identity(each.name) == cash.patron
    }


def _together(
    desk: Desk,
    cash: CashDay,
    threshold: Threshold,
    direction: Direction,
    day: Sequence[Transaction],
) -> int:
    """The day's cash of all who count together, if it reaches a threshold; else 0.

    Without a regime it is the reporting amount in force when the cash came that decides.
    """
    others = _others(desk, cash, direction)
    total = cash.totals[direction] + others.total(direction)
    if threshold.name:
        return total if threshold.is_reached_by(total) else 0
    people = {each.patron for each in (cash, *others.every)}
    moved = (
        each
        for each in day
        if each.direction == direction and desk.names.identity(each.name) in people
    )
    return total if _was_over(moved, _reporting_amounts(desk)) else 0


def _was_over(moved: Iterator[Transaction], amounts: Mapping[int, int]) -> bool:
    """Whether cash ever came to more than the reporting amount that was in force then."""
    total = 0
    for each in moved:
        total += each.amount
        *_, (_, in_force) = (known for known in amounts.items() if known[0] < each.position)
        if total > in_force:
            return True
    return False


def _reporting_amounts(desk: Desk) -> Mapping[int, int]:
    """The house's reporting amounts, by the position from which each is in force."""
    with desk.casino.ledger.connection() as connection:
        recorded = read_stream(connection, PROPERTY_STREAM)
    amounts = {}
    for event in map(event_of, recorded):
        if event.topic == Founded.TOPIC:
            amounts[event.position] = int(event.fields["reporting_amount"])
        elif event.topic == SettingChanged.TOPIC and event.fields["name"] == "reporting_amount":
            amounts[event.position] = int(event.fields["value"])
    return amounts
