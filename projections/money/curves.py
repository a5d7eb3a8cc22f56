"""Curves: what some reports say, over time, for the plots beside them.

Each row is a point; `at` is a gaming day, or a moment. Without a day that is asked for, win covers
the 30 days up to the newest, and the others cover the newest.
"""

from collections.abc import Mapping

from domain.rules.permissions import OF_MONEY
from projections.commission import owed as commission_owed
from projections.model import Report
from projections.money.table_win import WIN

STEP = "5 minutes"  # between two points of what is owed
# The win of all tables that are wanted, with its expected win; see `projections.master`.
_WIN = Report(
    name="win by day",
    title="Win by day",
    read_by=OF_MONEY,
    projections=("table_win", "wagers"),
    columns=("at", "value", "theoretical_win", "win_low", "win_high"),
    sql=f"""
WITH last AS (
    SELECT coalesce(%(to)s::date, max(gaming_day)) AS day FROM table_wins
), days AS (
    SELECT table_code, gaming_day, {WIN} AS win FROM table_wins, last
     WHERE {WIN} IS NOT NULL AND gaming_day <= last.day
       AND gaming_day >= coalesce(%(from)s::date, last.day - 29)
       AND (%(table)s::text IS NULL OR table_code = %(table)s)
), shoes_of AS (
    SELECT gaming_day, rules, decks, shoe
      FROM days JOIN table_shoes USING (table_code, gaming_day)
      JOIN table_wins USING (table_code, gaming_day)
), handles_of AS (
    SELECT gaming_day, json_agg(json_build_object(
               'rules', rules, 'decks', decks, 'spot', spot, 'handle', handle)) AS makings
      FROM (SELECT gaming_day, rules, decks, spot, sum(handle) AS handle
              FROM shoes_of JOIN handles USING (shoe, gaming_day)
             GROUP BY gaming_day, rules, decks, spot) AS staked
     GROUP BY gaming_day
), products_of AS (
    SELECT gaming_day, json_agg(json_build_object(
               'rules', rules, 'decks', decks, 'spot', spot, 'other', other,
               'product', product)) AS makings
      FROM (SELECT gaming_day, rules, decks, spot, other, sum(product) AS product
              FROM shoes_of JOIN stake_products USING (shoe, gaming_day)
             GROUP BY gaming_day, rules, decks, spot, other) AS multiplied
     GROUP BY gaming_day
)
SELECT gaming_day AS at, value, coalesce(handles_of.makings, '[]') AS theoretical_win,
       held.against AS win_low, held.against AS win_high
  FROM (SELECT gaming_day, sum(win) AS value FROM days GROUP BY gaming_day) AS wins
  LEFT JOIN handles_of USING (gaming_day)
  LEFT JOIN products_of USING (gaming_day)
 CROSS JOIN LATERAL (SELECT json_build_object(
           'win', value, 'handles', coalesce(handles_of.makings, '[]'),
           'products', coalesce(products_of.makings, '[]')) AS against) AS held
 ORDER BY gaming_day
""",  # noqa: S608
    money=("value", "theoretical_win", "win_low", "win_high"),
    narrowings=("table", "day"),
    shown=("at", "value"),
)

# Coups that were settled in each hour, by each table that settled any.
_PACE = Report(
    name="pace by hour",
    title="Pace by hour",
    read_by=OF_MONEY,
    projections=("coups",),
    columns=("at", "value"),
    sql="""
SELECT date_trunc('hour', settled_at) AS at,
       round(count(*)::numeric / count(DISTINCT table_code), 1)::text AS value
  FROM coups
 WHERE settled_at IS NOT NULL
   AND gaming_day <= coalesce(%(to)s::date, (SELECT max(gaming_day) FROM coups))
   AND gaming_day >= coalesce(%(from)s::date, (SELECT max(gaming_day) FROM coups))
   AND (%(table)s::text IS NULL OR table_code = %(table)s)
 GROUP BY 1 ORDER BY 1
""",
    money=(),
    narrowings=("table", "day"),
    shown=("at", "value"),
)

# What the house won by the wagers of the coups that were settled in each hour, with what was to be
# expected of them; those that were returned are not among them.
_YIELD = Report(
    name="win of wagers by hour",
    title="Win of wagers by hour",
    read_by=OF_MONEY,
    projections=("table_win", "coups", "wagers"),
    columns=("at", "value", "theoretical_win"),
    sql="""
WITH newest AS (
    SELECT max(gaming_day) AS day FROM table_wins
     WHERE (%(table)s::text IS NULL OR table_code = %(table)s)
), days AS (
    SELECT table_code, gaming_day FROM table_wins, newest
     WHERE gaming_day BETWEEN coalesce(%(from)s::date, newest.day)
                          AND coalesce(%(to)s::date, newest.day)
       AND (%(table)s::text IS NULL OR table_code = %(table)s)
), hours AS (
    SELECT date_trunc('hour', settled_at) AS at, coups.rules, decks, spot, sum(stake) AS handle,
           sum(stake - paid) AS win
      FROM days JOIN wagers USING (table_code, gaming_day)
      JOIN coups USING (coup)
      JOIN table_shoes ON table_shoes.shoe = wagers.shoe
                      AND table_shoes.gaming_day = days.gaming_day
     WHERE settled_at IS NOT NULL AND result <> 'void'
     GROUP BY 1, coups.rules, decks, spot
)
SELECT at, sum(win)::bigint AS value, json_agg(json_build_object(
           'rules', rules, 'decks', decks, 'spot', spot, 'handle', handle)) AS theoretical_win
  FROM hours GROUP BY at ORDER BY at
""",
    money=("value", "theoretical_win"),
    narrowings=("table", "day"),
    shown=("at", "value"),
)

_CHANGE = "\n".join(
    f"                 WHEN '{topic}' THEN "
    + " + ".join(f"{sign} * (fields->>'{name}')::numeric" for name, sign in owes.items())
    for topic, owes in commission_owed.OWES.items()
)
_OWED = Report(
    name="commission owed over the day",
    title="Commission owed over the day",
    read_by=commission_owed.REPORT.read_by,
    projections=("commission_owed",),
    columns=("at", "value"),
    sql=f"""
WITH asked AS (
    SELECT coalesce(%(from)s::date, newest) AS first, coalesce(%(to)s::date, newest) AS last
      FROM (SELECT max(gaming_day) AS newest FROM commission_owed) AS known
), changes AS (
    SELECT (fields->>'at')::timestamptz AS at, CASE topic
{_CHANGE}
           END AS change
      FROM (SELECT topic, convert_from(state, 'UTF8')::jsonb AS fields
              FROM ledger.events, asked
             WHERE gaming_day BETWEEN asked.first AND asked.last
               AND topic = ANY(ARRAY{list(commission_owed.OWES)})
               AND (%(moment)s::timestamptz IS NULL OR recorded_at <= %(moment)s)
               AND (%(table)s::text IS NULL OR table_code = %(table)s)) AS recorded
), steps AS (
    SELECT date_bin('{STEP}', at, 'epoch') + interval '{STEP}' AS at,
           sum(change) AS change
      FROM changes GROUP BY 1
)
SELECT at, (sum(change) OVER (ORDER BY at))::bigint AS value FROM steps ORDER BY at
""",  # noqa: S608
    money=("value",),
    narrowings=("table", "day"),
    shown=("at", "value"),
)

# By the name of the report beside which each is drawn.
CURVES: Mapping[str, Report] = {
    "master": _WIN,
    "measures": _PACE,
    "yield": _YIELD,
    "commission": _OWED,
}
