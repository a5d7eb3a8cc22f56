"""Drop boxes: each time that a box was on a table, until its cash was counted.

The table's figure of a box is the cash for which patrons bought chips while it was on the table, in
the order of the record, as last corrected. An entry made late counts for the box that is on the
table then.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from msgspec.structs import replace

from domain.events import drop_box, table_money
from domain.rules.permissions import OF_MONEY
from projections.model import Event, Projection, Report, View, narrowed
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row each time that a box was put on a table. Amounts are minor units.
CREATE TABLE boxes (
    first_position bigint  NOT NULL PRIMARY KEY,
    box            text    NOT NULL,
    table_code     text    NOT NULL,
    newest         text,                -- the box, if this is its last time on a table
    on_table       text,                -- the table, while the box is on it
    gaming_day     date    NOT NULL,
    shift          text,                -- NULL: still on the table
    emergency      boolean NOT NULL,    -- outside the schedule
    attached_at    timestamptz NOT NULL,
    removed_position bigint,
    removed_at     timestamptz,
    removed_by     text,                -- who removed it, and who signed
    carried_at     timestamptz,
    carried_by     text,
    counted_at     timestamptz,
    counted_by     text,                -- the three who counted
    amount         bigint               -- NULL: not counted yet
);
CREATE INDEX boxes_by_day ON boxes (gaming_day);
CREATE INDEX boxes_not_counted ON boxes (removed_at) WHERE counted_at IS NULL;
CREATE INDEX boxes_by_newest ON boxes (newest);
CREATE INDEX boxes_on_tables ON boxes (on_table);

-- The cash of each buy-in, and the row of the box that took it.
CREATE TABLE boxes_of_cash (
    position       bigint NOT NULL PRIMARY KEY,
    first_position bigint NOT NULL,
    amount         bigint NOT NULL
);
CREATE INDEX boxes_of_cash_by_row ON boxes_of_cash (first_position);
"""


class Box(Row):
    """A box's time on a table, and what became of its cash."""

    first_position: int
    box: str
    table_code: str
    newest: str | None = None
    on_table: str | None = None
    gaming_day: date
    shift: str | None = None
    emergency: bool
    attached_at: datetime
    removed_position: int | None = None
    removed_at: datetime | None = None
    removed_by: str | None = None
    carried_at: datetime | None = None
    carried_by: str | None = None
    counted_at: datetime | None = None
    counted_by: str | None = None
    amount: int | None = None


class OfCash(Row):
    """The cash of a buy-in, and where its box is."""

    position: int
    first_position: int
    amount: int


BOXES = Table("boxes", Box, "first_position")
NEWEST, ON_TABLE = BOXES.page("newest"), BOXES.page("on_table")
OF_CASH = Table("boxes_of_cash", OfCash, "position")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic == table_money.BoughtIn.TOPIC:
        yield ON_TABLE, (event.table,)
    elif event.topic == table_money.CashCorrected.TOPIC:
        yield OF_CASH.by_key, (event.fields["position"],)
    else:
        yield NEWEST, (event.fields["box"],)


def _attached(event: Event, rows: Rows) -> None:
    box = event.fields["box"]
    for before in rows.find(NEWEST, box):
        rows.drop(BOXES, before)
        rows.put(BOXES, replace(before, newest=None))
    row = Box(
        first_position=event.position,
        box=box,
        newest=box,
        on_table=event.table,
        table_code=event.table,
        gaming_day=event.gaming_day,
        emergency=event.fields["emergency"],
        attached_at=event.at,
    )
    rows.put(BOXES, row)


def _of(event: Event, rows: Rows) -> Iterator[Box]:
    """The last time of the event's box on a table; none if it was on none."""
    for row in rows.find(NEWEST, event.fields["box"]):
        yield rows.mark(BOXES, row)


def _people(event: Event, *fields: str) -> str:
    return ", ".join(filter(None, (event.fields[name] for name in fields)))


def _removed(event: Event, rows: Rows) -> None:
    for row in rows.find(NEWEST, event.fields["box"]):
        rows.drop(BOXES, row)
        removed = replace(row, on_table=None, shift=event.fields["shift"], removed_at=event.at)
        removed.removed_position = event.position
        removed.removed_by = _people(event, "removed_by", "signed_by")
        rows.put(BOXES, removed)


def _carried(event: Event, rows: Rows) -> None:
    for row in _of(event, rows):
        row.carried_at, row.carried_by = event.at, _people(event, "carried_by", "signed_by")


def _counted(event: Event, rows: Rows) -> None:
    for row in _of(event, rows):
        row.counted_at, row.amount = event.at, event.fields["amount"]
        row.counted_by = _people(event, "counted_by", "signed_by", "third")


