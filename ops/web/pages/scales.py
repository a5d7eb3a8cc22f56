"""The scale of a plot: round ticks around every value, with nought among them.

Lengths across a plot are in percent and those down it in `em`, so that no letter of a plot is
smaller than the page's, however wide the window is.

>>> scale_of([-120, 430]).ticks
(-200.0, -100.0, 0.0, 100.0, 200.0, 300.0, 400.0, 500.0)
>>> scale_of([0.2]).ticks
(0.0, 0.05, 0.1, 0.15, 0.2)
>>> scale_of([]).ticks
(0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor, log10

from msgspec import Struct

_STEPS = 6  # between the ticks, about
_ROUND = (1, 2, 5, 10)


class Scale(Struct, frozen=True):
    """From its first tick to its last."""

    ticks: tuple[float, ...]

    def share(self, value: float) -> float:
        """Where a value is, from 0 at the first tick to 1 at the last."""
        first, last = self.ticks[0], self.ticks[-1]
        return (value - first) / (last - first)

    def across(self, value: float) -> str:
        """The same from left to right, in SVG."""
        return percent(self.share(value))


def scale_of(values: Iterable[float]) -> Scale:
    """The scale that has room for all of these values, and for 0."""
    every = [0.0, *values]
    least, most = min(every), max(every)
    if least == most:
        most = 1.0
    rough = (most - least) / _STEPS
    power = Fraction(10) ** floor(log10(rough))
    step = next(n * power for n in _ROUND if n * power >= rough)
    first, last = floor(least / step), ceil(most / step)
    return Scale(tuple(float(n * step) for n in range(first, last + 1)))


def kinds_of_ticks(many: int) -> list[str]:
    """What each tick is: its words stay within the plot, and where there is little room some go.

    >>> kinds_of_ticks(6)
    ['first', 'also', '', 'also', 'also', 'last']
    """
    between = ["also" if n % 2 or n == many - 2 else "" for n in range(1, many - 1)]
    return ["first", *between, "last"]


def percent(share: float) -> str:
    """A share of a length in SVG: `33.3%`."""
    return f"{100 * share:.1f}%"
