"""Adjustments: corrections of money over the house's threshold, for the end of the month.

They are acts of two people (as in `voids`), closers that were off, drops that were counted again,
and drop boxes that differ from the table's record (N.J.A.C. 13:69D-1.34). The threshold is the
setting `adjustment_report` as it was at the time. A count that is compared again, because it or the
money was put right, has its last difference.
"""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from domain.events import property as property_events
from domain.events import table_counts
from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Event, Projection, Report, View, narrowed
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a correction that is no act of two people. Sums are numeric; minor units.
CREATE TABLE adjustments (
    position     bigint  NOT NULL PRIMARY KEY,
    kind         text    NOT NULL,  -- closer off, drop counted again, box difference
    original     text    NOT NULL,  -- the table day
    table_code   text    NOT NULL,
    gaming_day   date    NOT NULL,
    before       numeric NOT NULL,
    after        numeric NOT NULL,
    reason       text,              -- NULL: none was given
    requested_by text    NOT NULL,
    approved_by  text,              -- NULL: nobody
    session      int                -- of a closer; NULL: of the whole day
);
CREATE INDEX adjustments_by_day ON adjustments (table_code, gaming_day);

-- Above which amount an adjustment is listed, from a position on.
CREATE TABLE adjustment_thresholds (
    position bigint NOT NULL PRIMARY KEY,
    amount   bigint NOT NULL
);
"""


class Adjustment(Row):
    """A correction of money."""

    position: int
    kind: str
    original: str
    table_code: str
    gaming_day: date
    before: int
    after: int
    reason: str | None
    requested_by: str
    approved_by: str | None
    session: int | None


class Threshold(Row):
    """The amount above which an adjustment is listed, from a position on."""

    position: int
    amount: int


ADJUSTMENTS = Table("adjustments", Adjustment, "position")
OF_A_DAY = ADJUSTMENTS.page("table_code", "gaming_day")
THRESHOLDS = Table("adjustment_thresholds", Threshold, "position")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield OF_A_DAY, (event.table, event.gaming_day)


def _adjusted(kind: str, before: str, after: str) -> Callable[[Event, Rows], None]:
    """Returns a change that adds a correction whose two amounts are these fields, if they differ.

    A closer without an expected value, or the first count of a drop, is none. One of two people
    with a reason is in `voids`.
    """

    def change(event: Event, rows: Rows) -> None:
        fields = event.fields
        if fields[before] in (None, fields[after]) or fields.get("reason"):
            return
        _add(event, kind, fields[before], fields[after], rows)

    return change


def _compared(kind: str, before: str, after: str) -> Callable[[Event, Rows], None]:
    """Returns a change for a count that is compared, perhaps again: the last comparison holds."""

    def change(event: Event, rows: Rows) -> None:
        fields = event.fields
        same = [
            each
            for each in rows.find(OF_A_DAY, event.table, event.gaming_day)
            if (each.kind, each.session) == (kind, fields.get("session"))
        ]
        for each in same:
            rows.drop(ADJUSTMENTS, each)
        if fields[before] in (None, fields[after]):
            return
        _add(event, kind, fields[before], fields[after], rows, *same)

    return change


def _add(
    event: Event, kind: str, before: int, after: int, rows: Rows, *earlier: Adjustment
) -> None:
    """Adds a row; compared again, a count keeps its position and the people who counted."""
    fields = event.fields
    row = Adjustment(
        position=event.position,
        kind=kind,
        original=f"{event.table}/{event.gaming_day.isoformat()}",
        table_code=event.table,
        gaming_day=event.gaming_day,
        before=before,
        after=after,
        reason=None,
        requested_by=fields.get("counted_by", event.actor),
        approved_by=fields.get("signed_by") or event.metadata.get("with"),
        session=fields.get("session"),
    )
    for each in earlier:
        row.position, row.requested_by = each.position, each.requested_by
        row.approved_by = each.approved_by
    rows.put(ADJUSTMENTS, row)


def _set(event: Event, rows: Rows) -> None:
    if event.fields["name"] == "adjustment_report":
        amount = int(event.fields["value"])
        rows.put(THRESHOLDS, Threshold(position=event.position, amount=amount))


_CLOSER = _compared("closer off", "expected", "closer_total")
_EVERY = """
SELECT position, kind, original, table_code, gaming_day, before, after, reason, requested_by,
       approved_by
  FROM adjustments
 UNION ALL
