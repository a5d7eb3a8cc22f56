"""A table of six seats in the middle of an evening, as the dealer's terminal knows it."""

from msgspec.structs import replace

from domain.rules.addresses import Shoe
from domain.rules.house_rules import named
from ops.now.shoe_now import ShoeNow
from ops.now.table_now import CoupNow, SeatNow, TableNow
from ops.now.wagers_now import WagerNow

GENERATED = ShoeNow(
    Shoe.parse("B01/2026-11-21/1"), "burned", True, 8, 300, 280, "dealer", "c0ffee", None
)


def table(
    phase="settled",
    *,
    rules="dragon-bonus@1",
    currency="USD",
    number=4,
    placed=None,
    commitment="",
):
    """Six seats: one owes on two chairs, one did not bet yet, one sat the last coup out."""
    return TableNow(
        table="B01",
        position=9,
        day="2026-11-21",
        closed=False,
        currency=currency,
        rules=named(rules),
        seats=(
            SeatNow(1, "P-10411", last=(("banker", 500_00),), in_last_coup=True),
            SeatNow(3, "P-10417", owed=12_50, owes_at=3,
                    last=(("player", 100_00), ("tie", 25_00)), in_last_coup=True),
            SeatNow(4, "P-10417", owed=12_50, owes_at=3, last=(("player", 50_00),),
                    in_last_coup=True),
            SeatNow(5, "grey-jacket", owed=5, owes_at=5,
                    wagers=(WagerNow("banker", 100_00), WagerNow("tie", 5_00)),
                    last=(("dragon-player", 5_00),), in_last_coup=True),
            SeatNow(7, "Mr. O’Hara"),
            SeatNow(8, "P-10418", last=(("tie", 10_00),)),  # sat the last coup out
        ),
        shoe=replace(GENERATED, commitment=commitment),
        coup=CoupNow(
            f"B01/2026-11-21/1/{number}", number, phase, placed_last=placed
        ),
    )  # fmt: skip
