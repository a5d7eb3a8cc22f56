"""Commission owed: what each stay accrued in each shoe, and what became of it (R-COM-2, 4)."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Context, Decimal
from typing import Any

from domain.events import commission_account, table_day
from domain.events import shoe as shoe_events
from domain.rules.permissions import FLOOR, WATCH, Reading
from projections.model import Event, Projection, Report, View, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a stay and shoe. Amounts are minor units.
CREATE TABLE commission_owed (
    stay            text    NOT NULL,            -- who owes it: a patron's time at one table
    shoe            text    NOT NULL,            -- in which it accrued
    patron          text    NOT NULL,            -- under the name that they had at the table
    table_code      text    NOT NULL,
    gaming_day      date    NOT NULL,
    brought_forward bigint  NOT NULL DEFAULT 0,  -- at a roll-over; what went on: below 0
    accrued         numeric NOT NULL DEFAULT 0,  -- exact: 5% of an odd amount may be a fraction
    charged         bigint  NOT NULL DEFAULT 0,  -- the same, rounded
    corrections     bigint  NOT NULL DEFAULT 0,  -- by voids and corrections
    collected       bigint  NOT NULL DEFAULT 0,
    waived          bigint  NOT NULL DEFAULT 0,
    walked          bigint  NOT NULL DEFAULT 0,  -- lost with a patron who left
    due_at          timestamptz,                 -- shoe's end, leaving or payout
    first_position  bigint  NOT NULL,
    PRIMARY KEY (stay, shoe)
);
CREATE INDEX commission_owed_by_table ON commission_owed (table_code, gaming_day);
CREATE INDEX commission_owed_by_shoe ON commission_owed (shoe);
CREATE INDEX commission_owed_in_order ON commission_owed (first_position);

-- Every accrual that is not fully paid; collections pay the oldest first. What a correction leaves
-- owed to a patron is below 0.
CREATE TABLE open_accruals (
    position bigint      NOT NULL,
    stay     text        NOT NULL,
    shoe     text        NOT NULL,
    at       timestamptz NOT NULL,
    owed     bigint      NOT NULL CHECK (owed <> 0),  -- minor units
    coup     text,                                   -- NULL: owed again, so of no single coup
    PRIMARY KEY (position, shoe)
);
CREATE INDEX open_accruals_by_stay ON open_accruals (stay, shoe, position);
"""

# By how much each event changes what a stay owes: these fields of it, added or taken off.
OWES: Mapping[str, Mapping[str, int]] = {
    commission_account.CommissionAccrued.TOPIC: {"charged": 1},
    commission_account.CommissionCorrected.TOPIC: {"charged": 1},
    commission_account.CommissionCollected.TOPIC: {"amount": -1},
    commission_account.CommissionRefunded.TOPIC: {"amount": 1},
    commission_account.CollectionCorrected.TOPIC: {"amount_before": 1, "amount": -1},
    commission_account.CommissionOwedAgain.TOPIC: {"amount": 1},
    commission_account.CommissionWaived.TOPIC: {"amount": -1},
    commission_account.CommissionWalked.TOPIC: {"amount": -1},
    commission_account.CommissionCarriedForward.TOPIC: {"amount": -1},
    commission_account.CommissionBroughtForward.TOPIC: {"amount": 1},
}


def owes_more(event: Event) -> int:
    """By how much more the event's stay owes since."""
    return sum(sign * event.fields[name] for name, sign in OWES[event.topic].items())


OWED = "(charged + brought_forward + corrections - collected - waived - walked)"


class Commission(Row):
    """What a stay accrued in a shoe, and what became of it."""

    stay: str
    shoe: str
    patron: str
    table_code: str
    gaming_day: date
    brought_forward: int = 0
    accrued: Decimal = Decimal(0)
    charged: int = 0
    corrections: int = 0
    collected: int = 0
    waived: int = 0
    walked: int = 0
    due_at: datetime | None = None
    first_position: int


class OpenAccrual(Row):
    """An accrual that is not fully paid."""

    position: int
    stay: str
    shoe: str
    at: datetime
    owed: int
    coup: str | None


