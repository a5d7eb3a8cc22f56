"""Inventory: chips in the tray at opening, at the end of each shift and at closing, with people."""

from datetime import date, datetime

from domain.events import table_counts, table_day, table_money
from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Event, Projection, Report, View, narrowed
from projections.money.trays_now import WITH_TRAYS
from projections.proofs import proof_in
from projections.rows import Row, Rows, Table

_TABLES = """
-- One row a count of the tray. Amounts are minor units.
CREATE TABLE inventories (
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    moment         text   NOT NULL CHECK (moment IN ('opener', 'shift', 'closer')),
    shift          text,             -- that ended; NULL for an opener or a closer
    chips          jsonb  NOT NULL,  -- denomination to how many
    total          bigint NOT NULL,
    counted_by     text   NOT NULL,
    signed_by      text   NOT NULL,
    variance       numeric,          -- by how much it is off; NULL for an opener
    level          text   NOT NULL,  -- who must be informed: none, report or regulator
    first_position bigint NOT NULL PRIMARY KEY,
    signed_proved  text,             -- how who signed was known
    session        int    NOT NULL,  -- of the day, from 1
    total_before   bigint,           -- before it was counted again or corrected; NULL: it was not
    at             timestamptz NOT NULL  -- when it was counted first
);
"""


class Inventory(Row):
    """A count of the tray."""

    table_code: str
    gaming_day: date
    moment: str
    shift: str | None
    chips: dict[str, int]
    total: int
    counted_by: str
    signed_by: str
    variance: int | None
    level: str
    first_position: int
    signed_proved: str | None
    session: int
    at: datetime
    total_before: int | None = None


INVENTORIES = Table("inventories", Inventory, "first_position")
OF_A_DAY = INVENTORIES.page("table_code", "gaming_day")


def _count(
    event: Event, moment: str, chips: dict[str, int], total: int, by: str, signed: str
) -> Inventory:
    """A count of the tray by two people; one of an opener has no variance."""
    fields = event.fields
    return Inventory(
        table_code=event.table,
        gaming_day=event.gaming_day,
        moment=moment,
        shift=fields.get("shift"),
        chips=chips,
        total=total,
        counted_by=by,
        signed_by=signed,
        variance=fields.get("variance"),
        level=fields.get("level", "none"),
        first_position=event.position,
        signed_proved=proof_in(event, signed),
        session=fields.get("session", 1),
        at=event.at,
    )


def _opened(event: Event, rows: Rows) -> None:
    fields = event.fields
    people = fields["dealer"], fields["supervisor"]
    rows.put(
        INVENTORIES, _count(event, "opener", fields["opener"], fields["opener_total"], *people)
    )


def _closed(event: Event, rows: Rows) -> None:
    fields = event.fields
    people = fields["counted_by"], fields["signed_by"]
    rows.put(
        INVENTORIES, _count(event, "closer", fields["closer"], fields["closer_total"], *people)
    )


def _shift_counted(event: Event, rows: Rows) -> None:
    fields = event.fields
    people = fields["counted_by"], fields["signed_by"]
    rows.put(INVENTORIES, _count(event, "shift", fields["chips"], fields["total"], *people))


def _of(event: Event, moment: str, rows: Rows) -> Inventory | None:
    """The row of a count of the event's session, or None if there is none."""
    wanted = moment, event.fields["session"]
    for row in rows.find(OF_A_DAY, event.table, event.gaming_day):
        if (row.moment, row.session) == wanted:
            return rows.mark(INVENTORIES, row)
    return None


def _recounted(event: Event, rows: Rows) -> None:
    fields = event.fields
    if row := _of(event, "closer", rows):
        row.total_before, row.total, row.chips = row.total, fields["closer_total"], fields["closer"]
        row.counted_by, row.signed_by = fields["counted_by"], fields["signed_by"]
        row.signed_proved = proof_in(event, fields["signed_by"])
    _variance_changed(event, rows)


