"""Cash transactions to report: patrons whose cash in a day is over the reporting amount.

The amount in force when the cash came decides; a later change takes nobody out of the report.
Names that look the same are reported together, too, whoever told them apart: whether they are one
person is for a person to judge.
"""

from domain.rules.permissions import OF_MONEY
from projections.cash_log import CASH
from projections.model import Report, narrowed
from projections.patrons import ASKED

DEFAULT_REPORTING_AMOUNT = 10_000_00  # until the house records one

# Cash, each row with all that its patron and day come to up to it, in one direction.
_SO_FAR = f"""
SELECT cash.*,
       sum(amount) OVER (PARTITION BY {{whose}}, gaming_day, direction ORDER BY position)
           > coalesce((SELECT reported.amount FROM reporting_amounts AS reported
                        WHERE reported.position < cash.position
                        ORDER BY reported.position DESC LIMIT 1),
                      {DEFAULT_REPORTING_AMOUNT}) AS "over"
  FROM {{cash}} AS cash
"""  # noqa: S608
_COMPONENTS = """
json_agg(json_build_object(
    'at', at, 'table', table_code, 'patron', patron, 'kind', kind, 'amount', amount,
    'position', position) ORDER BY position)
"""
REPORT = Report(
    name="ctr",
    title="Cash to report",
    read_by=OF_MONEY,
    projections=("cash", "patrons"),
    columns=("day", "patron", "alike", "direction", "total", "components"),
    sql=f"""
WITH cash AS ({CASH}),
of_look AS (
    SELECT looks.look, cash.*
      FROM cash
      JOIN (SELECT DISTINCT looks.look, coalesce(known.patron, looks.name) AS patron
              FROM patron_looks AS looks
              LEFT JOIN patron_identities AS known ON known.alias = looks.name) AS looks
        ON looks.patron = cash.patron
),
to_report AS (
    SELECT gaming_day, patron, NULL::text[] AS alike, direction, sum(amount) AS total,
           {_COMPONENTS} AS components, min(position) AS first
      FROM ({_SO_FAR.format(cash="cash", whose="patron")}) AS cash
     WHERE {ASKED.format("patron")}
     GROUP BY gaming_day, patron, direction
    HAVING bool_or("over")
    UNION ALL
    SELECT DISTINCT ON (gaming_day, names, direction)
           gaming_day, names[1] AS patron, names[2:] AS alike, direction, total, components, first
      FROM (SELECT gaming_day, direction, array_agg(DISTINCT patron ORDER BY patron) AS names,
                   sum(amount) AS total, {_COMPONENTS} AS components, min(position) AS first
              FROM ({_SO_FAR.format(cash="of_look", whose="look")}) AS cash
             GROUP BY gaming_day, look, direction
            HAVING bool_or("over") AND bool_or({ASKED.format("patron")})) AS together
     WHERE cardinality(names) > 1
)
SELECT gaming_day AS day, patron, array_to_json(alike) AS alike, direction, total, components
  FROM to_report
 WHERE {narrowed(table=None)}
 ORDER BY gaming_day, first, to_report.alike NULLS FIRST
""",  # noqa: S608
    money=("total",),
    narrowings=("day", "patron"),
    shown=("day", "patron", "alike", "direction", "total"),
    has_total=False,
)
