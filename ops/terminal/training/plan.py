"""Coups made from a seed: the patrons' wagers, the cards, and the mistakes.

The same seed gives the same coups under the same rules. About two coups in five have a mistake.
Each kind comes once before any comes again, as far as the coups have room for it.
"""

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from domain.rules.hands import play
from domain.rules.house_rules import HouseRules
from domain.rules.settlement import pay
from ops.simulation.evening import DealtShoe
from ops.terminal.training.faults import KINDS, plant
from ops.terminal.training.moments import (
    Betting,
    Call,
    Dealing,
    Leaving,
    Moment,
    Paid,
    Paying,
    Step,
    Wager,
)
from ops.terminal.training.scene import Moments, Scene

MISTAKES = 0.4  # the share of coups with a mistake
STAYS_OUT = 0.25  # the chance that a patron does not bet in a coup
GETS_UP = 0.2  # the chance that somebody leaves after a coup


class CoupPlanned(Struct, frozen=True):
    """One coup, with the patrons who sit down before it."""

    number: int
    sits_down: tuple[tuple[int, str], ...]  # seat and patron
    wagers: tuple[Wager, ...]
    cards: tuple[str, ...]
    moments: Moments


class _Patron(Struct):
    """A patron's way to play, made up once."""

    name: str
    banker: float
    stakes: tuple[int, ...]
    tie: int
    bonus: int


class Plan:
    """A whole course, made from a seed, a rule set and limits."""

    def __init__(self, seed: int, rules: HouseRules, coups: int) -> None:
        self.seed = seed
        self.rules = rules
        self.coups = coups
        self._random = Random(f"training {seed} {rules.name}")  # noqa: S311  (made up)
        self._shoe = DealtShoe.shuffled("", rules.decks, self._random)
        self._number = 100
        self._patrons = {
            seat: self._patron() for seat in sorted(self._random.sample(rules.seats, k=4))
        }
        self.first_patrons = {seat: each.name for seat, each in self._patrons.items()}
        self._kinds: list[str] = []  # kinds that have not come in this round

    @property
    def burned(self) -> str:
        """The first card, which is shown and burned, or '' if the rules burn none."""
        return "" if self.rules.burn == "none" else self._shoe.cards[0]

    @property
    def steps(self) -> Iterator[Step]:
        """The steps of the shoe before its first coup."""
        for step in ("loaded", "inspected", "shuffled", "cut"):
            yield Step(step=step, decks=self.rules.decks)
        if self.burned:
            yield Step(step="burned", card=self.burned)

    def course(self) -> Iterator[CoupPlanned]:
        """The coups, one after the other."""
        behind = 1 + self.rules.face_down(self.burned) if self.burned else 0
        sits_down: tuple[tuple[int, str], ...] = ()
        for number, (cards, _) in enumerate(self._shoe.coups(behind), 1):
            if number > self.coups:
                return
            wagers = tuple(self._wagers())
            moments = self._with_mistake([*self._moments(wagers, tuple(cards))])
            yield CoupPlanned(number, sits_down, wagers, tuple(cards), moments)
            sits_down = tuple(self._replace_who_left(moments))

    def _patron(self) -> _Patron:
        self._number += 1
        random, rules = self._random, self.rules
        least, step = rules.main.minimum, rules.increment
        unit = max(least // step * step, step)
        stakes = tuple(min(unit * random.choice((1, 2, 4, 10)), rules.main.maximum) for _ in "12")
        return _Patron(
            name=f"P-{self._number}",
            banker=random.choice((0.1, 0.5, 0.9)),
            stakes=stakes,
            tie=random.choice((1, 2, 5)) if random.random() < 0.5 else 0,
            bonus=random.choice((1, 2, 5)) if random.random() < 0.6 else 0,
        )

    def _wagers(self) -> Iterator[Wager]:
        """The wagers of all patrons, at least one."""
        random = self._random
        betting = [seat for seat in self._patrons if random.random() >= STAYS_OUT]
        for seat in betting or [random.choice([*self._patrons])]:
            patron = self._patrons[seat]
            side = "banker" if random.random() < patron.banker else "player"
            yield Wager(seat, side, random.choice(patron.stakes))
            if patron.tie and "tie" in self.rules.spots and random.random() < 0.4:
                yield Wager(seat, "tie", self._least("tie", patron.tie))
            bonus = self._bonus(side)
            if patron.bonus and bonus and random.random() < 0.5:
                yield Wager(seat, bonus, self._least(bonus, patron.bonus))

    def _bonus(self, side: str) -> str:
        """An optional spot of that side, or of any side; '' if the layout has none.

        None that pays from a meter: a course has no meter to pay from (R-PROG-1).
        """
        others = ("player", "banker", "tie", *self.rules.after_four)
        others += (*self.rules.progressives, *self.rules.over_coups)
        offered = [spot for spot in self.rules.spots if spot not in others]
        own = [spot for spot in offered if spot.endswith(side)]
        return self._random.choice(own or offered) if offered else ""

    def _least(self, spot: str, times: int) -> int:
        """So many times the spot's minimum beside a main wager, in minor units."""
        limit, step = self.rules.limit(spot), self.rules.increment
        least = -(-limit.minimum // step) * step
        return min(least * times, limit.maximum // step * step)

    def _moments(self, wagers: tuple[Wager, ...], cards: tuple[str, ...]) -> Iterator[Moment]:
        """The moments of the coup without a mistake."""
        yield Betting(wagers=wagers)
        for out in range(4, len(cards) + 1):
            so_far = cards[:out]
            yield Dealing(cards=so_far, new=4 if out == 4 else 1, call=Call.of(so_far))
        result = play(cards).result
        assert result
        yield Paying(
            cards=cards,
            paid=tuple(
                Paid(
                    each.seat,
                    each.spot,
                    each.stake,
                    pay(self.rules, each.spot, each.stake, result).paid,
                )
                for each in wagers
            ),
        )
        if self._random.random() < GETS_UP:
            seat = self._random.choice([*self._patrons])
            yield Leaving(seat=seat, patron=self._patrons[seat].name)

    def _with_mistake(self, moments: Sequence[Moment]) -> Moments:
        patrons = {seat: patron.name for seat, patron in self._patrons.items()}
        scene = Scene(self.rules, self._random, patrons, tuple(moments))
        if self._random.random() >= MISTAKES:
            return scene.moments
        for kind in [*self._kinds]:
            planted = plant(scene, kind)
            if planted:
                self._kinds.remove(kind)
                return planted
        return self._from_a_new_round(scene)

    def _from_a_new_round(self, scene: Scene) -> Moments:
        """Begins a new round; kinds that had no room in the last one come first."""
        fresh = [kind for kind in KINDS if kind not in self._kinds]
        self._random.shuffle(fresh)
        for kind in fresh:
            planted = plant(scene, kind)
            if planted:
                fresh.remove(kind)
                self._kinds += fresh
                return planted
        return scene.moments

    def _replace_who_left(self, moments: Moments) -> Iterator[tuple[int, str]]:
        for moment in moments:
            if isinstance(moment, Leaving):
                patron = self._patrons[moment.seat] = self._patron()
                yield moment.seat, patron.name
