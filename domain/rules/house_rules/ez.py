"""EZ: no commission, and Banker is returned when it wins on 7 with three cards.

Source: R-PAY-4; Dragon 7 at 40 to 1 and Panda 8 at 25 to 1, as the trade prints them.
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Limit, Offer
from domain.rules.house_rules.no_commission import NO_COMMISSION
from domain.rules.wagers import BANKER_PUSHES_ON_7, DRAGON_7, PANDA_8

_BONUS = Limit(1_00, 100_00)

EZ = replace(
    NO_COMMISSION,
    name="ez@1",
    source="R-PAY-4, Banker returned on a three-card 7",
    spots={
        **NO_COMMISSION.spots,
        "banker": Offer(pays=BANKER_PUSHES_ON_7),
        "dragon-7": Offer(pays=DRAGON_7, limit=_BONUS),
        "panda-8": Offer(pays=PANDA_8, limit=_BONUS),
    },
)
