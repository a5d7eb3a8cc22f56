"""A casino's own table sheet: 5.00 steps, deferred 5% commission, Dragon Bonus on both sides.

Source: seed 003_c0d30843. The sheet prints its draw totals as 1-2-3-4-5-0; 0 draws like the rest.
"""

from domain.rules.house_rules.model import Commission, HouseRules, Limit, Offer
from domain.rules.wagers import BANKER, PLAYER, TIE_8_TO_1, dragon_bonus

_BONUS = Limit(5_00, 500_00)

DRAGON_BONUS = HouseRules(
    name="dragon-bonus@1",
    source="seed 003_c0d30843",
    dealing="face-down",
    spots={
        "player": Offer(pays=PLAYER),
        "banker": Offer(pays=BANKER),
        "tie": Offer(pays=TIE_8_TO_1, limit=Limit(5_00, 1_000_00)),
        "dragon-player": Offer(pays=dragon_bonus("player"), limit=_BONUS),
        "dragon-banker": Offer(pays=dragon_bonus("banker"), limit=_BONUS),
    },
    commission=Commission(timing="deferred"),
    increment=5_00,
    main=Limit(25_00, 10_000_00),
    chips=(25, 50, 1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00),
    seats=(1, 2, 3, 4, 5, 6, 7, 8, 9),
)