def _variance_changed(event: Event, rows: Rows) -> None:
    if row := _of(event, "closer", rows):
        row.variance, row.level = event.fields["variance"], event.fields["level"]


def _shift_variance_changed(event: Event, rows: Rows) -> None:
    """Puts right the variance of the last count of a shift."""
    counts = [
        row
        for row in rows.find(OF_A_DAY, event.table, event.gaming_day)
        if row.moment == "shift" and row.shift == event.fields["shift"]
    ]
    row = rows.mark(INVENTORIES, max(counts, key=lambda each: each.first_position))
    row.variance, row.level = event.fields["variance"], event.fields["level"]


def _chips_corrected(event: Event, rows: Rows) -> None:
    fields = event.fields
    if fields["kind"] == "opener" and (row := _of(event, "opener", rows)):
        row.total_before, row.total, row.chips = row.total, fields["total"], fields["chips"]


_VIEWS = (
    View(
        name="inventories",
        what="What was in the tray at opening, after a shift and at closing. One row a count.",
        sql="""
SELECT table_code, gaming_day, moment, chips, total, counted_by, signed_by,
       variance::bigint AS variance, level, first_position AS position, shift, session,
       total_before, at
  FROM projections.inventories
""",
        columns={
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "moment": "opener, shift (the end of one) or closer.",
            "chips": "Denomination in minor units to how many.",
            "total": "What they come to, in minor units.",
            "counted_by": "The staff number of the person who counted.",
            "signed_by": "The staff number of the person who signed.",
            "variance": "By how much the tray is off, in minor units; null for an opener.",
            "level": "Who must be informed of it: none, report or regulator.",
            "position": "Its position in the ledger.",
            "session": "The session of the day, from 1; a further one after the table reopened.",
            "total_before": (
                "What it came to before it was counted again or corrected, in minor units; null if "
                "it was not."
            ),
            "shift": "The shift that ended; null for an opener or a closer.",
            "at": "When it was counted first.",
        },
    ),
)

PROJECTION = Projection(
    name="inventory",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        table_day.Opened.TOPIC: _opened,
        table_day.Reopened.TOPIC: _opened,
        table_counts.ShiftCounted.TOPIC: _shift_counted,
        table_counts.TableClosed.TOPIC: _closed,
        table_counts.CloserRecounted.TOPIC: _recounted,
        table_counts.VarianceChanged.TOPIC: _variance_changed,
        table_counts.ShiftVarianceChanged.TOPIC: _shift_variance_changed,
        table_money.ChipsCorrected.TOPIC: _chips_corrected,
    },
)

REPORT = Report(
    name="inventory",
    title="Inventory",
    about="each count of a tray: opener, shifts, closer, variance",
    read_by=OF_MONEY,
    projections=("inventory", *WITH_TRAYS),
    columns=(
        *("table", "day", "moment", "chips", "total", "counted_by", "signed_by"),
        *("variance", "level", "signed_proved", "shift", "session", "total_before"),
        "at",
    ),
    sql=f"""
SELECT table_code AS "table", gaming_day AS day, moment, chips, total, counted_by, signed_by,
       variance, level, signed_proved, shift, session, total_before, at
  FROM inventories
 WHERE {narrowed(at=["at"])}
 ORDER BY first_position
""",  # noqa: S608
    money=("total", "variance", "total_before"),
    warns_of_trays=True,
    narrowings=("table", "day", "span"),
    shown=("table", "day", "moment", "at", "shift", "total", "counted_by", "variance", "level"),
    dropped_first=("at",),
    no_total=no_total.AGAIN,
    may_lack=("total_before",),
    words={
        "moment": ("moment", "opener, the end of a shift, or closer"),
        "level": ("level", "who must be informed of the variance: none, report, regulator"),
        "signed_proved": ("signed proved", "how that person signed, as under approved proved"),
        "session": ("session", "which time the table was open on that day, from 1"),
        "total_before": (
            "total before",
            "what it came to before it was counted again or corrected",
        ),
    },
)
