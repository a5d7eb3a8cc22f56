"""Patrons whose bets follow the cards that are left, spot by spot."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from domain.review.protection.cards_left import CardsLeft
from domain.review.protection.counting import (
    OnSpot,
    all_after,
    coup_before,
    held,
    rules_of,
    sides_after,
)
from domain.rules.protection_levels import COUNTS
from projections.attention.questions import answers
from projections.attention.questions.answers import answer
from projections.attention.questions.bets import Bet, SettledCoup
from projections.attention.questions.question import Question
from projections.rows import Page, Row, Rows, Table, Value

SQL = """
-- One row a patron, under the name that they had at the table: who bets beside them on each spot.
CREATE TABLE protected_counters (
    patron     text   NOT NULL PRIMARY KEY,
    coup       text   NOT NULL,  -- the last one
    staked     jsonb  NOT NULL,  -- on each spot in that coup, minor units
    before     jsonb  NOT NULL,  -- before that coup
    after      jsonb  NOT NULL,  -- after it
    held       double precision NOT NULL,  -- then
    gaming_day date   NOT NULL,  -- of that coup
    most       double precision NOT NULL  -- that was held on that day, before that coup
);
"""


class ProtectedCounter(Row):
    """A patron's last coup, and who bets beside them before and after it."""

    patron: str
    coup: str
    staked: dict[str, int]
    before: dict[str, OnSpot]
    after: dict[str, OnSpot]
    held: float = 1.0
    gaming_day: date
    most: float = 0.0

    def begin(self, coup: str, gaming_day: date) -> None:
        """Another coup."""
        self.most = max(self.most, self.held) if gaming_day == self.gaming_day else 0.0
        self.coup, self.gaming_day = coup, gaming_day
        self.staked, self.before = {}, self.after

    def bets(self, bets: Iterable[Bet]) -> None:
        """Wagers of that coup; a spot that is new to them goes last, as it has been since.

        Rows that were read again have their spots in another order.
        """
        staked = self.staked
        if staked:  # of a coup of which a wager is settled late
            staked = dict(sorted(staked.items(), key=lambda each: self.after[each[0]].place))
        for bet in bets:
            staked[bet.spot] = staked.get(bet.spot, 0) + bet.stake
        self.staked = staked


COUNTERS = Table("protected_counters", ProtectedCounter, "patron")


def _of_a_patron(patron: str, day: date) -> Iterable[tuple[Page[Any], Value]]:
    return (COUNTERS.by_key, (patron,)), *answers.of_a_day(COUNTS, day)


def _settled(coup: SettledCoup, rows: Rows) -> None:
    """Wagers were settled: were they bet where the cards before favour them?"""
    shoe = coup.shoe
    if shoe is None or not shoe.terms:
        return
    patrons, spots = [], set[str]()
    for name, bets in coup.by_patron.items():
        patron = _patron(coup, rows, name)
        patron.bets(bets)
        patrons.append(patron)
        spots |= patron.before.keys() | patron.staked.keys()
    before = coup_before(CardsLeft(shoe.cards, shoe.numbers), int(coup.number), shoe.decks)
    sides = sides_after(before, rules_of(shoe.terms), spots)
    matters = answers.matters(rows, COUNTS, coup.event.gaming_day)
    for patron in patrons:
        patron.after = all_after(patron.before, patron.staked, sides)
        patron.held = held(patron.after)
        most = max(patron.most, patron.held)
        if matters(most, patron.patron):
            _answer(coup, rows, patron, most)


def _patron(coup: SettledCoup, rows: Rows, name: str) -> ProtectedCounter:
    """Their row, in that coup."""
    known, day = rows.change(COUNTERS, name), coup.event.gaming_day
    if known is None:
        known = ProtectedCounter(
            patron=name, coup=coup.coup, staked={}, before={}, after={}, gaming_day=day
        )
        rows.put(COUNTERS, known)
    if known.coup != coup.coup:
        known.begin(coup.coup, day)
    return known


def _answer(coup: SettledCoup, rows: Rows, patron: ProtectedCounter, most: float) -> None:
    now = patron.after
    spot = max(now, key=lambda each: (now[each].held, -now[each].place))
    followed = now[spot]
    detail = {
        "patron": patron.patron,
        "spot": spot,
        "much": followed.much,
        "favoured": followed.favoured,
    }
    answer(coup.event, rows, COUNTS, most, detail, coup.about(patron=patron.patron))


QUESTION = Question(sql=SQL, settled=_settled, of_a_patron=_of_a_patron)
