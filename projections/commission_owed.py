"""Commission owed: what each stay accrued in each shoe, and what became of it (R-COM-2, 4)."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from domain.events import commission_account, table_day
from domain.events import shoe as shoe_events
from domain.rules.permissions import FLOOR, WATCH, Reading
from projections.model import Fact, Projection, Report, Statement, View, narrowed
from projections.patrons import ASKED, IDENTITY, KNOWN

_TABLES = """
-- One row a stay and shoe. Amounts are minor units.
CREATE TABLE commission_owed (
    stay            text    NOT NULL,            -- who owes it: a patron's time at one table
    shoe            text    NOT NULL,            -- in which it accrued
    patron          text    NOT NULL,            -- under the name that they had at the table
    table_code      text    NOT NULL,
    gaming_day      date    NOT NULL,
    brought_forward bigint  NOT NULL DEFAULT 0,  -- owed since an earlier shoe
    accrued         numeric NOT NULL DEFAULT 0,  -- exact: 5% of an odd amount need not be whole
    charged         bigint  NOT NULL DEFAULT 0,  -- the same, rounded
    corrections     bigint  NOT NULL DEFAULT 0,  -- what voids and corrections changed of it
    collected       bigint  NOT NULL DEFAULT 0,
    waived          bigint  NOT NULL DEFAULT 0,
    walked          bigint  NOT NULL DEFAULT 0,  -- lost with a patron who left
    due_at          timestamptz,                 -- shoe's end, leaving or payout
    first_position  bigint  NOT NULL,
    PRIMARY KEY (stay, shoe)
);
CREATE INDEX commission_owed_by_table ON commission_owed (table_code, gaming_day);
CREATE INDEX commission_owed_by_shoe ON commission_owed (shoe);

-- Every accrual of which something is still owed; collections pay the oldest first.
CREATE TABLE open_accruals (
    position bigint      NOT NULL PRIMARY KEY,
    stay     text        NOT NULL,
    shoe     text        NOT NULL,
    at       timestamptz NOT NULL,
    owed     bigint      NOT NULL CHECK (owed > 0),  -- minor units
    coup     text                                    -- NULL: owed again, of no coup's
);
CREATE INDEX open_accruals_by_stay ON open_accruals (stay, shoe, position);
"""

OWED = "(charged + brought_forward + corrections - collected - waived - walked)"

_ACCRUED = """
INSERT INTO commission_owed AS owed
    (stay, shoe, patron, table_code, gaming_day, accrued, charged, first_position)
VALUES (%(stay)s, %(shoe)s, %(patron)s, %(table)s, %(day)s, %(exact)s, %(charged)s, %(position)s)
ON CONFLICT (stay, shoe) DO UPDATE SET
    accrued = owed.accrued + excluded.accrued,
    charged = owed.charged + excluded.charged
"""

_OPEN = """
INSERT INTO open_accruals
VALUES (%(position)s, %(stay)s, %(shoe)s, %(at)s, %(charged)s, %(coup)s)
"""

_COLLECTED = """
UPDATE commission_owed SET
    collected = collected + %(part)s,
    due_at = CASE WHEN %(at_payout)s THEN coalesce(due_at, %(at)s) ELSE due_at END
WHERE stay = %(stay)s AND shoe = %(shoe)s
"""

_CORRECTED = """
INSERT INTO commission_owed AS owed
    (stay, shoe, patron, table_code, gaming_day, corrections, first_position)
VALUES (%(stay)s, %(shoe)s, %(patron)s, %(table)s, %(day)s, %(charged)s, %(position)s)
ON CONFLICT (stay, shoe) DO UPDATE SET corrections = owed.corrections + excluded.corrections
"""

_LET_GO = """
UPDATE commission_owed SET {0} = {0} + %(part)s
WHERE stay = %(stay)s AND shoe = %(shoe)s
"""

# The oldest is paid first: whole ones go, and what is left over comes off the next. What a coup
# is put right by comes off its own.
_PAID = """
WITH due AS (
    SELECT position, owed,
           sum(owed) OVER (ORDER BY coup IS NOT DISTINCT FROM %(coup)s DESC, position) - owed
               AS before
      FROM open_accruals WHERE stay = %(stay)s AND shoe = %(shoe)s
), gone AS (
    DELETE FROM open_accruals USING due
     WHERE open_accruals.position = due.position AND due.before + due.owed <= %(part)s
)
UPDATE open_accruals SET owed = due.owed - (%(part)s - due.before)
  FROM due
 WHERE open_accruals.position = due.position
   AND due.before < %(part)s AND due.before + due.owed > %(part)s
