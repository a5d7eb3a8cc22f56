"""Cash transactions to report: who brought or took more than the reporting amount in one day."""

from projections.cash_log import CASH
from projections.model import Report
from projections.patrons import ASKED

DEFAULT_REPORTING_AMOUNT = 10_000_00  # before anything was recorded

REPORT = Report(
    name="ctr",
    title="Cash to report",
    projections=("cash", "patrons"),
    columns=("day", "patron", "direction", "total", "components"),
    sql=f"""
SELECT gaming_day AS day, patron, direction, sum(amount) AS total,
       json_agg(json_build_object(
           'at', at, 'table', table_code, 'kind', kind, 'amount', amount, 'position', position
       ) ORDER BY position) AS components
  FROM ({CASH}) AS cash
 WHERE (%(day)s::date IS NULL OR gaming_day = %(day)s)
   AND {ASKED.format("patron")}
 GROUP BY gaming_day, patron, direction
HAVING sum(amount) > coalesce(
           (SELECT amount FROM projections.reporting_amounts ORDER BY position DESC LIMIT 1),
           {DEFAULT_REPORTING_AMOUNT})
 ORDER BY gaming_day, min(position)
""",  # noqa: S608
    money=("total",),
    narrowings=("day", "patron"),
    shown=("day", "patron", "direction", "total"),
    adds_up=False,
)
