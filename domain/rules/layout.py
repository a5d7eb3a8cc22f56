"""What lies on the layout in one coup, and what may lie there (R-BET-1, R-BET-3 to 5).

Pure: the coup asks before it records an event, and the event moves the chips.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from domain.rules import refusals
from domain.rules.house_rules import HouseRules
from domain.rules.money import major
from domain.rules.spots import OPPOSITE, SPOTS

Limits = dict[str, list[int]]  # spot (or `main`) to minimum and maximum


class Wager(Struct, frozen=True):
    """What lies on a spot, in minor units, and whose stay it belongs to."""

    seat: int
    spot: str
    stake: int
    patron: str
    stay: str
    nth: int = 0  # in the order in which they were placed

    @property
    def whose(self) -> dict[str, Any]:
        """The fields of every event about it: seat, patron, stay, spot."""
        return {"seat": self.seat, "patron": self.patron, "stay": self.stay, "spot": self.spot}


NOBODYS = dict.fromkeys(("seat", "patron", "stay", "spot"))  # of a limit that is everybody's


class Broken(Struct, frozen=True):
    """A limit that does not hold; no wager: the differential."""

    refusal: refusals.Refusal
    wager: Wager | None
    amount: int
    allowed: int


class Layout(Struct):
    """The wagers of a coup under the limits that it was opened with, by seat and spot."""

    limits: Limits
    differential: int | None
    lying: dict[int, dict[str, Wager]] = field(default_factory=dict)
    placed: int = 0  # how many wagers, each again when it is replaced

    def wagers(self) -> Iterator[Wager]:
        """Every wager that lies, by seat and then in the order of SPOTS."""
        for seat in sorted(self.lying):
            for spot in sorted(self.lying[seat], key=SPOTS.index):
                yield self.lying[seat][spot]

    def at(self, seat: int, spot: str) -> Wager | None:
        """What a seat has on a spot."""
        return self.lying.get(seat, {}).get(spot)

    def on(self, spot: str) -> list[Wager]:
        """Everybody's wagers on a spot, by seat."""
        return [wager for wager in self.wagers() if wager.spot == spot]

    def opposite(self, spot: str) -> list[Wager]:
        """What lies on the other hand."""
        return self.on(OPPOSITE.get(spot, ""))

    # What may lie there.
    def require(self, rules: HouseRules, seat: int, spot: str, amount: int) -> None:
        """Refuses: SpotNotOffered, NotAnIncrement, UnderMinimum, OverMaximum."""
        self.require_possible(rules, spot, amount)
        least, most = self._limit(spot)
        if amount < least:
            raise _under(rules, seat, spot, amount, least)
        if amount > most:
            raise _over(rules, seat, spot, amount, most)

    def require_possible(self, rules: HouseRules, spot: str, amount: int) -> None:
        """Refuses: SpotNotOffered, NotAnIncrement."""
        require_offered(rules, spot)
        step, (least, most) = rules.increment, self._limit(spot)
        below = amount - amount % step
        if amount == below:
            return
        near = [each for each in (below, below + step) if least <= each <= most]
        told = near or [least if amount < least else most]
        raise refusals.NotAnIncrement(
            amount=major(amount, rules.currency),
            increment=major(step, rules.currency),
            near=" or ".join(major(each, rules.currency) for each in told),
        )

    def broken(self, rules: HouseRules, found: Wager | None = None) -> Iterator[Broken]:
        """What stands in the way of closing: a Tie alone under the table minimum, the gap.

        A wager that was found was never judged before, so it is judged whole.
        """
        for wager in self.wagers() if found is None else (found,):
            least, most = self._limit(wager.spot)
            alone = wager.spot == "tie" and not OPPOSITE.keys() & self.lying[wager.seat].keys()
            least = self.limits["main"][0] if alone else least
            if wager.stake < least:
                said = "tie alone" if alone else wager.spot
                under = _under(rules, wager.seat, said, wager.stake, least)
                yield Broken(under, wager, wager.stake, least)
            if wager.stake > most:
                over = _over(rules, wager.seat, wager.spot, wager.stake, most)
                yield Broken(over, wager, wager.stake, most)
        gap = abs(self._stakes_on("player") - self._stakes_on("banker"))
        if self.differential is not None and gap > self.differential:
            apart = refusals.DifferentialExceeded(
                gap=major(gap, rules.currency),
                differential=major(self.differential, rules.currency),
            )
            yield Broken(apart, None, gap, self.differential)

    def excess(self, broken: Broken) -> Iterator[tuple[Wager, int]]:
        """What goes back; of the heavier side, from the wagers that were placed last (R-BET-5)."""
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

    # How the chips move.
    def lay(self, seat: int, patron: str, stay: str, spot: str, amount: int) -> None:
        """From now on this lies there, whatever did before."""
        self.placed += 1
        wager = Wager(seat, spot, amount, patron, stay, self.placed)
        self.lying.setdefault(seat, {})[spot] = wager

    def reduce(self, seat: int, spot: str, amount: int) -> None:
        """So much of it stays."""
        wager = self.lying[seat].pop(spot)
        if amount:
            self.lying[seat][spot] = replace(wager, stake=amount)

    def take_back(self, seat: int, spot: str) -> None:
        """Nothing of it stays."""
        del self.lying[seat][spot]


def require_offered(rules: HouseRules, spot: str) -> None:
    """Refuses: SpotNotOffered."""
    if spot not in rules.spots:
        spots = ", ".join(rules.spots)
        raise refusals.SpotNotOffered(rules=rules.name, spot=spot, spots=spots)


def _over(rules: HouseRules, seat: int, spot: str, amount: int, most: int) -> refusals.OverMaximum:
    said, limit = major(amount, rules.currency), major(most, rules.currency)
    return refusals.OverMaximum(seat=seat, spot=spot, amount=said, maximum=limit)


def _under(
    rules: HouseRules, seat: int, spot: str, amount: int, least: int
) -> refusals.UnderMinimum:
    said, limit = major(amount, rules.currency), major(least, rules.currency)
    return refusals.UnderMinimum(seat=seat, spot=spot, amount=said, minimum=limit)