def _bought_in(event: Event, rows: Rows) -> None:
    """Adds the cash to the box that is on the table; without one it is in no box."""
    for box in rows.find(ON_TABLE, event.table):
        cash = OfCash(
            position=event.position,
            first_position=box.first_position,
            amount=event.fields["amount"],
        )
        rows.put(OF_CASH, cash)


def _cash_corrected(event: Event, rows: Rows) -> None:
    """Puts right the cash of a buy-in; cash paid out was in no box."""
    if cash := rows.change(OF_CASH, event.fields["position"]):
        cash.amount += event.fields["amount"] - event.fields["amount_before"]


_VIEWS = (
    View(
        name="boxes",
        what="Drop boxes. One row each time that a box was put on a table.",
        sql="""
SELECT first_position AS position, box, table_code, gaming_day, shift, emergency, attached_at,
       removed_at, removed_by, carried_at, carried_by, counted_at, counted_by, amount,
       table_figure, amount - table_figure AS difference
  FROM projections.boxes
 CROSS JOIN LATERAL (
       SELECT coalesce(sum(cash.amount), 0)::bigint AS table_figure
         FROM projections.boxes_of_cash AS cash
        WHERE cash.first_position = boxes.first_position) AS bought
""",
        columns={
            "position": "The position of its first event in the ledger.",
            "box": "The number of the box.",
            "table_code": "The table.",
            "gaming_day": "The gaming day whose cash it has.",
            "shift": "The shift in which it was on the table; null while it is there.",
            "emergency": "Whether it was put on outside the schedule.",
            "attached_at": "When it was put on the table.",
            "removed_at": "When it was taken off.",
            "removed_by": "The numbers of the two people who took it off.",
            "carried_at": "When it came to the count room.",
            "carried_by": "The numbers of the two people who carried it.",
            "counted_at": "When its cash was counted.",
            "counted_by": "The numbers of the three people who counted.",
            "amount": "The cash in it, in minor units; null until it was counted.",
            "table_figure": "Chips bought with cash while it was on the table, in minor units.",
            "difference": "The cash less the table's figure, in minor units.",
        },
    ),
)

PROJECTION = Projection(
    name="boxes",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        drop_box.BoxAttached.TOPIC: _attached,
        drop_box.BoxRemoved.TOPIC: _removed,
        drop_box.BoxCarried.TOPIC: _carried,
        drop_box.BoxCounted.TOPIC: _counted,
        table_money.BoughtIn.TOPIC: _bought_in,
        table_money.CashCorrected.TOPIC: _cash_corrected,
    },
    loads=_loads,
)

REPORT = Report(
    name="boxes",
    title="Count of drop boxes",
    about="drop boxes from the table to the count",
    read_by=OF_MONEY,
    projections=("boxes",),
    columns=(
        *("box", "table", "day", "shift", "attached_at", "removed_at", "removed_by"),
        *("carried_at", "carried_by", "counted_at", "counted_by", "amount", "table_figure"),
        *("difference", "emergency"),
    ),
    sql=f"""
SELECT box, table_code AS "table", gaming_day AS day, shift, attached_at, removed_at, removed_by,
       carried_at, carried_by, counted_at, counted_by, amount, table_figure,
       amount - table_figure AS difference, emergency
  FROM boxes
 CROSS JOIN LATERAL (
       SELECT coalesce(sum(cash.amount), 0)::bigint AS table_figure FROM boxes_of_cash AS cash
        WHERE cash.first_position = boxes.first_position) AS bought
 WHERE {narrowed(at=["attached_at", "removed_at", "carried_at", "counted_at"])}
 ORDER BY first_position
""",  # noqa: S608
    money=("amount", "table_figure", "difference"),
    narrowings=("table", "day", "span"),
    shown=("box", "table", "day", "shift", "amount", "table_figure", "difference"),
    summands=("amount", "table_figure"),
    signatures=("Counted by",) * 3,
    words={
        "box": ("box", "the number of the drop box"),
        "shift": ("shift", "the shift in which it was on the table"),
        "attached_at": ("attached at", "when it was put on the table"),
        "removed_at": ("removed at", "when it was taken off the table"),
        "removed_by": ("removed by", "the two people who took it off"),
        "carried_at": ("carried at", "when it came to the count room"),
        "carried_by": ("carried by", "the two people who carried it"),
        "counted_at": ("counted at", "when it was counted"),
        "counted_by": ("counted by", "the three people who counted the cash"),
        "amount": ("amount", "the cash in the box"),
        "table_figure": ("table figure", "chips bought with cash at the table"),
        "difference": ("difference", "the cash in the box less the table figure"),
        "emergency": ("emergency", "whether it was put on outside the schedule"),
    },
)
