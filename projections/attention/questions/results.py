"""Dealers at whose coups patrons win more than theory says, and patrons who do so with a dealer."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any

from msgspec import field

from domain.review.protection.counting import rules_of
from domain.review.protection.results import AgainstTheory, Bet, Result, result_of
from domain.rules.protection_levels import DEALER_LOSES, LEAST, WINS_WITH
from projections.attention.questions.answers import About, answer
from projections.attention.questions.bets import SettledCoup
from projections.attention.questions.cards import ProtectedShoe
from projections.attention.questions.question import Question
from projections.rows import Page, Row, Rows, Table, Value

SQL = """
-- One row a patron with a dealer, and one a dealer: who bets on their results.
CREATE TABLE protected_results (
    patron     text   NOT NULL,  -- under the name that they had at the table; '': all together
    dealer     text   NOT NULL,
    gaming_day date   NOT NULL,  -- of the last coup
    beside     jsonb  NOT NULL,  -- who bets on them, after it
    most       double precision NOT NULL,  -- that was held on that day
    PRIMARY KEY (patron, dealer)
);
"""


class ProtectedResult(Row):
    """A patron with a dealer, or a dealer, and who bets on their results."""

    patron: str
    dealer: str
    gaming_day: date
    beside: AgainstTheory = field(default_factory=AgainstTheory)
    most: float = 0.0

    def add(self, result: Result, gaming_day: date) -> None:
        """Another coup."""
        self.beside.add(result)
        held = self.beside.held
        self.most = max(self.most, held) if gaming_day == self.gaming_day else held
        self.gaming_day = gaming_day


RESULTS = Table("protected_results", ProtectedResult, "patron", "dealer")
OF_A_PATRON = RESULTS.page("patron")


def _settled(coup: SettledCoup, rows: Rows) -> None:
    """All wagers of a coup were settled: is what they won with this dealer still chance?"""
    shoe = coup.shoe
    if coup.late or not coup.bets or not shoe or not shoe.terms or not coup.dealer:
        return
    every, by_patron, first = [], defaultdict(list), coup.first
    for bet in coup.bets:
        patron, stake = bet.patron, bet.stake
        if first:
            patron, stake = first.get(bet.place, (patron, stake))
        if stake:
            then = Bet(bet.spot, stake, stake * bet.won / bet.stake)
            every.append(then)
            by_patron[patron].append(then)
    rules = rules_of(shoe.terms)
    _add(coup, rows, shoe, "", result_of(rules, shoe.decks, every))
    for patron, theirs in sorted(by_patron.items()):
        _add(coup, rows, shoe, patron, result_of(rules, shoe.decks, theirs))


def _add(coup: SettledCoup, rows: Rows, shoe: ProtectedShoe, patron: str, result: Result) -> None:
    """What a patron, or all of them, won in the coup."""
    if not result.worst:
        return
    event, dealer = coup.event, coup.dealer
    row = rows.change(RESULTS, patron, dealer)
    if row is None:
        row = ProtectedResult(patron=patron, dealer=dealer, gaming_day=event.gaming_day)
        rows.put(RESULTS, row)
    row.add(result, event.gaming_day)
    if row.most < LEAST:  # no house has so low a level
        return
    detail = {
        "dealer": dealer,
        "coups": row.beside.coups,
        "deviations": f"{row.beside.deviations:z.1f}",
        **({"patron": patron} if patron else {}),
    }
    about = About(shoe=shoe.shoe, coup=coup.coup, patron=patron or None, dealer=dealer)
    answer(event, rows, WINS_WITH if patron else DEALER_LOSES, row.most, detail, about)


def _of_a_patron(patron: str, _: date) -> Iterable[tuple[Page[Any], Value]]:
    """What they won with every dealer, and what all patrons did."""
    return (OF_A_PATRON, (patron,)), (OF_A_PATRON, ("",))


QUESTION = Question(sql=SQL, settled=_settled, of_a_patron=_of_a_patron)
