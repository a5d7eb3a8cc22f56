"""Patrons whose side follows the first card of the coup."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from msgspec import field

from domain.review.protection.first_card import OnFirstCard, is_good, share_of_good
from domain.rules.protection_levels import FIRST_CARD
from domain.rules.spots import OPPOSITE
from projections.attention.questions import answers
from projections.attention.questions.answers import answer
from projections.attention.questions.beside import COLUMNS, BesidePatron
from projections.attention.questions.bets import Bet, SettledCoup
from projections.attention.questions.cards import ProtectedShoe
from projections.attention.questions.question import Question
from projections.rows import Page, Rows, Table, Value

SQL = f"""
-- One row a patron, under the name that they had at the table: who bets on the first card.
CREATE TABLE protected_first_cards (
    share      double precision NOT NULL,  -- of good cards before it
    good       boolean NOT NULL,
    on_player  bigint NOT NULL,  -- minor units
    on_banker  bigint NOT NULL,{COLUMNS});
"""


class OnSide(BesidePatron):
    """A patron's last coup, and who bets beside them before and after it."""

    share: float
    good: bool
    on_player: int = 0
    on_banker: int = 0
    before: OnFirstCard = field(default_factory=OnFirstCard)
    after: OnFirstCard = field(default_factory=OnFirstCard)


BESIDE = Table("protected_first_cards", OnSide, "patron")


def _of_a_patron(patron: str, day: date) -> Iterable[tuple[Page[Any], Value]]:
    return (BESIDE.by_key, (patron,)), *answers.of_a_day(FIRST_CARD, day)


def _first_of(shoe: ProtectedShoe, coup: str) -> tuple[float, bool] | None:
    """The share of good cards before a coup, and whether its first one is good."""
    first = shoe.first_of(coup)
    card = None if first is None else shoe.cards[first]
    return (share_of_good(shoe.decks, shoe.cards[:first]), is_good(card)) if card else None


def _settled(coup: SettledCoup, rows: Rows) -> None:
    """Wagers on the sides were settled: do they follow the first card?"""
    sides = {
        name: on_a_side
        for name, bets in coup.by_patron.items()
        if (on_a_side := [bet for bet in bets if bet.spot in OPPOSITE])
    }
    first = _first_of(coup.shoe, coup.number) if coup.shoe and sides else None
    if first is None:
        return
    matters = answers.matters(rows, FIRST_CARD, coup.event.gaming_day)
    for name, bets in sides.items():
        patron = _patron(coup, rows, name, *first)
        _bet(patron, bets)
        most = max(patron.most, patron.after.held)
        if matters(most, name):
            _answer(coup, rows, patron, most)


def _patron(coup: SettledCoup, rows: Rows, name: str, share: float, good: bool) -> OnSide:
    """Their row, in that coup."""
    known, day = rows.change(BESIDE, name), coup.event.gaming_day
    if known is None:
        known = OnSide(patron=name, coup=coup.coup, share=share, good=good, gaming_day=day)
        rows.put(BESIDE, known)
    if known.coup != coup.coup:
        known.go_on(coup.coup, day)
        known.share, known.good, known.on_player, known.on_banker = share, good, 0, 0
    return known


def _bet(patron: OnSide, bets: Sequence[Bet]) -> None:
    for bet in bets:
        if bet.spot == "player":
            patron.on_player += bet.stake
        else:
            patron.on_banker += bet.stake
    patron.after = patron.before.after(
        patron.share, good=patron.good, on_player=patron.on_player, on_banker=patron.on_banker
    )


def _answer(coup: SettledCoup, rows: Rows, patron: OnSide, most: float) -> None:
    name, now = patron.patron, patron.after
    detail = {"patron": name, "followed": now.right, "coups": now.right + now.wrong}
    answer(coup.event, rows, FIRST_CARD, most, detail, coup.about(patron=name))


QUESTION = Question(sql=SQL, settled=_settled, of_a_patron=_of_a_patron)
