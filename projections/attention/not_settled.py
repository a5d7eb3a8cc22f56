"""What is not closed or settled, though no alert of it waits: cases, money left open, incidents.

Whoever acknowledges an alert about a case, or about money left open with somebody who has left,
takes the alert off the board. The case or the money is then shown beside the alerts, until it is
closed or settled. Incidents raise no alert, and are shown there until they are closed.
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
