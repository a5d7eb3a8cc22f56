"""Measures: how much each table was used in its day, and its hold."""

from domain.rules.permissions import OF_MONEY
from projections.model import Report, narrowed
from projections.money.table_win import WIN
from projections.money.trays_now import WITH_TRAYS

# `ops.reports.ask` adds `seats`, from the table's rule set, and `occupancy`. Hands an hour are
# settled coups, from the first opening to the last settling; null under ten minutes.
REPORT = Report(
    name="measures",
    title="Measures",
    about="minutes played, coups an hour and seats in use",
    read_by=OF_MONEY,
    projections=("table_win", "coups", "ratings", *WITH_TRAYS),
    columns=(
        *("table", "day", "opened_at", "closed_at", "hours", "coups", "hands_per_hour"),
        *("seats", "occupancy", "handle", "drop", "win", "hold"),
    ),
    sql=f"""
SELECT table_code AS "table", gaming_day AS day, opened_at, closed_at,
       round(open_for / 3600, 2)::text AS hours, dealt.coups,
       CASE WHEN dealt.seconds >= 600
            THEN round(dealt.coups * 3600 / dealt.seconds, 1)::text END AS hands_per_hour,
       rules AS seats,
       CASE WHEN open_for > 0 THEN json_build_object(
           'rules', rules, 'taken', taken.seconds::text, 'open', open_for::text)
       END AS occupancy,
       staked.handle, drop_counted AS "drop", {WIN} AS win,
       round({WIN} / nullif(drop_counted, 0), 4)::text AS hold
  FROM (SELECT table_wins.*, extract(epoch FROM closed_at - opened_at) AS open_for
          FROM table_wins) AS wins
 CROSS JOIN LATERAL (
       SELECT count(settled_at) AS coups,
              extract(epoch FROM max(settled_at) - min(opened_at)) AS seconds
         FROM coups
        WHERE (coups.table_code, coups.gaming_day) = (wins.table_code, wins.gaming_day)
       ) AS dealt
 CROSS JOIN LATERAL (
       SELECT coalesce(sum(extract(epoch FROM given_up_at - taken_at)), 0) AS seconds
         FROM chairs
        WHERE (chairs.table_code, chairs.gaming_day) = (wins.table_code, wins.gaming_day)
       ) AS taken
 CROSS JOIN LATERAL (
       SELECT coalesce(sum(handle), 0) AS handle
         FROM table_shoes JOIN handles USING (shoe, gaming_day)
        WHERE (table_shoes.table_code, table_shoes.gaming_day)
            = (wins.table_code, wins.gaming_day)
       ) AS staked
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    money=("handle", "drop", "win"),
    warns_of_trays=True,
    narrowings=("table", "day"),
    shown=("table", "day", "hours", "hands_per_hour", "occupancy", "drop", "win", "hold"),
    words={
        "closed_at": ("closed at", "when the table closed"),
        "hours": ("hours", "from opener to closer"),
        "seats": ("seats", "how many seats the table has"),
    },
)
