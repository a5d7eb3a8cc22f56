"""Wagers: what lies or lay on each spot, and what it came to, as it was corrected last.

Of each shoe also the products of the stakes that lay on two spots of one coup: they win and lose
together, so the variance of what the house wins is made of them.
"""

from collections.abc import Callable, Iterator

from domain.events import coup
from domain.rules.permissions import OF_THE_PIT
from projections.model import Fact, Projection, Report, Statement, View, narrowed
from projections.patrons import ASKED, IDENTITY, KNOWN

_TABLES = """
-- One row a coup, seat and spot. Amounts are minor units.
CREATE TABLE wagers (
    coup               text   NOT NULL,
    seat               int    NOT NULL,
    spot               text   NOT NULL,
    patron             text   NOT NULL,  -- under the name that they had at the table
    stay               text   NOT NULL,
    table_code         text   NOT NULL,
    gaming_day         date   NOT NULL,
    shoe               text   NOT NULL,
    stake              bigint NOT NULL,
    odds               text,             -- as in 1:1; NULL: it did not win
    result             text,             -- NULL: the coup is not settled yet
    paid               bigint,           -- the stake in it
    paid_before        bigint,           -- before the coup was void; NULL: nothing
    commission_exact   text,             -- a decimal: it need not be whole
    commission_charged bigint,
    commission_due     text,             -- at-payout or deferred
    first_position     bigint NOT NULL,
    PRIMARY KEY (coup, seat, spot)
);
CREATE INDEX wagers_by_table ON wagers (table_code, gaming_day);
CREATE INDEX wagers_by_patron ON wagers (patron);

-- Over all coups of a shoe, stake on one spot times stake on the other; spot <= other, as bytes.
CREATE TABLE stake_products (
    shoe    text    NOT NULL,
    spot    text    NOT NULL,
    other   text    NOT NULL,
    product numeric NOT NULL,            -- minor units, squared
    PRIMARY KEY (shoe, spot, other)
);
"""

# A wager that is placed again replaces the one that lay there.
_LAID = """
INSERT INTO wagers
    (coup, seat, spot, patron, stay, table_code, gaming_day, shoe, stake, first_position)
VALUES (%(coup)s, %(seat)s, %(spot)s, %(patron)s, %(stay)s, %(table)s, %(day)s, %(shoe)s,
        %(amount)s, %(position)s)
ON CONFLICT (coup, seat, spot) DO UPDATE SET
    patron = excluded.patron, stay = excluded.stay, stake = excluded.stake
"""

_IT = "WHERE coup = %(coup)s AND seat = %(seat)s AND spot = %(spot)s"
_TAKEN_BACK = f"DELETE FROM wagers {_IT}"  # noqa: S608
_REDUCED = f"UPDATE wagers SET stake = %(amount)s {_IT}"  # noqa: S608

_PAID = f"""
UPDATE wagers SET
    odds = %(odds)s, result = %(result)s, paid = %(paid)s,
    commission_exact = %(commission_exact)s, commission_charged = %(commission_charged)s,
    commission_due = %(commission_due)s
{_IT}
"""  # noqa: S608

# What it was paid before the coup was void is needed to tell what the void changed.
_RETURNED = f"""
UPDATE wagers SET
    odds = NULL, result = 'void', paid = stake, paid_before = %(paid_before)s,
    commission_exact = '0', commission_charged = 0, commission_due = NULL
{_IT}
"""  # noqa: S608

# Each pair of spots once, a spot with itself as well.
_MULTIPLIED = """
WITH staked AS (
    SELECT shoe, spot COLLATE "C" AS spot, sum(stake) AS stake
      FROM wagers WHERE {0} GROUP BY shoe, spot
)
INSERT INTO stake_products AS kept
SELECT one.shoe, one.spot, other.spot, {1} one.stake * other.stake
  FROM staked AS one JOIN staked AS other ON one.spot <= other.spot
ON CONFLICT (shoe, spot, other) DO UPDATE SET product = kept.product + excluded.product
"""

# Of a void coup, if it had been settled.
_STAKED = _MULTIPLIED.format("coup = %(coup)s", "")
_NEVER_STAKED = _MULTIPLIED.format("coup = %(coup)s AND paid_before IS NOT NULL", "-")


