"""Coups: when each was opened, dealt and settled, its cards, its outcome, what went wrong."""

import json
from collections.abc import Iterator
from typing import Any

from domain.events import coup
from projections.exceptions import AT_A_COUP, coup_of, kind_of
from projections.model import Fact, Projection, Report, Statement, narrowed

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


PROJECTION = Projection(
    name="coups",
    tables=("coups",),
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
