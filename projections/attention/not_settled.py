"""What is open still though nobody has to be told: it was acknowledged, or raises no alert.

Who acknowledges a case, or money left open with somebody who has left, takes the alert off the
board. The matter itself goes on: it is shown beside the alerts until it is closed or settled. So
are incidents.
"""

from projections.attention.exception_kinds import OWED_STILL
from projections.attention.passing import CASES_SEEN
from projections.attention.recorded_alerts import NAME

# As OPEN_ALERTS, the newest first: alerts that were acknowledged while their matter is open still.
NOT_SETTLED = f"""
SELECT at, gaming_day AS day, table_code AS "table", coup, kind, {NAME} AS alert, rank, detail
  FROM (SELECT position, kind, at, table_code, gaming_day, coup, detail, rank
          FROM exceptions
         WHERE unfinished IS NOT NULL AND kind IN {OWED_STILL} AND acknowledged_at IS NOT NULL
        UNION ALL
        {CASES_SEEN}) AS seen
 ORDER BY position DESC, kind
"""  # noqa: S608

# The incidents that are not closed, the newest first.
OPEN_INCIDENTS = """
SELECT incident, opened_at AS at, table_code AS "table", kind, text
  FROM incidents
 WHERE closed_at IS NULL
 ORDER BY position DESC
"""
