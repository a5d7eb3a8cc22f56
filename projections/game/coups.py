"""Coups: when each was opened, dealt and settled, its cards, its outcome, what went wrong."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import coup
from domain.rules.permissions import OF_A_TABLE
from projections.attention.exception_kinds import (
    AT_A_COUP,
    MADE_AGAIN,
    coup_of,
    kind_of,
    made_again,
)
from projections.model import Event, Projection, Report, View, narrowed
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a coup that was opened.
CREATE TABLE coups (
    coup           text   NOT NULL PRIMARY KEY,  -- its address: table, gaming day, shoe, number
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    shoe           text   NOT NULL,
    number         int    NOT NULL,              -- in the shoe, from 1
    opened_at      timestamptz NOT NULL,
    closed_at      timestamptz,                  -- when betting closed
    first_card_at  timestamptz,
    resulted_at    timestamptz,                  -- when its outcome was known
    settled_at     timestamptz,                  -- when every wager was paid or taken
    cards          jsonb  NOT NULL DEFAULT '[]', -- each with its hand and the rule it was due by
    player_total   int,
    banker_total   int,
    outcome        text,                         -- player, banker or tie
    "natural"      boolean,                      -- whether a hand had 8 or 9 on two cards
    phase          text   NOT NULL,              -- betting dealing resulted settled voided unused
    dealer         text   NOT NULL,
    supervisor     text   NOT NULL,
    rules          text   NOT NULL,              -- the rule set that it was dealt under
    exceptions     jsonb  NOT NULL DEFAULT '[]', -- what went wrong at it
    first_position bigint NOT NULL
);
CREATE INDEX coups_by_table ON coups (table_code, gaming_day);
CREATE INDEX coups_by_shoe ON coups (shoe, number);
CREATE INDEX coups_in_order ON coups (first_position);
"""


class Coup(Row):
    """A coup that was opened."""

    coup: str
    table_code: str
    gaming_day: date
    shoe: str
    number: int
    opened_at: datetime
    closed_at: datetime | None = None
    first_card_at: datetime | None = None
    resulted_at: datetime | None = None
    settled_at: datetime | None = None
    cards: list[dict[str, Any]]
    player_total: int | None = None
    banker_total: int | None = None
    outcome: str | None = None
    natural: bool | None = None
    phase: str
    dealer: str
    supervisor: str
    rules: str
    exceptions: list[dict[str, Any]]
    first_position: int


COUPS = Table("coups", Coup, "coup")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if address := coup_of(event):
        yield COUPS.by_key, (address,)


