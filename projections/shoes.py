"""Shoes: the life of each, and of each of its cards how many left it and how (R-SHOE-4).

Grows the rows of two reports, `shoe-log` and `cards`.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator

from domain.events import coup, shoe
from domain.rules.cards import DECK
from domain.rules.permissions import OF_A_TABLE, OF_THE_PIT
from projections.model import Fact, Projection, Report, Statement, View, narrowed
from projections.words import proof_in

_TABLES = """
-- One row a shoe.
CREATE TABLE shoes (
    shoe            text    NOT NULL PRIMARY KEY,
    table_code      text    NOT NULL,
    gaming_day      date    NOT NULL,
    decks           int     NOT NULL,
    serials         jsonb   NOT NULL,                -- of the decks
    batch           text,                            -- of pre-shuffled cards
    colour          text,                            -- of the backs
    inspected_by    text,
    verified_by     text,                            -- the second person
    shuffle_method  text,
    shuffle_device  text,
    cut_by          text,
    cut_card        int,                             -- how many cards lay behind it
    burn_card       text,                            -- the one that was burned face up
    face_down       int     NOT NULL DEFAULT 0,      -- burned and not shown
    burned          int     NOT NULL DEFAULT 0,      -- all that was, those among them
    first_coup      text,
    last_coup       text,
    coups           int     NOT NULL DEFAULT 0,
    drawn           int     NOT NULL DEFAULT 0,      -- carried ones too, when they left the shoe
    discarded       int     NOT NULL DEFAULT 0,      -- foreign ones were never the shoe's
    remaining       int,                             -- NULL: not ended; then as counted
    ended_why       text,
    rest_named      boolean NOT NULL DEFAULT false,  -- whether the remaining cards are known
    burns_named     boolean NOT NULL DEFAULT true,   -- whether those burned face down are
    first_position  bigint  NOT NULL,
    difference      bigint,                          -- how many it lacked; NULL: not counted
    verified_proved text                             -- how the second person was known
);

-- How each of the 52 cards left it.
CREATE TABLE shoe_cards (
    shoe      text NOT NULL,
    card      text NOT NULL,
    place     int  NOT NULL,                         -- in a new deck
    drawn     int  NOT NULL DEFAULT 0,
    burned    int  NOT NULL DEFAULT 0,
    discarded int  NOT NULL DEFAULT 0,
    remaining int  NOT NULL DEFAULT 0,
    PRIMARY KEY (shoe, card)
);
"""

_LOADED = """
INSERT INTO shoes
    (shoe, table_code, gaming_day, decks, serials, batch, colour, first_position)
VALUES (%(shoe)s, %(table)s, %(day)s, %(decks)s, %(serials)s::jsonb, nullif(%(batch)s, ''),
        nullif(%(colour)s, ''), %(position)s)
"""

_CARDS = """
INSERT INTO shoe_cards (shoe, card, place)
SELECT %(shoe)s, card, place FROM unnest(%(deck)s::text[]) WITH ORDINALITY AS deck (card, place)
"""

_INSPECTED = """
UPDATE shoes SET
    inspected_by = nullif(%(actor)s, ''), verified_by = nullif(%(verified_by)s, ''),
    verified_proved = %(verified_proved)s
WHERE shoe = %(shoe)s
"""

_SHUFFLED = """
UPDATE shoes SET
    shuffle_method = %(method)s, shuffle_device = nullif(%(device)s, '')
WHERE shoe = %(shoe)s
"""

_CUT = """
UPDATE shoes SET cut_by = %(cut_by)s, cut_card = %(cut_card)s WHERE shoe = %(shoe)s
"""

_BURNED = """
UPDATE shoes SET
    burn_card = %(card)s, face_down = %(face_down)s, burned = burned + 1 + %(face_down)s,
    burns_named = %(face_down)s = 0
WHERE shoe = %(shoe)s
"""

_BEGUN = """
UPDATE shoes SET
    first_coup = coalesce(first_coup, %(address)s), last_coup = %(address)s, coups = %(coup)s
WHERE shoe = %(shoe)s
"""

_ENDED = """
UPDATE shoes SET
    remaining = %(cards_left)s, ended_why = coalesce(nullif(%(reason)s, ''), 'cut card')
WHERE shoe = %(shoe)s
"""

_RECONCILED = """
UPDATE shoes SET
    remaining = %(remaining)s, difference = %(missing)s, rest_named = %(rest_named)s,
    burns_named = face_down = %(burns)s
