"""Whether two patrons at one table play as one: on both sides of a coup, with stakes that agree.

Who bets on Player and Banker at once loses little but commission, and earns what the house gives
for play, or turns one person's money into another's. One patron may do so in some games (R-BET-6);
two who seem not to know each other always can.

Chance: both look at the same board, so both may follow it, or bet against it, and be on opposite
sides again and again. But what one chooses, given what both see, has nothing to do with what the
other chooses on the same coup. So beside the pair a gambler bets on three things:

* `sides`: that their sides are opposite;
* `equal`: the same, only where their stakes are nearly equal;
* `stakes`: where they are opposite, that both change their stakes, or neither does.

How a patron leans nobody knows, so the gambler is paid by whatever leaning explains best, in
hindsight, what that patron chose (universal inference: Wasserman, Ramdas and Balakrishnan, PNAS
117, 2020): a chance of its own in each situation. Situations are looked at in two ways, with who
won the last three coups and with the marks that the three derived roads would get next; each
includes the side of the patron's own bet before; for `equal` their stake, as who bets more on one
side would be on it whenever the stakes are equal; for `stakes` their side, and whether the stake
before was a large one. By whichever of both patrons and ways explains more the gambler is paid. So
if one of the two leans so by one of the ways, and does not look at what the other does, he never
holds x units but in one of x pairs, however often one looks (Ville's inequality, as in
`following.py`). Each gaming day at a table begins anew, so that nobody leans the same for ever.

Who always bets against somebody at the table, for fun, looks the same. So do friends who share.
Two who never change sides nor stakes are not seen: nothing differs from two honest habits.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import combinations
from sys import intern
from typing import NamedTuple, Self

from msgspec import Struct, field

from domain.rules.hands import Hand, Outcome
from domain.rules.protection_levels import LEAST
from domain.rules.roads import next_marks

MISSES = (0.02, 0.1, 0.25, 0.4)  # of the coups, those on which a pair may do otherwise
_LOGARITHMS = [(math.log(1 - miss), math.log(miss)) for miss in MISSES]
NEARLY = 0.9  # the smaller of two stakes is at least this part of the larger
LOOKS_BACK = 3  # coups
WAYS = 2
MOST = 300.0  # the logarithm of what is held, so that it stays a number

Winners = list[Hand]  # of the coups of a shoe, without its ties
Ended = Outcome | None  # how a coup did; None: not yet


class Bets(Struct, array_like=True):
    """A patron's bet of a coup, and those before at that table; above zero: on Player."""

    now: int = 0  # minor units, as all of these
    before: int = 0
    largest: int = 0  # of those before, on either side

    def after(self) -> "Bets":
        """Before the next coup on which they bet.

        >>> Bets(now=-200_00, before=500_00, largest=500_00).after()
        Bets(now=0, before=-20000, largest=50000)
        """
        return Bets(0, self.now, max(self.largest, abs(self.now)))

    @property
    def changed(self) -> bool:
        """Whether the stake is another than before."""
        return abs(self.now) != abs(self.before)

    @property
    def much_before(self) -> bool:
        """Whether the bet before was more than half of the largest."""
        return 2 * abs(self.before) > self.largest


class Leaning(Struct):
    """How often a patron chose one of two things, and how often the other, by situation."""

    chosen: dict[str, list[int]] = field(default_factory=dict)
    best: float = 0.0  # the logarithm of the chance of all that, by the chances that suit it best

    def add(self, situation: str, choice: bool) -> None:
        """Counts a choice.

        >>> often = Leaning()
        >>> for choice in (True, True, False, True):
        ...     often.add("after Banker", choice)
        >>> often.chosen, round(math.exp(often.best), 4)
        ({'after Banker': [1, 3]}, 0.1055)
        """
        counts = self.chosen.get(situation)
        if counts is None:
            counts = self.chosen[situation] = [0, 0]
        self.best += _gain(counts[choice], counts[not choice])
        counts[choice] += 1


@cache
def _gain(some: int, others: int) -> float:
    """What one more makes of the best, of those of which there are some."""
    return _best(some + 1, others) - _best(some, others)


def _best(some: int, others: int) -> float:
    return _n_log_n(some) + _n_log_n(others) - _n_log_n(some + others)


def _n_log_n(n: int) -> float:
    return n * math.log(n) if n else 0.0


