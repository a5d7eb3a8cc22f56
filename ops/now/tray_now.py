"""What the tray of a table should hold, as its terminal and the pit show it."""

from msgspec import Struct


class TrayNow(Struct, frozen=True):
    """What the tray should hold by the record, in minor units."""

    holds: int
    floor: int  # below it a fill is needed
    needs_fill: bool = False  # it holds less than that, or few chips of a denomination
    wins: tuple[int, ...] = ()  # the house's win at the end of each ten minutes of the day so far

    @property
    def below_zero(self) -> bool:
        """Whether it holds less than nothing, which no tray can."""
        return self.holds < 0
