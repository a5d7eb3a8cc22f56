"""Master: each table's win in a day, its month and its year so far, and its expected win.

Without a last day, the days end with the newest of the ledger. The month and the year go up to the
same day. Wins are those of days that were closed and counted, and so are the drop, the hold, the
handle and the theoretical win beside them. For a period without any such day, `handle` is all that
was staked.
"""

from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Report
from projections.money.table_win import WIN
from projections.money.trays_now import WITH_TRAYS

# `ops.reports.ask` computes the expected win and its bounds from the stakes, by the edges and
# variances of the odds.
REPORT = Report(
    name="master",
    title="Master",
    about="win and hold of each table by day, month and year",
    read_by=OF_MONEY,
    projections=("table_win", "wagers", *WITH_TRAYS),
    columns=(
        *("table", "rules", "period", "handle", "drop", "win", "hold", "theoretical_win"),
        *("same_period_last_year", "outside_95", "from", "to", "win_low", "win_high", "coups"),
    ),
    sql=f"""
WITH asked AS (
    SELECT coalesce(%(from)s::date, last) AS first, last
      FROM (SELECT coalesce(%(to)s::date, max(gaming_day)) AS last FROM table_wins) AS newest
), periods AS (
    SELECT place, period, since::date AS since, last AS until
      FROM asked, LATERAL (VALUES
           (1, 'day', first),
           (2, 'month', date_trunc('month', last)),
           (3, 'year', date_trunc('year', last))) AS each (place, period, since)
), days AS (
    SELECT table_code, gaming_day, rules, {WIN} AS win,
           CASE WHEN {WIN} IS NOT NULL THEN drop_counted END AS counted
      FROM table_wins
     WHERE %(table)s::text IS NULL OR table_code = %(table)s
), wins AS (
    SELECT table_code, period, place, since, until,
           string_agg(DISTINCT rules COLLATE "C", ', ' ORDER BY rules COLLATE "C")
               FILTER (WHERE gaming_day >= since) AS rules,
           sum(counted) FILTER (WHERE gaming_day >= since) AS counted,
           sum(win) FILTER (WHERE gaming_day >= since) AS win
      FROM days JOIN periods
        ON gaming_day BETWEEN (SELECT min(since) FROM periods) AND until
     GROUP BY table_code, period, place, since, until
), last_year AS (
    SELECT table_code, period, sum(win) AS win
      FROM days JOIN periods
        ON gaming_day BETWEEN since - interval '1 year' AND until - interval '1 year'
     GROUP BY table_code, period
), shoes_of AS (
    SELECT table_code, period, rules, decks, shoe, gaming_day, coups, win IS NOT NULL AS counted
      FROM days JOIN periods ON gaming_day BETWEEN since AND until
      JOIN table_shoes USING (table_code, gaming_day)
), coups_of AS (
    SELECT table_code, period, sum(coups) AS coups, sum(coups) FILTER (WHERE counted) AS counted
      FROM shoes_of
     GROUP BY table_code, period
), staked AS (
    SELECT table_code, period, rules, decks, spot, sum(handle) AS handle,
           sum(handle) FILTER (WHERE counted) AS counted
      FROM shoes_of JOIN handles USING (shoe, gaming_day)
     GROUP BY table_code, period, rules, decks, spot
), handles_of AS (
    SELECT table_code, period, sum(handle) AS handle, sum(counted) AS counted,
           json_agg(json_build_object(
               'rules', rules, 'decks', decks, 'spot', spot, 'handle', counted))
               FILTER (WHERE counted IS NOT NULL) AS makings
      FROM staked GROUP BY table_code, period
), multiplied AS (
    SELECT table_code, period, rules, decks, spot, other, sum(product) AS product
      FROM shoes_of JOIN stake_products USING (shoe, gaming_day)
     WHERE counted
     GROUP BY table_code, period, rules, decks, spot, other
), products_of AS (
    SELECT table_code, period,
           json_agg(json_build_object(
               'rules', rules, 'decks', decks, 'spot', spot, 'other', other,
               'product', product)) AS makings
      FROM multiplied GROUP BY table_code, period
)
SELECT table_code AS "table", rules, period,
       coalesce(CASE WHEN wins.win IS NULL THEN handle ELSE handles_of.counted END, 0) AS handle,
       wins.counted AS "drop", wins.win,
       round(wins.win / nullif(wins.counted, 0), 4)::text AS hold,
       CASE WHEN wins.win IS NOT NULL
            THEN coalesce(handles_of.makings, '[]') END AS theoretical_win,
       last_year.win AS same_period_last_year, held.against AS outside_95,
       since AS "from", until AS "to", held.against AS win_low, held.against AS win_high,
       coalesce(CASE WHEN wins.win IS NULL THEN coups ELSE coups_of.counted END, 0)::int AS coups
  FROM wins
  LEFT JOIN last_year USING (table_code, period)
  LEFT JOIN handles_of USING (table_code, period)
  LEFT JOIN products_of USING (table_code, period)
  LEFT JOIN coups_of USING (table_code, period)
 CROSS JOIN LATERAL (SELECT CASE WHEN wins.win IS NOT NULL THEN json_build_object(
           'win', wins.win, 'handles', coalesce(handles_of.makings, '[]'),
           'products', coalesce(products_of.makings, '[]')) END AS against) AS held
 ORDER BY table_code COLLATE "C", place
""",  # noqa: S608
    money=(
        *("handle", "drop", "win", "theoretical_win", "same_period_last_year"),
        *("win_low", "win_high"),
    ),
    warns_of_trays=True,
    narrowings=("table", "day"),
    shown=("table", "period", "win", "hold", "win_low", "win_high", "outside_95"),
    no_total=no_total.AGAIN,
    newest_first=False,
    days_independent=False,
    words={
        "period": ("period", "day, month or year"),
        "same_period_last_year": ("same period last year", "win of the same days a year before"),
        "outside_95": (
            "outside 95",
            "whether the win is more than 1.96 standard deviations from the theoretical win",
        ),
        "from": ("from", "the first day of the period"),
        "to": ("to", "the last day of the period"),
        "win_low": (
            "win low",
            "the lowest usual win: theoretical win less 1.96 standard deviations",
        ),
        "win_high": (
            "win high",
            "the highest usual win: theoretical win plus 1.96 standard deviations",
        ),
    },
)
