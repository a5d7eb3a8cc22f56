"""Two patrons at one table: one who offsets the other's bets, and two who play for themselves."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from domain.review.protection.together import Bets, Board, Together, share_of
from domain.rules.hands import Hand
from domain.rules.protection_levels import SELDOM, TOGETHER
from domain.rules.roads import SIDES, next_marks
from domain.rules.spots import OPPOSITE
from ops.simulation.cheats import COLLUDING_PAIR
from ops.simulation.evening import OFFSETS
from ops.simulation.habits import PASSES
from tests.figures.evenings import LONGEST, STAKES, fair

A_DAY = 210  # coups of two honest patrons at one table

Winners = Sequence[Hand]
Choose = Callable[[Winners, Bets], Hand]
Stake = Callable[[Winners, Bets, Hand], int]  # in minor units, on that side


def leans(random: Random) -> Choose:
    """Who bets on Banker in some share of the coups, whatever is on the board."""
    banker = random.random()
    return lambda _winners, _bets: "banker" if random.random() < banker else "player"


def follows(random: Random) -> Choose:
    """Who bets on who won last, or always against it."""
    against = random.random() < 0.5

    def chooses(winners: Winners, _: Bets) -> Hand:
        last = winners[-1] if winners else random.choice(SIDES)
        return OPPOSITE[last] if against else last  # type: ignore[return-value]

    return chooses


def stays(random: Random) -> Choose:
    """Who stays on a side for long."""

    def chooses(_: Winners, bets: Bets) -> Hand:
        before = _side(bets.before)
        return before if before and random.random() < 0.93 else random.choice(SIDES)

    return chooses


def joins_streaks(random: Random) -> Choose:
    """Who bets on a side that won three times, and else against the last one."""
    against = follows(random)
    return lambda winners, bets: (
        winners[-1] if len(winners) > 2 and len({*winners[-3:]}) == 1 else against(winners, bets)
    )


def reads_a_road(random: Random) -> Choose:
    """Who bets on what a derived road would mark red, or on what it would mark blue."""
    road, colour = random.randrange(3), random.choice(("red", "blue"))

    def chooses(winners: Winners, _: Bets) -> Hand:
        mark = [*next_marks(winners, "banker").values()][road]
        if mark is None:
            return random.choice(SIDES)
        return "banker" if mark == colour else "player"

    return chooses


def comes_back(random: Random) -> Choose:
    """Who changes sides after a loss."""

    def chooses(winners: Winners, bets: Bets) -> Hand:
        before = _side(bets.before)
        return winners[-1] if before and winners else random.choice(SIDES)

    return chooses


def _side(bet: int) -> Hand | None:
    return ("player" if bet > 0 else "banker") if bet else None


def any_stake(random: Random) -> Stake:
    """Any of three."""
    return lambda *_: random.choice(STAKES)


def same_for_long(random: Random) -> Stake:
    """The one before, most of the time."""
    return lambda _winners, bets, _side: (
        abs(bets.before) if bets.before and random.random() < 0.92 else random.choice(STAKES)
    )


def doubles(_: Random) -> Stake:
    """Twice the one before after a loss, up to 6,400; the least after a win."""

    def stakes(winners: Winners, bets: Bets, _: Hand) -> int:
        lost = winners and bets.before and _side(bets.before) != winners[-1]
        return min(2 * abs(bets.before), 6_400_00) if lost else min(STAKES)

    return stakes


def by_side(random: Random) -> Stake:
    """More on one side."""
    more = random.choice(SIDES)
    return lambda _winners, _bets, side: STAKES[side == more]


def on_streaks(_: Random) -> Stake:
    """More when a side won three times."""
    return lambda winners, _bets, _side: STAKES[len(winners) > 2 and len({*winners[-3:]}) == 1]


SIDED = (leans, follows, stays, joins_streaks, reads_a_road, comes_back)
STAKED = (any_stake, same_for_long, doubles, by_side, on_streaks)


class Patron:
    """A patron with a way to choose sides, and one to choose stakes."""

    def __init__(self, random: Random, sides: Choose, stakes: Stake, errs: float = 0.0) -> None:
        self.random, self.sides, self.stakes, self.errs = random, sides, stakes, errs
        self.bets = Bets()

    def bet(self, winners: Winners) -> int:
        """What they bet; above zero: on Player."""
        if self.random.random() < PASSES:
            return 0
        side = self.sides(winners, self.bets)
        if self.random.random() < self.errs:
            side = self.random.choice(SIDES)
        stake = self.stakes(winners, self.bets, side)
        return stake if side == "player" else -stake


def held_beside(one: Patron, other: Patron, offsets: float = 0.0) -> Iterator[float]:
    """After each coup; `offsets`: the share of coups on which the other offsets the one's bet."""
    together, random = Together(), one.random
    for shoe in fair(random):
        winners: list[Hand] = []
        for _, result in shoe.coups(4):
            bets = one.bet(winners), other.bet(winners)
            if random.random() < offsets:
                bets = bets[0], -bets[0]
            one.bets.now, other.bets.now = bets
            if all(bets):
                board = Board.after(winners)
                together.add(board.faced_by(one.bets), board.faced_by(other.bets))
            for each in (one, other):
                each.bets = each.bets.after() if each.bets.now else each.bets
            if result.outcome != "tie":
                winners.append(result.outcome)
            yield together.held * share_of(1)


def _pair(seed: int) -> int | None:
    """After how many coups a pair is seen of whom one offsets what the other bets."""
    random = Random(seed)
    one, other = (Patron(random, leans(random), any_stake(random)) for _ in range(2))
    held = islice(held_beside(one, other, OFFSETS), LONGEST)
    return next((n for n, each in enumerate(held, 1) if each >= SELDOM), None)


def honest(seed: int) -> Iterator[float]:
    """What is held beside two honest patrons, with any habits."""
    random = Random(seed)
    one, other = (
        Patron(
            random,
            random.choice(SIDED)(random),
            random.choice(STAKED)(random),
            errs=random.choice((0.0, 0.1, 0.3)),
        )
        for _ in range(2)
    )
    return islice(held_beside(one, other), A_DAY)


def _as_pair(seed: int) -> bool:
    return any(each >= SELDOM for each in honest(seed))


CHEATS = {COLLUDING_PAIR: _pair}
HONEST = {TOGETHER: _as_pair}
