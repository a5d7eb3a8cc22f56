"""The wagers on the layout in one coup, and their limits (R-BET-1, R-BET-3 to 6, R-BET-8).

Pure: the coup asks before it records an event, and the event moves the chips.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from domain.rules import after_four, refusals
from domain.rules.house_rules import HouseRules
from domain.rules.over_coups import Run
from domain.rules.spot_terms import Nth, against, left_alone, most_beside
from domain.rules.spots import OPPOSITE, in_order, spot_label
from domain.rules.wording import Amount, Words, as_words, either, listed

Limits = dict[str, list[int]]  # spot (or `main`) to minimum and maximum


class Wager(Struct, frozen=True):
    """The chips of one stay on one spot, in minor units."""

    seat: int
    spot: str
    stake: int
    patron: str
    stay: str
    nth: int = 0  # in the order in which they were placed
    run: Run | None = None  # of a bet that was placed in an earlier coup (R-BET-9)

    @property
    def whose(self) -> dict[str, Any]:
        """The fields that every event about it has: seat, patron, stay, spot."""
        return {"seat": self.seat, "patron": self.patron, "stay": self.stay, "spot": self.spot}


NOBODYS = dict.fromkeys(("seat", "patron", "stay", "spot"))  # for a limit on all seats together


class Broken(Struct, frozen=True):
    """A limit that is broken, by one wager; without a wager, the differential."""

    refusal: refusals.Refusal
    wager: Wager | None
    amount: int
    allowed: int

    @property
    def place(self) -> tuple[int, str] | None:
        """The seat and the spot of the wager."""
        return (self.wager.seat, self.wager.spot) if self.wager else None


class Layout(Struct):
    """The wagers of a coup, by seat and spot, under the limits that it was opened with."""

    limits: Limits
    differential: int | None
    nth: Nth = Nth()
    placed: dict[int, dict[str, Wager]] = field(default_factory=dict)
    placings: int = 0  # a wager that is replaced counts again

    def wagers(self) -> Iterator[Wager]:
        """Every wager, by seat and then in the order of paying."""
        for seat in sorted(self.placed):
            for spot in sorted(self.placed[seat], key=in_order):
                yield self.placed[seat][spot]

    def at(self, seat: int, spot: str) -> Wager | None:
        """The wager of a seat on a spot, or None."""
        return self.placed.get(seat, {}).get(spot)

    def on(self, spot: str) -> list[Wager]:
        """Everybody's wagers on a spot, by seat."""
        return [wager for wager in self.wagers() if wager.spot == spot]

    def opposite(self, spot: str) -> list[Wager]:
        """The wagers on the other hand; none if the spot is no hand."""
        return self.on(OPPOSITE.get(spot, ""))

    # Limits.
    def require(self, rules: HouseRules, seat: int, spot: str, amount: int) -> None:
        """Refuses: SpotNotOffered, NotAnIncrement, UnderMinimum, OverMaximum."""
        self.require_possible(rules, spot, amount)
        least, most = self._limit(spot)
        if amount < least:
            raise _under(rules, seat, spot_label(spot), amount, least)
        if amount > most:
            raise _over(rules, seat, spot_label(spot), amount, most)

    def require_taken(self, rules: HouseRules, seat: int, spot: str, amount: int) -> None:
        """Refuses: OnlyBeside, OverPart, SpotNotAtSeat, SpotNotInCoup."""
        for refusal in self._against(rules, seat, spot, amount):
            raise refusal

    def _against(
        self, rules: HouseRules, seat: int, spot: str, amount: int
    ) -> Iterator[refusals.Refusal]:
        """Why a bet of a seat is not taken by the terms of its spot."""
        if rules.terms:
            yield from against(rules, seat, spot, self.stakes_of(seat), self.nth, amount)

    def stakes_of(self, seat: int) -> dict[str, int]:
        """The stakes of a seat, by spot."""
        return {spot: wager.stake for spot, wager in self.placed.get(seat, {}).items()}

    def most(self, rules: HouseRules, seat: int, spot: str) -> int:
        """The most that a seat may bet on a spot now; 0: nothing."""
        least, most = self._limit(spot)
        part = most_beside(rules, spot, self.stakes_of(seat))
        most = most if part is None else min(most, part)
        return 0 if any(self._against(rules, seat, spot, least)) else most

    def offered(self, rules: HouseRules, cards: Sequence[str]) -> tuple[str, ...]:
        """The spots on which some seat may bet after these cards, if they are four (R-BET-8)."""
        if not rules.after_four or not after_four.goes_on(cards):
            return ()
        return tuple(
            spot
            for spot in rules.after_four
            if after_four.are_so(rules.terms[spot].after_four, cards)
            and any(self.most(rules, seat, spot) for seat in rules.seats)
        )

    def require_possible(self, rules: HouseRules, spot: str, amount: int) -> None:
        """Refuses: SpotNotOffered, NotAnIncrement."""
        require_offered(rules, spot)
        step, (least, most) = rules.increment, self._limit(spot)
        below = amount - amount % step
        if amount == below:
            return
        near = [each for each in (below, below + step) if least <= each <= most]
        near = near or [least if amount < least else most]
        raise refusals.NotAnIncrement(
            amount=Amount(amount, rules.currency),
            increment=Amount(step, rules.currency),
            near=either(as_words(Amount(each, rules.currency)) for each in near),
        )

    def broken(self, rules: HouseRules, entered_late: Wager | None = None) -> Iterator[Broken]:
        """The limits that keep the betting open: a Tie alone under the minimum, the differential.

        A wager entered after the first card is judged by all of its limits, and alone.
        """
        named = set()
        for wager in self._placed_here() if entered_late is None else (entered_late,):
            if broken := self._not_taken(rules, wager):
                named.add(wager)
                yield broken
            else:
                yield from self._outside_limits(rules, wager)
        gap = abs(self._stakes_on("player") - self._stakes_on("banker"))
        if self.differential is not None and gap > self.differential:
            apart = refusals.DifferentialExceeded(
                gap=Amount(gap, rules.currency),
                differential=Amount(self.differential, rules.currency),
            )
            yield Broken(apart, None, gap, self.differential)
        for broken in self.not_taken(rules) if entered_late is None else ():
            if broken.wager not in named:  # what went back for the differential left it alone
                yield broken

    def not_taken(self, rules: HouseRules) -> Iterator[Broken]:
        """The wagers that break the terms of their spots (R-BET-6)."""
        for wager in self._placed_here() if rules.terms else ():
            if broken := self._not_taken(rules, wager):
                yield broken

    def _placed_here(self) -> Iterator[Wager]:
        """The wagers that were not placed in an earlier coup, under the limits of then."""
        return (wager for wager in self.wagers() if wager.run is None)

    def _not_taken(self, rules: HouseRules, wager: Wager) -> Broken | None:
        """The term of its spot that a wager breaks, if it does: a part of it may lie, or none."""
        refusal = next(self._against(rules, wager.seat, wager.spot, wager.stake), None)
        part = isinstance(refusal, refusals.OverPart)
        allowed = self.most(rules, wager.seat, wager.spot) if part else 0
        return Broken(refusal, wager, wager.stake, allowed) if refusal else None

    def _outside_limits(self, rules: HouseRules, wager: Wager) -> Iterator[Broken]:
        least, most = self._limit(wager.spot)
        alone = wager.spot == "tie" and not OPPOSITE.keys() & self.placed[wager.seat].keys()
        least = self.limits["main"][0] if alone else least
        if wager.stake < least:
            on = Words("Tie alone") if alone else spot_label(wager.spot)
            under = _under(rules, wager.seat, on, wager.stake, least)
            yield Broken(under, wager, wager.stake, least)
        if wager.stake > most:
            over = _over(rules, wager.seat, spot_label(wager.spot), wager.stake, most)
            yield Broken(over, wager, wager.stake, most)

    def excess(self, broken: Broken) -> Iterator[tuple[Wager, int]]:
        """The wagers to reduce, each with the amount that goes back: the latest first (R-BET-5)."""
        over = broken.amount - broken.allowed
        heavier = self.on(max(("player", "banker"), key=self._stakes_on))
        last_first = sorted(heavier, key=lambda wager: -wager.nth)
        for wager in [broken.wager] if broken.wager else last_first:
            back = min(wager.stake, over)
            over -= back
            if back > 0:
                yield wager, back

    def _stakes_on(self, spot: str) -> int:
        return sum(wager.stake for wager in self.on(spot))

    def _limit(self, spot: str) -> list[int]:
        return self.limits.get(spot) or self.limits["main"]

    # Moving chips.
    def place(
        self, seat: int, patron: str, stay: str, spot: str, amount: int, run: Run | None = None
    ) -> None:
        """Places a wager, which replaces the one before it on the same spot."""
        self.placings += 1
        wager = Wager(seat, spot, amount, patron, stay, self.placings, run)
        self.placed.setdefault(seat, {})[spot] = wager

    def reduce(self, seat: int, spot: str, amount: int) -> None:
        """Makes a wager another amount, mostly a smaller one; 0 takes it off."""
        wager = self.placed[seat].pop(spot)
        if amount:
            self.placed[seat][spot] = replace(wager, stake=amount)

    def recount(self, seat: int, spot: str, run: Run) -> None:
        """Gives a wager on several coups another count of those before."""
        self.placed[seat][spot] = replace(self.placed[seat][spot], run=run)

    def take_back(self, seat: int, spot: str) -> None:
        """Takes a wager off."""
        del self.placed[seat][spot]

    def left_alone(self, rules: HouseRules, seat: int, spot: str) -> list[Wager]:
        """The wagers of a seat that would be alone if the one on this spot went (R-BET-6)."""
        theirs = self.placed.get(seat, {})
        rest = [each for each in sorted(theirs, key=in_order) if each != spot]
        return [theirs[each] for each in left_alone(rules, rest)] if rules.terms else []


