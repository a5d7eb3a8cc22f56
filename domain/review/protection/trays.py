"""Whether a dealer's tray comes short at counts, more often than it comes over.

A tray is off by what was counted less what the record expects; what is looked at is by how much
more it is off than at the count before. Chance: honest slips leave a tray short as often as over,
so of the counts that are off each is short with one half, like a coin. By how much does not matter:
one slip with a chip of the highest value weighs no more than one with the smallest. A count belongs
to those who dealt since the one before, each by their share of the coups.

Beside a dealer a gambler (`beside.py`) wagers on short, so that the record may be looked at after
each count, and a dealer who begins today is seen as well as one who always did: a sequential test
instead of a CUSUM, whose level of false alarms would hold only for one number of counts. He wagers
only on counts before which the dealer dealt more than half of the coups: who deals a little beside
somebody who overpays is not to be named for it.

For counts that are all looked at once, `chance_of_short` is Chernoff's bound for such coins: as
short as that comes at most so often, and exactly so often if every count is short.
"""

import math
from collections.abc import Sequence

from msgspec import Struct

from domain.review.protection.beside import Beside

SHARE = 0.5  # that short has by chance
WHOLE = 1_000  # the stake on a count of coups that one dealer dealt alone


class TrayCount(Struct, frozen=True):
    """A count of a tray: how far it is more off than the one before, and who dealt since then."""

    off: int  # minor units; less than 0: short
    coups: int  # that the dealer dealt since the count before
    all_coups: int

    @property
    def share(self) -> float:
        """The dealer's share of it."""
        return self.coups / self.all_coups


class OnShort(Beside):
    """A gambler on short beside one dealer; `right`: counts that were short, `wrong`: over."""

    def after(self, count: TrayCount) -> "OnShort":
        """What he holds after a count.

        >>> OnShort().after(TrayCount(-5_00, 40, 40)).held > 1
        True
        >>> OnShort().after(TrayCount(-5_00, 9, 40)) == OnShort()  # mostly those of others
        True
        """
        if not count.off or 2 * count.coups <= count.all_coups:
            return self
        beside = OnShort(self.free, self.guesses, WHOLE, self.right, self.wrong)
        stake = WHOLE * count.coups // count.all_coups
        return beside.paid(stake, SHARE, right=count.off < 0)


def chance_of_short(counts: Sequence[TrayCount]) -> float:
    """How often chance alone leaves the trays of a dealer as short as they are, at most.

    >>> [chance_of_short([TrayCount(-5_00, 40, 40)] * n) for n in (0, 1, 10)]
    [1.0, 0.5, 0.0009765625]
    >>> chance_of_short([TrayCount(-5_00, 40, 40), TrayCount(20_00, 40, 40)])
    1.0
    """
    shares = [count.share for count in counts if count.off and count.coups]
    short = sum(-math.copysign(count.share, count.off) for count in counts if count.off)
    if short <= 0:
        return 1.0
    if short >= sum(shares):  # every count
        return math.ldexp(1.0, -len(shares))
    low, high = 0.0, 1.0
    while _slope(high, shares) < short:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _slope(middle, shares) < short else (low, middle)
    return min(math.exp(sum(map(_log_cosh, (low * each for each in shares))) - low * short), 1.0)


def _slope(tilt: float, shares: Sequence[float]) -> float:
    """How short the trays are to be expected if short is more likely, by so much of a tilt."""
    return sum(each * math.tanh(tilt * each) for each in shares)


def _log_cosh(x: float) -> float:
    return x + math.log1p(math.exp(-2 * x)) - math.log(2)
