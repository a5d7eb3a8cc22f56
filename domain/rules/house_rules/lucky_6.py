"""No commission, with Lucky 6 beside it: 12 to 1 on two cards, 20 to 1 on three.

Source: R-PAY-4 for Banker; the pay of Lucky 6 as the trade prints it.
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Limit, Offer
from domain.rules.house_rules.no_commission import NO_COMMISSION
from domain.rules.wagers import LUCKY_6 as PAYS

LUCKY_6 = replace(
    NO_COMMISSION,
    name="lucky-6@1",
    source="R-PAY-4, with Lucky 6 at 12 and 20 to 1",
    spots={**NO_COMMISSION.spots, "lucky-6": Offer(pays=PAYS, limit=Limit(1_00, 100_00))},
)
