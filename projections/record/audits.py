"""Audits: each gaming day, who audited its master figures, and what changed in it since.

The newest event of a day is the last one of any of its tables, corrections made later included.
"""

from datetime import date, datetime

from domain.events import day_audit
from domain.rules.permissions import OF_MONEY
from projections.model import Event, Projection, Report, View, narrowed
from projections.rows import Row, Rows, Table

_TABLES = """
-- One row an audit of a gaming day.
CREATE TABLE audits (
    first_position bigint NOT NULL PRIMARY KEY,
    gaming_day     date   NOT NULL,
    audited_at     timestamptz NOT NULL,
    audited_by     text   NOT NULL,
    position       bigint NOT NULL,  -- of the ledger, at which the figures were read
    text           text   NOT NULL   -- '' for no note
);
CREATE INDEX audits_by_day ON audits (gaming_day, first_position);

-- The newest event of any table, by gaming day.
CREATE TABLE newest_of_days (
    gaming_day date   NOT NULL PRIMARY KEY,
    newest     bigint NOT NULL
);
"""

_NEWEST = """
INSERT INTO newest_of_days AS known (gaming_day, newest)
SELECT gaming_day, max(position) FROM ledger.events
 WHERE position > %(after)s AND position <= %(last)s AND table_code <> ''
 GROUP BY gaming_day
ON CONFLICT (gaming_day) DO UPDATE SET newest = greatest(known.newest, excluded.newest)
"""


class Audit(Row):
    """An audit of a gaming day."""

    first_position: int
    gaming_day: date
    audited_at: datetime
    audited_by: str
    position: int
    text: str


AUDITS = Table("audits", Audit, "first_position")


def _audited(event: Event, rows: Rows) -> None:
    audit = Audit(
        first_position=event.position,
        gaming_day=event.gaming_day,
        audited_at=event.at,
        audited_by=event.fields["audited_by"],
        position=event.fields["position"],
        text=event.fields["text"],
    )
    rows.put(AUDITS, audit)


_VIEWS = (
    View(
        name="audits",
        what="Audits of the master figures. One row an audit of a gaming day.",
        sql="""
SELECT first_position, gaming_day, audited_at, audited_by, position, text
  FROM projections.audits
""",
        columns={
            "first_position": "Its position in the ledger.",
            "gaming_day": "The gaming day.",
            "audited_at": "When it was audited.",
            "audited_by": "The staff number of the person who audited it.",
            "position": "The ledger position at which the figures were read.",
            "text": "A note; empty for none.",
        },
    ),
)

PROJECTION = Projection(
    name="audits",
    schema=_TABLES,
    views=_VIEWS,
    changes={day_audit.MasterAudited.TOPIC: _audited},
    over=_NEWEST,
)

REPORT = Report(
    name="audits",
    title="Audits",
    about="each gaming day: audited by whom, and changed since",
    read_by=OF_MONEY,
    projections=("audits",),
    columns=(
        *("day", "audited", "audited_by", "audited_at", "position", "newest", "changed", "text"),
    ),
    sql=f"""
SELECT gaming_day AS day, last.position IS NOT NULL AS audited, last.audited_by, last.audited_at,
       last.position, newest, newest > last.position AS changed, last.text
  FROM newest_of_days AS days
  FULL JOIN (SELECT DISTINCT ON (gaming_day) * FROM audits
              ORDER BY gaming_day, first_position DESC) AS last USING (gaming_day)
 WHERE {narrowed(table=None, at=["audited_at"])}
 ORDER BY gaming_day
""",  # noqa: S608
    money=(),
    narrowings=("day", "span"),
    shown=("day", "audited", "audited_by", "audited_at", "position", "newest", "changed"),
    words={
        "audited": ("audited", "whether somebody audited the master figures"),
        "audited_by": ("audited by", "who audited them last"),
        "audited_at": ("audited at", "when the master figures were last audited"),
        "position": ("event", "the newest event of the record when the figures were read"),
        "newest": ("newest", "the number of the day's newest event in the record"),
        "changed": ("changed", "whether something of the day changed after that event"),
        "text": ("text", "the note of whoever audited it"),
    },
)
