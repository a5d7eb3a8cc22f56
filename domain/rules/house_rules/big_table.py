"""The big table: cards face down, the largest Player bettor looks first (R-DEAL-3).

Source: seed 001_cfe116c2; seats as the trade numbers them, without 4 and 13.
"""

from msgspec.structs import replace

from domain.rules.house_rules.classic import CLASSIC
from domain.rules.house_rules.model import Limit, Offer
from domain.rules.wagers import TIE_8_TO_1

BIG_TABLE = replace(
    CLASSIC,
    name="big-table@1",
    source="seed 001_cfe116c2",
    decks_allowed=(6, 7, 8),  # "usually between 6 or 8 decks"
    dealing="squeeze",
    spots={**CLASSIC.spots, "tie": Offer(pays=TIE_8_TO_1, limit=Limit(5_00, 5_000_00))},
    increment=5_00,
    main=Limit(100_00, 50_000_00),
    differential=50_000_00,
    chips=(25, 1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00, 5_000_00),
    seats=(1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 14),
)
