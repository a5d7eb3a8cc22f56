"""IDs that were asked for and not shown (R-CASH-2): who, for how much cash, and what they did.

Only surveillance and auditors read it: neither the patron nor anybody at a table may learn what
comes of it. Analysts have no view of it.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import cash_day
from domain.rules.permissions import OF_AML, Reading
from domain.rules.wording import N_
from projections import no_total
from projections.model import Event, Projection, Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
CREATE TABLE ids_not_shown (
    position   bigint      NOT NULL PRIMARY KEY,
    gaming_day date        NOT NULL,
    at         timestamptz NOT NULL,
    patron     text        NOT NULL,  -- the name that they had there
    table_code text        NOT NULL,  -- '': at none
    direction  text        NOT NULL,
    amount     bigint      NOT NULL,
    thresholds jsonb       NOT NULL,
    answer     text        NOT NULL,
    -- By two people who withdrew it; NULL: it holds.
    withdrawn_at timestamptz,
    requested_by text,
    approved_by  text,
    reason       text
);
CREATE INDEX ids_not_shown_by_day ON ids_not_shown (gaming_day);
"""
DAYS = 7  # for which the desk is reminded of one that no case has


class IdNotShown(Row):
    """Somebody who was asked for ID, and did not show it."""

    position: int
    gaming_day: date
    at: datetime
    patron: str
    table_code: str
    direction: str
    amount: int
    thresholds: list[str]
    answer: str
    withdrawn_at: datetime | None = None
    requested_by: str | None = None
    approved_by: str | None = None
    reason: str | None = None


NOT_SHOWN = Table("ids_not_shown", IdNotShown, "position")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield NOT_SHOWN.by_key, (event.fields.get("position", event.position),)


def _not_shown(event: Event, rows: Rows) -> None:
    fields = event.fields
    row = IdNotShown(
        position=event.position,
        gaming_day=event.gaming_day,
        at=event.at,
        patron=fields["name"],
        table_code=fields["table"],
        **{name: fields[name] for name in ("direction", "amount", "thresholds", "answer")},
    )
    rows.put(NOT_SHOWN, row)


def _withdrawn(event: Event, rows: Rows) -> None:
    fields = event.fields
    if row := rows.change(NOT_SHOWN, fields["position"]):
        row.withdrawn_at, row.reason = event.at, fields["reason"]
        row.requested_by, row.approved_by = fields["requested_by"], fields["approved_by"]


PROJECTION = Projection(
    name="ids_not_shown",
    schema=_TABLES,
    changes={
        cash_day.IdentityNotShown.TOPIC: _not_shown,
        cash_day.IdentityNotShownWithdrawn.TOPIC: _withdrawn,
    },
    loads=_loads,
)

_CASE = """(SELECT aml_case FROM aml_cases
             WHERE aml_cases.positions @> to_jsonb(ids_not_shown.position)
             ORDER BY aml_cases.position DESC LIMIT 1)"""

# Those of the last days that nobody withdrew, and that are no evidence of a case.
NOT_SHOWN_NOW = f"""
SELECT ids_not_shown.position, at, ids_not_shown.patron AS name,
       {IDENTITY.format("ids_not_shown")} AS patron, direction, amount, answer
  FROM ids_not_shown {KNOWN.format("ids_not_shown")}
 WHERE gaming_day > %(today)s::date - {DAYS} AND withdrawn_at IS NULL AND {_CASE} IS NULL
 ORDER BY ids_not_shown.position
"""  # noqa: S608

REPORT = Report(
    name="ids-not-shown",
    title="IDs that were not shown",
    about="who was asked for ID for cash and did not show it, and whether a case has that",
    read_by=Reading(OF_AML),
    projections=("ids_not_shown", "aml_cases", "patrons"),
    columns=(
        *("position", "day", "at", "table", "patron", "direction", "amount"),
        *("thresholds", "answer", "aml_case"),
        *("withdrawn_at", "requested_by", "approved_by", "reason"),
    ),
    sql=f"""
SELECT ids_not_shown.position, gaming_day AS day, at, nullif(table_code, '') AS "table",
       {IDENTITY.format("ids_not_shown")} AS patron, direction, amount,
       (SELECT string_agg(each, ', ' ORDER BY n)
          FROM jsonb_array_elements_text(thresholds) WITH ORDINALITY AS one (each, n))
       AS thresholds, answer, {_CASE} AS aml_case,
       withdrawn_at, requested_by, approved_by, reason
  FROM ids_not_shown {KNOWN.format("ids_not_shown")}
 WHERE {narrowed(at=["at"])}
   AND {ASKED.format(IDENTITY.format("ids_not_shown"))}
 ORDER BY ids_not_shown.position
""",  # noqa: S608
    money=("amount",),
    narrowings=("table", "day", "patron", "span"),
    shown=(
        *("position", "at", "table", "patron", "direction", "amount", "thresholds", "answer"),
        *("aml_case", "requested_by", "approved_by", "reason"),
    ),
    dropped_first=("requested_by", "approved_by", "thresholds"),
    no_total=no_total.AGAIN,
    codes={
        "answer": {
            "refused": N_("would not show it"),
            "without": N_("had none with them"),
            "left": N_("went away"),
        }
    },
    words={
        "at": ("at", "when it was asked for"),
        "amount": ("amount", "the cash for which it was asked"),
        "thresholds": ("thresholds", "of the regime, for which it was due; empty for none"),
        "answer": ("answer", "what they did who were asked for ID"),
        "aml_case": ("case", "the newest case that has it as evidence"),
        "withdrawn_at": ("withdrawn at", "when two people withdrew it; empty: it holds"),
    },
)
