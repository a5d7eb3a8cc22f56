"""Player Pair and Banker Pair at 11 to 1, beside Player, Banker and Tie.

Source: R-PAY-3; the trade's common pay, 10.36% to the house in eight decks.
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Limit, Offer
from domain.rules.house_rules.tie_eight_5 import TIE_EIGHT_5
from domain.rules.wagers import pair

_PAIR = Limit(1_00, 200_00)

PAIRS = replace(
    TIE_EIGHT_5,
    name="pairs@1",
    source="R-PAY-3, pairs 11 to 1",
    spots={
        **TIE_EIGHT_5.spots,
        "pair-player": Offer(pays=pair("player"), limit=_PAIR),
        "pair-banker": Offer(pays=pair("banker"), limit=_PAIR),
    },
)
