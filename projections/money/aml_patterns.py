"""Patterns of money laundering: what a patron's cash does more often than that of all others.

None of it is an offence by itself: people lose, and buy in again. So nothing is counted against an
amount alone, but each patron beside the others' share of the same occasions, which is the chance.
`ops.reports.beside` makes `unlike` of it. Patterns are those that FinCEN and FATF name for casinos
(FinCEN, "Suspicious activity reporting guidance for casinos", December 2003; FATF and APG,
"Vulnerabilities of casinos and gaming sector", March 2009).
"""

from domain.rules.permissions import OF_AML, Reading
from domain.rules.wording import N_
from projections import no_total
from projections.model import Report, narrowed
from projections.money.cash_log import CASH
from projections.money.ctr import DEFAULT_REPORTING_AMOUNT
from projections.people.named import ONE_IN
from projections.people.patrons import IDENTITY, KNOWN
from projections.people.ratings import RESULTS

EVIDENCE = 50  # newest positions that a row has: as many as a note of a case takes
MINUTES = 30  # between the cash of two who may share an amount
# Occasions, of a day's cash of a patron in one direction, and whether the pattern `held`: the least
# amount to report of that day is the `limit`; `at_once`: one transaction reaches it.
_OF_ONE = """
    SELECT 'just-under' AS pattern, patron, '' AS beside, day, total, positions,
           NOT reached AND total * 10 >= "limit" * 9 AS held
      FROM by_day WHERE total * 10 BETWEEN "limit" * 7 AND "limit" * 13
     UNION ALL
    SELECT 'in-pieces', patron, '', day, total, positions, NOT at_once AND tables > 1
      FROM by_day WHERE reached
     UNION ALL
    SELECT 'little-play', patron, '', day, total, positions, coalesce(wagered, 0) < total
      FROM by_day LEFT JOIN played USING (patron, day)
     WHERE direction = 'in' AND total * 10 >= "limit"
     UNION ALL
    SELECT 'chips-taken', patron, '', day, total, by_day.positions,
           (total - coalesce(taken_out, 0) + coalesce(won, 0)) * 2 >= total
      FROM by_day LEFT JOIN played USING (patron, day)
      LEFT JOIN (SELECT patron, day, total AS taken_out FROM by_day WHERE direction = 'out') AS out
          USING (patron, day)
     WHERE direction = 'in' AND total * 10 >= "limit"
"""

