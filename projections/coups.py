"""Coups: when each was opened, dealt and settled, its cards, its outcome, what went wrong."""

import json
from collections.abc import Iterator
from typing import Any

from domain.events import coup
from domain.rules.permissions import OF_A_TABLE
from projections.exceptions import AT_A_COUP, coup_of, kind_of
from projections.model import Fact, Projection, Report, Statement, View, narrowed

_TABLES = """
-- One row a coup that was opened.
CREATE TABLE coups (
    coup           text   NOT NULL PRIMARY KEY,  -- its address: table, gaming day, shoe, number
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    shoe           text   NOT NULL,
    number         int    NOT NULL,              -- in the shoe, from 1
    opened_at      timestamptz NOT NULL,
    closed_at      timestamptz,                  -- to bets
    first_card_at  timestamptz,
    resulted_at    timestamptz,                  -- when its outcome was known
    settled_at     timestamptz,                  -- when every wager was paid or taken
    cards          jsonb  NOT NULL DEFAULT '[]', -- each with its hand and the rule it was due by
    player_total   int,
    banker_total   int,
    outcome        text,                         -- player, banker or tie
    "natural"      boolean,                      -- whether a hand had 8 or 9 on two cards
    phase          text   NOT NULL,              -- betting, dealing, resulted, settled or voided
    dealer         text   NOT NULL,
    supervisor     text   NOT NULL,
    exceptions     jsonb  NOT NULL DEFAULT '[]', -- what went wrong at it
    first_position bigint NOT NULL
);
CREATE INDEX coups_by_table ON coups (table_code, gaming_day);
CREATE INDEX coups_by_shoe ON coups (shoe, number);
"""

_OPENED = """
INSERT INTO coups
    (coup, table_code, gaming_day, shoe, number, opened_at, phase, dealer, supervisor,
     first_position)
VALUES (%(coup)s, %(table)s, %(day)s, %(shoe)s, %(number)s, %(at)s, 'betting', %(dealer)s,
        %(supervisor)s, %(position)s)
"""

_BETTING_CLOSED = """
UPDATE coups SET closed_at = %(at)s, phase = 'dealing' WHERE coup = %(coup)s
"""

_CARD_DEALT = """
UPDATE coups SET
    cards = cards || %(card)s::jsonb,
    first_card_at = coalesce(first_card_at, %(at)s)
WHERE coup = %(coup)s
"""

# Those that lay face down are named from now on.
_HAND_TURNED = """
UPDATE coups SET cards = (
    SELECT jsonb_agg(card || coalesce(%(turned)s::jsonb -> n::text, '{}') ORDER BY n)
      FROM jsonb_array_elements(cards) WITH ORDINALITY AS dealt (card, n))
WHERE coup = %(coup)s
"""

_RESULTED = """
UPDATE coups SET
    resulted_at = %(at)s, phase = 'resulted', outcome = %(outcome)s, "natural" = %(natural)s,
    player_total = %(player_total)s, banker_total = %(banker_total)s
WHERE coup = %(coup)s
"""

_SETTLED = """
UPDATE coups SET settled_at = %(at)s, phase = 'settled' WHERE coup = %(coup)s
"""

_VOIDED = """
UPDATE coups SET phase = 'voided' WHERE coup = %(coup)s
"""

_EXCEPTION = """
UPDATE coups SET exceptions = exceptions || %(exception)s::jsonb
WHERE coup = %(coup)s
"""


