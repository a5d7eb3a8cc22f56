"""Left open: money of patrons who have left that a correction left open, until it is settled.

One row a stay and item: bets, commission, or the money on a game account.
"""

from domain.rules.permissions import FLOOR, WATCH, Reading
from projections.attention.exception_kinds import (
    BET_LEFT_OPEN,
    LEFT_ON_ACCOUNT,
    LEFT_OPEN,
    OWED_STILL,
)
from projections.model import Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN

REPORT = Report(
    name="left-open",
    title="Left open with patrons",
    about="money that corrections left open with patrons who have left, until `patron settle`",
    read_by=Reading((*FLOOR, "cage", *WATCH)),
    projections=("exceptions", "patrons"),
    columns=("patron", "stay", "table", "day", "item", "owes", "since"),
    sql=f"""
SELECT {IDENTITY.format("noted")} AS patron, detail ->> 'stay' AS stay, table_code AS "table",
       gaming_day AS day,
       CASE kind WHEN '{BET_LEFT_OPEN}' THEN 'bets'
                 WHEN '{LEFT_OPEN}' THEN 'commission' ELSE 'game account' END AS item,
       (CASE kind WHEN '{LEFT_ON_ACCOUNT}' THEN -1 ELSE 1 END
           * (detail ->> 'balance')::bigint) AS owes,
       at AS since
  FROM exceptions AS noted {KNOWN.format("noted")}
 WHERE kind IN {OWED_STILL}
   AND unfinished IS NOT NULL
   AND {narrowed(at=["at"])}
   AND {ASKED.format(IDENTITY.format("noted"))}
 ORDER BY position, kind
""",  # noqa: S608
    money=("owes",),
    narrowings=("table", "day", "patron", "span"),
    shown=("patron", "table", "day", "item", "owes", "since"),
    words={
        "item": ("item", "bets, commission, or the money on a game account"),
        "owes": ("owes", "what the patron owes; below 0, what the house owes the patron"),
        "since": ("since", "since when it is open"),
    },
)
