"""What all bets on a spot share: the most that they win in one coup, or their meter.

The most is shared by what each would win (R-PAY-6), a meter by their stakes (R-PROG-3).

>>> pro_rata([400_00, 200_00, 100_00], 100_00, chip=5_00)
[5500, 3000, 1500]
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules
from domain.rules.spots import in_order
from domain.rules.wagers import METER, judge, winnings

Place = tuple[int, str]  # the seat and the spot of a wager
NO_METERS: Mapping[str, Fraction] = {}
Lots = Mapping[Place, tuple[str, int]]  # the spot that each wager counts on, and its stake


def shares(
    rules: HouseRules, lots: Lots, result: Result, meters: Mapping[str, Fraction] = NO_METERS
) -> dict[Place, int]:
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
            shared.update(zip(stakes, parts, strict=True))
    return shared


def is_share(stake: int, odds: str | None, won: int) -> bool:
    """Whether a stake won less than its odds say, as `40:1`, because it has a share only."""
    if METER in (odds or ""):
        return False
    to, _, each = (odds or "0:1").partition(":")
    return won < winnings(stake, (int(to), int(each)))


def _of_meters(
    rules: HouseRules, lots: Lots, result: Result, meters: Mapping[str, Fraction]
) -> dict[Place, int]:
    """What each wager wins of the meter of its spot; what chips do not make stays in it."""
    shared: dict[Place, int] = {}
    chip = min(rules.chips)
    for spot in rules.progressives:
        line, stakes = judge(rules.spots[spot].pays, result), _stakes_on(spot, lots)
        if stakes and line and line.of_meter:
            won = meters.get(spot, Fraction(0)) * Fraction(*line.pays)
            parts = pro_rata(list(stakes.values()), int(won // chip) * chip, chip=chip)
            shared.update(zip(stakes, parts, strict=True))
    return shared


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