"""

_FELL_DUE = """
UPDATE commission_owed SET due_at = coalesce(due_at, %(at)s)
WHERE shoe = %(shoe)s OR stay = %(stay)s
"""


def _accrued(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    accrual = {
        "stay": told["stay"],
        "shoe": told["shoe"],
        "patron": told["patron"],
        "table": fact.table,
        "day": fact.gaming_day,
        "exact": Decimal(told["exact"]),
        "charged": told["charged"],
        "coup": told["coup"],
        "at": fact.at,
        "position": fact.position,
    }
    yield _ACCRUED, accrual
    if told["charged"]:
        yield _OPEN, accrual


def _collected(fact: Fact) -> Iterator[Statement]:
    for part in _parts(fact):
        yield _COLLECTED, {**part, "at_payout": fact.told["how"] == "at-payout"}
        yield _PAID, part


def _refunded(fact: Fact) -> Iterator[Statement]:
    """What is given back is owed again, until the correction that follows takes it off."""
    for part in _parts(fact):
        yield _COLLECTED, {**part, "part": -part["part"], "at_payout": False}
        yield _OPEN, {**part, "charged": part["part"]}


def _corrected(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    correction = {**told, "table": fact.table, "day": fact.gaming_day, "position": fact.position}
    yield _CORRECTED, correction
    if told["charged"] > 0:
        yield _OPEN, {**correction, "at": fact.at}
    elif told["charged"] < 0:
        yield _PAID, {**correction, "part": -told["charged"]}


def _waived(fact: Fact) -> Iterator[Statement]:
    for part in _parts(fact):
        yield _LET_GO.format("waived"), part
        yield _PAID, part


def _walked(fact: Fact) -> Iterator[Statement]:
    for part in _parts(fact):
        yield _LET_GO.format("walked"), part
        yield _PAID, part


def _owed_again(fact: Fact) -> Iterator[Statement]:
    for part in _parts(fact):
        yield _LET_GO.format(fact.told["was"]), {**part, "part": -part["part"]}
        yield _OPEN, {**part, "charged": part["part"]}


def _parts(fact: Fact) -> Iterator[dict[str, Any]]:
    """What was paid or let go, shoe by shoe."""
    for shoe, part in fact.told["by_shoe"].items():
        place = {"at": fact.at, "position": fact.position, "coup": fact.told.get("coup")}
        yield {"stay": fact.told["stay"], "shoe": shoe, "part": part, **place}


def _fell_due(fact: Fact) -> Iterator[Statement]:
    """At the end of the shoe or when the patron leaves, whichever comes first."""
    told = fact.told
    yield _FELL_DUE, {"shoe": told.get("shoe"), "stay": told.get("stay"), "at": fact.at}


_VIEWS = (
    View(
        name="commission",
        what="Commission on Banker winnings (R-COM-1 to 5). One row a stay and shoe.",
        sql="""
SELECT owed.stay, owed.shoe, coalesce(known.patron, owed.patron) AS patron,
       owed.patron AS patron_at_table, owed.table_code, owed.gaming_day, owed.brought_forward,
       owed.accrued, owed.charged, owed.corrections, owed.collected, owed.waived, owed.walked,
       owed.brought_forward + owed.charged + owed.corrections - owed.collected - owed.waived
           - owed.walked AS outstanding,
       (SELECT min(accrual.at) FROM projections.open_accruals AS accrual
         WHERE accrual.stay = owed.stay AND accrual.shoe = owed.shoe) AS oldest_accrual,
       owed.due_at, owed.first_position AS position
  FROM projections.commission_owed AS owed
  LEFT JOIN projections.patron_identities AS known ON known.alias = owed.patron
""",
        columns={
            "stay": "The patron's time at one table that owes it.",
            "shoe": "The shoe in which it accrued.",
            "patron": "Who owes it, as they are known by now.",
            "patron_at_table": "The name that they had at the table.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "brought_forward": "What was owed before the shoe, in minor units.",
            "accrued": "The exact commission in minor units, which need not be whole.",
            "charged": "The commission as it was rounded and charged, in minor units.",
            "corrections": "What voids and corrections changed of it, in minor units.",
            "collected": "What was paid of it, in minor units.",
            "waived": "What was let off, in minor units.",
            "walked": "What was lost with a patron who left, in minor units.",
            "outstanding": "What is still owed, in minor units.",
            "oldest_accrual": "Since when something of it is owed; null when nothing is.",
            "due_at": "When it fell due; null when it has not.",
            "position": "Where in the ledger the row begins.",
        },
    ),
)

PROJECTION = Projection(
    name="commission_owed",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        commission_account.CommissionAccrued.TOPIC: _accrued,
        commission_account.CommissionCollected.TOPIC: _collected,
        commission_account.CommissionRefunded.TOPIC: _refunded,
        commission_account.CommissionOwedAgain.TOPIC: _owed_again,
        commission_account.CommissionCorrected.TOPIC: _corrected,
        commission_account.CommissionWaived.TOPIC: _waived,
        commission_account.CommissionWalked.TOPIC: _walked,
        shoe_events.Ended.TOPIC: _fell_due,
        table_day.PatronLeft.TOPIC: _fell_due,
    },
)

REPORT = Report(
    name="commission",
    title="Commission",
    read_by=Reading((*FLOOR, "cage", *WATCH), at_own_table=("dealer",)),
    projections=("commission_owed", "patrons"),
    columns=(
        *("patron", "stay", "table", "day", "shoe", "brought_forward", "accrued", "charged"),
        *("rounding", "corrections", "collected", "waived", "walked", "outstanding"),
        *("oldest_accrual", "due_at"),
    ),
    sql=f"""
SELECT {IDENTITY.format("owed")} AS patron, stay, table_code AS "table",
       gaming_day AS day, shoe, brought_forward, accrued, charged,
       charged - accrued AS rounding, corrections, collected, waived, walked,
       {OWED} AS outstanding,
       (SELECT min(at) FROM open_accruals AS open
         WHERE open.stay = owed.stay AND open.shoe = owed.shoe) AS oldest_accrual,
       due_at
  FROM commission_owed AS owed {KNOWN.format("owed")}
 WHERE {narrowed(shoe="shoe")}
   AND {ASKED.format(IDENTITY.format("owed"))}
 ORDER BY first_position
""",  # noqa: S608
    money=(
        *("brought_forward", "accrued", "charged", "rounding", "corrections"),
        *("collected", "waived", "walked", "outstanding"),
    ),
    narrowings=("table", "day", "shoe", "patron"),
    shown=("patron", "shoe", "charged", "collected", "outstanding", "due_at"),
    summands=("brought_forward", "rounding", "corrections", "waived", "walked"),
)