def _opened(event: Event, rows: Rows) -> None:
    fields = event.fields
    opened = Coup(
        coup=fields["coup"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        shoe=fields["shoe"],
        number=int(fields["coup"].rpartition("/")[2]),
        opened_at=event.at,
        cards=[],
        phase="betting",
        dealer=fields["dealer"],
        supervisor=fields["supervisor"],
        rules=fields["rules"],
        exceptions=[],
        first_position=event.position,
    )
    rows.put(COUPS, opened)


def _betting_closed(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPS, event.fields["coup"]):
        row.closed_at, row.phase = event.at, "dealing"


def _card_dealt(event: Event, rows: Rows) -> None:
    fields = event.fields
    if row := rows.change(COUPS, fields["coup"]):
        card = None if fields["face_down"] else fields["card"]
        row.cards.append({"card": card, "hand": fields["hand"], "rule": fields["rule"]})
        row.first_card_at = row.first_card_at or event.at


def _hand_turned(event: Event, rows: Rows) -> None:
    """Puts the names of turned cards into the row."""
    fields = event.fields
    turned = dict(zip(fields["numbers"], fields["cards"], strict=True))
    if row := rows.change(COUPS, fields["coup"]):
        for n, dealt in enumerate(row.cards, 1):
            if n in turned:
                dealt["card"] = turned[n]


def _resulted(event: Event, rows: Rows) -> None:
    fields = event.fields
    if row := rows.change(COUPS, fields["coup"]):
        if row.phase != "settled":  # else a card was put right
            row.resulted_at, row.phase = event.at, "resulted"
        row.outcome, row.natural = fields["outcome"], fields["natural"]
        row.player_total, row.banker_total = fields["player_total"], fields["banker_total"]


def _card_corrected(event: Event, rows: Rows) -> None:
    """Puts the cards and the outcome as they are now into the row."""
    fields = event.fields
    if row := rows.change(COUPS, fields["coup"]):
        down = [dealt["card"] is None for dealt in row.cards]
        names = ("card", "hand", "rule")
        row.cards = [dict(zip(names, each, strict=True)) for each in fields["cards"]]
        for dealt, hidden in zip(row.cards, down, strict=False):
            dealt["card"] = None if hidden else dealt["card"]
        row.outcome, row.natural = fields["outcome"], fields["natural"]
        row.player_total, row.banker_total = fields["player_total"], fields["banker_total"]
        if row.phase == "resulted":
            row.phase = "dealing"
    _noted(event, rows)


def _left_unused(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPS, event.fields["coup"]):
        row.phase = "unused"


def _settled(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPS, event.fields["coup"]):
        row.settled_at, row.phase = event.at, "settled"


def _voided(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPS, event.fields["coup"]):
        row.phase = "voided"
    _noted(event, rows)


def _noted(event: Event, rows: Rows) -> None:
    """Adds an exception to its coup's row, with the event's fields except the place."""
    address = coup_of(event)
    if address and (row := rows.change(COUPS, address)):
        there = ("coup", "shoe")  # the row has these
        detail = {name: value for name, value in event.fields.items() if name not in there}
        noted = {"kind": kind_of(event), "at": event.at.isoformat(), **detail}
        if event.topic in MADE_AGAIN:
            noted["by"] = event.actor
            if any(made_again(before, noted) for before in row.exceptions):
                return
        row.exceptions.append(noted)


_VIEWS = (
    View(
        name="coups",
        what="Every coup that was opened. One row a coup.",
        sql="""
SELECT coup, table_code, gaming_day, shoe, number, opened_at, closed_at, first_card_at,
       resulted_at, settled_at, jsonb_array_length(cards) AS cards, player_total, banker_total,
       outcome, "natural" AS is_natural, phase, dealer, supervisor,
       jsonb_array_length(exceptions) AS exceptions, first_position AS position,
       rules
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
            "phase": "betting, dealing, resulted, settled, voided, or unused: no bet and no card.",
            "dealer": "The staff number of the person who dealt.",
            "supervisor": "The staff number of the person who supervised.",
            "exceptions": "How many things went wrong; they are in analysis.exceptions.",
            "position": "The position of its first event in the ledger.",
            "rules": "The rule set that it was dealt under.",
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
        coup.BettingClosed.TOPIC: _betting_closed,
        coup.CardDealt.TOPIC: _card_dealt,
        coup.HandTurned.TOPIC: _hand_turned,
        coup.Resulted.TOPIC: _resulted,
        coup.Settled.TOPIC: _settled,
        **dict.fromkeys(AT_A_COUP, _noted),
        coup.Voided.TOPIC: _voided,
        coup.LeftUnused.TOPIC: _left_unused,
        coup.CardCorrected.TOPIC: _card_corrected,
    },
    loads=_loads,
)

REPORT = Report(
    name="coup",
    title="Coups",
    about="each coup with its cards, outcome and dealer",
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
 WHERE {narrowed(shoe="shoe", at=["opened_at"])}
 ORDER BY first_position
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe", "span"),
    shown=("coup", "cards", "player_total", "banker_total", "outcome", "dealer", "settled_at"),
    words={
        "first_card_at": ("first card at", "when the first card was dealt"),
        "resulted_at": ("resulted at", "when the outcome was known"),
        "settled_at": ("settled at", "when every wager was paid or taken"),
        "cards": ("cards", "the cards in the order dealt"),
        "outcome": ("outcome", "Player, Banker or Tie"),
        "natural": ("natural", "whether a hand had 8 or 9 on two cards"),
        "phase": (
            "phase",
            "betting, dealing, resulted, settled, voided or unused (no bet, no card)",
        ),
    },
)
