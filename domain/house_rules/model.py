"""What a rule set states. Amounts in minor units of its currency."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Literal

from domain.money import Rounding
from domain.wagers import PayTable


@dataclass(frozen=True)
class Limit:
    """The least and the most that may lie on a spot."""

    minimum: int
    maximum: int


@dataclass(frozen=True, kw_only=True)
class Spot:
    """What a spot pays; `limit` None: the main minimum and maximum hold."""

    pays: PayTable
    limit: Limit | None = None


@dataclass(frozen=True, kw_only=True)
class Commission:
    """What the house takes of Banker winnings, when, and how rounded (R-COM-1 to 3).

    `in-the-odds`: nothing is taken, the pay table has it already.
    """

    rate: tuple[int, int] = (5, 100)
    timing: Literal["at-payout", "deferred", "in-the-odds"] = "at-payout"
    rounding: Rounding = field(default_factory=Rounding)


@dataclass(frozen=True, kw_only=True)
class HouseRules:
    """One rule set under its name, versioned behind the `@`."""

    name: str
    source: str
    decks: int = 8
    decks_allowed: tuple[int, ...] = (8,)
    dealing: Literal["face-up", "face-down", "squeeze"] = "face-up"
    spots: Mapping[str, Spot]
    commission: Commission = field(default_factory=Commission)
    currency: str = "USD"
    increment: int
    main: Limit
    differential: int | None = None
    chips: tuple[int, ...]
    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    cut_card: int = 14  # cards from the back of the shoe (R-SHOE-3)
    burn: Literal["first-card", "first-card-ace-11", "none"] = "first-card"  # R-SHOE-2
    misdraw: Literal["carry", "burn", "dummy"] = "carry"  # R-IRR-1
    outside_limits: Literal["whole", "at-limit"] = "whole"  # R-BET-5

    def limit(self, spot: str) -> Limit:
        """The limit of a spot as the rule set has it; `table.limits` may change it at a table."""
        return self.spots[spot].limit or self.main

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, over everything that the rule set states."""
        stated = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(stated.encode()).hexdigest()
