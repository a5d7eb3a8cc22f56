"""Patrons whose side follows the first card of the coup."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from domain.review.protection.first_card import OnFirstCard, is_good, share_of_good
from domain.rules.protection_levels import FIRST_CARD
from domain.rules.spots import OPPOSITE
from projections.attention.questions import answers
from projections.attention.questions.answers import About, answer
from projections.attention.questions.beside import COLUMNS, BesidePatron
from projections.attention.questions.cards import SHOES, ProtectedShoe, once_a_coup
from projections.attention.questions.question import SETTLED, Question
from projections.model import Event
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
    """A patron's last coup, and who bets beside them as he was before it."""

    share: float
    good: bool
    on_player: int = 0
    on_banker: int = 0

    def beside(self) -> OnFirstCard:
        """Who bets beside them, after that coup."""
        return self.before(OnFirstCard).after(
            self.share, good=self.good, on_player=self.on_player, on_banker=self.on_banker
        )

    def begin(self, coup: str, share: float, gaming_day: date, *, good: bool) -> None:
        """Another coup."""
        self.go_on(self.beside(), coup, gaming_day)
        self.share, self.good, self.on_player, self.on_banker = share, good, 0, 0


BESIDE = Table("protected_first_cards", OnSide, "patron")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The rows that a settled wager needs, beside its shoe."""
    patron = event.fields["patron"]
    yield BESIDE.by_key, (patron,)
    yield from answers.loads(FIRST_CARD, f"{patron} {event.gaming_day}")


@once_a_coup
def _first_of(shoe: ProtectedShoe, coup: str) -> tuple[float, bool] | None:
    """The share of good cards before a coup, and whether its first one is good."""
    first = shoe.first_of(coup)
    card = None if first is None else shoe.cards[first]
    return (share_of_good(shoe.decks, shoe.cards[:first]), is_good(card)) if card else None


def _settled(event: Event, rows: Rows) -> None:
    """A wager on a side was settled: does their side follow the first card?"""
    fields = event.fields
    address, _, number = str(fields["coup"]).rpartition("/")
    shoe = rows.get(SHOES, address)
    known = _first_of(shoe, number) if shoe and fields["spot"] in OPPOSITE else None
    if shoe is None or known is None:
        return
    share, good = known
    patron = rows.change(BESIDE, fields["patron"])
    if patron is None:
        patron = OnSide(
            patron=fields["patron"],
            coup=fields["coup"],
            share=share,
            good=good,
            gaming_day=event.gaming_day,
        )
        rows.put(BESIDE, patron)
    if patron.coup != fields["coup"]:
        patron.begin(fields["coup"], share, event.gaming_day, good=good)
    if fields["spot"] == "player":
        patron.on_player += fields["stake"]
    else:
        patron.on_banker += fields["stake"]
    now = patron.beside()
    most = max(patron.most, now.held)
    if not answers.matters(rows, FIRST_CARD, most, patron.patron, event.gaming_day):
        return
    detail = {"patron": patron.patron, "followed": now.right, "coups": now.right + now.wrong}
    answer(
        event,
        rows,
        FIRST_CARD,
        most,
        detail,
        About(shoe=shoe.shoe, coup=fields["coup"], patron=patron.patron),
    )


QUESTION = Question(sql=SQL, changes=dict.fromkeys(SETTLED, _settled), loads=_loads)
