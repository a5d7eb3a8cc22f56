"""The meter of a spot: what one coup brings it, and what it pays of it (R-PROG-1 to 4).

Pure: the coup and the replay ask here. Amounts of a meter are exact fractions of minor units.

>>> from domain.rules.house_rules import Progressive
>>> grand = Progressive(of="house", seed=1_000_00, share=(15, 1000), reserve=(5, 1000))
>>> brought = Brought.of(grand, staked=25_00, paid=0)
>>> brought.share, brought.reserve
(Fraction(75, 2), Fraction(25, 2))
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct, to_builtins

from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules, Progressive
from domain.rules.money import decimal_string
from domain.rules.must_hit import Standing
from domain.rules.pro_rata import NOT_KNOWN, Lots, Place, by_odds
from domain.rules.wagers import judge

Staked = tuple[int, int]  # what lay on a spot, and what its meter paid of it


class Brought(Struct, frozen=True):
    """What a coup brings a meter, and what it takes; below 0: given back."""

    staked: int
    share: Fraction
    reserve: Fraction
    paid: int

    @classmethod
    def of(cls, terms: Progressive, staked: int, paid: int) -> "Brought":
        """By the wagers on the spot and what the meter pays them."""
        share, reserve = staked * Fraction(*terms.share), staked * Fraction(*terms.reserve)
        return cls(staked, share, reserve, paid)

    def after(self, before: "Brought") -> "Brought":
        """Both together."""
        return Brought(
            before.staked + self.staked,
            before.share + self.share,
            before.reserve + self.reserve,
            before.paid + self.paid,
        )


NOT_BROUGHT = Brought(0, Fraction(0), Fraction(0), 0)


class Refilled(Struct, frozen=True):
    """What a meter gets so that it stands at its seed again; below 0: what goes back."""

    from_reserve: Fraction = Fraction(0)
    by_house: int = 0  # minor units

    def after(self, before: "Refilled") -> "Refilled":
        """Both together."""
        return Refilled(before.from_reserve + self.from_reserve, before.by_house + self.by_house)


NOTHING = Refilled()


def as_recorded(stood: Standing, brought: Brought, refilled: Refilled) -> dict[str, Any]:
    """The fields of an event of a meter or of a coup that it follows."""
    return {
        "staked": brought.staked,
        "share": decimal_string(brought.share),
        "to_reserve": decimal_string(brought.reserve),
        "stood": decimal_string(stood.amount),
        "paid": brought.paid,
        "from_reserve": decimal_string(refilled.from_reserve),
        "seeded": refilled.by_house,
        **(to_builtins(stood.reached) if stood.reached else {}),
    }


def staked(
    rules: HouseRules,
    lots: Lots,
    won: Mapping[Place, int],
    result: Result | None,
    meters: Mapping[str, Standing],
) -> dict[str, Staked]:
    """By spot what lay on it in a settled coup, and what of its winnings its meter paid.

    `meters`: what each stood at then.
    """
    by_spot: dict[str, Staked] = {}
    for place, (spot, stake) in lots.items():
        if spot in rules.progressives and place in won:
            line = judge(rules.spots[spot].pays, result) if result else None
            lay, paid = by_spot.get(spot, (0, 0))
            pays = meters.get(spot, NOT_KNOWN).reached or (line and line.of_meter)
            by_meter = max(won[place] - by_odds(line, stake), 0) if pays else 0
            by_spot[spot] = lay + stake, paid + by_meter
    return by_spot


def refilled(
    terms: Progressive, standing: Fraction, reserve: Fraction, paid: int, before: Refilled
) -> Refilled:
    """What brings a meter to its seed after a coup: the reserve, then the house (R-PROG-4).

    A meter that got a payment back first gives back what it was refilled with because of it:
    `before`. The reserve may owe, after a void coup; then the meter pays that.
    """
    from_reserve, by_house = Fraction(0), 0
    if paid < 0:
        by_house = -min(before.by_house, -paid)
        from_reserve = -max(min(before.from_reserve, Fraction(by_house - paid)), Fraction(0))
    standing += from_reserve + by_house
    reserve -= from_reserve
    if standing < terms.seed or reserve < 0:
        standing, from_reserve = standing + reserve, from_reserve + reserve
    lacking = terms.seed - standing
    return Refilled(from_reserve, by_house + max(-int(-lacking // 1), 0))
