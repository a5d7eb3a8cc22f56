"""Patrons compared: late bets, and wagers put right in somebody's favour, by patron and dealer."""

from domain.rules.permissions import WATCH, Reading
from projections.model import Report, narrowed
from projections.people.beside_theory import DECKS, WON, results_by
from projections.people.named import ONE_IN
from projections.people.patrons import IDENTITY, KNOWN

IN_FAVOUR = "put right in favour"
# A settled wager whose patron, now, has more of it than whoever had it first.
_IN_FAVOUR = """first_paid IS NOT NULL AND result IS NOT NULL AND paid - stake >
        CASE WHEN first_patron = wagers.patron THEN first_paid - first_stake ELSE 0 END"""

# `ops.reports.beside` makes `compared` and `results` of what everybody had.
REPORT = Report(
    name="patrons-compared",
    title="Patrons compared",
    about="whose wagers were late, or put right in their favour, and at which dealer's coups",
    read_by=Reading(WATCH),
    projections=("wagers", "coups", "exceptions", "patrons", "protection"),
    columns=("patron", "dealer", "coups", "compared", "results"),
    sql=f"""
WITH bets AS (
    SELECT {IDENTITY.format("wagers")} AS patron, coups.dealer, coup, {_IN_FAVOUR} AS in_favour,
           rules, coups.shoe, spot, stake, result, {WON} AS won
      FROM wagers JOIN coups USING (coup) {KNOWN.format("wagers")}
     WHERE {narrowed(table="wagers.table_code", day="wagers.gaming_day")}
), late AS (
    SELECT {IDENTITY.format("noted")} AS patron, coups.dealer, coup, noted.kind
      FROM exceptions AS noted JOIN coups USING (coup) {KNOWN.format("noted")}
     WHERE noted.kind IN ('late bet', 'wager found late') AND noted.patron IS NOT NULL
       AND {narrowed(table="noted.table_code", day="noted.gaming_day")}
), pairs AS (
    SELECT patron, dealer, count(DISTINCT coup) AS coups
      FROM (SELECT patron, dealer, coup FROM bets
             UNION ALL
            SELECT patron, dealer, coup FROM late) AS at_coups
     GROUP BY patron, dealer
), happened AS (
    SELECT patron, dealer, kind, count(*) AS times
      FROM (SELECT patron, dealer, kind FROM late
             UNION ALL
            SELECT patron, dealer, '{IN_FAVOUR}' FROM bets WHERE in_favour) AS every
     GROUP BY patron, dealer, kind
), made AS (
    SELECT patron, dealer, coup, bets.rules, decks, spot, stake, won
      FROM bets JOIN {DECKS} USING (shoe)
     WHERE dealer <> '' AND result <> 'void'
), {results_by("patron", "dealer")}
SELECT patron, dealer, coups, jsonb_build_object('coups', coups, 'one_in', {ONE_IN}, 'times', (
           SELECT coalesce(jsonb_object_agg(kind, times), '{{}}') FROM happened
            WHERE (happened.patron, happened.dealer) = (pairs.patron, pairs.dealer))) AS compared,
       jsonb_build_object('one_in', {ONE_IN}, 'of', summed) AS results
  FROM pairs LEFT JOIN results USING (patron, dealer) ORDER BY patron, dealer
""",  # noqa: S608
    money=(),
    narrowings=("table", "day"),
    shown=("patron", "dealer", "coups", "results", "compared"),
    days_independent=False,  # who played on more than one day is one row
    newest_first=False,
)
