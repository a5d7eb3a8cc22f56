"""Patrons whose wagers are entered once cards are out."""

from random import Random

from domain.review.protection.late import SPOTS, Late, is_open, share_of
from domain.review.protection.late_wins import LateWins
from domain.rules.house_rules import named
from domain.rules.protection_levels import LATE_BETS, LATE_WINS, SELDOM
from domain.rules.settlement import pay
from domain.rules.spots import OPPOSITE
from ops.simulation.cheats import PAST_POSTER, POSTS
from ops.simulation.evening import far_ahead
from tests.figures.evenings import DECKS, HONEST_COUPS, LONGEST, STAKES, fair

RULES = named("pairs@1")
PATRONS = 6
FORGOTTEN = 0.1  # of the coups of an honest patron at a table where much is forgotten


def _late(cards: list[str], random: Random, *, honest: bool) -> tuple[str | None, int]:
    """On which spot a patron bets late, and after how many cards it is entered."""
    if honest:
        late = random.random() < FORGOTTEN
        return random.choice(SPOTS) if late else None, random.randint(1, len(cards))
    if random.random() >= POSTS:
        return None, 0
    sides = ((far_ahead(cards[:out]), out) for out in range(1, len(cards) + 1))
    return next(((side, out) for side, out in sides if side), (None, 0))


def _seen_after(seed: int, most: int, *, honest: bool) -> int | None:
    """After how many coups their late wagers win beyond chance."""
    random, late, coups = Random(seed), Late(), 0
    for shoe in fair(random):
        left: list[str | None] = [shoe.cards[0], None, None, None]
        for cards, result in shoe.coups(4):
            coups += 1
            spot, out = _late(cards, random, honest=honest)
            if spot and is_open(cards[:out]):
                stake = random.choice(STAKES) if honest else max(STAKES)
                share = share_of(RULES, DECKS, left, spot, out, wins=True)
                ended = pay(RULES, spot, stake, result).result
                if share and ended != "push":
                    late = late.paid(stake, share, right=ended == "win")
            if late.held >= SELDOM:
                return coups
            if coups >= most:
                return None
            left += cards
    raise AssertionError


def _asked_after(seed: int, most: int, *, honest: bool) -> int | None:
    """After how many coups too many of the wagers are theirs that won and were entered then.

    Six patrons bet. Honest: of each tenth coup's winners one was forgotten.
    """
    random, beside, coups = Random(seed), LateWins(), 0
    for shoe in fair(random):
        for cards, result in shoe.coups(4):
            coups += 1
            sides = [random.choice(tuple(OPPOSITE)) for _ in range(PATRONS)]
            others = sum(each == result.outcome for each in sides[1:])
            if honest:
                won = sides[0] == result.outcome
                asked = won and random.random() < FORGOTTEN
                theirs = asked and random.random() < 1 / (others + 1)
            else:
                spot, out = _late(cards, random, honest=False)
                theirs = asked = spot is not None and out == len(cards)
            if asked:
                beside = beside.after(others, theirs=theirs)
            if beside.held >= SELDOM:
                return coups
            if coups >= most:
                return None
    raise AssertionError


def _past_poster(seed: int) -> int | None:
    """By whichever question sees it first."""
    seen = [each(seed, LONGEST, honest=False) for each in (_seen_after, _asked_after)]
    return min((each for each in seen if each), default=None)


CHEATS = {PAST_POSTER: _past_poster}
HONEST = {
    LATE_BETS: lambda seed: _seen_after(seed, HONEST_COUPS, honest=True) is not None,
    LATE_WINS: lambda seed: _asked_after(seed, HONEST_COUPS, honest=True) is not None,
}