def _opened(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    yield (
        _OPENED,
        {
            "coup": told["coup"],
            "table": fact.table,
            "day": fact.gaming_day,
            "shoe": told["shoe"],
            "number": int(told["coup"].rpartition("/")[2]),
            "at": fact.at,
            "dealer": told["dealer"],
            "supervisor": told["supervisor"],
            "position": fact.position,
        },
    )


def _card_dealt(fact: Fact) -> Iterator[Statement]:
    card = {name: fact.told[name] for name in ("card", "hand", "rule")}
    if fact.told["face_down"]:
        card["card"] = None
    yield _CARD_DEALT, {"coup": fact.told["coup"], "card": json.dumps([card]), "at": fact.at}


def _hand_turned(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    cards = zip(told["numbers"], told["cards"], strict=True)
    turned = json.dumps({n: {"card": card} for n, card in cards})
    yield _HAND_TURNED, {"coup": told["coup"], "turned": turned}


def _step(sql: str) -> Any:
    """A change that only sets what the fact itself tells."""

    def change(fact: Fact) -> Iterator[Statement]:
        yield sql, {**fact.told, "at": fact.at}

    return change


def _voided(fact: Fact) -> Iterator[Statement]:
    yield _VOIDED, {"coup": fact.told["coup"]}
    yield from _noted(fact)


def _noted(fact: Fact) -> Iterator[Statement]:
    """An exception at its coup, with all that the fact tells but where it happened."""
    detail = {name: value for name, value in fact.told.items() if name not in ("coup", "shoe")}
    noted = {"kind": kind_of(fact), "at": fact.at.isoformat(), **detail}
    yield _EXCEPTION, {"coup": coup_of(fact), "exception": json.dumps([noted])}


_VIEWS = (
    View(
        name="coups",
        what="Every coup that was opened. One row a coup.",
        sql="""
SELECT coup, table_code, gaming_day, shoe, number, opened_at, closed_at, first_card_at,
       resulted_at, settled_at, jsonb_array_length(cards) AS cards, player_total, banker_total,
       outcome, "natural" AS is_natural, phase, dealer, supervisor,
       jsonb_array_length(exceptions) AS exceptions, first_position AS position
  FROM projections.coups
""",
        columns={
            "coup": "Its address: table, gaming day, shoe, number.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "shoe": "The shoe that it was dealt from.",
            "number": "Its number in the shoe, from 1.",
            "opened_at": "When it was opened for bets.",
            "closed_at": "When betting closed; null when it has not.",
            "first_card_at": "When the first card came; null when none has.",
            "resulted_at": "When its outcome was known; null when it is not.",
            "settled_at": "When every wager was paid or taken; null when they are not.",
            "cards": "How many cards were dealt; analysis.cards has them.",
            "player_total": "The Player hand's total at the end, 0 to 9.",
            "banker_total": "The Banker hand's total at the end, 0 to 9.",
            "outcome": "player, banker or tie; null when it is not known yet.",
            "is_natural": "Whether a hand had 8 or 9 on two cards.",
            "phase": "betting, dealing, resulted, settled or voided.",
            "dealer": "The number of who dealt.",
            "supervisor": "The number of who supervised.",
            "exceptions": "How much went wrong at it; analysis.exceptions tells what.",
            "position": "Where in the ledger it begins.",
        },
    ),
    View(
        name="cards",
        what="Every card of every coup. One row a card dealt.",
        sql="""
SELECT coups.coup, dealt.n::int AS n, dealt.card ->> 'card' AS card, dealt.card ->> 'hand' AS hand,
       dealt.card ->> 'rule' AS rule, coups.table_code, coups.gaming_day, coups.shoe
  FROM projections.coups
 CROSS JOIN LATERAL jsonb_array_elements(coups.cards) WITH ORDINALITY AS dealt (card, n)
""",
        columns={
            "coup": "The coup.",
            "n": "Its place in the coup, from 1.",
            "card": "Rank and suit, as in 9C or TH.",
            "hand": "player or banker: the hand that it was dealt to.",
            "rule": "The rule by which it was due there.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "shoe": "The shoe that it came from.",
        },
    ),
)

PROJECTION = Projection(
    name="coups",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        coup.Opened.TOPIC: _opened,
        coup.BettingClosed.TOPIC: _step(_BETTING_CLOSED),
        coup.CardDealt.TOPIC: _card_dealt,
        coup.HandTurned.TOPIC: _hand_turned,
        coup.Resulted.TOPIC: _step(_RESULTED),
        coup.Settled.TOPIC: _step(_SETTLED),
        **dict.fromkeys(AT_A_COUP, _noted),
        coup.Voided.TOPIC: _voided,
    },
)

REPORT = Report(
    name="coup",
    title="Coups",
    read_by=OF_A_TABLE,
    projections=("coups",),
    columns=(
        *("coup", "opened_at", "closed_at", "first_card_at", "resulted_at", "settled_at"),
        *("cards", "player_total", "banker_total", "outcome", "natural", "phase"),
        *("dealer", "supervisor", "exceptions"),
    ),
    sql=f"""
SELECT coup, opened_at, closed_at, first_card_at, resulted_at, settled_at, cards,
       player_total, banker_total, outcome, "natural", phase, dealer, supervisor, exceptions
  FROM coups
 WHERE {narrowed(shoe="shoe")}
 ORDER BY first_position
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe"),
    shown=("coup", "cards", "player_total", "banker_total", "outcome", "settled_at"),
)
