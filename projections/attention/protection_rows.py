"""The rows of what chance does not explain, whatever was asked."""

import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from domain.review.protection.following import SELDOM
from projections.model import Event
from projections.rows import Row, Rows, Table

SQL = """
-- One row a question that was answered with more than chance explains, about a shoe or a patron.
CREATE TABLE protection (
    question   text   NOT NULL,
    subject    text   NOT NULL,  -- the shoe; the patron and the day
    position   bigint NOT NULL,  -- of the event by which it was seen
    at         timestamptz NOT NULL,
    table_code text   NOT NULL,
    gaming_day date   NOT NULL,
    shoe       text   NOT NULL,
    coup       text,             -- NULL: before the first
    patron     text,             -- NULL: it is about the shoe
    power      int    NOT NULL,  -- by chance alone in at most one of 10 ^ power
    detail     jsonb  NOT NULL,
    PRIMARY KEY (question, subject)
);
CREATE INDEX protection_by_day ON protection (gaming_day, table_code);
"""


class Finding(Row):
    """More than chance explains, about a shoe or a patron."""

    question: str
    subject: str
    position: int
    at: datetime
    table_code: str
    gaming_day: date
    shoe: str
    coup: str | None
    patron: str | None
    power: int
    detail: dict[str, Any]


FINDINGS = Table("protection", Finding, "question", "subject")


def answer(
    event: Event,
    rows: Rows,
    question: str,
    odds: float,
    detail: Mapping[str, Any],
    *,
    shoe: str,
    coup: str | None,
    patron: str | None = None,
) -> None:
    """Notes what chance does not explain; takes it back if it does now, by what was put right."""
    subject = f"{patron} {event.gaming_day}" if patron else shoe
    known = rows.change(FINDINGS, question, subject)
    if odds < SELDOM:
        if known:
            rows.drop(FINDINGS, known)
        return
    power = int(math.log10(odds))
    full = {"question": question, "power": power, **detail}
    if known:
        known.power, known.detail = power, full
        return
    finding = Finding(
        question=question,
        subject=subject,
        position=event.position,
        at=event.at,
        table_code=event.table,
        gaming_day=event.gaming_day,
        shoe=shoe,
        coup=coup,
        patron=patron,
        power=power,
        detail=full,
    )
    rows.put(FINDINGS, finding)
