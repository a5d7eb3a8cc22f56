"""The on-screen table: chips clicked onto spots, Banker 19 to 20, a generated shoe without a burn.

Source: seed 004_a379723b. It pays to the minor unit, so there is no smallest chip to make.
"""

from domain.rules.house_rules.model import Clock, Commission, HouseRules, Limit, Offer
from domain.rules.wagers import BANKER_19_TO_20, PLAYER, TIE_8_TO_1

ELECTRONIC = HouseRules(
    name="electronic@1",
    source="seed 004_a379723b",
    spots={
        "player": Offer(pays=PLAYER),
        "banker": Offer(pays=BANKER_19_TO_20),
        "tie": Offer(pays=TIE_8_TO_1, limit=Limit(1_00, 100_00)),
    },
    commission=Commission(timing="in-the-odds"),
    increment=1_00,
    main=Limit(1_00, 1_000_00),
    chips=(1, 1_00, 5_00, 10_00, 25_00, 100_00),
    burn="none",
    outside_limits="at-limit",
    accounts=True,
    clock=Clock(),
)
