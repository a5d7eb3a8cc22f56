"""Protection: what is on record that chance does not explain, as soon as it is (`domain.review`).

Nothing here accuses anybody: each row says how seldom chance alone does as much.
"""

import math
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from msgspec.structs import asdict

from domain.events import shoe as shoe_events
from domain.review.protection.cards_left import TOPICS, CardsLeft
from domain.review.protection.following import SELDOM, AgainstChance, Gambler, Lookout
from domain.review.protection.new_deck import new_deck
from domain.review.protection.repeated_slug import repeated_slug
from domain.rules.permissions import WATCH, Reading
from projections.model import Event, Projection, Report, narrowed
from projections.rows import Page, Row, Rows, Table, Value

EARLIER = 6  # shoes of the table beside which the cards of one are looked at
NEW_DECK, EARLIER_SHOE = "new deck", "earlier shoe"
_LOOKOUT = Lookout(most=256)

_TABLES = """
-- One row a question about a shoe that was answered with more than chance explains.
CREATE TABLE protection (
    shoe       text   NOT NULL,
    question   text   NOT NULL,
    position   bigint NOT NULL,  -- of the event by which it was seen
    at         timestamptz NOT NULL,
    table_code text   NOT NULL,
    gaming_day date   NOT NULL,
    coup       text,             -- NULL: before the first
    power      int    NOT NULL,  -- by chance alone in at most one of 10 ^ power shoes
    detail     jsonb  NOT NULL,
    PRIMARY KEY (shoe, question)
);
CREATE INDEX protection_by_day ON protection (gaming_day, table_code);

-- One row a shoe: its cards, and the shoes before it.
CREATE TABLE protected_shoes (
    shoe       text   NOT NULL PRIMARY KEY,
    decks      int    NOT NULL,
    earlier    jsonb  NOT NULL,
    coup       int    NOT NULL DEFAULT 0,
    cards      jsonb  NOT NULL DEFAULT '[]',
    rest       jsonb  NOT NULL DEFAULT '[]',
    put_right  int    NOT NULL DEFAULT 0  -- how often cards changed that had left before
);

-- The last few shoes of each table.
CREATE TABLE protected_tables (
    table_code text   NOT NULL PRIMARY KEY,
    shoes      jsonb  NOT NULL
);
"""


class Finding(Row):
    """More than chance explains, about a shoe."""

    shoe: str
    question: str
    position: int
    at: datetime
    table_code: str
    gaming_day: date
    coup: str | None
    power: int
    detail: dict[str, Any]


class ProtectedShoe(Row):
    """A shoe's cards as they left it, and the shoes before it at its table."""

    shoe: str
    decks: int
    earlier: list[str]
    coup: int = 0
    cards: list[str | None]
    rest: list[str]
    put_right: int = 0

    @property
    def version(self) -> tuple[str, int, int, int]:
        """Changes whenever one of its cards does."""
        return self.shoe, self.put_right, len(self.cards), len(self.rest)


class ProtectedTable(Row):
    """A table's last few shoes, the oldest first."""

    table_code: str
    shoes: list[str]


FINDINGS = Table("protection", Finding, "shoe", "question")
OF_A_SHOE = FINDINGS.page("shoe")
SHOES = Table("protected_shoes", ProtectedShoe, "shoe")
TABLES = Table("protected_tables", ProtectedTable, "table_code")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic == shoe_events.Loaded.TOPIC:
        yield TABLES.by_key, (event.table,)
    else:
        yield SHOES.by_key, (event.fields["shoe"],)
        yield OF_A_SHOE, (event.fields["shoe"],)


def _loaded(event: Event, rows: Rows) -> None:
    address, table = event.fields["shoe"], rows.change(TABLES, event.table)
    if table is None:
        table = ProtectedTable(table_code=event.table, shoes=[])
        rows.put(TABLES, table)
    decks, earlier = event.fields["decks"], table.shoes
    rows.put(SHOES, ProtectedShoe(shoe=address, decks=decks, earlier=earlier, cards=[], rest=[]))
    table.shoes = [*earlier, address][-EARLIER:]


