"""No commission, with bets on the Banker's winning 6 beside it, and on a tie at 6.

Source: R-PAY-4 for Banker; the pay of each Tiger bet as the trade prints it.
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Limit, Offer
from domain.rules.house_rules.no_commission import NO_COMMISSION
from domain.rules.wagers import PayLine

_BONUS = Limit(1_00, 100_00)
_ON_TWO, _ON_THREE = (f"banker wins on 6 with {many} cards" for many in ("two", "three"))

TIGER = replace(
    NO_COMMISSION,
    name="tiger@1",
    source="R-PAY-4, with Small Tiger at 22, Big Tiger at 50, Tiger at 12 and 20, Tiger Tie at 35",
    spots={
        **NO_COMMISSION.spots,
        "small-tiger": Offer(pays=(PayLine(_ON_TWO, (22, 1)),), limit=_BONUS),
        "big-tiger": Offer(pays=(PayLine(_ON_THREE, (50, 1)),), limit=_BONUS),
        "tiger": Offer(pays=(PayLine(_ON_TWO, (12, 1)), PayLine(_ON_THREE, (20, 1))), limit=_BONUS),
        "tiger-tie": Offer(pays=(PayLine("tie on 6", (35, 1)),), limit=_BONUS),
    },
)
