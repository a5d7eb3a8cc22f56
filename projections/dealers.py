"""Dealers: who dealt at which table from when until when, and what their coups were like."""

from collections.abc import Iterator

from domain.events import table_day
from domain.rules.permissions import OF_THE_PIT
from projections.model import Fact, Projection, Report, Statement, narrowed

_TABLES = """
-- Who dealt at a table, from when until when; a coup is whose it was opened by.
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

_BEGAN = """
INSERT INTO stints VALUES (%(staff)s, %(table)s, %(day)s, %(at)s, NULL, %(position)s, NULL)
"""

_ENDED = """
UPDATE stints SET ended_at = %(at)s, last_position = %(position)s
WHERE table_code = %(table)s AND gaming_day = %(day)s AND last_position IS NULL
"""


def _began(fact: Fact, staff: str) -> Statement:
    return _BEGAN, {"staff": staff, **_place(fact)}


def _place(fact: Fact) -> dict[str, object]:
    return {
        "table": fact.table,
        "day": fact.gaming_day,
        "at": fact.at,
        "position": fact.position,
    }


def _opened(fact: Fact) -> Iterator[Statement]:
    yield _began(fact, fact.told["dealer"])


def _relieved(fact: Fact) -> Iterator[Statement]:
    yield _ENDED, _place(fact)
    yield _began(fact, fact.told["staff"])


def _closed(fact: Fact) -> Iterator[Statement]:
    yield _ENDED, _place(fact)


PROJECTION = Projection(
    name="dealers",
    schema=_TABLES,
    changes={
        table_day.Opened.TOPIC: _opened,
        table_day.DealerRelieved.TOPIC: _relieved,
        table_day.TableClosed.TOPIC: _closed,
    },
)

# Who is relieved while a coup is on deals it to its end, so a coup belongs to the stint in which
# it was opened; it counts when it was settled, though it be void now. Of a stint that is not
# over, the pace is that up to its last coup. Exceptions are all that the coup report tells.
REPORT = Report(
    name="dealers",
    title="Dealers",
    read_by=OF_THE_PIT,
    projections=("dealers", "coups"),
    columns=(
        *("staff", "table", "from", "to", "coups", "coups_per_hour", "exceptions"),
        "corrections",
    ),
    sql=f"""
WITH dealt AS (
    SELECT table_code, gaming_day, first_position, settled_at,
           jsonb_array_length(exceptions) AS exceptions,
           CASE WHEN exceptions = '[]' THEN 0 ELSE jsonb_array_length(jsonb_path_query_array(
               exceptions, '$[*] ? (@.kind == "payment corrected")')) END AS corrections
      FROM coups
     WHERE {narrowed()}
)
SELECT staff, stints.table_code AS "table", began_at AS "from", ended_at AS "to",
       count(settled_at) AS coups,
       CASE WHEN coalesce(ended_at, max(settled_at)) - began_at >= interval '10 minutes'
            THEN round(count(settled_at) * 3600
                       / extract(epoch FROM coalesce(ended_at, max(settled_at)) - began_at),
                       1)::text END AS coups_per_hour,
       coalesce(sum(exceptions), 0) AS exceptions, coalesce(sum(corrections), 0) AS corrections
  FROM stints
  LEFT JOIN dealt
    ON (dealt.table_code, dealt.gaming_day) = (stints.table_code, stints.gaming_day)
   AND dealt.first_position >= stints.first_position
   AND (last_position IS NULL OR dealt.first_position < last_position)
 WHERE {narrowed(table="stints.table_code", day="stints.gaming_day")}
 GROUP BY stints.first_position
 ORDER BY stints.first_position
""",  # noqa: S608
    money=(),
    narrowings=("table", "day"),
    shown=(
        *("staff", "table", "from", "to", "coups", "coups_per_hour", "exceptions"),
        "corrections",
    ),
)
