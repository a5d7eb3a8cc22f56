"""What a rule set states. Amounts in minor units of its currency."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from domain.rules.cards import burn_count
from domain.rules.money import Rounding
from domain.rules.spots import SPOTS
from domain.rules.wagers import CONDITIONS, PayLine, PayTable


def later(default: Any) -> Any:
    """A field that came after rule sets were recorded; `default` is what held before.

    It is stated only where a rule set says otherwise, so the digests on record stay true.
    """
    return field(default=default, metadata={"later": True})


@dataclass(frozen=True)
class Limit:
    """The least and the most that may lie on a spot."""

    minimum: int
    maximum: int


@dataclass(frozen=True, kw_only=True)
class Offer:
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
    burn_face_down: int = later(0)  # behind the exposed card, where the burn is `fixed`
    squeeze: Literal["player-bettor", "both-bettors"] = later("player-bettor")  # R-DEAL-3

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
        return json.dumps(_stated(self), sort_keys=True, separators=(",", ":"))

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, over what the rule set states."""
        return hashlib.sha256(self.stated.encode()).hexdigest()


def _stated(value: Any) -> Any:
    if is_dataclass(value):
        return {
            each.name: _stated(own)
            for each in fields(value)
            if (own := getattr(value, each.name)) != each.default or not each.metadata.get("later")
        }
    if isinstance(value, Mapping):
        return {name: _stated(own) for name, own in value.items()}
    return [_stated(own) for own in value] if isinstance(value, tuple) else value


def restated(stated: str) -> HouseRules:
    """The rule set that states this; its spots in the order of SPOTS.

    Raises ValueError or TypeError, when a newer program stated what this one does not know.
    """
    told = json.loads(stated)
    commission = told["commission"]
    rules = HouseRules(
        **told
        | {name: tuple(told[name]) for name in ("decks_allowed", "chips", "seats")}
        | {"spots": _spots(told["spots"]), "main": Limit(**told["main"])}
        | {
            "commission": Commission(
                **commission
                | {"rate": tuple(commission["rate"])}
                | {"rounding": Rounding(**commission["rounding"])}
            )
        }
    )
    conditions = {line.when for spot in rules.spots.values() for line in spot.pays}
    if rules.stated != stated or not conditions <= CONDITIONS.keys():
        msg = f"{rules.name} states more than is known here"
        raise ValueError(msg)
    return rules


def _spots(told: Mapping[str, Any]) -> dict[str, Offer]:
    return {
        spot: Offer(
            **told[spot]
            | {
                "pays": tuple(
                    PayLine(each["when"], tuple(each["pays"])) for each in told[spot]["pays"]
                )
            }
            | {"limit": Limit(**told[spot]["limit"]) if told[spot]["limit"] else None}
        )
        for spot in sorted(told, key=SPOTS.index)
    }