COMMISSION = Table("commission_owed", Commission, "stay", "shoe")
OF_A_STAY, OF_A_SHOE = COMMISSION.page("stay"), COMMISSION.page("shoe")
OPEN_ACCRUALS = Table("open_accruals", OpenAccrual, "position", "shoe")
OPEN_OF_A_STAY = OPEN_ACCRUALS.page("stay")
_EXACTLY = Context(prec=1_000)  # digits: more than any sum has


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    fields = event.fields
    if "stay" in fields:
        yield OF_A_STAY, (fields["stay"],)
        yield OPEN_OF_A_STAY, (fields["stay"],)
        if "from_stay" in fields:
            yield OF_A_STAY, (fields["from_stay"],)
    elif "shoe" in fields:
        yield OF_A_SHOE, (fields["shoe"],)


def _row_of(event: Event, shoe: str, rows: Rows) -> Commission:
    """The row of the event's stay in a shoe; a new one, if there is none."""
    fields = event.fields
    row = rows.change(COMMISSION, fields["stay"], shoe)
    if not row:
        row = Commission(
            stay=fields["stay"],
            shoe=shoe,
            patron=fields["patron"],
            table_code=event.table,
            gaming_day=event.gaming_day,
            first_position=event.position,
        )
        rows.put(COMMISSION, row)
    return row


def _accrued(event: Event, rows: Rows) -> None:
    fields = event.fields
    row = _row_of(event, fields["shoe"], rows)
    row.accrued = _EXACTLY.add(row.accrued, Decimal(fields["exact"]))
    row.charged += fields["charged"]
    _change_debt(event, fields["shoe"], fields["charged"], rows)


def _change_debt(event: Event, shoe: str, more: int, rows: Rows) -> None:
    """Sets an amount off against open ones of the other sign; what is left of it is open itself.

    The oldest first; a correction takes its own coup's before.
    """
    coup = event.fields.get("coup")
    accruals = rows.find(OPEN_OF_A_STAY, event.fields["stay"])
    against = [each for each in accruals if each.shoe == shoe and each.owed * more < 0]
    for each in sorted(against, key=lambda each: (each.coup != coup, each.position)):
        if abs(each.owed) > abs(more):
            rows.mark(OPEN_ACCRUALS, each).owed += more
            return
        rows.drop(OPEN_ACCRUALS, each)
        more += each.owed
    if more:
        accrual = OpenAccrual(
            position=event.position,
            stay=event.fields["stay"],
            shoe=shoe,
            at=event.at,
            owed=more,
            coup=coup,
        )
        rows.put(OPEN_ACCRUALS, accrual)


def _collected(event: Event, rows: Rows) -> None:
    for shoe, part in event.fields["by_shoe"].items():
        if row := rows.change(COMMISSION, event.fields["stay"], shoe):
            row.collected += part
            if event.fields["how"] == "at-payout":
                row.due_at = row.due_at or event.at
        _change_debt(event, shoe, -part, rows)


def _collection_corrected(event: Event, rows: Rows) -> None:
    """Enters what was paid for each shoe, in place of what was typed."""
    right, wrong = event.fields["by_shoe"], event.fields["by_shoe_before"]
    for shoe in sorted(right.keys() | wrong.keys()):
        more = right.get(shoe, 0) - wrong.get(shoe, 0)
        if row := rows.change(COMMISSION, event.fields["stay"], shoe):
            row.collected += more
        _change_debt(event, shoe, -more, rows)


def _refunded(event: Event, rows: Rows) -> None:
    """Adds the refunded amount as a debt, which its correction takes off."""
    for shoe, part in event.fields["by_shoe"].items():
        if row := rows.change(COMMISSION, event.fields["stay"], shoe):
            row.collected -= part
        _change_debt(event, shoe, part, rows)


def _corrected(event: Event, rows: Rows) -> None:
    charged = event.fields["charged"]
    _row_of(event, event.fields["shoe"], rows).corrections += charged
    _change_debt(event, event.fields["shoe"], charged, rows)


