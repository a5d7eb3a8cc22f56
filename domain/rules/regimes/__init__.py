"""What the law asks of cash at a casino, by country, as data with its sources (R-CASH-1)."""

from domain.rules.regimes.model import (
    AT_THE_TABLE,
    Direction,
    Regime,
    Suspicion,
    Threshold,
    of_amount,
    term_ends,
)
from domain.rules.regimes.reading import known, programs, read, stated

__all__ = [
    "AT_THE_TABLE",
    "Direction",
    "Regime",
    "Suspicion",
    "Threshold",
    "known",
    "of_amount",
    "programs",
    "read",
    "stated",
    "term_ends",
]
