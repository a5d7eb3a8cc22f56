"""Bets on several coups: counted anew when one of these is put right, ended with the shoe."""

from collections.abc import Iterator, Sequence

from domain.aggregates.coup import Coup
from domain.aggregates.shoe import Shoe
from domain.aggregates.tray import Signed
from domain.rules import addresses
from domain.rules.hands import Result
from domain.rules.layout import Wager
from domain.rules.over_coups import score
from ops.handlers.coup import follow
from ops.handlers.desk import Desk


def leave_unused(desk: Desk, shoe: Shoe, why: str) -> None:
    """Ends a coup that has neither a bet nor a card, and the bets that lie on coups to come.

    Refuses a coup in play: CoupNotFinished.
    """
    coup = desk.coup(shoe)
    if coup is None:
        return
    coup.require_finished()
    coup.run_out(why)
    if not coup.over:
        coup.leave_unused()
        shoe.leave_undealt(coup.address.number)


def count_again(desk: Desk, coup: Coup, signed: Signed, was: Result | None = None) -> None:
    """Counts anew each bet that this coup counted for, and pays it by that (R-BET-9, R-IRR-5).

    `was`: its result before it was put right. A bet that had been decided, and that the coups that
    have been dealt leave undecided now, is paid as one that the shoe's end leaves so: coups that
    are dealt after that never count.
    """
    if not coup.rules.over_coups:
        return
    dealt = list(_of_the_day(desk, coup))
    for there, wager in list(_counted_by(coup, dealt)):
        run = wager.run
        placed_in = run.placed_in if run else there.address.number
        until = _until(wager) or dealt[-1].address.number
        results = [
            each.hands.result
            for each in dealt
            if placed_in <= each.address.number <= until
            and each.phase == "settled"
            and not each.dummy
        ]
        now = score(coup.rules.over_coups[wager.spot], [each for each in results if each])
        before = was if there is coup else None
        changes = there.count_again(wager, now, str(coup.address), signed, before, until=until)
        follow(desk, there, list(changes))


def _until(wager: Wager) -> int:
    """The number of the last coup that counts for a bet that was counted anew; 0: it was not."""
    return wager.run.until if wager.run else 0


def _of_the_day(desk: Desk, coup: Coup) -> Iterator[Coup]:
    """The coups of its shoe that were opened on the same gaming day, by number."""
    shoe = desk.casino.find(Shoe, Shoe.stream(coup.address.shoe))
    assert shoe is not None
    for number in range(1, shoe.coup + 1):
        each = desk.coup_at(addresses.Coup(shoe.address, number))
        if each.table_day == coup.table_day:
            yield each


def _counted_by(coup: Coup, dealt: Sequence[Coup]) -> Iterator[tuple[Coup, Wager]]:
    """The bets that a coup counts for, each with the coup that decided it or has it now."""
    over = coup.rules.over_coups
    later = [each for each in dealt if each.address.number > coup.address.number]
    for wager in list(coup.undecided.values()):
        there, bet = _where_it_is(coup, wager, later)
        has_it = (wager.seat, wager.spot) in {*there.undecided, *there.ran_out}
        if there.phase != "voided" or has_it:  # otherwise it was returned
            yield there, bet
    for each in dealt:
        for wager in each.wagers() if each.phase == "settled" else ():
            counts = each.address.number < coup.address.number <= _until(wager)
            if wager.spot in over and (each is coup or counts):
                yield each, wager


def _where_it_is(coup: Coup, wager: Wager, later: Sequence[Coup]) -> tuple[Coup, Wager]:
    """The coup that decided a bet, or in which it lies undecided, and the bet as it has it."""
    place, there = (wager.seat, wager.spot), (coup, wager)
    for each in later:
        if place not in there[0].undecided:
            break
        here = each.undecided.get(place) or each.layout.at(*place)
        assert here is not None
        there = (each, here)
    return there
