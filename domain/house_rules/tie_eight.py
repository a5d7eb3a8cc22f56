"""The classic table with a Tie at 8 to 1: 10 staked returns 90.

Source: seed 002_beee39cb.
"""

from dataclasses import replace

from domain.house_rules.classic import CLASSIC
from domain.house_rules.model import Limit, Spot
from domain.wagers import TIE_8_TO_1

TIE_EIGHT = replace(
    CLASSIC,
    name="tie-eight@1",
    source="seed 002_beee39cb",
    spots={**CLASSIC.spots, "tie": Spot(pays=TIE_8_TO_1, limit=Limit(1_00, 500_00))},
    chips=(5, 25, 1_00, 5_00, 25_00, 100_00, 500_00),
)
