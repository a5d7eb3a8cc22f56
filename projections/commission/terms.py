"""The terms of each stay, by which its commission is computed since it sat down; and its view."""

from datetime import date
from decimal import Decimal

from projections.model import Event, View
from projections.rows import Row, Rows, Table

TERMS_TABLE = """
-- How each stay's commission is computed, since it sat down. Amounts are minor units.
CREATE TABLE commission_terms (
    stay       text    NOT NULL PRIMARY KEY,
    patron     text    NOT NULL,  -- under the name that they had at the table
    table_code text    NOT NULL,
    gaming_day date    NOT NULL,
    rate       numeric NOT NULL,  -- 0 where the odds include it
    mode       text    NOT NULL,  -- how it is rounded: nearest, up, down, or to the next whole unit
    unit       bigint  NOT NULL,  -- to multiples of which
    minimum    bigint  NOT NULL,
    per_win    boolean NOT NULL   -- whether each win is rounded, or their sum on collection
);
"""


class Terms(Row):
    """The terms by which a stay's commission is computed."""

    stay: str
    patron: str
    table_code: str
    gaming_day: date
    rate: Decimal
    mode: str
    unit: int
    minimum: int
    per_win: bool


TERMS = Table("commission_terms", Terms, "stay")


def opened(event: Event, rows: Rows) -> None:
    """Enters the terms of a stay that begins."""
    fields = event.fields
    of, out_of = (0, 1) if fields["timing"] == "in-the-odds" else fields["rate"]
    terms = Terms(
        stay=fields["stay"],
        patron=fields["patron"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        rate=Decimal(of) / Decimal(out_of),
        mode=fields["rounding"],
        unit=fields["unit"],
        minimum=fields["minimum"],
        per_win=fields["moment"] == "per-win",
    )
    rows.put(TERMS, terms)


STAYS_VIEW = View(
    name="stays",
    what="A patron's time at one table, whichever chair. One row a stay.",
    sql="""
SELECT terms.stay, coalesce(known.patron, terms.patron) AS patron,
       terms.patron AS patron_at_table, terms.table_code, terms.gaming_day,
       terms.rate AS commission_rate, coalesce(owed.charged, 0)::bigint AS commission_charged,
       coalesce(owed.outstanding, 0)::bigint AS commission_outstanding,
       coalesce(played.wagers, 0) AS wagers, coalesce(played.staked, 0)::bigint AS staked,
       coalesce(played.paid, 0)::bigint AS paid
  FROM projections.commission_terms AS terms
  LEFT JOIN projections.patron_identities AS known ON known.alias = terms.patron
  LEFT JOIN (SELECT stay, sum(charged + corrections) AS charged,
                    sum(brought_forward + charged + corrections - collected - waived - walked)
                        AS outstanding
               FROM projections.commission_owed GROUP BY stay) AS owed USING (stay)
  LEFT JOIN (SELECT stay, count(*) AS wagers, sum(stake) AS staked, sum(paid) AS paid
               FROM projections.wagers WHERE result <> 'void' GROUP BY stay) AS played
       USING (stay)
""",
    columns={
        "stay": "Its address: table, gaming day, number.",
        "patron": "Whose it is, under the name known today.",
        "patron_at_table": "The name used at the table.",
        "table_code": "The table.",
        "gaming_day": "The gaming day.",
        "commission_rate": "The rate of commission, as in 0.05; 0 where the odds have it.",
        "commission_charged": "Commission charged, corrections in it, in minor units.",
        "commission_outstanding": "What is still owed of it, in minor units.",
        "wagers": "How many wagers of it were settled.",
        "staked": "What was staked on those, in minor units.",
        "paid": "What was paid for those in chips, the stakes in it, in minor units.",
    },
)
