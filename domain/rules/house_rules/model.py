"""What a rule set states. Amounts in minor units of its currency."""

import hashlib
import json
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Literal

import msgspec
from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from domain.rules.cards import burn_count
from domain.rules.money import Rounding
from domain.rules.spots import SPOTS
from domain.rules.wagers import CONDITIONS, PayTable


class Limit(Struct, frozen=True):
    """The least and the most that may lie on a spot."""

    minimum: int
    maximum: int


class Offer(Struct, frozen=True, kw_only=True):
    """What a spot pays; `limit` None: the main minimum and maximum hold."""

    pays: PayTable
    limit: Limit | None = None


class Commission(Struct, frozen=True, kw_only=True):
    """What the house takes of Banker winnings, when, and how rounded (R-COM-1 to 3).

    `in-the-odds`: nothing is taken, the pay table has it already.
    """

    rate: tuple[int, int] = (5, 100)
    timing: Literal["at-payout", "deferred", "in-the-odds"] = "at-payout"
    rounding: Rounding = field(default_factory=Rounding)


class HouseRules(Struct, frozen=True, kw_only=True, dict=True):
    """One rule set under its name, versioned behind the `@`."""

    # Fields that came after rule sets were recorded, and what held before: they are stated only
    # where a rule set says otherwise, so the digests on record stay true.
    LATER: ClassVar[Mapping[str, object]] = {"burn_face_down": 0, "squeeze": "player-bettor"}

    name: str
    source: str
    decks: int = 8
    decks_allowed: tuple[int, ...] = (8,)
    dealing: Literal["face-up", "face-down", "squeeze"] = "face-up"
    spots: Mapping[str, Offer]
    commission: Commission = field(default_factory=Commission)
    currency: str = "USD"
    increment: int
    main: Limit
    differential: int | None = None
    chips: tuple[int, ...]
    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    cut_card: int = 14  # cards from the back of the shoe (R-SHOE-3)
    burn: Literal["first-card", "first-card-ace-11", "fixed", "none"] = "first-card"  # R-SHOE-2
    misdraw: Literal["carry", "burn", "dummy"] = "carry"  # R-IRR-1
    outside_limits: Literal["whole", "at-limit"] = "whole"  # R-BET-5
    burn_face_down: int = 0  # behind the exposed card, where the burn is `fixed`
    squeeze: Literal["player-bettor", "both-bettors"] = "player-bettor"  # R-DEAL-3

    def limit(self, spot: str) -> Limit:
        """The limit of a spot as the rule set has it; `table.limits` may change it at a table."""
        return self.spots[spot].limit or self.main

    def for_stay(self, stay: str, as_it_wins: Collection[str]) -> "HouseRules":
        """What a stay is paid by: if it is among those that pay as they win, less commission.

        Only commission that is deferred can be paid sooner than it is due (R-COM-2).
        """
        deferred = self.commission.timing == "deferred"
        return self._as_it_wins if deferred and stay in as_it_wins else self

    @cached_property
    def _as_it_wins(self) -> "HouseRules":
        rounding = replace(self.commission.rounding, moment="per-win")
        commission = replace(self.commission, timing="at-payout", rounding=rounding)
        return replace(self, commission=commission)

    def payable(self, amount: int) -> int:
        """The least that the table's chips can make of an amount, or of more (R-PAY-5)."""
        smallest = min(self.chips)
        return -(-amount // smallest) * smallest

    def most_paid(self, spot: str, stake: int) -> int:
        """What a wager of that stake can be paid at most, stake included."""
        most = max((Fraction(*line.pays) for line in self.spots[spot].pays), default=Fraction(0))
        return stake + int(stake * most)

    def face_down(self, card: str) -> int:
        """How many cards are burned face down behind this one, which was exposed (R-SHOE-2)."""
        if self.burn == "fixed":
            return self.burn_face_down
        return burn_count(card, ace=11 if self.burn == "first-card-ace-11" else 1)

    @cached_property
    def stated(self) -> str:
        """Everything that the rule set states, as JSON with sorted names and no blanks."""
        told = to_builtins(self)
        for name, before in self.LATER.items():
            if told[name] == before:
                del told[name]
        return json.dumps(told, sort_keys=True, separators=(",", ":"))

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, over what the rule set states."""
        return hashlib.sha256(self.stated.encode()).hexdigest()


def restated(stated: str) -> HouseRules:
    """The rule set that states this; its spots in the order of SPOTS.

    Raises ValueError, when a newer program stated what this one does not know.
    """
    told = msgspec.json.decode(stated, type=HouseRules)
    rules = replace(
        told, spots={spot: told.spots[spot] for spot in sorted(told.spots, key=SPOTS.index)}
    )
    conditions = {line.when for spot in rules.spots.values() for line in spot.pays}
    if rules.stated != stated or not conditions <= CONDITIONS.keys():
        msg = f"{rules.name} states more than is known here"
        raise ValueError(msg)
    return rules
