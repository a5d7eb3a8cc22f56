"""Dealers compared: what went wrong at each dealer's coups, beside those of all others.

A count of a tray belongs to those who dealt since the count before it, by their share of the coups.
"""

from domain.rules.permissions import WATCH, Reading
from projections import no_total
from projections.model import Report, narrowed
from projections.people.beside_theory import DECKS, WON, results_by
from projections.people.named import ONE_IN

# What a dealer's hands or entries bring about; a bet that was refused is the patron's.
OF_THE_DEALER = (
    *("payment disagrees", "payment corrected", "stake corrected", "card corrected"),
    *("wager moved", "wager found late", "wager reduced", "over or under limit"),
    *("undue card", "exposed or foreign card", "card moved", "burn left out"),
    *("cut card passed", "coup voided"),
)

# How long the coups of each dealer took, from one to the next of a shoe, and how long they take
# others with as many patrons; longer than five minutes something else went on.
_PACES = """seats AS (
    SELECT coup, count(DISTINCT seat) AS seats FROM wagers JOIN dealt USING (coup) GROUP BY coup
), timed AS (
    SELECT staff, shoe, coalesce(seats, 0) AS seats,
           lead(staff) OVER of_shoe AS next_staff,
           extract(epoch FROM lead(opened_at) OVER of_shoe - opened_at) AS seconds
      FROM dealt LEFT JOIN seats USING (coup)
    WINDOW of_shoe AS (PARTITION BY shoe ORDER BY number)
), paced AS (
    SELECT staff, shoe, seats, count(*) AS coups, sum(seconds) AS seconds
      FROM timed WHERE next_staff = staff AND seconds > 0 AND seconds <= 300
     GROUP BY staff, shoe, seats
), at_seats AS (
    SELECT staff, seats, sum(coups) AS coups, sum(seconds) AS seconds
      FROM paced GROUP BY staff, seats
), others AS (
    SELECT staff, seats, (sum(seconds) OVER every - seconds)
               / nullif(sum(coups) OVER every - coups, 0) AS each
      FROM at_seats WINDOW every AS (PARTITION BY seats)
), beside AS (
    SELECT staff, shoe, sum(coups) AS coups, sum(seconds) AS seconds, sum(coups * each) AS others
      FROM paced JOIN others USING (staff, seats) WHERE each IS NOT NULL
     GROUP BY staff, shoe HAVING sum(coups) >= 10
), paces AS (
    SELECT staff, jsonb_build_object(
               'many', count(*), 'coups', sum(coups), 'seconds', sum(seconds)::text,
               'others', sum(others)::text, 'sum', sum(ln(seconds / others))::text,
               'squares', sum(ln(seconds / others) ^ 2)::text) AS stretches
      FROM beside GROUP BY staff
)"""

# `ops.reports.beside` makes `compared`, `results` and `pace` of what everybody had.
REPORT = Report(
    name="dealers-compared",
    title="Dealers compared",
    about="what went wrong at whose coups more often than chance allows",
    read_by=Reading(WATCH),
    projections=("coups", "wagers", "inventory", "protection"),
    columns=("staff", "shoes", "coups", "compared", "counts", "tray", "results", "pace"),
    sql=f"""
WITH dealt AS (
    SELECT dealer AS staff, shoe, exceptions, table_code, gaming_day, first_position, coup, number,
           opened_at, rules
      FROM coups
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
), made AS (
    SELECT staff, coup, dealt.rules, decks, spot, stake, {WON} AS won
      FROM dealt JOIN wagers USING (coup) JOIN {DECKS} ON packs.shoe = dealt.shoe
     WHERE result <> 'void'
), {results_by("staff")}, {_PACES}
SELECT staff, shoes, coups, jsonb_build_object('coups', coups, 'one_in', {ONE_IN}, 'times', (
           SELECT coalesce(jsonb_object_agg(kind, times), '{{}}') FROM wrong
            WHERE wrong.staff = dealers.staff), 'trays', coalesce(off, '[]')) AS compared,
       coalesce(counts, 0) AS counts, coalesce(tray, 0) AS tray,
       jsonb_build_object('one_in', {ONE_IN}, 'of', summed) AS results,
       jsonb_build_object('one_in', {ONE_IN}, 'of', stretches) AS pace
  FROM dealers
  LEFT JOIN trays USING (staff) LEFT JOIN results USING (staff) LEFT JOIN paces USING (staff)
 ORDER BY staff
""",  # noqa: S608
    money=("tray",),
    narrowings=("table", "day"),
    shown=("staff", "shoes", "coups", "counts", "tray", "results", "pace", "compared"),
    no_total=no_total.MIXED,
    days_independent=False,  # who dealt more than one day is one row
    newest_first=False,
    words={
        "shoes": ("shoes", "how many shoes they dealt from"),
        "counts": ("counts", "how often a tray was counted after coups that they dealt"),
        "tray": (
            "tray",
            "what was counted less what should be there, by their share of the coups before it",
        ),
        "pace": (
            "pace",
            "coups an hour, and how many others deal with as many patrons; named if chance does"
            " not explain it",
        ),
    },
)
