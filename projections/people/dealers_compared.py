"""Dealers compared: what went wrong at each dealer's coups, beside those of all others.

A count of a tray belongs to those who dealt since the count before it, by their share of the coups.
"""

from domain.rules.permissions import WATCH, Reading
from projections.model import Report, narrowed
from projections.people.named import ONE_IN

# What a dealer's hands or entries bring about; a bet that was refused is the patron's.
OF_THE_DEALER = (
    *("payment disagrees", "payment corrected", "stake corrected", "card corrected"),
    *("wager moved", "wager found late", "wager reduced", "over or under limit"),
    *("undue card", "exposed or foreign card", "card moved", "burn left out"),
    *("cut card passed", "coup voided"),
)

# `ops.reports.computed` makes `compared` of everybody's counts.
REPORT = Report(
    name="dealers-compared",
    title="Dealers compared",
    about="what went wrong at whose coups more often than chance allows",
    read_by=Reading(WATCH),
    projections=("coups", "inventory", "protection"),
    columns=("staff", "shoes", "coups", "compared", "counts", "tray"),
    sql=f"""
WITH dealt AS (
    SELECT dealer AS staff, shoe, exceptions, table_code, gaming_day, first_position FROM coups
     WHERE dealer <> '' AND phase <> 'unused' AND {narrowed()}
), dealers AS (
    SELECT staff, count(DISTINCT shoe) AS shoes, count(*) AS coups FROM dealt GROUP BY staff
), wrong AS (
    SELECT staff, noted.kind, count(*) AS times
      FROM dealt, jsonb_to_recordset(exceptions) AS noted (kind text)
     WHERE noted.kind IN {OF_THE_DEALER}
     GROUP BY staff, noted.kind
), sessions AS (
    SELECT table_code, gaming_day, first_position, moment, coalesce(variance, 0) AS variance,
           count(*) FILTER (WHERE moment = 'opener') OVER (
               PARTITION BY table_code, gaming_day ORDER BY first_position) AS session
      FROM inventories
     WHERE (moment = 'opener' OR variance IS NOT NULL) AND {narrowed()}
), counted AS (
    SELECT table_code, gaming_day, moment, first_position AS until,
           lag(first_position) OVER of_session AS since,
           (variance - lag(variance) OVER of_session)::bigint AS off
      FROM sessions
    WINDOW of_session AS (PARTITION BY table_code, gaming_day, session ORDER BY first_position)
), parts AS (
    SELECT staff, until, off, count(*) AS coups, sum(count(*)) OVER (PARTITION BY until) AS every
      FROM counted JOIN dealt USING (table_code, gaming_day)
     WHERE moment <> 'opener' AND first_position > since AND first_position < until
     GROUP BY staff, until, off
), trays AS (
    SELECT staff, count(*) AS counts, round(sum(off * coups / every))::bigint AS tray,
           jsonb_agg(jsonb_build_object('off', off, 'coups', coups, 'all_coups', every))
               FILTER (WHERE off <> 0) AS off
      FROM parts GROUP BY staff
)
SELECT staff, shoes, coups, jsonb_build_object('coups', coups, 'one_in', {ONE_IN}, 'times', (
           SELECT coalesce(jsonb_object_agg(kind, times), '{{}}') FROM wrong
            WHERE wrong.staff = dealers.staff), 'trays', coalesce(off, '[]')) AS compared,
       coalesce(counts, 0) AS counts, coalesce(tray, 0) AS tray
  FROM dealers LEFT JOIN trays USING (staff) ORDER BY staff
""",  # noqa: S608
    money=("tray",),
    narrowings=("table", "day"),
    shown=("staff", "shoes", "coups", "counts", "tray", "compared"),
    has_total=False,
    days_independent=False,  # who dealt more than one day is one row
    newest_first=False,
    words={
        "shoes": ("shoes", "how many shoes they dealt from"),
        "counts": ("counts", "how often a tray was counted after coups that they dealt"),
        "tray": (
            "tray",
            "what was counted less what should be there, by their share of the coups before it",
        ),
    },
)
