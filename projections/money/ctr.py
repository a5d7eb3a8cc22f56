"""Cash transactions to report: patrons whose cash in a day is over the reporting amount.

The amount in force when the cash came decides; a later change takes nobody out of the report.
Names that look the same are one row, whoever told them apart: whether they are one person is for a
person to judge. So are two that look like a third whose cash moved on that day.
"""

from domain.rules.permissions import OF_MONEY
from projections.model import Report, narrowed
from projections.money.cash_log import CASH
from projections.people.patrons import ASKED

DEFAULT_REPORTING_AMOUNT = 10_000_00  # until the house records one

_COMPONENTS = """
json_agg(json_build_object(
    'at', at, 'table', table_code, 'patron', patron, 'kind', kind, 'amount', amount,
    'position', position) ORDER BY position)
"""
REPORT = Report(
    name="ctr",
    title="Cash to report",
    about="patrons over the reporting amount on one gaming day",
    read_by=OF_MONEY,
    projections=("cash", "patrons"),
    columns=("day", "patron", "alike", "direction", "total", "components"),
    sql=f"""
WITH RECURSIVE moved AS ({CASH} AND {narrowed(table=None)}),
-- Who looks like whom on a day: by their name, and by those under which their cash came or went.
named AS (
    SELECT DISTINCT gaming_day, direction, patron, unnest(ARRAY[patron, name]) AS name FROM moved
),
looking AS (
    SELECT DISTINCT named.gaming_day, named.direction, named.patron, looks.look
      FROM named JOIN patron_looks AS looks USING (name)
),
together AS (
    SELECT gaming_day, direction, patron, patron AS other FROM moved
     UNION
    SELECT known.gaming_day, known.direction, known.patron, theirs.patron
      FROM together AS known
      JOIN looking AS own ON (own.gaming_day, own.direction, own.patron)
                           = (known.gaming_day, known.direction, known.other)
      JOIN looking AS theirs ON (theirs.gaming_day, theirs.direction, theirs.look)
                              = (own.gaming_day, own.direction, own.look)
),
of_one AS (
    SELECT moved.*, who
      FROM moved JOIN (SELECT gaming_day, direction, patron, min(other) AS who
                         FROM together GROUP BY gaming_day, direction, patron) AS first
        USING (gaming_day, direction, patron)
),
so_far AS (
    SELECT of_one.*,
           sum(amount) OVER (PARTITION BY who, gaming_day, direction ORDER BY position)
               > coalesce((SELECT reported.amount FROM reporting_amounts AS reported
                            WHERE reported.position < of_one.position
                            ORDER BY reported.position DESC LIMIT 1),
                          {DEFAULT_REPORTING_AMOUNT}) AS "over"
      FROM of_one
),
to_report AS (
    SELECT gaming_day, direction, array_agg(DISTINCT patron ORDER BY patron) AS names,
           sum(amount) AS total, {_COMPONENTS} AS components, min(position) AS first
      FROM so_far
     GROUP BY gaming_day, who, direction
    HAVING bool_or("over") AND bool_or({ASKED.format("patron")})
)
SELECT gaming_day AS day, names[1] AS patron,
       CASE WHEN cardinality(names) > 1 THEN array_to_json(names[2:]) END AS alike,
       direction, total, components
  FROM to_report
 ORDER BY gaming_day, first, direction
""",  # noqa: S608
    money=("total",),
    narrowings=("day", "patron"),
    shown=("day", "patron", "alike", "direction", "total"),
    has_total=False,
    words={
        "alike": (
            "alike",
            "further names that look the same, and are in the total; none: the patron's own cash",
        ),
        "components": ("components", "the transactions in the total"),
    },
)
