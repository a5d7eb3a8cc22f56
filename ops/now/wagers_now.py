"""The bets of a seat as a screen shows them: stakes, payments, and those that go on."""

from collections.abc import Collection, Iterable

from msgspec import Struct

from domain.aggregates.coup import Coup
from domain.rules.layout import Wager
from domain.rules.over_coups import Score
from domain.rules.settlement import Payment


class WagerNow(Struct, frozen=True):
    """A bet on a spot; `payment`, to be paid or paid, as soon as it may be shown."""

    spot: str
    stake: int  # minor units
    payment: Payment | None = None
    by_meter: bool = False  # wins of a meter, or may; the settled coup shows how much
    score: Score | None = None  # of a bet on several coups that was placed before (R-BET-9)
    goes_on: bool = False  # the coup has its result, and does not decide it


def wagers_of(coup: Coup, seat: int, stay: str, as_it_wins: Collection[str]) -> Iterable[WagerNow]:
    """The bets of a seat; in a void coup only those that go on."""
    going_on = [each for each in coup.undecided.values() if (each.seat, each.stay) == (seat, stay)]
    ended = bets_of(coup, seat, stay) if coup.phase != "voided" else []
    for wager in (*ended, *going_on):
        score = _score(coup, wager)
        payment = None if score else _payment(coup, wager, as_it_wins)
        by_meter = bool(payment and coup.waits_for_its_meter(wager, payment))
        payment, run = None if by_meter else payment, wager.run
        known = score or (run.before if run and payment is None else None)
        yield WagerNow(wager.spot, wager.stake, payment, by_meter, known, score is not None)


def _score(coup: Coup, wager: Wager) -> Score | None:
    """How a bet is doing that goes on; None while the result may not be shown, or if it ends."""
    if coup.over:
        undecided = coup.undecided.get((wager.seat, wager.spot))
        return undecided.run.before if undecided and undecided.run else None
    result = coup.hands.result
    return coup.goes_on(wager, result) if coup.phase == "resulted" and result else None


def bets_of(coup: Coup, seat: int, stay: str) -> list[Wager]:
    """What a stay bet at a seat."""
    return [wager for wager in coup.wagers() if (wager.seat, wager.stay) == (seat, stay)]


def given_back(coup: Coup, wagers: Iterable[Wager], taken_back: int = 0) -> int | None:
    """What a void coup returns to a seat: the stakes, less what was paid; None if not void.

    `taken_back`: what of a coupon's payment is.
    """
    if coup.phase != "voided":
        return None
    back = [returned_of(coup, each) for each in wagers]
    return sum(back) - taken_back if back or taken_back else None


def returned_of(coup: Coup, wager: Wager) -> int:
    """What a void coup gives back of a bet: its stake, less what was paid."""
    before = coup.settled.get((wager.seat, wager.spot))
    return wager.stake - (before.paid if before else 0)


def _payment(coup: Coup, wager: Wager, as_it_wins: Collection[str]) -> Payment | None:
    """How a bet was paid last, or is to be paid once the outcome may be shown; else None."""
    if (wager.seat, wager.spot) in coup.settled:
        return coup.settled[wager.seat, wager.spot]
    result = coup.hands.result
    if coup.phase != "resulted" or result is None:
        return None
    return coup.by_the_cards(result, as_it_wins)[wager.seat, wager.spot]
