"""The terms of a rule set. Amounts are in minor units of its currency."""

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
from domain.rules.conditions import condition
from domain.rules.money import Rounding
from domain.rules.over_coups import OverCoups, is_line
from domain.rules.spots import OwnSpot, in_order, know
from domain.rules.wagers import PayTable


class Limit(Struct, frozen=True):
    """The smallest and the largest wager on a spot."""

    minimum: int
    maximum: int


class Offer(Struct, frozen=True, kw_only=True):
    """What a spot pays; with `limit` None the main limits apply."""

    pays: PayTable
    limit: Limit | None = None


class SpotTerms(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When a bet on a spot is taken (R-BET-6, R-BET-8), for how many coups (R-BET-9).

    And the most that it wins (R-PAY-6).
    """

    beside: tuple[str, ...] = ()  # a bet of the seat on one of these; empty: also alone
    seats: tuple[int, ...] = ()  # empty: at every seat
    not_in_first: int = 0  # coups of a shoe
    not_in_last: int = 0  # coups; 1: not once the cut card is out
    most_won: int | None = None  # in one coup, by all bets on the spot together
    after_four: str = ""  # bet once the first four cards lie there and this is so; empty: before
    up_to: tuple[int, int] | None = None  # the part of the bets beside it that it may be
    over: OverCoups | None = None  # the next coups, by which it is decided; None: the next one

    @property
    def rules(self) -> list[str]:
        """The numbers of the rules by which they hold."""
        taken = self.beside or self.seats or self.not_in_first or self.not_in_last
        at_most = self.most_won is not None
        second = self.after_four or self.up_to
        return [
            *(["R-BET-6"] if taken else []),
            *(["R-BET-8"] if second else []),
            *(["R-BET-9"] if self.over else []),
            *(["R-PAY-6"] if at_most else []),
        ]


ALWAYS = SpotTerms()


class Progressive(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The meter of a spot: what it begins with and what feeds it (R-PROG-1, R-PROG-2)."""

    of: str  # whose it is: `table`, `house`, or a pit's, as in `pit north`
    seed: int
    share: tuple[int, int]  # of each wager on the spot
    reserve: tuple[int, int] = (0, 1)  # of each wager: hidden, for the meter after the next win
    two_people_above: int | None = None  # a payment of more takes two, and a form (R-PROG-5)
    must_hit_by: int | None = None  # the amount at which it is won at the latest (R-PROG-6)

    def payable(self, amount: Fraction) -> Fraction:
        """What it shows and pays when this is in it; what is above its amount stays in it."""
        return amount if self.must_hit_by is None else min(amount, Fraction(self.must_hit_by))

    def takes_two(self, won: int) -> bool:
        """Whether a payment of the meter takes two people (R-PROG-5)."""
        return self.two_people_above is not None and won > self.two_people_above

    def address(self, spot: str, table: str, currency: str) -> str:
        """Which meter it is at a table: `lucky-nines/house/USD`, `lucky-nines/table B01/USD`."""
        return f"{spot}/{f'table {table}' if self.of == 'table' else self.of}/{currency}"


class CouponTerms(Struct, frozen=True, kw_only=True):
    """Where a kind of coupon is taken, and what it wins (R-PROMO-1, R-PROMO-2)."""

    spots: tuple[str, ...]
    pays: Literal["odds", "even-money"] = "odds"
    on_push: Literal["returned", "used"] = "returned"  # when its spot neither wins nor loses
    commission: Literal["none", "taken-off"] = "none"  # of what it wins on Banker


class FreeHands(Struct, frozen=True, kw_only=True):
    """How many coups are dealt without a bet (R-BET-7)."""

    in_a_row: int
    at_start: int = 0  # the first coups of a shoe may be without one


class Commission(Struct, frozen=True, kw_only=True):
    """The rate of commission on Banker winnings, when it is due, how it is rounded (R-COM-1 to 3).

    `in-the-odds`: nothing is taken, because the pay table pays less.
    """

    rate: tuple[int, int] = (5, 100)
    timing: Literal["at-payout", "deferred", "in-the-odds"] = "at-payout"
    rounding: Rounding = field(default_factory=Rounding)


class Clock(Struct, frozen=True, kw_only=True):
    """The pace of a table that deals by itself (R-DEAL-6)."""

    betting_seconds: int = 20  # from the first bet on a coup until no more bets
    card_seconds: int = 2  # before each card, and before the payment
    coups_per_hour: int = 90  # at most
    fault_seconds: int = 60  # by which a step may be late before the table is locked up (R-IRR-6)


class Pace(Struct, frozen=True, kw_only=True):
    """How many coups an hour a house wants of a table, at least and at most."""

    slowest: int
    fastest: int


class HouseRules(Struct, frozen=True, kw_only=True, dict=True):
    """One rule set; its name ends with `@` and its version."""

    # Fields added after rule sets were recorded, with their value before: they are left out of the
    # JSON where a rule set has that value, so that digests on record do not change.
    LATER: ClassVar[Mapping[str, object]] = {
        "burn_face_down": 0,
        "squeeze": "player-bettor",
        "accounts": False,
        "clock": None,
        "own_spots": {},
        "pace": None,
        "both_sides": "forbidden",
        "terms": {},
        "free_hands": None,
        "progressives": {},
        "burn_between": "none",
        "coupons": {},
    }

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
    burn_face_down: int = 0  # cards after the exposed one, where the burn is `fixed`
    squeeze: Literal["player-bettor", "both-bettors"] = "player-bettor"  # R-DEAL-3
    accounts: bool = False  # whether positions may bet from game accounts (R-ACC-1)
    clock: Clock | None = None  # None: people deal (R-DEAL-6)
    own_spots: Mapping[str, OwnSpot] = {}  # that it names itself (R-BET-2)
    pace: Pace | None = None  # that is wanted; None: any
    both_sides: Literal["forbidden", "with-leave", "free"] = "forbidden"  # of one patron (R-BET-1)
    terms: Mapping[str, SpotTerms] = {}  # by spot (R-BET-6)
    free_hands: FreeHands | None = None  # None: any number (R-BET-7)
    progressives: Mapping[str, Progressive] = {}  # by spot (R-PROG-1)
    burn_between: Literal["none", "or-coup-counts", "or-coup-void"] = "none"  # R-SHOE-6
    coupons: Mapping[str, CouponTerms] = {}  # by kind (R-PROMO-1)

    def __post_init__(self) -> None:
        for name, own in self.own_spots.items():
            know(name, own)

    def limit(self, spot: str) -> Limit:
        """The limit of a spot in the rule set; `table.limits` may change it at a table."""
        return self.spots[spot].limit or self.main

    def terms_of(self, spot: str) -> SpotTerms:
        """When a bet on a spot is taken."""
        return self.terms.get(spot, ALWAYS)

    @cached_property
    def after_four(self) -> tuple[str, ...]:
        """The spots that take bets only after the first four cards (R-BET-8)."""
        return tuple(spot for spot, terms in self.terms.items() if terms.after_four)

    @cached_property
    def over_coups(self) -> Mapping[str, OverCoups]:
        """The terms of each bet on several coups, by spot (R-BET-9)."""
        return {spot: terms.over for spot, terms in self.terms.items() if terms.over}

    @property
    def asks_for_the_cut_card(self) -> bool:
        """Whether a bet is refused towards the end of a shoe."""
        return any(each.not_in_last for each in self.terms.values())

    @cached_property
    def shares_wins(self) -> bool:
        """Whether bets on a spot may have to share what they win in one coup."""
        at_most = any(each.most_won is not None for each in self.terms.values())
        return at_most or bool(self.progressives)

    @property
    def asks_for_two(self) -> bool:
        """Whether some payments of a meter take two people (R-PROG-5)."""
        return any(each.two_people_above is not None for each in self.progressives.values())

    def must_be_won(self, spot: str) -> bool:
        """Whether any coup may win the meter of a spot, whatever the cards (R-PROG-6)."""
        terms = self.progressives.get(spot)
        return terms is not None and terms.must_hit_by is not None

    def for_stay(self, stay: str, as_it_wins: Collection[str]) -> "HouseRules":
        """The terms for a stay: if it pays commission as it wins, each payout is less commission.

        Only deferred commission can be paid earlier (R-COM-2).
        """
        deferred = self.commission.timing == "deferred"
        return self._as_it_wins if deferred and stay in as_it_wins else self

    @cached_property
    def _as_it_wins(self) -> "HouseRules":
        rounding = replace(self.commission.rounding, moment="per-win")
        commission = replace(self.commission, timing="at-payout", rounding=rounding)
        return replace(self, commission=commission)

    def payable(self, amount: int) -> int:
        """The amount rounded up to what the table's chips can make (R-PAY-5)."""
        smallest = min(self.chips)
        return -(-amount // smallest) * smallest

    def most_paid(self, spot: str, stake: int) -> int:
        """The most that a wager of this size can be paid, stake included; a meter is beside it."""
        odds = (Fraction(*line.pays) for line in self.spots[spot].pays if not line.of_meter)
        most = max(odds, default=Fraction(0))
        won, limit = int(stake * most), self.terms_of(spot).most_won
        return stake + (won if limit is None else min(won, limit))

    def face_down(self, card: str) -> int:
        """How many cards are burned face down after this exposed one (R-SHOE-2)."""
        if self.burn == "fixed":
            return self.burn_face_down
        return burn_count(card, ace=11 if self.burn == "first-card-ace-11" else 1)

    @cached_property
    def stated(self) -> str:
        """Every term of the rule set, as JSON with sorted names and no blanks."""
        terms = to_builtins(self)
        for name, before in self.LATER.items():
            if terms[name] == before:
                del terms[name]
        return json.dumps(terms, sort_keys=True, separators=(",", ":"))

    @cached_property
    def digest(self) -> str:
        """The SHA-256, in hex, of the terms."""
        return hashlib.sha256(self.stated.encode()).hexdigest()


def restated(stated: str) -> HouseRules:
    """The rule set of this JSON, with its spots in their order.

    Raises ValueError for terms that this program does not know, from a newer one.
    """
    read = msgspec.json.decode(stated, type=HouseRules)
    rules = replace(
        read, spots={spot: read.spots[spot] for spot in sorted(read.spots, key=in_order)}
    )
    for spot, offer in rules.spots.items():
        for line in offer.pays:
            if not (spot in rules.over_coups and is_line(line.when)):
                condition(line.when)
    for over in rules.over_coups.values():
        condition(over.wins)
        condition(over.skips or over.wins)
    for spot in rules.after_four:
        condition(rules.terms[spot].after_four)
    if rules.stated != stated:
        msg = f"{rules.name} has terms that this program does not know"
        raise ValueError(msg)
    return rules
