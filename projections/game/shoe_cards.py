"""Shoe cards: how each of the 52 cards left its shoe, counted with the shoe (R-SHOE-4)."""

from domain.rules.permissions import OF_THE_PIT
from projections.model import Report, View, narrowed
from projections.rows import Row, Table

CARDS_TABLE = """
-- How each of the 52 cards left it.
CREATE TABLE shoe_cards (
    shoe      text NOT NULL,
    card      text NOT NULL,
    place     int  NOT NULL,                         -- in a new deck
    drawn     int  NOT NULL DEFAULT 0,               -- those that lie face down, too
    burned    int  NOT NULL DEFAULT 0,
    discarded int  NOT NULL DEFAULT 0,
    remaining int  NOT NULL DEFAULT 0,
    PRIMARY KEY (shoe, card)
);
"""


class ShoeCard(Row):
    """How one of the 52 cards left a shoe."""

    shoe: str
    card: str
    place: int
    drawn: int = 0
    burned: int = 0
    discarded: int = 0
    remaining: int = 0


SHOE_CARDS = Table("shoe_cards", ShoeCard, "shoe", "card")

# How many of a card were drawn and are face up: no report has the name of another (R-DEAL-5).
_FACE_UP = """cards.drawn - (
           SELECT count(*) FROM jsonb_each_text(shoes.face_down_now) AS down
            WHERE down.value = cards.card)"""

CARDS_VIEW = View(
    name="shoe_cards",
    what="How each of the 52 cards left each shoe. One row a shoe and card.",
    sql=f"""
SELECT cards.shoe, cards.card, shoes.decks AS expected, ({_FACE_UP})::int AS drawn, cards.burned,
       cards.discarded, CASE WHEN shoes.rest_named THEN cards.remaining END AS remaining,
       shoes.table_code, shoes.gaming_day
  FROM projections.shoe_cards AS cards
  JOIN projections.shoes USING (shoe)
""",  # noqa: S608
    columns={
        "shoe": "The shoe.",
        "card": "Rank and suit, as in 9C or TH.",
        "expected": "How many of it were loaded: one a deck.",
        "drawn": "How many were drawn.",
        "burned": "How many are known to be burned.",
        "discarded": "How many were taken out.",
        "remaining": "How many were left; null when those were not named.",
        "table_code": "The table.",
        "gaming_day": "The gaming day.",
    },
)

# A card seen too often shows at once. A missing card shows only when every card was named.
REPORT = Report(
    name="cards",
    title="Cards",
    about="each card of a shoe: how many were expected and seen",
    read_by=OF_THE_PIT,
    projections=("shoes",),
    columns=(
        *("shoe", "card", "expected", "drawn", "burned", "discarded", "remaining"),
        "difference",
    ),
    sql=f"""
SELECT shoe, card, expected, drawn, burned, discarded,
       CASE WHEN rest_named THEN remaining END AS remaining,
       CASE WHEN rest_named AND burns_named OR known > expected THEN expected - known END
           AS difference
  FROM (SELECT *, drawn + burned + discarded + remaining AS known
          FROM (SELECT shoe, card, place, first_position, rest_named, burns_named,
                       shoes.decks AS expected, {_FACE_UP} AS drawn, cards.burned,
                       cards.discarded, cards.remaining
                  FROM shoe_cards AS cards JOIN shoes USING (shoe)
                 WHERE {narrowed(shoe="shoe")}) AS named) AS counted
 ORDER BY first_position, place
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe"),
    shown=("shoe", "card", "drawn", "burned", "discarded", "remaining", "difference"),
    words={
        "card": ("card", "the rank and suit"),
        "expected": ("expected", "cards loaded: one per deck"),
        "burned": ("burned", "cards burned that were seen or named later"),
    },
)
