"""A Tie at 9 to 1: 10 staked returns 100.

Source: R-PAY-1, the variant of the 8 to 1 that most houses pay.
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Offer
from domain.rules.house_rules.tie_eight_5 import TIE_EIGHT_5
from domain.rules.wagers import TIE_9_TO_1

TIE_NINE = replace(
    TIE_EIGHT_5,
    name="tie-nine@1",
    source="R-PAY-1, Tie 9 to 1",
    spots={**TIE_EIGHT_5.spots, "tie": Offer(pays=TIE_9_TO_1, limit=TIE_EIGHT_5.limit("tie"))},
)