WHERE shoe = %(shoe)s
"""

_TURNED_OVER = """
UPDATE shoe_cards SET
    remaining = remaining + %(remaining)s, burned = burned + %(burned)s
WHERE shoe = %(shoe)s AND card = %(card)s
"""

# How a card left the shoe: its own row, and the shoe's.
_LEFT = {
    how: (
        f"UPDATE shoe_cards SET {how} = {how} + 1 "  # noqa: S608
        "WHERE shoe = %(shoe)s AND card = %(card)s",
        f"UPDATE shoes SET {how} = {how} + 1 WHERE shoe = %(shoe)s",  # noqa: S608
    )
    for how in ("drawn", "burned", "discarded")
}

_DRAWN = _LEFT["drawn"][1]
_LIES_OPEN = """
UPDATE shoe_cards SET drawn = drawn + %(more)s WHERE shoe = %(shoe)s AND card = %(card)s
"""

_Change = Callable[[Fact], Iterator[Statement]]


def _step(sql: str) -> _Change:
    """A change that only sets what the fact itself tells."""

    def change(fact: Fact) -> Iterator[Statement]:
        yield sql, {**fact.told, "actor": fact.actor}

    return change


def _loaded(fact: Fact) -> Iterator[Statement]:
    told = dict(fact.told)
    place = {"table": fact.table, "day": fact.gaming_day, "position": fact.position}
    yield _LOADED, {**told, **place, "serials": json.dumps(told["serials"])}
    yield _CARDS, {"shoe": told["shoe"], "deck": list(DECK)}


def _burned(fact: Fact) -> Iterator[Statement]:
    yield _BURNED, dict(fact.told)
    yield _LEFT["burned"][0], dict(fact.told)


def _left(how: str) -> _Change:
    def change(fact: Fact) -> Iterator[Statement]:
        for sql in _LEFT[how]:
            yield sql, dict(fact.told)

    return change


def _misdrawn(fact: Fact) -> Iterator[Statement]:
    yield from _left("burned" if fact.told["disposition"] == "burn" else "drawn")(fact)


def _drawn(fact: Fact) -> Iterator[Statement]:
    """Which card it is counts once it lies open (R-DEAL-3, R-DEAL-5)."""
    yield _DRAWN, dict(fact.told)


def _dealt(fact: Fact) -> Iterator[Statement]:
    """A carried card was counted when it was misdrawn."""
    told = fact.told
    more = 1 - told["carried"] - told["face_down"]
    yield _LIES_OPEN, {"shoe": _shoe_of(fact), "card": told["card"], "more": more}


def _turned(fact: Fact) -> Iterator[Statement]:
    for card in fact.told["cards"]:
        yield _LIES_OPEN, {"shoe": _shoe_of(fact), "card": card, "more": 1}


def _shoe_of(fact: Fact) -> str:
    """The shoe of what happened at a coup."""
    return str(fact.told["coup"]).rpartition("/")[0]


def _discarded(fact: Fact) -> Iterator[Statement]:
    if fact.told["reason"] != "foreign":
        yield from _left("discarded")(fact)


def _coup_begun(fact: Fact) -> Iterator[Statement]:
    yield _BEGUN, {**fact.told, "address": f"{fact.told['shoe']}/{fact.told['coup']}"}


def _reconciled(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    remaining, burned = Counter(told["cards"]), Counter(told["burned"])
    named = {"rest_named": len(told["cards"]) == told["remaining"], "burns": len(told["burned"])}
    counted = {"remaining": told["remaining"], "missing": -told["difference"]}
    yield _RECONCILED, {"shoe": told["shoe"], **counted, **named}
    for card in sorted(remaining | burned):
        turned = {"card": card, "remaining": remaining[card], "burned": burned[card]}
        yield _TURNED_OVER, {"shoe": told["shoe"], **turned}


def _inspected(fact: Fact) -> Iterator[Statement]:
    proved = {"verified_proved": proof_in(fact, fact.told["verified_by"])}
    yield _INSPECTED, {**fact.told, "actor": fact.actor, **proved}


_VIEWS = (
    View(
        name="shoes",
        what="The life of every shoe, from loaded to counted. One row a shoe.",
        sql="""
SELECT shoe, table_code, gaming_day, decks, serials, batch, colour, inspected_by, verified_by,
       shuffle_method, shuffle_device, cut_by, cut_card, burn_card, burned, first_coup, last_coup,
       coups, drawn, discarded, remaining, ended_why, first_position AS position, difference
  FROM projections.shoes
