"""What all bets on a spot share: the most that they win in one coup, or their meter.

The most is shared by what each would win (R-PAY-6), a meter by their stakes (R-PROG-3).

>>> pro_rata([400_00, 200_00, 100_00], 100_00, chip=5_00)
[5500, 3000, 1500]
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules
from domain.rules.must_hit import Standing
from domain.rules.spots import in_order
from domain.rules.wagers import METER, PayLine, judge, winnings

Place = tuple[int, str]  # the seat and the spot of a wager
NO_METERS: Mapping[str, Standing] = {}
NOT_KNOWN = Standing(Fraction(0))
Lots = Mapping[Place, tuple[str, int]]  # the spot that each wager counts on, and its stake


class Share(Struct, frozen=True):
    """What a wager wins that shares with the others on its spot."""

    won: int
    reached: bool = False  # the meter had to be won in this coup, whatever the cards (R-PROG-6)


def shares(
    rules: HouseRules, lots: Lots, result: Result, meters: Mapping[str, Standing] = NO_METERS
) -> dict[Place, Share]:
    """What each wager wins where all on its spot would win more than the rule set pays.

    Or where a meter pays them; `meters`: what the meter of each spot stood at, in minor units.
    Only those wagers are in it.
    """
    shared = _of_meters(rules, lots, result, meters) if rules.progressives else {}
    for spot, terms in rules.terms.items():
        if terms.most_won is None or spot not in rules.spots:
            continue
        line = judge(rules.spots[spot].pays, result)
        stakes = _stakes_on(spot, lots)
        won = [winnings(stake, line.pays) if line else 0 for stake in stakes.values()]
        if sum(won) > terms.most_won:
            parts = pro_rata(won, terms.most_won, chip=min(rules.chips))
            shared.update(zip(stakes, map(Share, parts), strict=True))
    return shared


def is_share(stake: int, odds: str | None, won: int) -> bool:
    """Whether a stake won less than its odds say, as `40:1`, because it has a share only."""
    if METER in (odds or ""):
        return False
    to, _, each = (odds or "0:1").partition(":")
    return won < winnings(stake, (int(to), int(each)))


def _of_meters(
    rules: HouseRules, lots: Lots, result: Result, meters: Mapping[str, Standing]
) -> dict[Place, Share]:
    """What each wager wins of the meter of its spot; what chips do not make stays in it.

    A meter that has to be won pays all of itself, beside what the pay table pays (R-PROG-6).
    """
    shared: dict[Place, Share] = {}
    chip = min(rules.chips)
    for spot, terms in rules.progressives.items():
        line, stakes = judge(rules.spots[spot].pays, result), _stakes_on(spot, lots)
        stood = meters.get(spot, NOT_KNOWN)
        part = Fraction(1) if stood.reached else of_the_meter(line)
        if stakes and part:
            won = terms.payable(stood.amount) * part
            parts = pro_rata(list(stakes.values()), int(won // chip) * chip, chip=chip)
            for (place, stake), each in zip(stakes.items(), parts, strict=True):
                shared[place] = Share(each + by_odds(line, stake), stood.reached is not None)
    return shared


def of_the_meter(line: PayLine | None) -> Fraction:
    """The part of the meter that a line pays; of a line with odds, none."""
    return Fraction(*line.pays) if line and line.of_meter else Fraction(0)


def by_odds(line: PayLine | None, stake: int) -> int:
    """What a stake wins by a line with odds; of a meter, nothing."""
    return winnings(stake, line.pays) if line and not line.of_meter else 0


def _stakes_on(spot: str, lots: Lots) -> dict[Place, int]:
    """The stakes that count on a spot, by seat."""
    places = [place for place, (counts_on, _) in lots.items() if counts_on == spot]
    return {place: lots[place][1] for place in sorted(places, key=_by_seat)}


def _by_seat(place: Place) -> tuple[int, tuple[int, str]]:
    seat, spot = place
    return seat, in_order(spot)


def pro_rata(amounts: Sequence[int], most: int, *, chip: int) -> list[int]:
    """The shares of `most`, a multiple of the chip, by these amounts.

    Each share is rounded down to chips. The chips that are left go one each to the largest
    fractions, of equal ones to the first in order. The shares come to `most` exactly.
    """
    together = sum(amounts)
    exact = [Fraction(amount * most, together * chip) for amount in amounts]  # in chips
    whole = [int(each) for each in exact]
    left = most // chip - sum(whole)
    by_fraction = sorted(range(len(amounts)), key=lambda n: (whole[n] - exact[n], n))
    for n in by_fraction[:left]:
        whole[n] += 1
    return [each * chip for each in whole]
