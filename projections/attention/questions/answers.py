"""The rows of what chance does not explain, whatever was asked."""

import math
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from domain.events import protection
from domain.rules.protection_levels import LEAST, OF_CARDS, SELDOM
from projections.attention.questions.question import Question
from projections.model import Event
from projections.rows import Page, Row, Rows, Table, Value

SQL = """
-- One row a question answered with more than chance explains, about a shoe, patron or dealer.
CREATE TABLE protection (
    question   text   NOT NULL,
    subject    text   NOT NULL,  -- the shoe; the people, the day, for two of them the table
    position   bigint NOT NULL,  -- of the event by which it was seen
    at         timestamptz NOT NULL,
    table_code text   NOT NULL,
    gaming_day date   NOT NULL,
    shoe       text,             -- NULL: it is about a tray
    coup       text,             -- NULL: before the first
    patron     text,             -- NULL: it is about the shoe or the dealer
    partner    text,             -- NULL: it is about one patron, or none
    dealer     text,             -- NULL: it is about the shoe or the patron
    one_in     bigint NOT NULL,  -- the level of the house when it was seen
    power      int    NOT NULL,  -- by chance alone in at most one of 10 ^ power
    detail     jsonb  NOT NULL,
    PRIMARY KEY (question, subject)
);
CREATE INDEX protection_by_day ON protection (gaming_day, table_code);

-- The level of each question that the house set: by chance alone in at most one of so many.
CREATE TABLE protection_levels (
    question   text   NOT NULL PRIMARY KEY,
    one_in     bigint NOT NULL
);
"""


class Finding(Row):
    """More than chance explains, about a shoe, a patron or a dealer."""

    question: str
    subject: str
    position: int
    at: datetime
    table_code: str
    gaming_day: date
    shoe: str | None
    coup: str | None
    patron: str | None
    partner: str | None
    dealer: str | None
    one_in: int
    power: int
    detail: dict[str, Any]


class Level(Row):
    """From how seldom on a question makes a row."""

    question: str
    one_in: int


FINDINGS = Table("protection", Finding, "question", "subject")
OF_A_DAY = FINDINGS.page("question", "gaming_day")
LEVELS = Table("protection_levels", Level, "question")


def loads(question: str, subject: str) -> Iterator[tuple[Page[Any], Value]]:
    """The rows that an answer to a question needs."""
    yield FINDINGS.by_key, (question, subject)
    yield LEVELS.by_key, (question,)


def of_a_day(question: str, day: date) -> Iterator[tuple[Page[Any], Value]]:
    """The rows that an answer needs about anybody on a gaming day: there are few."""
    yield OF_A_DAY, (question, day)
    yield LEVELS.by_key, (question,)


def _loads_level(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield LEVELS.by_key, (event.fields["question"],)


def _set(event: Event, rows: Rows) -> None:
    """The house set a level; rows that are there keep the level of their time."""
    question, one_in = event.fields["question"], event.fields["level"]
    if level := rows.change(LEVELS, question):
        level.one_in = one_in
    else:
        rows.put(LEVELS, Level(question=question, one_in=one_in))


QUESTION = Question(sql=SQL, changes={protection.LevelChanged.TOPIC: _set}, loads=_loads_level)


class About(Struct, frozen=True, kw_only=True):
    """What a row is about: a shoe, a patron, two of them at a table, or a dealer."""

    shoe: str | None = None
    coup: str | None = None
    patron: str | None = None
    partner: str | None = None
    dealer: str | None = None

    def on_the_day_of(self, event: Event) -> str:
        """The subject of its row: a shoe has one, people have one a gaming day."""
        at = (event.table,) if self.partner else ()
        people = [each for each in (self.patron, self.partner, self.dealer) if each]
        return " ".join((*people, *at, str(event.gaming_day))) if people else str(self.shoe)


def answer(
    event: Event, rows: Rows, question: str, odds: float, detail: Mapping[str, Any], about: About
) -> None:
    """Notes what chance does not explain; takes it back if it does now, by what was put right."""
    subject = about.on_the_day_of(event)
    known = _known(event, rows, question, subject)
    one_in = _one_in(known, rows.get(LEVELS, question))
    if odds < one_in:
        if known:
            rows.drop(FINDINGS, known)
        return
    full = {"question": question, "power": int(math.log10(odds)), **detail}
    if known:
        known.power, known.detail = full["power"], full
        return
    finding = Finding(
        question=question,
        subject=subject,
        position=event.position,
        at=event.at,
        table_code=event.table,
        gaming_day=event.gaming_day,
        one_in=one_in,
        power=full["power"],
        detail=full,
        **asdict(about),
    )
    rows.put(FINDINGS, finding)


def matters(rows: Rows, question: str, day: date) -> Callable[[float, str], bool]:
    """Whether an answer may change a row about a patron. No house has a level below `LEAST`."""
    named = [each.patron for each in rows.find(OF_A_DAY, question, day)]
    return lambda odds, patron: odds >= LEAST or patron in named


def is_known(rows: Rows, question: str, shoe: str) -> bool:
    """Whether a question has a row about a shoe."""
    return rows.get(FINDINGS, question, shoe) is not None


def _known(event: Event, rows: Rows, question: str, subject: str) -> Finding | None:
    """The row about a shoe; about people it is among those of the day."""
    if question in OF_CARDS:
        return rows.change(FINDINGS, question, subject)
    for each in rows.find(OF_A_DAY, question, event.gaming_day):
        if each.subject == subject:
            return rows.mark(FINDINGS, each)
    return None


def _one_in(known: Finding | None, level: Level | None) -> int:
    """The level that holds: that of the row if there is one, else that of the house now."""
    if known:
        return known.one_in
    return level.one_in if level else SELDOM
