"""Coups: when each was opened, dealt and settled, its cards, its outcome, what went wrong."""

import json
from collections.abc import Iterator
from typing import Any

from domain.coup import Coup
from domain.shoe import Shoe
from projections.model import Fact, Projection, Report, Statement

_OPENED = """
INSERT INTO projections.coups
    (coup, table_code, gaming_day, shoe, number, opened_at, phase, dealer, supervisor,
     first_position)
VALUES (%(coup)s, %(table)s, %(day)s, %(shoe)s, %(number)s, %(at)s, 'betting', %(dealer)s,
        %(supervisor)s, %(position)s)
"""

_BETTING_CLOSED = """
UPDATE projections.coups SET closed_at = %(at)s, phase = 'dealing' WHERE coup = %(coup)s
"""

_CARD_DEALT = """
UPDATE projections.coups SET
    cards = cards || %(card)s::jsonb,
    first_card_at = coalesce(first_card_at, %(at)s)
WHERE coup = %(coup)s
"""

_RESULTED = """
UPDATE projections.coups SET
    resulted_at = %(at)s, phase = 'resulted', outcome = %(outcome)s, "natural" = %(natural)s,
    player_total = %(player_total)s, banker_total = %(banker_total)s
WHERE coup = %(coup)s
"""

_SETTLED = """
UPDATE projections.coups SET settled_at = %(at)s, phase = 'settled' WHERE coup = %(coup)s
"""

_EXCEPTION = """
UPDATE projections.coups SET exceptions = exceptions || %(exception)s::jsonb
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
    yield _CARD_DEALT, {"coup": fact.told["coup"], "card": json.dumps([card]), "at": fact.at}


def _step(sql: str) -> Any:
    """A change that only sets what the fact itself tells."""

    def change(fact: Fact) -> Iterator[Statement]:
        yield sql, {**fact.told, "at": fact.at}

    return change


def _exception(kind: str) -> Any:
    """A fact worth knowing, noted at its coup."""

    def change(fact: Fact) -> Iterator[Statement]:
        yield _noted(fact, kind)

    return change


def _limit_found_broken(fact: Fact) -> Iterator[Statement]:
    apart = fact.told["refusal"] == "DifferentialExceeded"
    yield _noted(fact, "differential" if apart else "over or under limit")


def _noted(fact: Fact, kind: str) -> Statement:
    """The fact under its kind, with all that it tells but where it happened."""
    told = fact.told
    coup = told["coup"] if "/" in str(told["coup"]) else f"{told['shoe']}/{told['coup']}"
    detail = {name: value for name, value in told.items() if name not in ("coup", "shoe")}
    noted = {"kind": kind, "at": fact.at.isoformat(), **detail}
    return _EXCEPTION, {"coup": coup, "exception": json.dumps([noted])}


PROJECTION = Projection(
    name="coups",
    tables=("projections.coups",),
    changes={
        Coup.Created.TOPIC: _opened,
        Coup.BettingClosed.TOPIC: _step(_BETTING_CLOSED),
        Coup.CardDealt.TOPIC: _card_dealt,
        Coup.Resulted.TOPIC: _step(_RESULTED),
        Coup.Settled.TOPIC: _step(_SETTLED),
        Coup.LateBetRefused.TOPIC: _exception("late bet"),
        Coup.LimitFoundBroken.TOPIC: _limit_found_broken,
        Coup.PaymentDisagreed.TOPIC: _exception("payment disagrees"),
        Shoe.UndueCardRefused.TOPIC: _exception("undue card"),
        Shoe.CardMisdrawn.TOPIC: _exception("undue card"),
        Shoe.CardDiscarded.TOPIC: _exception("exposed or foreign card"),
        Shoe.CutCardPassed.TOPIC: _exception("cut card passed"),
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
    sql="""
SELECT coup, opened_at, closed_at, first_card_at, resulted_at, settled_at, cards,
       player_total, banker_total, outcome, "natural", phase, dealer, supervisor, exceptions
  FROM projections.coups
 WHERE (%(table)s::text IS NULL OR table_code = %(table)s)
   AND (%(day)s::date IS NULL OR gaming_day = %(day)s)
   AND (%(shoe)s::text IS NULL OR shoe = %(shoe)s)
 ORDER BY first_position
""",
    money=(),
    narrowings=("table", "day", "shoe"),
    shown=("coup", "cards", "player_total", "banker_total", "outcome", "settled_at"),
)