def _carried_forward(event: Event, rows: Rows) -> None:
    """Takes off what another stay of the patron owes from now on."""
    for shoe, part in event.fields["by_shoe"].items():
        if row := rows.change(COMMISSION, event.fields["stay"], shoe):
            row.brought_forward -= part
        _change_debt(event, shoe, -part, rows)


def _brought_forward(event: Event, rows: Rows) -> None:
    """Adds what another stay of the patron owed; it fell due there."""
    for shoe, part in event.fields["by_shoe"].items():
        row = _row_of(event, shoe, rows)
        row.brought_forward += part
        before = rows.get(COMMISSION, event.fields["from_stay"], shoe)
        row.due_at = row.due_at or (before.due_at if before else None)
        _change_debt(event, shoe, part, rows)


def _waived(event: Event, rows: Rows) -> None:
    for shoe, part in event.fields["by_shoe"].items():
        if row := rows.change(COMMISSION, event.fields["stay"], shoe):
            row.waived += part
        _change_debt(event, shoe, -part, rows)


def _walked(event: Event, rows: Rows) -> None:
    for shoe, part in event.fields["by_shoe"].items():
        if row := rows.change(COMMISSION, event.fields["stay"], shoe):
            row.walked += part
        _change_debt(event, shoe, -part, rows)


def _owed_again(event: Event, rows: Rows) -> None:
    """Adds what had been waived or walked as a debt again."""
    was = event.fields["was"]
    for shoe, part in event.fields["by_shoe"].items():
        if row := rows.change(COMMISSION, event.fields["stay"], shoe):
            setattr(row, was, getattr(row, was) - part)
        _change_debt(event, shoe, part, rows)


def _fell_due(event: Event, rows: Rows) -> None:
    """Marks commission as due: at the end of the shoe or when the patron leaves, if earlier."""
    fields = event.fields
    due = rows.find(OF_A_STAY, fields["stay"]) if "stay" in fields else []
    due += rows.find(OF_A_SHOE, fields["shoe"]) if "shoe" in fields else []
    for each in due:
        if each.due_at is None:
            rows.mark(COMMISSION, each).due_at = event.at


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
            "patron": "Who owes it, under the name known today.",
            "patron_at_table": "The name used at the table.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "brought_forward": "What came to this stay at a roll-over, less what went to the next; "
            "minor units.",
            "accrued": "The exact commission in minor units, which need not be whole.",
            "charged": "The commission as it was rounded and charged, in minor units.",
            "corrections": "What voids and corrections changed in it, in minor units.",
            "collected": "What was paid of it, in minor units.",
            "waived": "What the house waived, in minor units.",
            "walked": "What was written off because the patron left, in minor units.",
            "outstanding": "What is still owed, in minor units; below 0, to the patron.",
            "oldest_accrual": "Since when something of it is owed; null when nothing is.",
            "due_at": "When it fell due; null when it has not.",
            "position": "The position of its first event in the ledger.",
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
        commission_account.CollectionCorrected.TOPIC: _collection_corrected,
        commission_account.CommissionRefunded.TOPIC: _refunded,
        commission_account.CommissionOwedAgain.TOPIC: _owed_again,
        commission_account.CommissionCorrected.TOPIC: _corrected,
        commission_account.CommissionWaived.TOPIC: _waived,
        commission_account.CommissionWalked.TOPIC: _walked,
        commission_account.CommissionCarriedForward.TOPIC: _carried_forward,
        commission_account.CommissionBroughtForward.TOPIC: _brought_forward,
        shoe_events.Ended.TOPIC: _fell_due,
        table_day.PatronLeft.TOPIC: _fell_due,
    },
    loads=_loads,
)

REPORT = Report(
    name="commission",
    title="Commission",
    about="what each patron owes and paid, stay by stay",
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
    words={
        "charged": ("charged", "commission after rounding, as it is owed"),
        "oldest_accrual": ("oldest accrual", "since when commission is owed"),
        "due_at": ("due at", "when the commission fell due"),
    },
)
