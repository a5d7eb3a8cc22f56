"""Vigorish: the forms for uncollected commission, and what they adjust (N.J.A.C. 13:69D-1.30).

Accounting agrees both series with each other and with the commission accounts, and adjusts table
revenue by the difference between what was recovered and what was not collected.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from domain.events import form_book, table_counts
from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Event, Projection, Report, View, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a form. Amounts are minor units.
CREATE TABLE vigorish_forms (
    form           text    NOT NULL PRIMARY KEY,  -- its number, without a gap in its year
    kind           text    NOT NULL,              -- uncollected, or recovery
    year           int     NOT NULL,
    number         int     NOT NULL,              -- in its series and year
    table_code     text    NOT NULL,              -- where it was written off, or paid
    gaming_day     date    NOT NULL,
    patron         text    NOT NULL,              -- under the name that they had at the table
    stay           text    NOT NULL,              -- that owed it
    amount         bigint  NOT NULL,
    recovered      bigint  NOT NULL DEFAULT 0,    -- paid later
    adjusted       bigint  NOT NULL DEFAULT 0,    -- taken off by corrected coups
    recovers       text,                          -- the forms that a recovery is for
    prepared_by    text    NOT NULL,
    approved_by    text    NOT NULL,
    issued_at      timestamptz NOT NULL,
    in_drop_box    boolean NOT NULL DEFAULT false, -- whether that table day's drop was counted
    first_position bigint  NOT NULL
);
CREATE INDEX vigorish_forms_by_table_day ON vigorish_forms (table_code, gaming_day);
"""


class Form(Row):
    """An Uncollected Vigorish or a Vigorish Recovery form."""

    form: str
    kind: str
    year: int
    number: int
    table_code: str
    gaming_day: date
    patron: str
    stay: str
    amount: int
    recovered: int = 0
    adjusted: int = 0
    recovers: str | None = None
    prepared_by: str
    approved_by: str
    issued_at: datetime
    in_drop_box: bool = False
    first_position: int


FORMS = Table("vigorish_forms", Form, "form")
OF_A_TABLE_DAY = FORMS.page("table_code", "gaming_day")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic == table_counts.DropCounted.TOPIC:
        yield OF_A_TABLE_DAY, (event.table, event.gaming_day)
    else:
        yield FORMS.by_key, (event.fields["form"],)


def _issued(kind: str) -> Callable[[Event, Rows], None]:
    """Returns a change that adds a form of this kind."""

    def change(event: Event, rows: Rows) -> None:
        fields = event.fields
        table, _, day = fields["table_day"].partition("/")  # the stream is the house's
        _series, year, number = fields["form"].split("-")
        form = Form(
            form=fields["form"],
            kind=kind,
            year=int(year),
            number=int(number),
            table_code=table,
            gaming_day=date.fromisoformat(day),
            patron=fields["patron"],
            stay=fields["stay"],
            amount=fields["amount"],
            recovers=" ".join(fields["by_form"]) if "by_form" in fields else None,
            prepared_by=fields["prepared_by"],
            approved_by=fields["approved_by"],
            issued_at=event.at,
            first_position=event.position,
        )
        rows.put(FORMS, form)

    return change


def _recovered(event: Event, rows: Rows) -> None:
    if form := rows.change(FORMS, event.fields["form"]):
        form.recovered += event.fields["amount"]


def _adjusted(event: Event, rows: Rows) -> None:
    if form := rows.change(FORMS, event.fields["form"]):
        form.adjusted += event.fields["amount"]


def _counted(event: Event, rows: Rows) -> None:
    """Marks the forms whose originals were in the box that was counted."""
    for form in rows.find(OF_A_TABLE_DAY, event.table, event.gaming_day):
        rows.mark(FORMS, form).in_drop_box = True


_VIEWS = (
    View(
        name="vigorish_forms",
        what="Forms for uncollected commission and for its later payment. One row a form.",
        sql="""
SELECT forms.form, forms.kind, forms.gaming_day, forms.table_code,
       coalesce(known.patron, forms.patron) AS patron, forms.stay, forms.amount,
       CASE forms.kind WHEN 'uncollected' THEN forms.recovered END AS recovered,
       CASE forms.kind WHEN 'uncollected' THEN forms.adjusted END AS adjusted,
       forms.recovers, forms.prepared_by, forms.approved_by, forms.issued_at, forms.in_drop_box,
       forms.first_position AS position
  FROM projections.vigorish_forms AS forms
  LEFT JOIN projections.patron_identities AS known ON known.alias = forms.patron
""",
        columns={
            "form": "Its number, without a gap in its series and year.",
            "kind": "uncollected, or recovery.",
            "gaming_day": "The gaming day on which it was written off, or paid.",
            "table_code": "The table at which it was written off, or paid.",
            "patron": "Whose commission it is, under the name known today.",
            "stay": "The patron's time at one table that owed it.",
            "amount": "What was not collected, or is paid, in minor units.",
            "recovered": "What was paid of it later, in minor units; null for a recovery.",
            "adjusted": "What corrected coups took off, in minor units; null for a recovery.",
            "recovers": "The numbers of the forms that a recovery is for.",
            "prepared_by": "The staff number of the person who prepared it.",
            "approved_by": "The staff number of the second person; empty for none.",
            "issued_at": "When it was issued.",
            "in_drop_box": "Whether the drop of its table and day has been counted.",
            "position": "The position of its first event in the ledger.",
        },
    ),
)

