"""Face-up punto banco with Player and Banker only; 5% taken as the Banker is paid.

Source: seed 000_12146a3e (face-up punto banco, commission "sometimes" taken from Banker
winnings), filled with common practice.
"""

from domain.rules.house_rules.model import HouseRules, Limit, Offer
from domain.rules.wagers import BANKER, PLAYER

CLASSIC = HouseRules(
    name="classic@1",
    source="seed 000_12146a3e",
    spots={"player": Offer(pays=PLAYER), "banker": Offer(pays=BANKER)},
    increment=1_00,
    main=Limit(10_00, 5_000_00),
    chips=(5, 25, 1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00),
)