class Linked(Struct):
    """What two patrons chose, on the same coups, of two things each."""

    agreed: int = 0  # coups: as if they had agreed on it
    apart: int = 0  # coups
    leanings: list[Leaning] = field(
        default_factory=lambda: [Leaning() for _ in range(2 * WAYS)]
    )  # of the one in each way, then of the other

    held: float = 1.0  # by the gambler, of one unit

    def add(self, situations: Sequence[str], choices: tuple[bool, bool], *, agreed: bool) -> None:
        """Counts a coup; `situations`: of each leaning."""
        ones, others = choices
        chosen = (ones,) * WAYS + (others,) * WAYS
        for leaning, situation, choice in zip(self.leanings, situations, chosen, strict=True):
            leaning.add(situation, choice)
        self.agreed += agreed
        self.apart += not agreed
        best = max([each.best for each in self.leanings])
        self.held = _mean_held(self.agreed, self.apart, best)


def _mean_held(agreed: int, apart: int, best: float) -> float:
    """What all guesses hold beside two of whom a leaning explains so much."""
    held = 0.0
    for agrees, differs in _LOGARITHMS:
        guess = agreed * agrees + apart * differs - best
        held += math.exp(guess if guess < MOST else MOST)
    return held / len(MISSES)


class Together(Struct):
    """Two patrons at one table, after each coup on which both bet on a side."""

    sides: Linked = field(default_factory=Linked)
    equal: Linked = field(default_factory=Linked)
    stakes: Linked = field(default_factory=Linked)

    @property
    def coups(self) -> int:
        """On how many coups both bet on a side."""
        return self.sides.agreed + self.sides.apart

    @property
    def held(self) -> float:
        """What the gamblers hold together, of one unit."""
        sides, stakes = self.sides.held, self.stakes.held
        return (sides + self.equal.held + stakes + sides * stakes) / 4

    def add(self, one: "Facing", other: "Facing") -> None:
        """Counts a coup on which both bet on a side."""
        sides = one.bets.now > 0, other.bets.now > 0
        agreed = Agreed.on(one.bets, other.bets)
        self.sides.add((*one.of_sides, *other.of_sides), sides, agreed=agreed.sides)
        if agreed.equal is not None:
            self.equal.add((*one.of_equal, *other.of_equal), sides, agreed=agreed.equal)
        if agreed.stakes is not None:
            changed = one.bets.changed, other.bets.changed
            situations = *one.of_stakes, *other.of_stakes
            self.stakes.add(situations, changed, agreed=agreed.stakes)


class Agreed(NamedTuple):
    """Whether two bets of a coup are as if both had agreed on it; None: nothing is asked there."""

    sides: bool
    equal: bool | None
    stakes: bool | None

    @classmethod
    def on(cls, one: Bets, other: Bets) -> "Agreed":
        """Of two who bet on a side.

        >>> Agreed.on(Bets(100_00), Bets(-95_00))
        Agreed(sides=True, equal=True, stakes=None)
        """
        opposite = (one.now > 0) != (other.now > 0)
        both = opposite and one.before and other.before
        return cls(
            opposite,
            opposite if nearly_equal(one.now, other.now) else None,
            one.changed == other.changed if both else None,
        )


class Facing(Struct, frozen=True):
    """A patron's bet of a coup, and their situation in each of the ways, for each of three things.

    >>> Board.after(["banker", "banker"]).faced_by(Bets(100_00, before=-100_00)).of_equal
    ['10000 B BB', '10000 B ···']
    """

    bets: Bets
    of_sides: Sequence[str]
    of_equal: Sequence[str]
    of_stakes: Sequence[str]


class Board(Struct, frozen=True):
    """What both patrons see before a coup, in each of the ways."""

    ways: tuple[str, ...]

    @classmethod
    def after(cls, winners: Sequence[Hand]) -> Self:
        """What is seen after these coups of the shoe, without its ties.

        >>> Board.after(["banker", "banker", "player", "banker", "player"]).ways
        ('PBP', 'RRB')
        """
        marks = next_marks(winners, "banker").values()
        return cls(
            (
                "".join(each[0].upper() for each in winners[-LOOKS_BACK:]),
                "".join(each[0].upper() if each else "·" for each in marks),
            )
        )

    def faced_by(self, bets: Bets) -> Facing:
        """The situations of a patron who sees it and bets so; equal texts are stored once."""
        own = "P" if bets.before > 0 else "B" if bets.before else ""
        seen = [f"{own} {way}" for way in self.ways]

        def situations(and_also: str) -> list[str]:
            return [intern(and_also + each) for each in seen]

        on_stakes = f"{bets.now > 0:d}{bets.much_before:d}"
        return Facing(bets, situations(""), situations(f"{abs(bets.now)} "), situations(on_stakes))


