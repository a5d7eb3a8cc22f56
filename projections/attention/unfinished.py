"""Unfinished: everything of a gaming day that still waits for somebody, wherever it waits.

One row a thing. What a day has none of is closed for good, but for corrections.
"""

from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.attention.exception_kinds import BET_LEFT_OPEN
from projections.commission.owed import OWED
from projections.model import Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN

# Each selects: kind, which, table_code, gaming_day, patron, amount, position of its first event.
_WAITING = (
    """
SELECT 'table open', table_code || '/' || gaming_day, table_code, gaming_day, NULL, NULL::bigint,
       first_position FROM table_wins WHERE closed_at IS NULL""",
    """
SELECT 'drop not counted', table_code || '/' || gaming_day, table_code, gaming_day, NULL,
       bought_in::bigint, first_position FROM table_wins
 WHERE closed_at IS NOT NULL AND drop_counted IS NULL AND bought_in <> 0""",
    """
SELECT 'shoe not ended', shoe, table_code, gaming_day, NULL, NULL, first_position FROM shoes
 WHERE ended_why IS NULL""",
    """
SELECT 'coup not settled', coup, table_code, gaming_day, NULL, NULL, first_position FROM coups
 WHERE phase IN ('betting', 'dealing', 'resulted')""",
    """
SELECT 'case open', case_number, table_code, gaming_day, patron, amount, position FROM disputes
 WHERE closed_at IS NULL""",
    """
SELECT kind || ' ' || status, slip, table_code, gaming_day, NULL, total, first_position FROM slips
 WHERE status IN ('requested', 'issued', 'carried')""",
    """
SELECT CASE WHEN removed_at IS NULL THEN 'box on table' ELSE 'box not counted' END, box,
       table_code, gaming_day, NULL, NULL, first_position FROM boxes WHERE counted_at IS NULL""",
    f"""
SELECT 'commission owed', stay, table_code, gaming_day, patron, sum({OWED})::bigint,
       min(first_position) FROM commission_owed
 GROUP BY stay, table_code, gaming_day, patron HAVING sum({OWED}) <> 0""",  # noqa: S608
    f"""
SELECT kind, detail ->> 'stay', table_code, gaming_day, patron, (detail ->> 'balance')::bigint,
       position FROM exceptions WHERE kind = '{BET_LEFT_OPEN}' AND unfinished IS NOT NULL""",  # noqa: S608
    """
SELECT 'money on account', stay, table_code, gaming_day, patron, -(balance + on_the_cloth),
       first_position FROM account_balances WHERE balance <> 0 OR on_the_cloth <> 0""",
    """
SELECT 'ticket not taken', ticket, table_code, gaming_day, NULL, -amount, first_position
  FROM tickets_out""",
)

REPORT = Report(
    name="unfinished",
    title="Unfinished",
    about="what of a gaming day still waits for somebody",
    read_by=OF_MONEY,
    projections=(
        *("table_win", "shoes", "coups", "disputes", "slips", "boxes", "commission_owed"),
        *("exceptions", "meters", "tickets_out", "patrons"),
    ),
    columns=("kind", "which", "table", "day", "patron", "amount", "position"),
    sql=f"""
WITH waiting (kind, which, table_code, gaming_day, patron, amount, position) AS (
{" UNION ALL ".join(_WAITING)}
)
SELECT kind, which, table_code AS "table", gaming_day AS day,
       {IDENTITY.format("waiting")} AS patron, amount, waiting.position
  FROM waiting {KNOWN.format("waiting")}
 WHERE {narrowed()}
   AND {ASKED.format(IDENTITY.format("waiting"))}
 ORDER BY gaming_day, waiting.position, kind
""",  # noqa: S608
    money=("amount",),
    may_lack=("amount",),
    no_total=no_total.MIXED,
    days_independent=False,
    newest_first=False,
    narrowings=("table", "day", "patron"),
    shown=("kind", "which", "patron", "amount"),
    words={
        "kind": ("kind", "what is not finished"),
        "which": ("which", "its address or number"),
        "amount": (
            "amount",
            "the money in it, if any; what a patron owes, and below 0 what is owed to a patron",
        ),
    },
)
