"""Cash transactions to report: patrons whose cash in a day is over the reporting amount.

The amount in force when the cash came decides; a later change takes nobody out of the report.
"""

from domain.rules.permissions import OF_MONEY
from projections.cash_log import CASH
from projections.model import Report, narrowed
from projections.patrons import ASKED

DEFAULT_REPORTING_AMOUNT = 10_000_00  # until the house records one

REPORT = Report(
    name="ctr",
    title="Cash to report",
    read_by=OF_MONEY,
    projections=("cash", "patrons"),
    columns=("day", "patron", "direction", "total", "components"),
    sql=f"""
SELECT gaming_day AS day, patron, direction, sum(amount) AS total,
       json_agg(json_build_object(
           'at', at, 'table', table_code, 'kind', kind, 'amount', amount, 'position', position
       ) ORDER BY position) AS components
  FROM (SELECT cash.*,
               sum(amount) OVER (PARTITION BY gaming_day, patron, direction ORDER BY position)
                   > coalesce((SELECT reported.amount FROM reporting_amounts AS reported
                                WHERE reported.position < cash.position
                                ORDER BY reported.position DESC LIMIT 1),
                              {DEFAULT_REPORTING_AMOUNT}) AS "over"
          FROM ({CASH}) AS cash) AS cash
 WHERE {narrowed(table=None)}
   AND {ASKED.format("patron")}
 GROUP BY gaming_day, patron, direction
HAVING bool_or("over")
 ORDER BY gaming_day, min(position)
""",  # noqa: S608
    money=("total",),
    narrowings=("day", "patron"),
    shown=("day", "patron", "direction", "total"),
    has_total=False,
)
