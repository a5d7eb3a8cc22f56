"""The odds of a bet on the next coups, with its coups taken as independent (R-BET-9).

Each coup has the exact chances of the first one from these cards. The cards that leave a shoe
change those of the next coup a little, so these odds are near and not exact.
"""

from collections import defaultdict
from fractions import Fraction

from msgspec import Struct

from domain.rules.odds.pack import Pack
from domain.rules.odds.tally import fitting
from domain.rules.over_coups import OverCoups, Score, judge_coups
from domain.rules.wagers import PUSH, PayLine, PayTable


class CoupsOdds(Struct, frozen=True):
    """The chance that each line decides, None that it loses; `edge`: the patron's on a wager of 1.

    `coups`: how many counted coups it goes on, on the average.
    """

    chances: dict[PayLine | None, Fraction]
    edge: Fraction
    coups: Fraction


def coups_odds(bet: OverCoups, table: PayTable, pack: Pack) -> CoupsOdds:
    """The odds of a bet that no end of a shoe cuts short."""
    wins = _chance_to_win(bet, pack)
    chances: dict[PayLine | None, Fraction] = defaultdict(Fraction)
    lasts = Fraction(0)
    going = {Score(): Fraction(1)}
    while going:
        lasts += sum(going.values(), Fraction(0))
        coming: dict[Score, Fraction] = defaultdict(Fraction)
        for now, chance in going.items():
            coming[now.after(won=True)] += chance * wins
            coming[now.after(won=False)] += chance * (1 - wins)
        going = {}
        for now, chance in coming.items():
            if decided := judge_coups(bet, table, now):
                chances[decided.line] += chance
            else:
                going[now] = chance
    gains = (p * (Fraction(*line.pays) if line else -1) for line, p in chances.items())
    return CoupsOdds(dict(chances), sum(gains, Fraction(0)), lasts)


def _chance_to_win(bet: OverCoups, pack: Pack) -> Fraction:
    """The chance that a coup is won, of those that are counted."""
    never = f"({bet.wins}) and not ({bet.wins})"
    table = (PayLine(bet.skips or never, PUSH), PayLine(bet.wins, (1, 1)))
    fits = fitting(table, pack)
    skipped = sum(ways for fit, ways in fits.items() if 0 in fit)
    won = sum(ways for fit, ways in fits.items() if fit == (1,))
    return Fraction(won, sum(fits.values()) - skipped)
