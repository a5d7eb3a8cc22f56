"""Commission of 4%, each charge up to the next 0.05, and owed until it is collected.

Source: R-COM-1, the lower rate with which houses advertise. The smallest coin is 0.05, and 4% of
11.00 is 0.44: what is charged is rounded to what the coin can pay (R-COM-3).
"""

from msgspec.structs import replace

from domain.rules.house_rules.model import Commission
from domain.rules.house_rules.tie_eight_5 import TIE_EIGHT_5
from domain.rules.money import Rounding

FOUR_PERCENT = replace(
    TIE_EIGHT_5,
    name="four-percent@1",
    source="R-COM-1, 4% instead of 5%, up to the next 0.05 per win",
    commission=Commission(rate=(4, 100), timing="deferred", rounding=Rounding(mode="up", unit=5)),
)
