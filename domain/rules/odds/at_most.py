"""What wagers of one coup can be paid at most, all together: on whichever side the coup ends.

>>> from domain.rules.house_rules import named
>>> most_together(named("tie-eight@1"), [("player", 100_00), ("banker", 50_00), ("tie", 10_00)])
24000
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import lru_cache

from domain.rules.conditions import condition
from domain.rules.house_rules.model import HouseRules
from domain.rules.odds.pack import whole
from domain.rules.odds.tally import deciding, looked_at
from domain.rules.wagers import PUSH, PayLine, PayTable

_ENDS = ("player wins", "banker wins", "tie")
_SIDES: PayTable = tuple(PayLine(each, PUSH) for each in _ENDS)
_SOON = 100_000  # ways in which cards differ that are gone through in less than a second
_DECKS = 8  # with as many everything may happen that may with another number


def most_together(rules: HouseRules, wagers: Collection[tuple[str, int]]) -> int:
    """The most that these can be paid on one outcome, stakes included; spots and their stakes.

    A bet on several coups counts as won, and so does one of which it would take long to say whether
    it can be. A spot that the rule set does not have returns its stake.
    """
    return max(sum(_paid(rules, spot, stake, end) for spot, stake in wagers) for end in _ENDS)


def _paid(rules: HouseRules, spot: str, stake: int, end: str) -> int:
    """The most that a wager is paid if the coup ends on this side."""
    if spot not in rules.spots:
        return stake
    table = tuple(line for line in rules.spots[spot].pays if not line.of_meter)
    if spot in rules.over_coups or looked_at([condition(line.when) for line in table]) > _SOON:
        return rules.most_paid(spot, stake)
    odds = _best(table)[end]
    if odds is None:
        return 0
    won, limit = int(stake * odds), rules.terms_of(spot).most_won
    return stake + (won if limit is None else min(won, limit))


@lru_cache(maxsize=256)
def _best(table: PayTable) -> Mapping[str, Fraction | None]:
    """What one unit wins at most, by the side on which the coup ends; None: it loses there."""
    best: dict[str, Fraction | None] = dict.fromkeys(_ENDS)
    for side, line in deciding((_SIDES, table), whole(_DECKS)):
        if side is None or line is None:
            continue
        known, odds = best[_ENDS[side]], Fraction(*table[line].pays)
        best[_ENDS[side]] = odds if known is None else max(known, odds)
    return best