SELECT voids.position, voids.kind, voids.original, voids.table_code, voids.gaming_day,
       CASE voids.kind WHEN 'coup voided' THEN returned.before
                       WHEN 'slip voided' THEN slips.total ELSE voids.before END,
       CASE voids.kind WHEN 'coup voided' THEN returned.after ELSE voids.after END,
       voids.reason, voids.requested_by, voids.approved_by
  FROM voids
  LEFT JOIN slips ON slips.slip = voids.original
 CROSS JOIN LATERAL (SELECT sum(paid_before) AS before, coalesce(sum(paid), 0) AS after
                       FROM wagers WHERE wagers.coup = voids.original) AS returned
"""

_VIEWS = (
    View(
        name="adjustments",
        what="Closers that were off, drops counted again, boxes that differ. One row each.",
        sql="""
SELECT position, kind, original, table_code, gaming_day, before::bigint AS before,
       after::bigint AS after, reason, requested_by, approved_by
  FROM projections.adjustments
""",
        columns={
            "position": "Its position in the ledger.",
            "kind": "closer off, drop counted again or box difference.",
            "original": "The table day.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "before": "The amount expected, or recorded before, in minor units.",
            "after": "The amount counted, in minor units.",
            "reason": "Why; null if no reason was given.",
            "requested_by": "The staff number of the person who counted.",
            "approved_by": "The staff number of the person who signed; null for nobody.",
        },
    ),
)

PROJECTION = Projection(
    name="adjustments",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        table_counts.TableClosed.TOPIC: _CLOSER,
        table_counts.CloserRecounted.TOPIC: _CLOSER,
        table_counts.VarianceChanged.TOPIC: _CLOSER,
        table_counts.DropCounted.TOPIC: _adjusted("drop counted again", "before", "amount"),
        table_counts.BoxesCounted.TOPIC: _compared("box difference", "table_figure", "total"),
        property_events.SettingChanged.TOPIC: _set,
    },
    loads=_loads,
)

# Acts of two people, with the payments of a voided coup and the total of its slip, are in other
# projections.
REPORT = Report(
    name="adjustments",
    title="Adjustments",
    about="corrections of money over a threshold, by month",
    read_by=OF_MONEY,
    projections=("adjustments", "voids", "wagers", "slips"),
    columns=(
        *("day", "table", "kind", "original", "before", "after", "difference", "threshold"),
        *("reason", "requested_by", "approved_by", "position"),
    ),
    sql=f"""
WITH every AS ({_EVERY})
SELECT gaming_day AS day, table_code AS "table", kind, original, before, after,
       after - before AS difference, threshold, reason, requested_by, approved_by, position
  FROM every
 CROSS JOIN LATERAL (SELECT coalesce((
           SELECT amount FROM adjustment_thresholds AS thresholds
            WHERE thresholds.position <= every.position
            ORDER BY thresholds.position DESC LIMIT 1), {property_events.ADJUSTMENT_REPORT})
       AS threshold) AS listed
 WHERE abs(after - before) > threshold
   AND {narrowed(staff="ARRAY[requested_by, approved_by]")}
 ORDER BY position
""",  # noqa: S608
    money=("before", "after", "difference", "threshold"),
    narrowings=("table", "day", "staff"),
    shown=("day", "kind", "original", "before", "after", "difference", "reason"),
    no_total=no_total.MIXED,
    newest_first=False,
    signatures=("Prepared by", "Reviewed by"),
    words={
        "difference": ("difference", "the amount after less the amount before"),
        "threshold": ("threshold", "the amount above which it is listed"),
        "requested_by": ("requested by", "who requested it, or counted"),
    },
)
