"""Inquiries: what surveillance looks into, with the evidence, until two people close it.

Only surveillance and auditors read it; analysts have no view of it.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import inquiry
from domain.rules.permissions import WATCH, Reading
from projections.attention import protection
from projections.model import Event, Projection, Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.proofs import proof_in
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row an inquiry.
CREATE TABLE inquiries (
    inquiry         text        NOT NULL PRIMARY KEY,
    position        bigint      NOT NULL,  -- of the opening
    gaming_day      date        NOT NULL,  -- on which it was opened
    opened_at       timestamptz NOT NULL,
    opened_by       text        NOT NULL,
    about           text        NOT NULL,  -- coup, shoe, patron or dealer
    subject         text        NOT NULL,
    patron          text,                  -- NULL: it is not about one
    text            text        NOT NULL,
    row             jsonb       NOT NULL,  -- of the report protection, as it was; {}: by hand
    rows            jsonb       NOT NULL,  -- it, and those that are attached
    notes           int         NOT NULL DEFAULT 0,
    attached        int         NOT NULL DEFAULT 0,
    outcome         text,                  -- NULL: it is open
    reason          text,
    closed_at       timestamptz,
    closed_by       text,
    approved_by     text,
    approved_proved text                   -- how who approved was known
);
"""


class Inquiry(Row):
    """What surveillance looks into."""

    inquiry: str
    position: int
    gaming_day: date
    opened_at: datetime
    opened_by: str
    about: str
    subject: str
    patron: str | None
    text: str
    row: dict[str, Any]
    rows: list[dict[str, Any]]
    notes: int = 0
    attached: int = 0
    outcome: str | None = None
    reason: str | None = None
    closed_at: datetime | None = None
    closed_by: str | None = None
    approved_by: str | None = None
    approved_proved: str | None = None


INQUIRIES = Table("inquiries", Inquiry, "inquiry")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield INQUIRIES.by_key, (event.fields["inquiry"],)


def _opened(event: Event, rows: Rows) -> None:
    fields = event.fields
    begun = Inquiry(
        inquiry=fields["inquiry"],
        position=event.position,
        gaming_day=event.gaming_day,
        opened_at=event.at,
        opened_by=fields["opened_by"],
        about=fields["about"],
        subject=fields["subject"],
        patron=fields["subject"] if fields["about"] == "patron" else None,
        text=fields["text"],
        row=fields["row"],
        rows=[fields["row"]] if fields["row"] else [],
    )
    rows.put(INQUIRIES, begun)


def _noted(event: Event, rows: Rows) -> None:
    if known := rows.change(INQUIRIES, event.fields["inquiry"]):
        known.notes += 1


def _attached(event: Event, rows: Rows) -> None:
    if known := rows.change(INQUIRIES, event.fields["inquiry"]):
        known.attached += 1
        if row := event.fields["row"]:
            known.rows = [*known.rows, row]


def _closed(event: Event, rows: Rows) -> None:
    fields = event.fields
    if known := rows.change(INQUIRIES, fields["inquiry"]):
        known.outcome, known.reason = fields["outcome"], fields["reason"]
        known.closed_at, known.closed_by = event.at, fields["closed_by"]
        known.approved_by = fields["approved_by"]
        known.approved_proved = proof_in(event, fields["approved_by"])


def _reopened(event: Event, rows: Rows) -> None:
    """Goes on; who closed it, and why, is in its events."""
    if known := rows.change(INQUIRIES, event.fields["inquiry"]):
        known.outcome = known.reason = known.closed_at = None
        known.closed_by = known.approved_by = known.approved_proved = None


PROJECTION = Projection(
    name="inquiries",
    schema=_TABLES,
    changes={
        inquiry.Opened.TOPIC: _opened,
        inquiry.NoteAdded.TOPIC: _noted,
        inquiry.EvidenceAttached.TOPIC: _attached,
        inquiry.InquiryClosed.TOPIC: _closed,
        inquiry.InquiryReopened.TOPIC: _reopened,
    },
    loads=_loads,
)

REPORT = Report(
    name="inquiries",
    title="Inquiries",
    about="what surveillance looks into, and what came of it",
    read_by=Reading(WATCH),
    projections=("inquiries", "patrons"),
    columns=(
        *("inquiry", "opened_at", "about", "subject", "patron", "question", "power", "text"),
        *("opened_by", "notes", "attached", "conclusion", "reason", "closed_at", "closed_by"),
        *("approved_by", "approved_proved"),
    ),
    sql=f"""
SELECT inquiry, opened_at, about, subject, {IDENTITY.format("inquiries")} AS patron,
       row ->> 'question' AS question, (row ->> 'power')::int AS power, text,
       opened_by, notes, attached, outcome AS conclusion, reason, closed_at, closed_by, approved_by,
       approved_proved
  FROM inquiries {KNOWN.format("inquiries")}
 WHERE {narrowed(table=None, at=["opened_at", "closed_at"])}
   AND {ASKED.format(IDENTITY.format("inquiries"))}
 ORDER BY position
""",  # noqa: S608
    money=(),
    narrowings=("day", "patron", "span"),
    shown=("inquiry", "opened_at", "about", "subject", "question", "text", "conclusion"),
    words={
        "notes": ("notes", "how many notes it has"),
        "opened_by": ("opened by", "who opened it"),
        "closed_at": ("closed at", "when it was closed"),
        **{name: protection.REPORT.words[name] for name in ("question", "power")},
        "text": ("text", "why surveillance looks into it"),
        "inquiry": ("inquiry", "its number"),
        "about": ("about", "what it is about: a coup, a shoe, a patron or a dealer"),
        "subject": ("subject", "which coup, shoe, patron or dealer"),
        "attached": ("attached", "how many coups, shoes and rows are evidence"),
        "conclusion": ("conclusion", "what came of it; empty while it is open"),
        "closed_by": ("closed by", "who closed it"),
    },
)