""",
        columns={
            "shoe": "Its address: table, gaming day, number.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "decks": "How many decks were loaded.",
            "serials": "The serials of the decks.",
            "batch": "The batch of pre-shuffled cards; null for none.",
            "colour": "The colour of the backs.",
            "inspected_by": "The number of who inspected it.",
            "verified_by": "The number of the second person.",
            "shuffle_method": "How it was shuffled: by hand, machine, generated, …",
            "shuffle_device": "The machine.",
            "cut_by": "Who cut it.",
            "cut_card": "How many cards lay behind the cut card.",
            "burn_card": "The card that was burned face up.",
            "burned": "How many cards were burned in all.",
            "first_coup": "The first coup dealt from it.",
            "last_coup": "The last one so far.",
            "coups": "How many coups.",
            "drawn": "How many cards were drawn from it.",
            "discarded": "How many cards were taken out of it.",
            "remaining": "How many were left; null until it has ended.",
            "ended_why": "Why it ended; null until it has.",
            "position": "Where in the ledger it begins.",
            "difference": (
                "How many cards were missing when it was counted; less than 0: too many; null: "
                "not counted."
            ),
        },
    ),
    View(
        name="shoe_cards",
        what="How each of the 52 cards left each shoe. One row a shoe and card.",
        sql="""
SELECT cards.shoe, cards.card, shoes.decks AS expected, cards.drawn, cards.burned,
       cards.discarded, CASE WHEN shoes.rest_named THEN cards.remaining END AS remaining,
       shoes.table_code, shoes.gaming_day
  FROM projections.shoe_cards AS cards
  JOIN projections.shoes USING (shoe)
""",
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
    ),
)

PROJECTION = Projection(
    name="shoes",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        shoe.Loaded.TOPIC: _loaded,
        shoe.Inspected.TOPIC: _inspected,
        shoe.Shuffled.TOPIC: _step(_SHUFFLED),
        shoe.Cut.TOPIC: _step(_CUT),
        shoe.Burned.TOPIC: _burned,
        shoe.CoupBegun.TOPIC: _coup_begun,
        shoe.CardDrawn.TOPIC: _drawn,
        coup.CardDealt.TOPIC: _dealt,
        coup.HandTurned.TOPIC: _turned,
        shoe.CardMisdrawn.TOPIC: _misdrawn,
        shoe.CardDiscarded.TOPIC: _discarded,
        shoe.Ended.TOPIC: _step(_ENDED),
        shoe.Reconciled.TOPIC: _reconciled,
    },
)

REPORT = Report(
    name="shoe-log",
    title="Shoes",
    read_by=OF_A_TABLE,
    projections=("shoes",),
    columns=(
        *("shoe", "decks", "serials", "batch", "colour", "inspected_by", "verified_by"),
        *("shuffle_method", "shuffle_device", "cut_by", "cut_card", "burn_card", "burned"),
        *("first_coup", "last_coup", "coups", "drawn", "discarded", "remaining", "ended_why"),
        "difference",
        "verified_proved",
    ),
    sql=f"""
SELECT shoe, decks, serials, batch, colour, inspected_by, verified_by, shuffle_method,
       shuffle_device, cut_by, cut_card, burn_card, burned, first_coup, last_coup, coups, drawn,
       discarded, remaining, ended_why, difference, verified_proved
  FROM shoes
 WHERE {narrowed(shoe="shoe")}
 ORDER BY first_position
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe"),
    shown=(*("shoe", "coups", "drawn", "burned", "discarded", "remaining", "difference"),),
)

# A card seen too often shows at once; one that is missing, only when every card was named.
CARDS = Report(
    name="cards",
    title="Cards",
    read_by=OF_THE_PIT,
    projections=("shoes",),
    columns=(
        *("shoe", "card", "expected", "drawn", "burned", "discarded", "remaining"),
        "difference",
    ),
    sql=f"""
SELECT shoe, card, expected, drawn, burned, discarded, remaining,
       CASE WHEN all_named OR named > expected THEN expected - named END AS difference
  FROM (SELECT shoe, card, place, first_position, shoes.decks AS expected, cards.drawn,
               cards.burned, cards.discarded,
               CASE WHEN rest_named THEN cards.remaining END AS remaining,
               rest_named AND burns_named AS all_named,
               cards.drawn + cards.burned + cards.discarded + cards.remaining AS named
          FROM shoe_cards AS cards JOIN shoes USING (shoe)
         WHERE {narrowed(shoe="shoe")}) AS told
 ORDER BY first_position, place
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe"),
    shown=("shoe", "card", "drawn", "burned", "discarded", "remaining", "difference"),
)
