"""Yield: what a table, and a seat that was taken, is worth in an hour of play."""

from domain.rules.permissions import OF_MONEY
from projections.model import Report, narrowed
from projections.money.table_win import STAKED_BY_SPOT, WIN
from projections.money.trays_now import WITH_TRAYS

SHORTEST = 600  # seconds of play; with less, an hour is guesswork

# `ops.reports.ask` computes the theoretical win from stakes by spot. A chair that is still taken
# counts up to the last coup, so that a table can be looked at while it is open.
REPORT = Report(
    name="yield",
    title="Yield",
    about="what each table and each taken seat is worth in an hour",
    read_by=OF_MONEY,
    projections=("table_win", "coups", "ratings", *WITH_TRAYS),
    columns=(
        *("table", "day", "rules", "hours_of_play", "coups", "seat_hours", "handle"),
        *("theoretical_win", "win", "table_hour", "seat_hour"),
    ),
    sql=f"""
SELECT table_code AS "table", gaming_day AS day, rules,
       round(played.seconds / 3600, 2)::text AS hours_of_play, played.coups,
       round(taken.seconds / 3600, 2)::text AS seat_hours,
       (SELECT coalesce(sum((each ->> 'handle')::numeric), 0)
          FROM jsonb_array_elements(staked.handles) AS each) AS handle,
       staked.handles AS theoretical_win, {WIN} AS win,
       CASE WHEN played.seconds >= {SHORTEST} THEN jsonb_build_object(
           'handles', staked.handles, 'seconds', played.seconds::text) END AS table_hour,
       CASE WHEN taken.seconds >= {SHORTEST} THEN jsonb_build_object(
           'handles', staked.handles, 'seconds', taken.seconds::text) END AS seat_hour
  FROM table_wins AS wins
 CROSS JOIN LATERAL (
       SELECT count(settled_at) AS coups, max(settled_at) AS until,
              coalesce(extract(epoch FROM max(settled_at) - min(opened_at)), 0) AS seconds
         FROM coups
        WHERE (coups.table_code, coups.gaming_day) = (wins.table_code, wins.gaming_day)
       ) AS played
 CROSS JOIN LATERAL (
       SELECT coalesce(sum(extract(
                  epoch FROM greatest(least(given_up_at, played.until), taken_at) - taken_at)), 0)
              AS seconds
         FROM chairs
        WHERE (chairs.table_code, chairs.gaming_day) = (wins.table_code, wins.gaming_day)
       ) AS taken
 CROSS JOIN LATERAL (SELECT {STAKED_BY_SPOT} AS handles) AS staked
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    money=("handle", "theoretical_win", "win", "table_hour", "seat_hour"),
    warns_of_trays=True,
    narrowings=("table", "day"),
    shown=("table", "day", "hours_of_play", "coups", "theoretical_win", "table_hour", "seat_hour"),
    has_total=False,
    words={
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