PROJECTION = Projection(
    name="vigorish",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        form_book.UncollectedFormIssued.TOPIC: _issued("uncollected"),
        form_book.RecoveryFormIssued.TOPIC: _issued("recovery"),
        form_book.FormRecovered.TOPIC: _recovered,
        form_book.FormAdjusted.TOPIC: _adjusted,
        table_counts.DropCounted.TOPIC: _counted,
    },
    loads=_loads,
)

REPORT = Report(
    name="vigorish",
    title="Uncollected vigorish",
    about="forms for uncollected commission, and for its recovery",
    read_by=OF_MONEY,
    projections=("vigorish", "patrons"),
    columns=(
        *("form", "kind", "day", "table", "patron", "stay", "amount", "recovered", "adjusted"),
        *("open", "recovers", "prepared_by", "approved_by", "at", "in_drop_box"),
    ),
    sql=f"""
SELECT form, kind, gaming_day AS day, table_code AS "table", {IDENTITY.format("forms")} AS patron,
       stay, amount, CASE kind WHEN 'uncollected' THEN recovered END AS recovered,
       CASE kind WHEN 'uncollected' THEN adjusted END AS adjusted,
       CASE kind WHEN 'uncollected' THEN amount - recovered - adjusted END AS open,
       recovers, prepared_by, approved_by, issued_at AS at, in_drop_box
  FROM vigorish_forms AS forms {KNOWN.format("forms")}
 WHERE {narrowed(at=["issued_at"])}
   AND {ASKED.format(IDENTITY.format("forms"))}
 ORDER BY first_position
""",  # noqa: S608
    money=("amount", "recovered", "adjusted", "open"),
    narrowings=("table", "day", "patron", "span"),
    shown=("form", "table", "patron", "amount", "recovered", "open", "recovers", "in_drop_box"),
    may_lack=("recovered", "adjusted", "open"),
    no_total=no_total.MIXED,
    summands=("adjusted",),
    words={
        "form": ("form", "the number of the form"),
        "amount": ("amount", "commission not collected, or paid later"),
        "recovers": ("recovers", "the forms that a payment is for"),
        "prepared_by": ("prepared by", "who prepared the form"),
        "in_drop_box": ("in drop box", "whether the drop with its original has been counted"),
    },
)

# A day is that of the table day: of the write-off, or of the later payment. The accounts' side is
# in another projection, so that a form that is missing, or too much, is a difference.
ADJUSTMENT = Report(
    name="vigorish-adjustment",
    title="Vigorish adjustment",
    about="what uncollected and recovered commission adjusts, by day",
    read_by=OF_MONEY,
    projections=("vigorish", "commission_owed"),
    columns=(
        *("day", "uncollected", "adjusted", "recovered", "adjustment", "open", "walked"),
        *("difference", "gapless"),
    ),
    sql=f"""
WITH forms AS (
    SELECT gaming_day AS day,
           coalesce(sum(amount) FILTER (WHERE kind = 'uncollected'), 0) AS uncollected,
           sum(adjusted) AS adjusted,
           coalesce(sum(amount) FILTER (WHERE kind = 'recovery'), 0) AS recovered,
           coalesce(sum(amount - recovered - adjusted)
                    FILTER (WHERE kind = 'uncollected'), 0) AS open,
           bool_and(number = 1 OR EXISTS (
               SELECT FROM vigorish_forms AS earlier
                WHERE (earlier.kind, earlier.year, earlier.number)
                    = (each.kind, each.year, each.number - 1))) AS gapless
      FROM vigorish_forms AS each
     WHERE {narrowed()}
     GROUP BY gaming_day
), accounts AS (
    SELECT gaming_day AS day, sum(walked) AS walked
      FROM commission_owed
     WHERE {narrowed()}
     GROUP BY gaming_day
    HAVING sum(walked) <> 0
)
SELECT day, coalesce(uncollected, 0) AS uncollected, coalesce(adjusted, 0) AS adjusted,
       coalesce(recovered, 0) AS recovered,
       coalesce(recovered + adjusted - uncollected, 0) AS adjustment,
       coalesce(open, 0) AS open, coalesce(walked, 0) AS walked,
       coalesce(walked, 0) - coalesce(open, 0) AS difference, coalesce(gapless, true) AS gapless
  FROM forms FULL JOIN accounts USING (day)
 ORDER BY day
""",  # noqa: S608
    money=(
        *("uncollected", "adjusted", "recovered", "adjustment", "open", "walked", "difference"),
    ),
    narrowings=("table", "day"),
    shown=("day", "uncollected", "recovered", "adjustment", "open", "difference", "gapless"),
    summands=("adjusted", "walked"),
    words={
        "uncollected": ("uncollected", "commission on the forms of patrons who left owing"),
        "adjustment": (
            "adjustment",
            "what table revenue changes by: recovered and adjusted less uncollected",
        ),
        "gapless": ("gapless", "whether every form of the day has the number after the one before"),
    },
)
