"""Cash transactions to report, and those that are logged: patrons whose cash reaches an amount.

The regime of the gaming day says from which amount (R-CASH-1). Without one the reporting amount in
force when the cash came decides; a later change takes nobody out of the report.
Names that look the same are one row, whoever told them apart: whether they are one person is for a
person to judge. So are two that look like a third whose cash moved on that day. And who plays for
the same person is in one row with them, and with that person.
"""

from msgspec.structs import replace

from domain.rules.permissions import OF_MONEY
from domain.rules.wording import N_
from projections import no_total
from projections.model import Report, narrowed
from projections.money.cash_log import CASH
from projections.people.patrons import ASKED, IDENTITY, KNOWN

DEFAULT_REPORTING_AMOUNT = 10_000_00  # until the house records one

_COMPONENTS = """
json_agg(json_build_object(
    'at', at, 'table', table_code, 'patron', patron, 'kind', kind, 'amount', amount,
    'position', position) ORDER BY position)
"""
# From which `ops.reports.ask` computes the last day.
# Who moved the cash of a row, whose names look like another's, and for whom it was.
_WHO = """
array_agg(DISTINCT patron ORDER BY patron) AS names,
           coalesce(array_agg(DISTINCT patron ORDER BY patron) FILTER (WHERE looks_alike), '{}')
           AS alike, array_agg(DISTINCT principal ORDER BY principal)
           FILTER (WHERE principal IS NOT NULL) AS on_behalf_of
"""
_ASKED = f"bool_or({ASKED.format('patron')} OR {ASKED.format('principal')})"
_DUE_BY = """
CASE WHEN "within" > 0 THEN jsonb_build_object(
    'day', gaming_day, 'days', "within", 'working', working_days) END
"""


_KNOWN = f"""
WITH RECURSIVE moved AS ({CASH} AND {narrowed(table=None)}),
-- Who looks like whom on a day: by their name, and by those under which their cash came or went.
named AS (
    SELECT DISTINCT gaming_day, direction, patron, unnest(ARRAY[patron, name]) AS name FROM moved
),
looking AS (
    SELECT DISTINCT named.gaming_day, named.direction, named.patron, looks.look
      FROM named JOIN patron_looks AS looks USING (name)
),
-- Few looks are of several patrons.
alike AS (
    SELECT gaming_day, direction, array_agg(patron) AS patrons
      FROM looking GROUP BY gaming_day, direction, look HAVING count(*) > 1
),
beside AS (
    SELECT DISTINCT gaming_day, direction, patron, other
      FROM alike, unnest(patrons) AS patron, unnest(patrons) AS other
),
-- For whom somebody plays on a day, as the two are known now.
plays_for AS (
    SELECT DISTINCT ON (day.gaming_day, principals.patron)
           day.gaming_day, principals.patron,
           nullif(nullif({IDENTITY.format("whose")}, ''), principals.patron) AS principal
      FROM (SELECT DISTINCT gaming_day FROM moved) AS day
      JOIN patron_principals AS principals ON principals.from_day <= day.gaming_day
           CROSS JOIN LATERAL (SELECT principals.principal AS patron) AS whose
           {KNOWN.format("whose")}
     WHERE NOT EXISTS (SELECT FROM patron_identities AS alias
                        WHERE alias.alias = principals.patron)
     ORDER BY day.gaming_day, principals.patron, principals.position DESC
),
-- Whose cash counts together, two at a time.
counted AS (
    SELECT * FROM beside
     UNION
    SELECT gaming_day, direction, pair[1], pair[2]
      FROM (SELECT DISTINCT gaming_day, direction FROM moved) AS ways JOIN plays_for
           USING (gaming_day)
           CROSS JOIN LATERAL (VALUES (ARRAY[patron, principal]), (ARRAY[principal, patron]),
                                      (ARRAY[patron, patron])) AS each (pair)
     WHERE principal IS NOT NULL
),
together AS (
    SELECT * FROM counted
     UNION
    SELECT known.gaming_day, known.direction, known.patron, counted.other
      FROM together AS known
      JOIN counted ON (counted.gaming_day, counted.direction, counted.patron)
                    = (known.gaming_day, known.direction, known.other)
),
of_one AS (
    SELECT moved.*, coalesce(who, patron) AS who, principal,
           (gaming_day, direction, patron) IN (SELECT gaming_day, direction, patron FROM beside)
           AS looks_alike
      FROM moved LEFT JOIN (SELECT gaming_day, direction, patron, min(other) AS who
                              FROM together GROUP BY gaming_day, direction, patron) AS first
        USING (gaming_day, direction, patron)
                 LEFT JOIN plays_for USING (gaming_day, patron)
),
-- The regime of a gaming day: of those that began, the last that was chosen; 0 for none.
of_a_regime AS (
    SELECT of_one.*, coalesce((SELECT chosen.position FROM regime_choices AS chosen
                                WHERE chosen.from_day <= of_one.gaming_day
                                ORDER BY chosen.position DESC LIMIT 1), 0) AS chosen
      FROM of_one
),
-- Of a house that chose none.
so_far AS (
    SELECT of_a_regime.*,
           sum(amount) OVER (PARTITION BY who, gaming_day, direction ORDER BY position)
               > coalesce((SELECT reported.amount FROM reporting_amounts AS reported
                            WHERE reported.position < of_a_regime.position
                            ORDER BY reported.position DESC LIMIT 1),
                          {DEFAULT_REPORTING_AMOUNT}) AS "over"
      FROM of_a_regime WHERE chosen = 0
),
-- Cash beside each threshold of its regime.
measured AS (
    SELECT of_a_regime.*, reached.place, reached.reported, reached.logged, reached.threshold,
           reached.paper, reached.amount AS "limit", reached."over", reached."within",
           reached.working_days, CASE WHEN reached.single THEN of_a_regime.position END AS single
      FROM of_a_regime
      JOIN regime_thresholds AS reached
        ON reached.position = chosen
       AND CASE direction WHEN 'in' THEN reached.cash_in ELSE reached.cash_out END
       AND gaming_day BETWEEN reached.first_day AND reached.last_day
)
"""  # noqa: S608


