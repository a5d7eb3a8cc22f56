"""Pennsylvania's five pay tables for a bonus by the margin of the win, on both sides.

Source: 58 Pa. Code 631b.9, as printed. A is the Dragon Bonus of R-PAY-2.
"""

from msgspec.structs import replace

from domain.rules.house_rules.dragon_bonus import DRAGON_BONUS
from domain.rules.house_rules.model import HouseRules, Offer
from domain.rules.wagers import PUSH, dragon_bonus

# What each pays to 1: a win by 9 … 4 without a natural, a natural win, a natural tie.
# fmt: off
_TABLES = {
    #      9   8  7  6  5  4   natural  tie
    "a": ((30, 10, 6, 4, 2, 1),   1,   PUSH),
    "b": ((20, 10, 5, 4, 2, 1),   1,   (2, 1)),
    "c": ((30, 12, 5, 3, 3, 1),   1,   PUSH),
    "d": ((20,  8, 7, 4, 3, 1),   1,   PUSH),
    "e": ((30, 10, 4, 4, 2, 2),   1,   PUSH),
}
# fmt: on


def _golden_talons(letter: str) -> HouseRules:
    limit, pays = DRAGON_BONUS.limit("dragon-player"), _TABLES[letter]
    return replace(
        DRAGON_BONUS,
        name=f"golden-talons-{letter}@1",
        source=f"58 Pa. Code 631b.9, pay table {letter.upper()}",
        spots={
            **DRAGON_BONUS.spots,
            "dragon-player": Offer(pays=dragon_bonus("player", *pays), limit=limit),
            "dragon-banker": Offer(pays=dragon_bonus("banker", *pays), limit=limit),
        },
    )


GOLDEN_TALONS_A = _golden_talons("a")
GOLDEN_TALONS_B = _golden_talons("b")
GOLDEN_TALONS_C = _golden_talons("c")
GOLDEN_TALONS_D = _golden_talons("d")
GOLDEN_TALONS_E = _golden_talons("e")
