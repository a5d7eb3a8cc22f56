"""The classic table with a Tie at 8 to 1, and 5% taken as the Banker is paid.

Source: seed 002_beee39cb for the game, R-COM-1 for the commission, of which the seed says nothing.
"""

from msgspec.structs import replace

from domain.rules.house_rules.classic import CLASSIC
from domain.rules.house_rules.model import Limit, Offer
from domain.rules.wagers import TIE_8_TO_1

TIE_EIGHT_5 = replace(
    CLASSIC,
    name="tie-eight-5@1",
    source="seed 002_beee39cb, with commission by R-COM-1",
    spots={**CLASSIC.spots, "tie": Offer(pays=TIE_8_TO_1, limit=Limit(1_00, 500_00))},
    chips=(5, 25, 1_00, 5_00, 25_00, 100_00, 500_00),
)