def _listed(names: str, called: str, without: str = "") -> str:
    """Names of a row as a column, without the first of the row; NULL for none."""
    apart = f"AND each <> ALL({without})" if without else ""
    return f"""(SELECT json_agg(each ORDER BY each) FROM unnest({names}) AS each
                 WHERE each <> names[1] {apart}) AS {called}"""  # noqa: S608


# What was reported and fell below its amount since: the newest report, with what is left of it.
_FALLEN = f"""
, fallen AS (
    SELECT filed.gaming_day, direction, filed.threshold, of_one, filed.reference,
           array_agg(filed.patron ORDER BY filed.patron) AS names, max(reported) AS reported,
           min(filed.filed_on) AS filed_on, bool_or(filed.late) AS late,
           bool_or({ASKED.format("filed.patron")}) AS asked
      FROM cash_filings AS filed
           CROSS JOIN LATERAL (VALUES ('in', cash_in), ('out', cash_out))
                           AS each (direction, reported)
     WHERE reported > 0 AND {narrowed(table=None)}
     GROUP BY filed.gaming_day, direction, filed.threshold, of_one, filed.reference
), left_of_it AS (
    SELECT fallen.*, coalesce(remains.total, 0) AS total,
           coalesce(remains.components, '[]') AS components, remains.first
      FROM fallen
           CROSS JOIN LATERAL (
               SELECT sum(amount) AS total, {_COMPONENTS} AS components, min(position) AS first
                 FROM moved
                WHERE moved.gaming_day = fallen.gaming_day AND moved.direction = fallen.direction
                  AND patron = ANY(names) AND of_one IN (0, position)) AS remains
     WHERE asked AND NOT EXISTS (
           SELECT FROM due
            WHERE (due.gaming_day, due.direction) = (fallen.gaming_day, fallen.direction)
              AND coalesce(due.threshold, '') = fallen.threshold
              AND fallen.of_one IN (0, coalesce(single, 0)) AND due.names && fallen.names)
)"""  # noqa: S608
_LEFT = """ UNION ALL
SELECT gaming_day, names[1], NULL, direction, total, components, nullif(threshold, ''),
       (SELECT paper FROM regime_thresholds AS law
         WHERE law.threshold = left_of_it.threshold
           AND law.position = (SELECT chosen.position FROM regime_choices AS chosen
                                WHERE chosen.from_day <= gaming_day
                                ORDER BY chosen.position DESC LIMIT 1) LIMIT 1),
       NULL, filed_on, reference, late,
       (SELECT json_agg(each ORDER BY each) FROM unnest(names) AS each WHERE each <> names[1]),
       NULL, total - reported, coalesce(first, 0), 0
  FROM left_of_it"""


