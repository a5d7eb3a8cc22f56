"""The wagers of a what-if, with one placed, moved, removed or of another size.

A wager that the table would have refused is allowed here: `refused_at_the_table` gives the
refusals (R-BET-1 to 4 and 6).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from domain.review.difference import Played
from domain.review.what_if.changes import BetIs, BetMoved, Change, NoBet, refused
from domain.rules.house_rules import HouseRules
from domain.rules.layout import Layout, Limits, Wager
from domain.rules.refusals import BothSides, Refusal
from domain.rules.seating import Stay
from domain.rules.spot_terms import Nth
from domain.rules.spots import spot_label
from domain.rules.wording import Amount


class Table(Struct, frozen=True):
    """The limits of a coup, and who sits where."""

    limits: Limits
    differential: int | None
    seated: Mapping[int, Stay] = field(default_factory=dict)
    nth: Nth = Nth()


def changed_wagers(recorded: Played, changes: Sequence[Change], table: Table) -> tuple[Wager, ...]:
    """The wagers after the changes, in whatever order: all are taken up, then put down.

    Refuses: BadValue.
    """
    placed = {(each.seat, each.spot): each for each in recorded.wagers}
    down: list[Wager] = []
    for change in changes:
        if isinstance(change, BetIs | NoBet | BetMoved):
            _require_seats(recorded.rules, change)
            before = placed.pop((change.seat, change.spot), None)
            if before is None and not isinstance(change, BetIs):
                why = f"seat {change.seat} has no bet on {spot_label(change.spot)}"
                raise refused(change.written(recorded.rules.currency), why)
            down += _put_down(change, before, recorded, table)
    for wager in down:
        there = placed.get((wager.seat, wager.spot))
        stake = wager.stake + (there.stake if there else 0)
        placed[wager.seat, wager.spot] = Wager(
            wager.seat, wager.spot, stake, wager.patron, wager.stay
        )
    return tuple(placed.values())


def _put_down(
    change: BetIs | NoBet | BetMoved, before: Wager | None, recorded: Played, table: Table
) -> Iterator[Wager]:
    if isinstance(change, BetIs):
        whose = _whose(change.seat, recorded, table)
        yield Wager(change.seat, change.spot, change.amount, whose.patron, whose.address)
    elif isinstance(change, BetMoved) and before:
        whose = _whose(change.to_seat, recorded, table)
        yield Wager(change.to_seat, change.to_spot, before.stake, whose.patron, whose.address)


def _require_seats(rules: HouseRules, change: BetIs | NoBet | BetMoved) -> None:
    """Refuses a seat that the table does not have: BadValue."""
    for seat in (change.seat, change.to_seat if isinstance(change, BetMoved) else change.seat):
        if seat not in rules.seats:
            why = f"there is no seat {seat}; the seats are {', '.join(map(str, rules.seats))}"
            raise refused(change.written(rules.currency), why)


def _whose(seat: int, recorded: Played, table: Table) -> Stay:
    """The stay with wagers at a seat, or that sits there; an empty one if unknown."""
    theirs = (Stay(each.patron, each.stay) for each in recorded.wagers if each.seat == seat)
    return next(theirs, table.seated.get(seat, Stay("", "")))


def refused_at_the_table(
    rules: HouseRules, table: Table, judged: Iterable[Wager], wagers: Iterable[Wager]
) -> Iterator[Refusal]:
    """The refusals of judged wagers, and those for which the betting could not close."""
    layout = Layout(table.limits, table.differential, table.nth)
    for wager in wagers:
        layout.place(wager.seat, wager.patron, wager.stay, wager.spot, wager.stake, wager.run)
    refusals = [
        *(refusal for wager in judged for refusal in _against(rules, layout, wager)),
        *(
            broken.refusal
            for broken in layout.broken(rules)
            if broken.wager is None or broken.wager.spot == "tie" or broken.allowed == 0
        ),
    ]
    yield from {str(refusal): refusal for refusal in refusals}.values()


def _against(rules: HouseRules, layout: Layout, wager: Wager) -> Iterator[Refusal]:
    try:
        layout.require(rules, wager.seat, wager.spot, wager.stake)
        layout.require_taken(rules, wager.seat, wager.spot, wager.stake)
    except Refusal as refusal:
        yield refusal
    for other in layout.opposite(wager.spot) if rules.both_sides == "forbidden" else ():
        if other.seat == wager.seat or (other.stay and other.stay == wager.stay):
            amount = Amount(other.stake, rules.currency)
            yield BothSides(seat=other.seat, spot=spot_label(other.spot), amount=amount)