class Counted(Struct, frozen=True, dict=True):
    """A coup that counts: what the board showed before it, and who bet on a side.

    `late`: the one whose bet came once it was settled, so that only their pairs count; '': nobody.
    """

    board: Board
    bets: Mapping[str, Bets]
    late: str = ""

    @cached_property
    def facing(self) -> Mapping[str, Facing]:
        """Their situations."""
        return {name: self.board.faced_by(bets) for name, bets in self.bets.items()}

    def pairs(self) -> Sequence[tuple[str, str]]:
        """The pairs that bet on its sides, in the order of the alphabet."""
        pairs = combinations(sorted(self.bets), 2)
        return [pair for pair in pairs if self.late in pair] if self.late else [*pairs]


class Pair(Struct):
    """Two patrons at one table on one gaming day.

    Whatever suits a record best explains at least as much as a fair coin does, so by how often two
    agreed it is known how much can be held at most. Of most pairs that is little, and nothing more
    is reckoned. `most`: that was held after any coup after which it can have been `least`.
    """

    names: tuple[str, str]
    place: int  # first, second, … partner of one of them: the larger number
    sides: list[int] = field(default_factory=lambda: [0, 0])  # coups: not agreed, and agreed
    equal: list[int] = field(default_factory=lambda: [0, 0])
    stakes: list[int] = field(default_factory=lambda: [0, 0])
    most: float = 0.0
    _together: Together = field(default_factory=Together)
    _to_come: list[Counted] = field(default_factory=list)  # coups that it has not yet

    @property
    def together(self) -> Together:
        """Both of them, after all coups so far."""
        for coup in self._to_come:
            one, other = map(coup.facing.__getitem__, self.names)
            self._together.add(one, other)
        self._to_come = []
        return self._together

    def add(self, coup: Counted, least: float) -> None:
        """Counts a coup."""
        self._to_come.append(coup)
        one, other = self.names
        agreed = Agreed.on(coup.bets[one], coup.bets[other])
        self.sides[agreed.sides] += 1
        if agreed.equal is not None:
            self.equal[agreed.equal] += 1
        if agreed.stakes is not None:
            self.stakes[agreed.stakes] += 1
        share = share_of(self.place)
        sides, equal, stakes = _at_most(*self.sides), _at_most(*self.equal), _at_most(*self.stakes)
        if (sides + equal + stakes + sides * stakes) / 4 * share >= least:
            self.most = max(self.most, self.together.held * share)


@lru_cache(maxsize=65_536)  # two numbers of coups of a day
def _at_most(apart: int, agreed: int) -> float:
    """What can be held at most beside two who agreed so often, and otherwise did not.

    >>> _at_most(20, 20) < 1 < _at_most(0, 10)
    True
    """
    fair_coin = (apart + agreed) * math.log(0.5)
    return _mean_held(agreed, apart, fair_coin)


class Company(Struct):
    """All pairs of a table on one gaming day, after some coups: of the same coups the same."""

    pairs: dict[tuple[str, str], Pair] = field(default_factory=dict)
    partners: Counter[str] = field(default_factory=Counter)  # of each patron

    def add(self, coup: Counted, least: float = LEAST) -> None:
        """Counts a coup; `least`: from how much on what is held matters.

        >>> company, both = Company(), {"P-1": Bets(100_00), "P-2": Bets(-100_00)}
        >>> company.add(Counted(Board.after([]), both))
        >>> company.pairs["P-1", "P-2"].together.sides.agreed
        1
        """
        for names in coup.pairs():
            pair = self.pairs.get(names)
            if pair is None:
                self.partners.update(names)
                place = max(self.partners[each] for each in names)
                pair = self.pairs[names] = Pair(names, place)
            pair.add(coup, least)


def nearly_equal(one: int, other: int) -> bool:
    """Whether two bets are of nearly the same size.

    >>> nearly_equal(100_00, -95_00), nearly_equal(100_00, 50_00)
    (True, False)
    """
    one, other = abs(one), abs(other)
    return one >= NEARLY * other if one < other else other >= NEARLY * one


def share_of(place: int) -> float:
    """The part of a unit that is staked beside a patron's first, second, … partner of the day.

    >>> share_of(1), sum(share_of(place) for place in range(1, 1_000)) < 1
    (0.5, True)
    """
    return 1 / (place * (place + 1))
