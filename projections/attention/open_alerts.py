"""Which alerts wait: those of the board, how many are past, and the list of all of them."""

from msgspec.structs import replace

from projections.attention.alerts import MISSED, MISSING, NEVER_PAST, REPORT
from projections.attention.passing import AT_ONE_MOMENT, OF_THE_RECORD
from projections.attention.recorded_alerts import LEARNT, NAME, OVER, RECORDED, SHOWN, WAITING
from projections.model import narrowed


def _past(since: str) -> str:
    """SQL for whether an alert is of a closed gaming day; `since`: SQL for the first open one."""
    return (
        f"(gaming_day < {since} AND kind NOT IN {NEVER_PAST}"
        f" AND NOT (kind IN {MISSING} AND gaming_day >= {since} - {MISSED}))"
    )


# The first gaming day whose alerts are not past.
_SINCE = """(SELECT least(%(today)s::date, min(gaming_day)) FROM tables_now
             WHERE closed_at IS NULL)"""

# The board's alerts at one moment, the newest first, without those that are past.
OPEN_ALERTS = f"""
SELECT at, gaming_day AS day, table_code AS "table", coup, kind, {NAME} AS alert, rank, detail
  FROM ({WAITING}
        UNION ALL
        {OF_THE_RECORD}
        UNION ALL
        {AT_ONE_MOMENT}) AS alerts
 WHERE NOT {_past(_SINCE)}
 ORDER BY position DESC, kind
"""  # noqa: S608

# Those that are past are only counted: there may be thousands, of years of gaming days.
PAST_ALERTS = f"""
SELECT table_code AS "table", kind, rank, count(*) AS many
  FROM ({WAITING}) AS alerts
 WHERE {_past(_SINCE)}
 GROUP BY table_code, kind, rank
 ORDER BY table_code, kind, rank
"""  # noqa: S608

# The report, those that wait as the last; narrowed also to a kind, to positions of the ledger and,
# by `past_since`, to what is not on the board. `waits` is 1 or 0; their sum is how many wait.
OF_A_LIST = replace(
    REPORT,
    columns=(*REPORT.columns, "waits"),
    money=("waits",),
    sql=f"""
{SHOWN}, waits
  FROM (SELECT *, (acknowledged_at IS NULL
                   AND (position, kind) NOT IN ({OVER}))::int AS waits
          FROM {RECORDED}) AS alerts
 WHERE {narrowed(shoe="shoe", at=["at"])}
   AND {LEARNT}
   AND (%(kind)s::text IS NULL OR kind = %(kind)s)
   AND (%(positions)s::bigint[] IS NULL OR position = ANY(%(positions)s))
   AND (%(past_since)s::date IS NULL OR waits = 0 OR {_past("%(past_since)s::date")})
 ORDER BY waits, position, kind""",  # noqa: S608
)
