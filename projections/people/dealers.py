"""Dealers: who dealt at which table, from when until when, with the coups of that time."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import table_counts, table_day
from domain.rules.permissions import OF_THE_PIT
from projections.model import Event, Projection, Report, narrowed
from projections.ranks import SLIP
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- Who dealt at a table, from when until when; a coup belongs to the dealer who opened it.
CREATE TABLE stints (
    staff          text   NOT NULL,
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    began_at       timestamptz NOT NULL,
    ended_at       timestamptz,                  -- NULL: still there
    first_position bigint NOT NULL PRIMARY KEY,
    last_position  bigint                        -- NULL: still there
);
CREATE INDEX stints_by_day ON stints (gaming_day, table_code);
"""


class Stint(Row):
    """The time that somebody dealt at a table."""

    staff: str
    table_code: str
    gaming_day: date
    began_at: datetime
    ended_at: datetime | None = None
    first_position: int
    last_position: int | None = None


STINTS = Table("stints", Stint, "first_position")
OF_A_TABLE_DAY = STINTS.page("table_code", "gaming_day")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield OF_A_TABLE_DAY, (event.table, event.gaming_day)


def _began(event: Event, staff: str, rows: Rows) -> None:
    stint = Stint(
        staff=staff,
        table_code=event.table,
        gaming_day=event.gaming_day,
        began_at=event.at,
        first_position=event.position,
    )
    rows.put(STINTS, stint)


def _opened(event: Event, rows: Rows) -> None:
    _began(event, event.fields["dealer"], rows)


def _closed(event: Event, rows: Rows) -> None:
    for each in rows.find(OF_A_TABLE_DAY, event.table, event.gaming_day):
        if each.last_position is None:
            rows.mark(STINTS, each)
            each.ended_at, each.last_position = event.at, event.position


def _relieved(event: Event, rows: Rows) -> None:
    _closed(event, rows)
    _began(event, event.fields["staff"], rows)


PROJECTION = Projection(
    name="dealers",
    schema=_TABLES,
    changes={
        table_day.Opened.TOPIC: _opened,
        table_day.Reopened.TOPIC: _opened,
        table_day.DealerRelieved.TOPIC: _relieved,
        table_counts.TableClosed.TOPIC: _closed,
    },
    loads=_loads,
)

# A dealer who is relieved during a coup deals it to its end, so a coup belongs to the stint in
# which it was opened. It counts once settled, even if it is void now. The pace of a stint that is
# not over is that up to its last coup. Exceptions are those of the coup report. Slips of the keys
# are the exceptions of rank 3 that were recorded at the table during the stint.
_STINTS = narrowed(
    table="stints.table_code", day="stints.gaming_day", during=("began_at", "ended_at")
)

REPORT = Report(
    name="dealers",
    title="Dealers",
    about="each dealer's stints: speed, exceptions, corrections",
    read_by=OF_THE_PIT,
    projections=("dealers", "coups", "exceptions"),
    columns=(
        *("staff", "table", "from", "to", "coups", "coups_per_hour", "exceptions"),
        *("corrections", "slips_of_the_keys"),
    ),
    sql=f"""
WITH dealt AS (
    SELECT table_code, gaming_day, first_position, settled_at,
           jsonb_array_length(exceptions) AS exceptions,
           CASE WHEN exceptions = '[]' THEN 0 ELSE jsonb_array_length(jsonb_path_query_array(
               exceptions, '$[*] ? (@.kind == "payment corrected" || @.kind == "card corrected"
                             || @.kind == "stake corrected"
                             || @.kind == "wager moved")')) END AS corrections
      FROM coups
     WHERE {narrowed()}
)
SELECT staff, stints.table_code AS "table", began_at AS "from", ended_at AS "to",
       count(settled_at) AS coups,
       CASE WHEN coalesce(ended_at, max(settled_at)) - began_at >= interval '10 minutes'
            THEN round(count(settled_at) * 3600
                       / extract(epoch FROM coalesce(ended_at, max(settled_at)) - began_at),
                       1)::text END AS coups_per_hour,
       coalesce(sum(exceptions), 0) AS exceptions, coalesce(sum(corrections), 0) AS corrections,
       (SELECT count(*) FROM exceptions
         WHERE (exceptions.table_code, exceptions.gaming_day)
             = (stints.table_code, stints.gaming_day)
           AND rank = {SLIP} AND position > stints.first_position
           AND (last_position IS NULL OR position < last_position)) AS slips_of_the_keys
  FROM stints
  LEFT JOIN dealt
    ON (dealt.table_code, dealt.gaming_day) = (stints.table_code, stints.gaming_day)
   AND dealt.first_position >= stints.first_position
   AND (last_position IS NULL OR dealt.first_position < last_position)
 WHERE {_STINTS}
 GROUP BY stints.first_position
 ORDER BY stints.first_position
""",  # noqa: S608
    rows=f"FROM stints WHERE {_STINTS}",
    money=(),
    narrowings=("table", "day", "span"),
    shown=(
        *("staff", "table", "from", "to", "coups", "coups_per_hour", "exceptions"),
        *("corrections", "slips_of_the_keys"),
    ),
    words={
        "coups_per_hour": (
            "coups per hour",
            "coups settled per hour; empty for a stint under ten minutes",
        ),
        "exceptions": ("exceptions", "how many things went wrong at those coups"),
        "corrections": ("corrections", "payments of those coups that were corrected later"),
        "slips_of_the_keys": (
            "slips of the keys",
            "things typed wrong at the table in that stint, and put right (rank 3)",
        ),
    },
)