REPORT = Report(
    name="aml-patterns",
    title="Patterns of money laundering",
    about="whose cash moves unlike that of the others: just under an amount, in pieces, unplayed",
    read_by=Reading(OF_AML),
    projections=(
        "ratings",
        "wagers",
        "commission_owed",
        "cash",
        "patrons",
        "protection",
        "aml_cases",
    ),
    columns=(
        *("pattern", "patron", "beside", "times", "occasions", "amount"),
        *("first_day", "last_day", "unlike", "positions", "aml_case"),
    ),
    sql=f"""
WITH {RESULTS}, played AS (
    SELECT identity AS patron, gaming_day AS day, sum(handle) AS wagered, sum(win_loss) AS won
      FROM asked JOIN results USING (stay) LEFT JOIN by_stay USING (stay)
     GROUP BY identity, gaming_day
), moved AS MATERIALIZED (
    {CASH} AND {narrowed(table=None)}
), days AS (
    SELECT gaming_day, direction, max(position) AS last FROM moved GROUP BY gaming_day, direction
), limits AS MATERIALIZED (
    SELECT gaming_day, direction,
           CASE WHEN chosen IS NULL THEN coalesce((
                    SELECT reported.amount FROM reporting_amounts AS reported
                     WHERE reported.position < last ORDER BY reported.position DESC LIMIT 1),
                    {DEFAULT_REPORTING_AMOUNT})
                ELSE law.amount END AS "limit",
           chosen IS NULL OR law."over" AS "over"
      FROM days
      LEFT JOIN LATERAL (SELECT position AS chosen FROM regime_choices
                          WHERE from_day <= gaming_day ORDER BY position DESC LIMIT 1) AS a ON true
      LEFT JOIN LATERAL (SELECT amount, "over" FROM regime_thresholds AS of_it
                          WHERE of_it.position = chosen AND reported
                            AND CASE direction WHEN 'in' THEN cash_in ELSE cash_out END
                            AND gaming_day BETWEEN of_it.first_day AND of_it.last_day
                          ORDER BY amount LIMIT 1) AS law ON true
), by_day AS MATERIALIZED (
    SELECT patron, gaming_day AS day, direction, "limit", sum(amount) AS total,
           count(DISTINCT table_code) AS tables, array_agg(position) AS positions,
           CASE WHEN "over" THEN sum(amount) > "limit" ELSE sum(amount) >= "limit" END AS reached,
           CASE WHEN "over" THEN max(amount) > "limit" ELSE max(amount) >= "limit" END AS at_once
      FROM moved JOIN limits USING (gaming_day, direction)
     WHERE "limit" IS NOT NULL
     GROUP BY patron, gaming_day, direction, "limit", "over"
), of_two AS (
    SELECT one.patron, other.patron AS beside, one.gaming_day AS day,
           one.amount + other.amount AS total, ARRAY[one.position, other.position] AS positions,
           greatest(one.amount, other.amount) < "limit"
               AND CASE WHEN "over" THEN one.amount + other.amount > "limit"
                        ELSE one.amount + other.amount >= "limit" END AS held
      FROM moved AS one
      JOIN moved AS other
        ON other.table_code = one.table_code AND other.gaming_day = one.gaming_day
       AND other.direction = 'in' AND other.patron > one.patron
       AND other.at BETWEEN one.at - interval '{MINUTES} minutes'
                        AND one.at + interval '{MINUTES} minutes'
      JOIN limits ON limits.gaming_day = one.gaming_day AND limits.direction = 'in'
     WHERE one.direction = 'in' AND "limit" IS NOT NULL
), occasions AS (
    {_OF_ONE}
     UNION ALL
    (SELECT DISTINCT ON (patron, beside, day)
            'two-together', patron, beside, day, total, positions, held
       FROM of_two ORDER BY patron, beside, day, held DESC, total DESC, positions)
), counted AS (
    SELECT pattern, patron, beside, count(*) FILTER (WHERE held) AS times, count(*) AS of,
           sum(total) FILTER (WHERE held) AS amount, min(day) FILTER (WHERE held) AS first_day,
           max(day) FILTER (WHERE held) AS last_day
      FROM occasions GROUP BY pattern, patron, beside
), evidence AS (
    SELECT pattern, patron, beside, position
      FROM occasions, unnest(positions) AS position WHERE held
), every AS (
    SELECT pattern, sum(times) AS times, sum(of) AS of, count(*) AS tests
      FROM counted GROUP BY pattern
)
SELECT pattern, counted.patron, nullif(beside, '') AS beside, counted.times,
       counted.of AS occasions, amount, first_day, last_day, jsonb_build_object(
           'times', counted.times, 'of', counted.of, 'others_times', every.times - counted.times,
           'others_of', every.of - counted.of, 'tests', (SELECT sum(tests) FROM every),
           'one_in', {ONE_IN}) AS unlike,
       (SELECT json_agg(position ORDER BY position)
          FROM (SELECT DISTINCT position FROM evidence
                 WHERE (evidence.pattern, evidence.patron, evidence.beside)
                     = (counted.pattern, counted.patron, counted.beside)
                 ORDER BY position DESC LIMIT {EVIDENCE}) AS newest) AS positions,
       (SELECT aml_case FROM aml_cases {KNOWN.format("aml_cases")}
         WHERE closed_at IS NULL
           AND {IDENTITY.format("aml_cases")} IN (counted.patron, counted.beside)
         ORDER BY aml_cases.position DESC LIMIT 1) AS aml_case
  FROM counted JOIN every USING (pattern)
 WHERE counted.times > 1
 ORDER BY pattern COLLATE "C", counted.patron COLLATE "C", beside COLLATE "C"
""",  # noqa: S608
    money=("amount",),
    narrowings=("day", "rows"),
    named_in="unlike",
    shown=(
        "pattern",
        "patron",
        "beside",
        "times",
        "occasions",
        "amount",
        "last_day",
        "unlike",
        "aml_case",
    ),
    dropped_first=("amount", "last_day"),
    no_total=no_total.AGAIN,
    days_independent=False,  # what is compared is what somebody does on several days
    newest_first=False,
    codes={
        "pattern": {
            "just-under": N_("just under the amount"),
            "in-pieces": N_("in pieces at several tables"),
            "little-play": N_("less staked than bought in"),
            "chips-taken": N_("chips taken along"),
            "two-together": N_("two share the amount"),
        }
    },
    words={
        "pattern": ("pattern", "what the cash does"),
        "beside": ("beside", "the other one of two"),
        "times": ("times", "on how many days it does so; a row has two or more"),
        "occasions": ("occasions", "on how many days it could have"),
        "first_day": ("first day", "the first of these days"),
        "last_day": ("last day", "the last of these days"),
        "unlike": (
            "unlike others",
            "the others' share of the same occasions; how seldom chance does as much",
        ),
        "positions": ("events", "the newest events that are evidence, for `sabot aml open`"),
        "aml_case": ("case", "the newest open case about one of them"),
        "amount": ("amount", "the cash of these days; of two, the two amounts that are shared"),
    },
)
