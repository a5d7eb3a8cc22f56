"""Commission of 4%, owed until it is collected.

Source: R-COM-1, the lower rate with which houses advertise. The smallest coin is 0.05 and 4% of
the smallest step is 0.04, so that not every amount can be made (R-PAY-5).
"""

from dataclasses import replace

from domain.house_rules.model import Commission
from domain.house_rules.tie_eight import TIE_EIGHT

FOUR_PERCENT = replace(
    TIE_EIGHT,
    name="four-percent@1",
    source="R-COM-1, 4% instead of 5%",
    commission=Commission(rate=(4, 100), timing="deferred"),
)
