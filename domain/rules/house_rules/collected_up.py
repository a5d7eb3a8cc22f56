"""5% owed exactly, and rounded up to the next 1.00 only when it is collected.

Source: R-COM-3, the moment `on-collection`.
"""

from msgspec.structs import replace

from domain.rules.house_rules.dollar_up import DOLLAR_UP
from domain.rules.house_rules.model import Commission
from domain.rules.money import Rounding

COLLECTED_UP = replace(
    DOLLAR_UP,
    name="collected-up@1",
    source="R-COM-3, up to the next 1.00 on collection",
    commission=Commission(
        timing="deferred", rounding=Rounding(mode="up", unit=1_00, moment="on-collection")
    ),
)
