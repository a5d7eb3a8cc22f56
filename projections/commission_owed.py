"""Commission owed: what each stay accrued in each shoe, and what became of it (R-COM-2, 4)."""

from collections.abc import Iterator
from decimal import Decimal

from domain.commission import CommissionAccount
from domain.shoe import Shoe
from domain.table_day import TableDay
from projections.model import Fact, Projection, Report, Statement

_OWED = "({0}charged + {0}brought_forward + {0}corrections - {0}collected - {0}waived - {0}walked)"
OWED = _OWED.format("")

_ACCRUED = f"""
INSERT INTO projections.commission_owed AS owed
    (stay, shoe, patron, table_code, gaming_day, accrued, charged, oldest_accrual, first_position)
VALUES (%(stay)s, %(shoe)s, %(patron)s, %(table)s, %(day)s, %(exact)s, %(charged)s, %(at)s,
        %(position)s)
ON CONFLICT (stay, shoe) DO UPDATE SET
    accrued = owed.accrued + excluded.accrued,
    charged = owed.charged + excluded.charged,
    oldest_accrual = CASE
        WHEN {_OWED.format("owed.")} = 0
        THEN excluded.oldest_accrual ELSE owed.oldest_accrual END
"""  # noqa: S608

_COLLECTED = f"""
UPDATE projections.commission_owed SET
    collected = collected + %(part)s,
    oldest_accrual = CASE WHEN {OWED} > %(part)s THEN oldest_accrual END,
    due_at = CASE WHEN %(at_payout)s THEN coalesce(due_at, %(at)s) ELSE due_at END
WHERE stay = %(stay)s AND shoe = %(shoe)s
"""  # noqa: S608

_FELL_DUE = """
UPDATE projections.commission_owed SET due_at = coalesce(due_at, %(at)s)
WHERE shoe = %(shoe)s OR stay = %(stay)s
"""


def _accrued(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    yield (
        _ACCRUED,
        {
            "stay": told["stay"],
            "shoe": told["shoe"],
            "patron": told["patron"],
            "table": fact.table,
            "day": fact.gaming_day,
            "exact": Decimal(told["exact"]),
            "charged": told["charged"],
            "at": fact.at,
            "position": fact.position,
        },
    )


def _collected(fact: Fact) -> Iterator[Statement]:
    for shoe, part in fact.told["by_shoe"].items():
        yield (
            _COLLECTED,
            {
                "stay": fact.told["stay"],
                "shoe": shoe,
                "part": part,
                "at": fact.at,
                "at_payout": fact.told["how"] == "at-payout",
            },
        )


def _fell_due(fact: Fact) -> Iterator[Statement]:
    """At the end of the shoe or when the patron leaves, whichever comes first."""
    told = fact.told
    yield _FELL_DUE, {"shoe": told.get("shoe"), "stay": told.get("stay"), "at": fact.at}


PROJECTION = Projection(
    name="commission_owed",
    tables=("projections.commission_owed",),
    changes={
        CommissionAccount.CommissionAccrued.TOPIC: _accrued,
        CommissionAccount.CommissionCollected.TOPIC: _collected,
        Shoe.Ended.TOPIC: _fell_due,
        TableDay.PatronLeft.TOPIC: _fell_due,
    },
)

REPORT = Report(
    name="commission",
    title="Commission",
    projections=("commission_owed",),
    columns=(
        *("patron", "stay", "table", "day", "shoe", "brought_forward", "accrued", "charged"),
        *("rounding", "corrections", "collected", "waived", "walked", "outstanding"),
        *("oldest_accrual", "due_at"),
    ),
    sql=f"""
SELECT patron, stay, table_code AS "table", gaming_day AS day, shoe, brought_forward,
       accrued, charged, charged - accrued AS rounding, corrections, collected, waived,
       walked, {OWED} AS outstanding, oldest_accrual, due_at
  FROM projections.commission_owed
 WHERE (%(table)s::text IS NULL OR table_code = %(table)s)
   AND (%(day)s::date IS NULL OR gaming_day = %(day)s)
   AND (%(shoe)s::text IS NULL OR shoe = %(shoe)s)
   AND (%(patron)s::text IS NULL OR patron = %(patron)s)
 ORDER BY first_position
""",  # noqa: S608
    money=(
        *("brought_forward", "accrued", "charged", "rounding", "corrections"),
        *("collected", "waived", "walked", "outstanding"),
    ),
    narrowings=("table", "day", "shoe", "patron"),
    shown=("patron", "shoe", "charged", "collected", "outstanding", "due_at"),
)
