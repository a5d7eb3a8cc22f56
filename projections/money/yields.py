"""Yield: what a table, and a seat that was taken, is worth in an hour of play."""

from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Report, narrowed
from projections.money.table_win import STAKED_BY_SPOT, WIN
from projections.money.trays_now import WITH_TRAYS

SHORTEST = 600  # seconds of play; with less, an hour is guesswork

# Every table that is open now, with what each who sits there wagers in a coup.
_OPEN = """
SELECT coalesce(jsonb_agg(jsonb_build_object(
           'table', table_code, 'rules', rules, 'limits', limits -> 'main', 'wagered',
           (SELECT coalesce(jsonb_agg(floor(staked / nullif(coups, 0))), '[]')
              FROM seats_now JOIN stays_now USING (stay)
             WHERE seats_now.table_code = tables_now.table_code))), '[]')
  FROM tables_now
 WHERE closed_at IS NULL"""

# `ops.reports.ask` computes the theoretical win from stakes by spot, the occupancy and the advice.
# A chair that is still taken counts up to the last coup, so that a table can be looked at while it
# is open.
REPORT = Report(
    name="yield",
    title="Yield",
    about="what each table and taken seat is worth in an hour, and which table to open or close",
    read_by=OF_MONEY,
    projections=("table_win", "coups", "ratings", *WITH_TRAYS),
    columns=(
        *("table", "day", "rules", "minimum", "hours_of_play", "coups", "hands_per_hour"),
        *("seat_hours", "occupancy", "handle", "theoretical_win", "win"),
        *("table_hour", "seat_hour", "advice"),
    ),
    sql=f"""
SELECT table_code AS "table", gaming_day AS day, wins.rules,
       (now.limits -> 'main' ->> 0)::numeric AS minimum,
       round(played.seconds / 3600, 2)::text AS hours_of_play, played.coups,
       CASE WHEN played.seconds >= {SHORTEST}
            THEN round(played.coups * 3600 / played.seconds, 1)::text END AS hands_per_hour,
       round(taken.seconds / 3600, 2)::text AS seat_hours,
       CASE WHEN played.seconds > 0 THEN jsonb_build_object(
           'rules', wins.rules, 'taken', taken.in_play::text, 'open', played.seconds::text)
       END AS occupancy,
       (SELECT coalesce(sum((each ->> 'handle')::numeric), 0)
          FROM jsonb_array_elements(staked.handles) AS each) AS handle,
       staked.handles AS theoretical_win, {WIN} AS win,
       CASE WHEN played.seconds >= {SHORTEST} THEN jsonb_build_object(
           'handles', staked.handles, 'seconds', played.seconds::text) END AS table_hour,
       CASE WHEN taken.seconds >= {SHORTEST} THEN jsonb_build_object(
           'handles', staked.handles, 'seconds', taken.seconds::text) END AS seat_hour,
       CASE WHEN now.table_code IS NOT NULL THEN jsonb_build_object(
           'table', table_code, 'open', ({_OPEN})) END AS advice
  FROM table_wins AS wins
  LEFT JOIN (SELECT table_code, gaming_day, limits FROM tables_now WHERE closed_at IS NULL) AS now
 USING (table_code, gaming_day)
 CROSS JOIN LATERAL (
       SELECT count(settled_at) AS coups, min(opened_at) AS since, max(settled_at) AS until,
              coalesce(extract(epoch FROM max(settled_at) - min(opened_at)), 0) AS seconds
         FROM coups
        WHERE (coups.table_code, coups.gaming_day) = (wins.table_code, wins.gaming_day)
       ) AS played
 CROSS JOIN LATERAL (
       SELECT coalesce(sum(extract(epoch FROM greatest(until, taken_at) - taken_at)), 0) AS seconds,
              coalesce(sum(extract(epoch FROM greatest(
                  until - greatest(taken_at, played.since), interval '0'))), 0) AS in_play
         FROM chairs
        CROSS JOIN LATERAL (SELECT least(given_up_at, played.until) AS until) AS to_the_end
        WHERE (chairs.table_code, chairs.gaming_day) = (wins.table_code, wins.gaming_day)
       ) AS taken
 CROSS JOIN LATERAL (SELECT {STAKED_BY_SPOT} AS handles) AS staked
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    rows=f"FROM table_wins AS wins WHERE {narrowed()}",
    money=("minimum", "handle", "theoretical_win", "win", "table_hour", "seat_hour"),
    warns_of_trays=True,
    days_independent=False,  # a table of that day may be open on a later one
    narrowings=("table", "day"),
    shown=(
        "table",
        "day",
        "minimum",
        "occupancy",
        "theoretical_win",
        "table_hour",
        "seat_hour",
        "advice",
    ),
    no_total=no_total.AVERAGES,
    words={
        "minimum": ("minimum", "of the main bets now; empty for a table that is closed"),
        "advice": (
            "advice",
            "whether to close it, to raise its minimum or to open another, by the seats taken now",
        ),
        "hours_of_play": ("hours of play", "from the first coup to the last that was settled"),
        "seat_hours": ("seat hours", "how long its seats were taken, all together"),
        "table_hour": (
            "table hour",
            "theoretical win in an hour of play; empty for less than ten minutes",
        ),
        "seat_hour": (
            "seat hour",
            "theoretical win in an hour of one taken seat; empty for less than ten minutes",
        ),
    },
)
