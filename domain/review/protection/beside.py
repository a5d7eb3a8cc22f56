"""A gambler beside one patron, who stakes a part of what he has at each coup on which they bet.

He is paid at fair odds for the share of chance, so by chance he never holds x units but in one of
x patrons, however often one looks (Ville's inequality, as in `following.py`). The larger the
patron's stake beside their largest so far, the larger the part: who knows something bets more then.
"""

from collections.abc import Sequence
from operator import mul
from typing import Self

from msgspec import Struct, field

BEGINS = 1 / 100  # of what is held, staked anew at each coup, for who begins to cheat today
ENDS = 1 / 200  # of a guess, taken off the table at each coup
_GOES_ON = 1 - ENDS
BOLDNESS = (0.1, 0.3, 0.6, 0.9)  # the part of a guess that is staked beside the largest stake


class Staked(Struct, frozen=True):
    """A stake of the patron, and the share by which chance is right with it."""

    stake: int  # minor units
    share: float
    right: bool

    @property
    def gain(self) -> float:
        """What it brings at fair odds, in minor units."""
        return self.stake * (1 / self.share - 1 if self.right else -1)


class Beside(Struct, array_like=True):
    """A gambler beside one patron, after each coup on which they bet."""

    free: float = 0.5
    guesses: list[float] = field(default_factory=lambda: [0.5 / len(BOLDNESS)] * len(BOLDNESS))
    largest: int = 0  # stake, in minor units
    right: int = 0  # coups
    wrong: int = 0

    @property
    def held(self) -> float:
        """What the gambler holds, of the one unit that was staked."""
        return self.free + sum(self.guesses)

    def paid(self, stake: int, share: float, *, right: bool) -> Self:
        """What he holds after a coup, by the patron's stake and the share by which chance is right.

        >>> round(Beside().paid(100_00, 0.5, right=True).held, 3)
        1.239
        """
        gain = stake * (1 / share - 1 if right else -1)
        return self._after(stake, gain, right, not right)

    def paid_together(self, staked: Sequence[Staked]) -> Self:
        """What he holds after a coup with several stakes, whatever they have to do with each other.

        >>> both = [Staked(100_00, 0.5, right=True), Staked(100_00, 0.5, right=False)]
        >>> round(Beside().paid_together(both).held, 3)
        1.0
        """
        right = sum(each.right for each in staked)
        return self._after(
            stake=sum(each.stake for each in staked),
            gain=sum(each.gain for each in staked),
            right=right,
            wrong=len(staked) - right,
        )

    def _after(self, stake: int, gain: float, right: int, wrong: int) -> Self:
        largest = stake if stake > self.largest else self.largest
        free, guesses, part = self.free, self.guesses, gain / largest
        new = free * BEGINS / len(BOLDNESS)
        became = [1 + bold * part for bold in BOLDNESS]
        became = [*map(mul, [guess * _GOES_ON + new for guess in guesses], became)]
        free = free * (1 - BEGINS) + sum(guesses) * ENDS
        return type(self)(free, became, largest, self.right + right, self.wrong + wrong)
