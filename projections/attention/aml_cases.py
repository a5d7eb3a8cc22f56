"""Cases of money laundering: by when a report is due, what two people decided, what was filed.

Only surveillance and auditors read it; analysts have no view of it. What people wrote is not in it.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import aml_case
from domain.rules.permissions import OF_AML, Reading
from domain.rules.wording import N_
from projections.model import Event, Projection, Report, narrowed
from projections.people.patrons import ASKED_AMONG, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a case.
CREATE TABLE aml_cases (
    aml_case    text        NOT NULL PRIMARY KEY,
    position    bigint      NOT NULL,  -- of the opening
    gaming_day  date        NOT NULL,  -- on which it was opened
    opened_at   timestamptz NOT NULL,
    opened_by   text        NOT NULL,
    patron      text        NOT NULL,
    with_others jsonb       NOT NULL,  -- whom it is about beside, as they were named
    paper       text        NOT NULL,  -- '': no regime says what is due
    detected    date        NOT NULL,
    due_at      timestamptz,           -- NULL: no term is known
    notes       int         NOT NULL DEFAULT 0,
    positions   jsonb       NOT NULL,  -- of events that are evidence
    decision    text,                  -- NULL: nobody decided
    decided_by  text,
    approved_by text,
    filings     int         NOT NULL DEFAULT 0,
    filed_on    date,                  -- of the first report
    late        boolean,               -- it
    reference   text,                  -- of the newest report
    earlier     jsonb       NOT NULL DEFAULT '[]',  -- the references of those before it
    closed_at   timestamptz,
    closed_by   text
);
"""
SOON = 3  # days before the end of a term, from which on the desk is reminded


class AmlCase(Row):
    """A case of money laundering."""

    aml_case: str
    position: int
    gaming_day: date
    opened_at: datetime
    opened_by: str
    patron: str
    with_others: list[str]
    paper: str
    detected: date
    due_at: datetime | None
    notes: int = 0
    positions: list[int]
    decision: str | None = None
    decided_by: str | None = None
    approved_by: str | None = None
    filings: int = 0
    filed_on: date | None = None
    late: bool | None = None
    reference: str | None = None
    earlier: list[str]
    closed_at: datetime | None = None
    closed_by: str | None = None


CASES = Table("aml_cases", AmlCase, "aml_case")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield CASES.by_key, (event.fields["aml_case"],)


def _opened(event: Event, rows: Rows) -> None:
    fields = event.fields
    opened = AmlCase(
        aml_case=fields["aml_case"],
        position=event.position,
        gaming_day=event.gaming_day,
        opened_at=event.at,
        opened_by=fields["opened_by"],
        patron=fields["patron"],
        with_others=[],
        paper=fields["paper"],
        detected=date.fromisoformat(fields["detected"]),
        due_at=datetime.fromisoformat(fields["due_at"]) if fields["due_at"] else None,
        positions=fields["positions"],
        earlier=[],
    )
    rows.put(CASES, opened)


def _noted(event: Event, rows: Rows) -> None:
    if known := rows.change(CASES, event.fields["aml_case"]):
        known.notes += 1
        known.positions = sorted({*known.positions, *event.fields["positions"]})


def _named(event: Event, rows: Rows) -> None:
    fields = event.fields
    if known := rows.change(CASES, fields["aml_case"]):
        known.with_others = [*known.with_others, fields["patron"]]


def _withdrawn(event: Event, rows: Rows) -> None:
    fields = event.fields
    if known := rows.change(CASES, fields["aml_case"]):
        known.with_others = [each for each in known.with_others if each != fields["patron"]]


def _decided(event: Event, rows: Rows) -> None:
    fields = event.fields
    if known := rows.change(CASES, fields["aml_case"]):
        known.decision, known.decided_by = fields["decision"], fields["decided_by"]
        known.approved_by = fields["approved_by"]


def _filed(event: Event, rows: Rows) -> None:
    fields = event.fields
    if known := rows.change(CASES, fields["aml_case"]):
        if known.reference is not None:
            known.earlier = [*known.earlier, known.reference]
        known.filings, known.reference = fields["number"], fields["reference"]
        if known.filed_on is None:
            known.filed_on, known.late = date.fromisoformat(fields["filed_on"]), fields["late"]


def _taken_back(event: Event, rows: Rows) -> None:
    """Leaves the report before the one that was taken back as the newest, if there is one."""
    if known := rows.change(CASES, event.fields["aml_case"]):
        known.filings = len(known.earlier)
        if known.earlier:
            *known.earlier, known.reference = known.earlier
        else:
            known.reference = known.filed_on = known.late = None


