"""Patrons who are right more often, or with more money, than chance allows."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from msgspec import field

from domain.review.protection.right import LEFT, Copied
from domain.rules.protection_levels import RIGHT
from domain.rules.spots import OPPOSITE
from projections.attention.questions import answers
from projections.attention.questions.answers import answer
from projections.attention.questions.beside import COLUMNS, BesidePatron
from projections.attention.questions.bets import Bet, SettledCoup
from projections.attention.questions.question import Question
from projections.rows import Page, Rows, Table, Value

SQL = f"""
-- One row a patron, under the name that they had at the table: who copies them, by what they bet.
CREATE TABLE protected_patrons (
    winner     text   NOT NULL,
    on_winner  bigint NOT NULL,  -- minor units
    on_loser   bigint NOT NULL,{COLUMNS});
"""


class ProtectedPatron(BesidePatron):
    """A patron's last coup, and who copies them before and after it."""

    winner: str
    on_winner: int = 0
    on_loser: int = 0
    before: Copied = field(default_factory=Copied)
    after: Copied = field(default_factory=Copied)


PATRONS = Table("protected_patrons", ProtectedPatron, "patron")


def _of_a_patron(patron: str, day: date) -> Iterable[tuple[Page[Any], Value]]:
    return (PATRONS.by_key, (patron,)), *answers.of_a_day(RIGHT, day)


def _settled(coup: SettledCoup, rows: Rows) -> None:
    """Wagers on the sides were won or lost: is it still chance?"""
    if coup.shoe is None or coup.shoe.remaining < LEFT:
        return
    matters = answers.matters(rows, RIGHT, coup.event.gaming_day)
    for name, bets in coup.by_patron.items():
        sides = [bet for bet in bets if bet.spot in OPPOSITE and bet.result != "push"]
        if sides:
            patron = _patron(coup, rows, name, sides[0])
            _copy(patron, sides)
            most = max(patron.most, patron.after.held)
            if matters(most, name):
                _answer(coup, rows, patron, most)


def _patron(coup: SettledCoup, rows: Rows, name: str, bet: Bet) -> ProtectedPatron:
    """Their row, in that coup."""
    winner, day = bet.spot if bet.result == "win" else OPPOSITE[bet.spot], coup.event.gaming_day
    known = rows.change(PATRONS, name)
    if known is None:
        known = ProtectedPatron(patron=name, coup=coup.coup, winner=winner, gaming_day=day)
        rows.put(PATRONS, known)
    if known.coup != coup.coup:
        known.go_on(coup.coup, day)
        known.winner, known.on_winner, known.on_loser = winner, 0, 0
    return known


def _copy(patron: ProtectedPatron, sides: Sequence[Bet]) -> None:
    for bet in sides:
        if bet.spot == patron.winner:
            patron.on_winner += bet.stake
        else:
            patron.on_loser += bet.stake
    patron.after = patron.before.after(patron.winner, patron.on_winner, patron.on_loser)


def _answer(coup: SettledCoup, rows: Rows, patron: ProtectedPatron, most: float) -> None:
    name, now = patron.patron, patron.after
    detail = {"patron": name, "right": now.right, "coups": now.right + now.wrong}
    answer(coup.event, rows, RIGHT, most, detail, coup.about(patron=name))


QUESTION = Question(sql=SQL, settled=_settled, of_a_patron=_of_a_patron)
