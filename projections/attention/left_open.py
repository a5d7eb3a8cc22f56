"""Left open: money of patrons who have left that a correction left open, and how it was settled.

One row a stay and item: bets, commission, or the money on a game account. It stays once it is
settled, and then nothing is owed.
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

# What the patron owes of it; below 0: what the house owes the patron.
_OWED = f"CASE kind WHEN '{LEFT_ON_ACCOUNT}' THEN -1 ELSE 1 END * (detail ->> '{{}}')::bigint"
_SETTLED_AT = "(detail ->> 'settled_at')::timestamptz"

REPORT = Report(
    name="left-open",
    title="Left open with patrons",
    about="money that corrections left open with patrons who have left, and how it was settled",
    read_by=Reading((*FLOOR, "cage", *WATCH)),
    projections=("exceptions", "patrons"),
    columns=(
        *("patron", "stay", "table", "day", "item", "owes", "since"),
        *("settled", "settled_at", "settled_by", "how"),
    ),
    sql=f"""
SELECT {IDENTITY.format("noted")} AS patron, detail ->> 'stay' AS stay, table_code AS "table",
       gaming_day AS day,
       CASE kind WHEN '{BET_LEFT_OPEN}' THEN 'bets'
                 WHEN '{LEFT_OPEN}' THEN 'commission' ELSE 'game account' END AS item,
       {_OWED.format("balance")} AS owes, at AS since,
       coalesce({_OWED.format("settled")}, 0) AS settled,
       {_SETTLED_AT} AS settled_at, detail ->> 'settled_by' AS settled_by,
       detail ->> 'how' AS how
  FROM exceptions AS noted {KNOWN.format("noted")}
 WHERE kind IN {OWED_STILL}
   AND {narrowed(at=["at", _SETTLED_AT])}
   AND {ASKED.format(IDENTITY.format("noted"))}
 ORDER BY position, kind
""",  # noqa: S608
    money=("owes", "settled"),
    narrowings=("table", "day", "patron", "span"),
    shown=("patron", "table", "day", "item", "owes", "since", "settled", "settled_at", "how"),
    words={
        "item": ("item", "bets, commission, or the money on a game account"),
        "owes": ("owes", "what the patron owes; below 0, what the house owes the patron"),
        "since": ("since", "since when it is open, or was"),
        "settled": ("settled", "what was settled last, until nothing was open"),
        "settled_at": (
            "settled at",
            "when the last of it was settled; empty while something is open",
        ),
        "settled_by": ("settled by", "who settled it"),
        "how": (
            "how",
            "received from the patron, paid to them, written off or unclaimed; commission is "
            "settled with the bets, or collected; empty for other commands",
        ),
    },
    codes={
        "how": {
            "paid": "paid",
            "written-off": "written off",
            "unclaimed": "unclaimed",
            "settlement": "settled with the bets",
            "elsewhere": "at another tray",
        }
    },
)