def _closed(event: Event, rows: Rows) -> None:
    if known := rows.change(CASES, event.fields["aml_case"]):
        known.closed_at, known.closed_by = event.at, event.fields["closed_by"]


PROJECTION = Projection(
    name="aml_cases",
    schema=_TABLES,
    changes={
        aml_case.Opened.TOPIC: _opened,
        aml_case.AmlNoteAdded.TOPIC: _noted,
        aml_case.AmlSubjectNamed.TOPIC: _named,
        aml_case.AmlSubjectWithdrawn.TOPIC: _withdrawn,
        aml_case.AmlDecided.TOPIC: _decided,
        aml_case.AmlFiled.TOPIC: _filed,
        aml_case.AmlFiledTakenBack.TOPIC: _taken_back,
        aml_case.AmlCaseClosed.TOPIC: _closed,
    },
    loads=_loads,
)

# Cases of which a report is due soon, or was; with what is to be done next. One that is closed, and
# whose report was taken back, is due again.
DUE_NOW = f"""
SELECT aml_case, due_at, decision IS NOT NULL AS decided, due_at <= %(now)s::timestamptz AS over
  FROM aml_cases
 WHERE (closed_at IS NULL OR decision = 'report')
   AND filings = 0 AND decision IS DISTINCT FROM 'no-report'
   AND due_at <= %(now)s::timestamptz + interval '{SOON} days'
 ORDER BY due_at, aml_case
"""  # noqa: S608

_OTHERS = """
(SELECT string_agg(coalesce(one.patron, other), ', ' ORDER BY n)
   FROM jsonb_array_elements_text(with_others) WITH ORDINALITY AS named (other, n)
        LEFT JOIN patron_identities AS one ON one.alias = other)
"""

REPORT = Report(
    name="aml-cases",
    title="Cases of money laundering",
    about="who may launder money, by when a report is due, and what was decided",
    read_by=Reading(OF_AML),
    projections=("aml_cases", "patrons"),
    columns=(
        *(
            "aml_case",
            "patron",
            "with_others",
            "opened_at",
            "opened_by",
            "detected",
            "paper",
            "due_at",
        ),
        *("notes", "evidence", "decision", "decided_by", "approved_by", "filed_on", "late"),
        *("filings", "reference", "closed_at", "closed_by", "positions"),
    ),
    sql=f"""
SELECT aml_case, {IDENTITY.format("aml_cases")} AS patron,
       {_OTHERS} AS with_others, opened_at, opened_by, detected,
       nullif(paper, '') AS paper, due_at, notes, jsonb_array_length(positions) AS evidence,
       decision, decided_by, approved_by, filed_on, CASE WHEN late THEN 'late' END AS late,
       filings, reference, closed_at, closed_by, positions
  FROM aml_cases {KNOWN.format("aml_cases")}
 WHERE {narrowed(table=None, at=["opened_at", "closed_at"])}
   AND {ASKED_AMONG.format("jsonb_build_array(aml_cases.patron) || with_others")}
 ORDER BY position
""",  # noqa: S608
    money=(),
    narrowings=("day", "patron", "span"),
    terms=("due_at",),
    shown=(
        *("aml_case", "patron", "detected", "due_at", "decision"),
        *("filed_on", "reference", "late", "closed_at"),
    ),
    dropped_first=("closed_at", "late", "detected"),
    codes={
        "decision": {"report": N_("it is reported"), "no-report": N_("it is not reported")},
        "late": {"late": N_("late")},
    },
    words={
        "aml_case": ("case", "its number"),
        "with_others": ("with", "who acts together with the patron"),
        "opened_by": ("opened by", "who opened it"),
        "detected": ("noticed on", "the day on which it was noticed"),
        "paper": ("paper", "what a report is called, as the regime does"),
        "due_at": ("due at", "by when a report is due; empty where the regime knows no term"),
        "notes": ("notes", "how many notes it has"),
        "evidence": ("evidence", "how many events are evidence"),
        "decision": ("decision", "whether it is reported; empty until two people decided"),
        "decided_by": ("decided by", "who decided it"),
        "filed_on": ("filed on", "the day on which the first report was filed"),
        "late": ("late", "whether the first report was due before"),
        "filings": ("reports", "how many reports were filed: the first, and those that amend it"),
        "reference": ("reference", "the regulator's number of the newest report"),
        "closed_at": ("closed at", "when it was closed"),
        "closed_by": ("closed by", "who closed it"),
        "positions": ("events", "the events that are evidence"),
    },
)