def _due(due: str, plain: str) -> str:
    """What reaches a threshold; `plain`: a condition for cash of a house that chose no regime."""
    return f"""
{_KNOWN}, due AS (
    SELECT gaming_day, direction, {_WHO},
           sum(amount) AS total, {_COMPONENTS} AS components, min(position) AS first,
           NULL AS threshold, NULL AS paper, NULL::jsonb AS due_by, 0 AS place,
           NULL::bigint AS single, {_ASKED} AS asked
      FROM so_far WHERE {plain}
     GROUP BY gaming_day, who, direction
    HAVING bool_or("over")
     UNION ALL
    SELECT gaming_day, direction, {_WHO},
           sum(amount), {_COMPONENTS}, min(position), threshold, paper, {_DUE_BY}, place,
           single, {_ASKED}
      FROM measured WHERE {due}
     GROUP BY gaming_day, who, direction, single, place, threshold, paper, "limit", "over",
              "within", working_days
    HAVING CASE WHEN "over" THEN sum(amount) > "limit" ELSE sum(amount) >= "limit" END
)"""  # noqa: S608


def _sql(due: str, plain: str, fallen: str = "", more: str = "") -> str:
    """The query of the report of what is `reported` or `logged`.

    `plain`: a condition for the cash of a house that chose no regime. `fallen`, `more`: rows of
    what was reported before.
    """
    return f"""{_due(due, plain)}{fallen}, shown AS (
SELECT due.gaming_day AS day, names[1] AS patron,
       {_listed("alike", "alike")}, direction, total, components,
       due.threshold, paper, due_by, filed_on, reference, late,
       {_listed("names", "agents", "alike")}, array_to_json(on_behalf_of) AS on_behalf_of,
       nullif(total - CASE direction WHEN 'in' THEN cash_in ELSE cash_out END, 0) AS since_filed,
       first, place
  FROM due
  LEFT JOIN LATERAL (
    SELECT min(filed_on) AS filed_on, (array_agg(reference ORDER BY filings DESC))[1] AS reference,
           (array_agg(late ORDER BY filed_on))[1] AS late,
           (array_agg(cash_in ORDER BY filings DESC)
               FILTER (WHERE cash_in > 0 OR cash_out > 0))[1] AS cash_in,
           (array_agg(cash_out ORDER BY filings DESC)
               FILTER (WHERE cash_in > 0 OR cash_out > 0))[1] AS cash_out
      FROM cash_filings AS filed
     WHERE filed.patron = ANY(names) AND filed.gaming_day = due.gaming_day
       AND filed.threshold = coalesce(due.threshold, '')
       AND of_one IN (0, coalesce(single, 0))) AS filed ON true
 WHERE asked
{more}
)
SELECT day, patron, alike, direction, total, components, threshold, paper, due_by, filed_on,
       reference, CASE WHEN late THEN 'late' END AS late, agents, on_behalf_of, since_filed
  FROM shown ORDER BY day, first, direction, place
"""  # noqa: S608


REPORT = Report(
    name="ctr",
    title="Cash to report",
    about="patrons over the reporting amount on one gaming day",
    read_by=OF_MONEY,
    projections=("cash", "patrons"),
    columns=(
        *("day", "patron", "alike", "direction", "total", "components", "threshold", "paper"),
        *("due_by", "filed_on", "reference", "late", "agents", "on_behalf_of", "since_filed"),
    ),
    sql=_sql("reported", "true", _FALLEN, _LEFT),
    money=("total", "since_filed"),
    narrowings=("day", "patron"),
    shown=(
        "day",
        "patron",
        "alike",
        "agents",
        "on_behalf_of",
        "direction",
        "total",
        "paper",
        "due_by",
        "filed_on",
        "reference",
        "since_filed",
    ),
    dropped_first=("paper", "reference", "alike", "on_behalf_of", "since_filed", "agents"),
    no_total=no_total.AGAIN,
    codes={"late": {"late": N_("late")}},
    words={
        "alike": (
            "alike",
            "further names that look the same, and are in the total; none: the patron's own cash",
        ),
        "agents": (
            "with",
            "others in the total: they play for the same person, or are that person",
        ),
        "on_behalf_of": ("on behalf of", "for whom the cash was, by the patrons' files"),
        "components": ("components", "the transactions in the total"),
        "threshold": (
            "threshold",
            "the threshold of the house's regime; none: the house chose no regime",
        ),
        "paper": ("paper", "what is due, as the regime calls it"),
        "filed_on": ("filed on", "the day on which the first report was filed"),
        "reference": ("reference", "the regulator's number of the newest report"),
        "late": ("late", "whether the first report was due before"),
        "due_by": ("due by", "the last day for it, as the regime says"),
        "since_filed": (
            "since filed",
            "cash that the newest report has not; less than 0: too much in it. It is to be amended",
        ),
    },
)
LOG = replace(
    REPORT,
    name="threshold-log",
    title="Log of smaller cash",
    about="patrons over the regime's amount for its log",
    sql=_sql("logged", "false"),
)