def _change(sql: str) -> Callable[[Fact], Iterator[Statement]]:
    """A change of the wager's row by what the fact itself tells."""

    def change(fact: Fact) -> Iterator[Statement]:
        shoe = fact.told["coup"].rpartition("/")[0]
        place = {"table": fact.table, "day": fact.gaming_day, "shoe": shoe}
        yield sql, {**fact.told, **place, "position": fact.position}

    return change


def _reduced(fact: Fact) -> Iterator[Statement]:
    """Of a wager that went back whole nothing lies there."""
    yield from _change(_REDUCED if fact.told["amount"] else _TAKEN_BACK)(fact)


_VIEWS = (
    View(
        name="wagers",
        what=(
            "Every wager, as it was corrected last. One row a coup, seat and spot. The house won "
            "stake - paid, and the commission that is deferred."
        ),
        sql="""
SELECT wagers.coup, wagers.seat, wagers.spot, coalesce(known.patron, wagers.patron) AS patron,
       wagers.patron AS patron_at_table, wagers.stay, wagers.table_code, wagers.gaming_day,
       wagers.shoe, wagers.stake, wagers.odds, wagers.result, wagers.paid,
       wagers.commission_exact::numeric AS commission_exact, wagers.commission_charged,
       wagers.commission_due, wagers.first_position AS position
  FROM projections.wagers
  LEFT JOIN projections.patron_identities AS known ON known.alias = wagers.patron
""",
        columns={
            "coup": "The coup that it was on.",
            "seat": "The seat that it was made from.",
            "spot": "What was bet on: player, banker, tie, dragon-banker, …",
            "patron": "Whose it is, as they are known by now.",
            "patron_at_table": "The name that they had at the table.",
            "stay": "The patron's time at the table.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "shoe": "The shoe.",
            "stake": "What was staked, in minor units.",
            "odds": (
                "What it won at, as in 1:1; null when it did not win, or was decided otherwise."
            ),
            "result": "win, lose, push or void; null when the coup is not settled.",
            "paid": (
                "What was paid for it in chips, the stake in it, in minor units; null when the "
                "coup is not settled."
            ),
            "commission_exact": (
                "The exact commission on it in minor units, which need not be whole."
            ),
            "commission_charged": "The commission as it was charged, in minor units.",
            "commission_due": (
                "When it is collected: at-payout or deferred; null when there is none."
            ),
            "position": "Where in the ledger it begins.",
        },
    ),
)

PROJECTION = Projection(
    name="wagers",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        coup.WagerPlaced.TOPIC: _change(_LAID),
        coup.WagerFound.TOPIC: _change(_LAID),
        coup.WagerWithdrawn.TOPIC: _change(_TAKEN_BACK),
        coup.WagerReduced.TOPIC: _reduced,
        coup.WagerSettled.TOPIC: _change(_PAID),
        coup.PaymentCorrected.TOPIC: _change(_PAID),
        coup.WagerReturned.TOPIC: _change(_RETURNED),
        coup.Settled.TOPIC: _change(_STAKED),
        coup.Voided.TOPIC: _change(_NEVER_STAKED),
    },
)

REPORT = Report(
    name="wagers",
    title="Wagers",
    read_by=OF_THE_PIT,
    projections=("wagers", "patrons"),
    columns=(
        *("coup", "seat", "patron", "stay", "spot", "stake", "odds", "result", "paid"),
        *("commission_exact", "commission_charged", "commission_due"),
    ),
    sql=f"""
SELECT coup, seat, {IDENTITY.format("wagers")} AS patron, stay, spot, stake, odds, result, paid,
       commission_exact, commission_charged, commission_due
  FROM wagers {KNOWN.format("wagers")}
 WHERE {narrowed(shoe="shoe")}
   AND {ASKED.format(IDENTITY.format("wagers"))}
 ORDER BY first_position
""",  # noqa: S608
    money=("stake", "paid", "commission_exact", "commission_charged"),
    may_lack=("commission_exact", "commission_charged"),
    narrowings=("table", "day", "shoe", "patron"),
    shown=("coup", "seat", "patron", "spot", "stake", "result", "paid"),
)
