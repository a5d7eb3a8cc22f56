"""5% of each Banker win rounded up to the next 1.00, and owed: no coin on the table.

Source: R-COM-3, which prints what it costs: 2.434% on 25.00, not 1.058%.
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Commission
from domain.rules.house_rules.tie_eight_5 import TIE_EIGHT_5
from domain.rules.money import Rounding

DOLLAR_UP = replace(
    TIE_EIGHT_5,
    name="dollar-up@1",
    source="R-COM-3, up to the next 1.00 per win",
    commission=Commission(timing="deferred", rounding=Rounding(mode="up", unit=1_00)),
    chips=(1_00, 5_00, 25_00, 100_00, 500_00),
)
