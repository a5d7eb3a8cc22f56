"""What is to be expected of somebody, who is one of many and was seen for some time only.

A mean of their own is drawn to that of all, the more the less is known of them: `drawn` weighs it
by how far all are apart beyond chance (DerSimonian and Laird, Controlled Clinical Trials 7, 1986;
the same idea as in `compared.py`, for means whose variances are known).
"""

from collections.abc import Sequence

from msgspec import Struct


class Known(Struct, frozen=True):
    """Somebody's own mean, and its variance by chance."""

    mean: float
    variance: float


def drawn(every: Sequence[Known]) -> list[float]:
    """The mean that is to be expected of each.

    >>> few, many = Known(0.5, 1.0), Known(0.5, 0.0001)
    >>> [round(mean, 2) for mean in drawn([few, many, Known(0.0, 0.0001), Known(0.1, 0.0001)])]
    [0.22, 0.5, 0.0, 0.1]
    """
    weights = [1 / each.variance if each.variance > 0 else 0.0 for each in every]
    whole = sum(weights)
    if not whole:
        return [each.mean for each in every]
    pairs = list(zip(weights, every, strict=True))
    of_all = sum(weight * each.mean for weight, each in pairs) / whole
    apart = sum(weight * (each.mean - of_all) ** 2 for weight, each in pairs)
    free = whole - sum(weight**2 for weight in weights) / whole
    beyond = max((apart - (len(every) - 1)) / free, 0.0) if free > 0 else 0.0
    return [_drawn(each, of_all, beyond) for each in every]


def _drawn(each: Known, of_all: float, beyond: float) -> float:
    spread = beyond + each.variance
    return of_all + (each.mean - of_all) * (beyond / spread if spread else 1.0)