def _coup_begun(event: Event, rows: Rows) -> None:
    if shoe := rows.change(SHOES, event.fields["shoe"]):
        shoe.coup = event.fields["coup"]


def _cards(event: Event, rows: Rows) -> None:
    """Another card left the shoe, or one was put right: is it still chance?"""
    shoe = rows.change(SHOES, event.fields["shoe"])
    if shoe is None:
        return
    cards, before = CardsLeft(shoe.cards, shoe.rest), len(shoe.cards)
    cards.add(event.topic, event.fields)
    shoe.cards, shoe.rest = cards.left, cards.rest
    shoe.put_right += len(cards.left) <= before
    for question, seen in _asked(shoe, rows):
        _answered(event, rows, shoe, question, seen)


def _asked(shoe: ProtectedShoe, rows: Rows) -> Iterator[tuple[str, AgainstChance]]:
    """Each question about the cards of a shoe, with what was seen so far."""
    name, decks = shoe.shoe, shoe.decks
    yield NEW_DECK, _LOOKOUT.look((name, decks), shoe.cards, lambda: new_deck(decks))
    known = [each for before in shoe.earlier if (each := rows.get(SHOES, before))]
    if known:
        asked = (name, decks, *(each.version for each in known))
        yield EARLIER_SHOE, _LOOKOUT.look(asked, shoe.cards, lambda: _beside(decks, known))


def _beside(decks: int, known: list[ProtectedShoe]) -> Gambler:
    return repeated_slug(decks, {each.shoe: [*each.cards, *each.rest] for each in known})


def _answered(
    event: Event, rows: Rows, shoe: ProtectedShoe, question: str, seen: AgainstChance
) -> None:
    """Notes what chance does not explain; takes it back if it was a card that was put right."""
    known = rows.change(FINDINGS, shoe.shoe, question)
    if seen.odds < SELDOM or seen.followed is None:
        if known:
            rows.drop(FINDINGS, known)
        return
    power = int(math.log10(seen.odds))
    detail = {"question": question, "power": power, **asdict(seen.followed)}
    if known:
        known.power, known.detail = power, detail
        return
    known = Finding(
        shoe=shoe.shoe,
        question=question,
        position=event.position,
        at=event.at,
        table_code=event.table,
        gaming_day=event.gaming_day,
        coup=f"{shoe.shoe}/{shoe.coup}" if shoe.coup else None,
        power=power,
        detail=detail,
    )
    rows.put(FINDINGS, known)


PROJECTION = Projection(
    name="protection",
    schema=_TABLES,
    changes={
        shoe_events.Loaded.TOPIC: _loaded,
        shoe_events.CoupBegun.TOPIC: _coup_begun,
        **dict.fromkeys(TOPICS, _cards),
    },
    loads=_loads,
)

# What was seen about the shoes of the gaming days that are played now, the newest first.
SEEN_NOW = """
SELECT at, table_code AS "table", coup, detail
  FROM protection
 WHERE gaming_day >= (SELECT least(%(today)s::date, min(gaming_day)) FROM tables_now
                       WHERE closed_at IS NULL)
 ORDER BY position DESC, question
"""

REPORT = Report(
    name="protection",
    title="Protection",
    about="what is on record that chance does not explain",
    read_by=Reading(WATCH),
    projections=("protection",),
    columns=("at", "table", "shoe", "coup", "question", "power", "detail"),
    sql=f"""
SELECT at, table_code AS "table", shoe, coup, question, power, detail
  FROM protection
 WHERE {narrowed(shoe="shoe")}
 ORDER BY position, question
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe"),
    shown=("at", "coup", "question", "detail"),
    has_total=False,
    days_independent=False,  # a shoe is looked at beside those of days before
    words={
        "question": ("question", "what was asked: new deck or earlier shoe"),
        "power": ("power", "by chance alone it comes in at most one of 10^power shoes"),
    },
)
