"""Cash transactions to report, and those that are logged: patrons whose cash reaches an amount.

The regime of the gaming day says from which amount (R-CASH-1). Without one the reporting amount in
force when the cash came decides; a later change takes nobody out of the report.
Names that look the same are one row, whoever told them apart: whether they are one person is for a
person to judge. So are two that look like a third whose cash moved on that day.
"""

from msgspec.structs import replace

from domain.rules.permissions import OF_MONEY
from domain.rules.wording import N_
from projections.model import Report, narrowed
from projections.money.cash_log import CASH
from projections.people.patrons import ASKED

DEFAULT_REPORTING_AMOUNT = 10_000_00  # until the house records one

_COMPONENTS = """
json_agg(json_build_object(
    'at', at, 'table', table_code, 'patron', patron, 'kind', kind, 'amount', amount,
    'position', position) ORDER BY position)
"""
# From which `ops.reports.ask` computes the last day.
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
together AS (
    SELECT * FROM beside
     UNION
    SELECT known.gaming_day, known.direction, known.patron, beside.other
      FROM together AS known
      JOIN beside ON (beside.gaming_day, beside.direction, beside.patron)
                   = (known.gaming_day, known.direction, known.other)
),
of_one AS (
    SELECT moved.*, coalesce(who, patron) AS who
      FROM moved LEFT JOIN (SELECT gaming_day, direction, patron, min(other) AS who
                              FROM together GROUP BY gaming_day, direction, patron) AS first
        USING (gaming_day, direction, patron)
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


def _sql(due: str, plain: str) -> str:
    """The query of the report of what is `reported` or `logged`.

    `plain`: a condition for the cash of a house that chose no regime.
    """
    return f"""
{_KNOWN}, due AS (
    SELECT gaming_day, direction, array_agg(DISTINCT patron ORDER BY patron) AS names,
           sum(amount) AS total, {_COMPONENTS} AS components, min(position) AS first,
           NULL AS threshold, NULL AS paper, NULL::jsonb AS due_by, 0 AS place
      FROM so_far WHERE {plain}
     GROUP BY gaming_day, who, direction
    HAVING bool_or("over") AND bool_or({ASKED.format("patron")})
     UNION ALL
    SELECT gaming_day, direction, array_agg(DISTINCT patron ORDER BY patron),
           sum(amount), {_COMPONENTS}, min(position), threshold, paper, {_DUE_BY}, place
      FROM measured WHERE {due}
     GROUP BY gaming_day, who, direction, single, place, threshold, paper, "limit", "over",
              "within", working_days
    HAVING CASE WHEN "over" THEN sum(amount) > "limit" ELSE sum(amount) >= "limit" END
       AND bool_or({ASKED.format("patron")})
)
SELECT due.gaming_day AS day, names[1] AS patron,
       CASE WHEN cardinality(names) > 1 THEN array_to_json(names[2:]) END AS alike,
       direction, total, components, due.threshold, paper, due_by, filed_on, reference,
       CASE WHEN late THEN 'late' END AS late
  FROM due
  LEFT JOIN cash_filings AS filed
    ON filed.patron = ANY(names) AND filed.gaming_day = due.gaming_day
   AND filed.threshold = coalesce(due.threshold, '')
 ORDER BY due.gaming_day, first, direction, place
"""  # noqa: S608


REPORT = Report(
    name="ctr",
    title="Cash to report",
    about="patrons over the reporting amount on one gaming day",
    read_by=OF_MONEY,
    projections=("cash", "patrons"),
    columns=(
        *("day", "patron", "alike", "direction", "total", "components"),
        *("threshold", "paper", "due_by", "filed_on", "reference", "late"),
    ),
    sql=_sql("reported", "true"),
    money=("total",),
    narrowings=("day", "patron"),
    shown=("day", "patron", "alike", "direction", "total", "paper", "due_by", "filed_on"),
    has_total=False,
    codes={"late": {"late": N_("late")}},
    words={
        "alike": (
            "alike",
            "further names that look the same, and are in the total; none: the patron's own cash",
        ),
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
    },
)
LOG = replace(
    REPORT,
    name="threshold-log",
    title="Log of smaller cash",
    about="patrons over the regime's amount for its log",
    sql=_sql("logged", "false"),
)