def require_offered(rules: HouseRules, spot: str) -> None:
    """Refuses: SpotNotOffered."""
    if spot not in rules.spots:
        raise refusals.SpotNotOffered(
            rules=rules.name, spot=spot_label(spot), spots=listed(map(spot_label, rules.spots))
        )


def of_an_account(seat: int, spot: str) -> refusals.BadValue:
    """The refusal of another stake, or another patron, for a wager from a game account."""
    return refusals.BadValue(
        rule="R-ACC-1",
        message=Words(
            "Seat {seat}'s wager on {spot} is from a game account, which has every wager as it was "
            "placed. Correct its payment, or void the coup.",
            seat=seat,
            spot=spot_label(spot),
        ),
    )


def _over(rules: HouseRules, seat: int, on: Words, amount: int, most: int) -> refusals.OverMaximum:
    staked, limit = Amount(amount, rules.currency), Amount(most, rules.currency)
    return refusals.OverMaximum(seat=seat, spot=on, amount=staked, maximum=limit)


def _under(
    rules: HouseRules, seat: int, on: Words, amount: int, least: int
) -> refusals.UnderMinimum:
    staked, limit = Amount(amount, rules.currency), Amount(least, rules.currency)
    return refusals.UnderMinimum(seat=seat, spot=on, amount=staked, minimum=limit)
