"""Player and Banker both 1 to 1, without commission, and a Tie at 8 to 1: 10 staked returns 90.

Source: seed 002_beee39cb, to the letter. Banker wins more often than Player, so that without
commission it favours the patron; `tie-eight-5@1` is the same game with 5% at payout.
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Commission
from domain.rules.house_rules.tie_eight_5 import TIE_EIGHT_5

TIE_EIGHT = replace(
    TIE_EIGHT_5,
    name="tie-eight@1",
    source="seed 002_beee39cb",
    commission=Commission(rate=(0, 100), timing="in-the-odds"),
)
