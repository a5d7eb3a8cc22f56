"""The table of third cards, as the placard on the table prints it.

D draws and S stands. Public sources, which agree cell for cell: 58 Pa. Code 631a.11 and
N.J.A.C. 13:69F-3.9. Naturals never reach this table (R-DRAW-1).

>>> TABLEAU.banker_draws(5, None), TABLEAU.banker_draws(5, 0)
(True, False)
"""

from msgspec import Struct


class Tableau(Struct, frozen=True):
    """`player` by two-card total; `banker` by two-card total, then by Player's third card."""

    player: str
    banker: tuple[str, ...]

    def player_draws(self, total: int) -> bool:
        """Whether Player draws on a two-card total of 0-7 (R-DRAW-2)."""
        return self.player[total] == "D"

    def banker_draws(self, total: int, third: int | None) -> bool:
        """Whether Banker draws on 0-7; `third` counts 0-9, None: Player stood (R-DRAW-3, 4)."""
        return self.banker[total][10 if third is None else third] == "D"


TABLEAU = Tableau(
    # total 01234567
    player="DDDDDDSS",
    banker=(
        # Player's third card 0-9, then: Player stood
        # 0123456789-
        "DDDDDDDDDDD",  # 0
        "DDDDDDDDDDD",  # 1
        "DDDDDDDDDDD",  # 2
        "DDDDDDDDSDD",  # 3
        "SSDDDDDDSSD",  # 4
        "SSSSDDDDSSD",  # 5
        "SSSSSSDDSSS",  # 6
        "SSSSSSSSSSS",  # 7
    ),
)
