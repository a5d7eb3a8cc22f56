"""Banker 1 to 1 without commission, but 1 to 2 when it wins on 6.

Source: R-PAY-4. The table has no coin, as is the point of the game: half of an odd amount is
paid up to the next 1.00 (R-PAY-5).
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Commission, Offer
from domain.rules.house_rules.tie_eight_5 import TIE_EIGHT_5
from domain.rules.wagers import BANKER_HALF_ON_6

NO_COMMISSION = replace(
    TIE_EIGHT_5,
    name="no-commission@1",
    source="R-PAY-4, Banker wins on 6 at 1 to 2",
    spots={**TIE_EIGHT_5.spots, "banker": Offer(pays=BANKER_HALF_ON_6)},
    commission=Commission(rate=(0, 100), timing="in-the-odds"),
    chips=(1_00, 5_00, 25_00, 100_00, 500_00),
)
