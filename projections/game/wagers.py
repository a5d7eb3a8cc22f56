"""Wagers: each wager and its payment, as last corrected.

For each shoe also the products of the stakes on two spots of one coup. They win and lose together,
so the variance of the house's win is computed from these.
"""

from collections.abc import Iterator
from datetime import date, datetime
from itertools import combinations_with_replacement
from typing import Any

from msgspec.structs import replace

from domain.events import coup, coup_wagers
from domain.rules.permissions import OF_THE_PIT
from projections.model import Event, Projection, Report, View, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

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
    odds               text,             -- as in 1:1, NULL: none; of some lost wagers too
    result             text,             -- NULL: the coup is not settled yet
    paid               bigint,           -- the stake included
    paid_before        bigint,           -- before the coup was void; NULL: not settled then
    as_spot            text,             -- the spot that it is paid as; NULL: its own
    first_seat         int,              -- as it was recorded first; NULL: it was never put right
    first_patron       text,
    first_stake        bigint,
    first_paid         bigint,           -- NULL: it was put right before it was paid
    commission_exact   text,             -- a decimal: may be a fraction
    commission_charged bigint,
    commission_due     text,             -- at-payout or deferred
    placed_at          timestamptz NOT NULL,  -- when it was placed as it lay; last, if often
    first_position     bigint NOT NULL,
    PRIMARY KEY (coup, seat, spot)
);
CREATE INDEX wagers_by_table ON wagers (table_code, gaming_day);
CREATE INDEX wagers_by_patron ON wagers (patron);
CREATE INDEX wagers_in_order ON wagers (first_position);

-- Stake on one spot times stake on another (spot <= other, as bytes), over a shoe's coups of a day.
CREATE TABLE stake_products (
    shoe       text    NOT NULL,
    gaming_day date    NOT NULL,
    spot       text    NOT NULL,
    other      text    NOT NULL,
    product    numeric NOT NULL,            -- minor units, squared
    PRIMARY KEY (shoe, gaming_day, spot, other)
);
"""


class Wager(Row):
    """A wager of one seat on one spot."""

    coup: str
    seat: int
    spot: str
    patron: str
    stay: str
    table_code: str
    gaming_day: date
    shoe: str
    stake: int
    odds: str | None = None
    result: str | None = None
    paid: int | None = None
    paid_before: int | None = None
    as_spot: str | None = None
    first_seat: int | None = None
    first_patron: str | None = None
    first_stake: int | None = None
    first_paid: int | None = None
    commission_exact: str | None = None
    commission_charged: int | None = None
    commission_due: str | None = None
    placed_at: datetime
    first_position: int


class StakeProduct(Row):
    """The sum, over a shoe's coups of a day, of the stake on one spot times that on another."""

    shoe: str
    gaming_day: date
    spot: str
    other: str
    product: int


WAGERS = Table("wagers", Wager, "coup", "seat", "spot")
OF_A_COUP = WAGERS.page("coup")
STAKE_PRODUCTS = Table("stake_products", StakeProduct, "shoe", "gaming_day", "spot", "other")
OF_A_SHOE = STAKE_PRODUCTS.page("shoe")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield OF_A_COUP, (event.fields["coup"],)
    if event.topic in _MULTIPLIES:
        yield OF_A_SHOE, (event.fields["coup"].rpartition("/")[0],)


def _changed(event: Event, rows: Rows) -> Wager | None:
    """The row of the event's wager, or None if there is none."""
    fields = event.fields
    return rows.change(WAGERS, fields["coup"], fields["seat"], fields["spot"])


def _laid(event: Event, rows: Rows) -> None:
    """Adds a wager, or replaces the one that this seat had on the spot."""
    fields = event.fields
    if wager := _changed(event, rows):
        wager.patron, wager.stay, wager.stake = fields["patron"], fields["stay"], fields["amount"]
        wager.placed_at = event.at
        return
    wager = Wager(
        coup=fields["coup"],
        seat=fields["seat"],
        spot=fields["spot"],
        patron=fields["patron"],
        stay=fields["stay"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        shoe=fields["coup"].rpartition("/")[0],
        stake=fields["amount"],
        placed_at=event.at,
        first_position=event.position,
    )
    rows.put(WAGERS, wager)


def _taken_back(event: Event, rows: Rows) -> None:
    if wager := _changed(event, rows):
        rows.drop(WAGERS, wager)


def _reduced(event: Event, rows: Rows) -> None:
    """Reduces a wager; deletes one that was returned whole."""
    if not event.fields["amount"]:
        _taken_back(event, rows)
    elif wager := _changed(event, rows):
        wager.stake = event.fields["amount"]


def _paid(event: Event, rows: Rows) -> None:
    fields = event.fields
    if wager := _changed(event, rows):
        wager.odds = fields["odds"]
        wager.result = fields["result"]
        wager.paid = fields["paid"]
        wager.commission_exact = fields["commission_exact"]
        wager.commission_charged = fields["commission_charged"]
        wager.commission_due = fields["commission_due"]


def _corrected(event: Event, rows: Rows) -> None:
    """Pays a wager anew, with the stake that really lay there."""
    fields = event.fields
    another = fields["stake"] != fields["stake_before"]
    if another:
        _multiplied(rows.find(OF_A_COUP, fields["coup"]), -1, rows)
    if wager := _changed(event, rows):
        _remember(wager)
        wager.stake, wager.as_spot = fields["stake"], fields["as_spot"]
    _paid(event, rows)
    if another:
        _multiplied(rows.find(OF_A_COUP, fields["coup"]), 1, rows)


def _stake_corrected(event: Event, rows: Rows) -> None:
    """Puts a stake right that is not paid yet."""
    if wager := _changed(event, rows):
        _remember(wager)
        wager.stake = event.fields["stake"]


def _remember(wager: Wager) -> None:
    """Has the row say how the wager was recorded, before it is put right for the first time."""
    if wager.first_seat is None:
        wager.first_seat, wager.first_patron = wager.seat, wager.patron
        wager.first_stake, wager.first_paid = wager.stake, wager.paid


def _returned(event: Event, rows: Rows) -> None:
    """Sets a wager to void, and keeps its earlier payment: the effect of the void needs it."""
    if wager := _changed(event, rows):
        wager.odds, wager.result, wager.paid = None, "void", wager.stake
        wager.paid_before = event.fields["paid_before"]
        wager.commission_exact, wager.commission_charged = "0", 0
        wager.commission_due = None


def _moved(event: Event, rows: Rows) -> None:
    """Makes a wager another seat's, another stay's, or both."""
    fields = event.fields
    wager = _changed(event, rows)
    if not wager:
        return
    _remember(wager)
    theirs = {"patron": fields["to_patron"], "stay": fields["to_stay"]}
    if fields["to_seat"] == fields["seat"]:
        wager.patron, wager.stay = theirs["patron"], theirs["stay"]
    else:
        rows.drop(WAGERS, wager)
        rows.put(WAGERS, replace(wager, seat=fields["to_seat"], **theirs))


def _settled_late(event: Event, rows: Rows) -> None:
    """Pays a wager that was entered after its coup was settled, and adds it to the products."""
    coup = event.fields["coup"]
    _multiplied([each for each in rows.find(OF_A_COUP, coup) if _counts(each)], -1, rows)
    _paid(event, rows)
    _multiplied([each for each in rows.find(OF_A_COUP, coup) if _counts(each)], 1, rows)


def _counts(wager: Wager) -> bool:
    return wager.result not in (None, "void")


def _ran_out(event: Event, rows: Rows) -> None:
    """Pays a bet on several coups that none decided, in the coup in which it lay last (R-BET-9)."""
    if _changed(event, rows) is None:
        _laid(replace(event, fields={**event.fields, "amount": event.fields["stake"]}), rows)
    _settled_late(event, rows)


def _settled(event: Event, rows: Rows) -> None:
    _multiplied(rows.find(OF_A_COUP, event.fields["coup"]), 1, rows)


def _voided(event: Event, rows: Rows) -> None:
    """Takes settled wagers of a void coup off the products."""
    wagers = rows.find(OF_A_COUP, event.fields["coup"])
    _multiplied([each for each in wagers if each.paid_before is not None], -1, rows)


_MULTIPLIES = {
    *(coup.Settled.TOPIC, coup.Voided.TOPIC, coup_wagers.WagerSettledLate.TOPIC),
    *(coup_wagers.PaymentCorrected.TOPIC, coup_wagers.WagerRanOut.TOPIC),
}


def _multiplied(wagers: list[Wager], sign: int, rows: Rows) -> None:
    """Adds the products for each pair of spots of one coup, a spot with itself included."""
    stakes: dict[str, int] = {}
    for each in wagers:
        stakes[each.spot] = stakes.get(each.spot, 0) + each.stake
    for spot, other in combinations_with_replacement(sorted(stakes), 2):
        product = sign * stakes[spot] * stakes[other]
        shoe, day = wagers[0].shoe, wagers[0].gaming_day
        if row := rows.change(STAKE_PRODUCTS, shoe, day, spot, other):
            row.product += product
        else:
            row = StakeProduct(shoe=shoe, gaming_day=day, spot=spot, other=other, product=product)
            rows.put(STAKE_PRODUCTS, row)


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
       wagers.commission_due, wagers.as_spot, wagers.first_seat, wagers.first_patron,
       wagers.first_stake, wagers.first_paid,
       wagers.first_position AS position, wagers.placed_at
  FROM projections.wagers
  LEFT JOIN projections.patron_identities AS known ON known.alias = wagers.patron
""",
        columns={
            "coup": "The coup that it was on.",
            "seat": "The seat that it was made from.",
            "spot": "What was bet on: player, banker, tie, dragon-banker, …",
            "patron": "Whose it is, under the name known today.",
            "patron_at_table": "The name used at the table.",
            "stay": "The patron's time at the table.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "shoe": "The shoe.",
            "stake": "What was staked, in minor units.",
            "odds": (
                "The odds by which it was judged, as in 1:1; null if a spot with several payouts "
                "did not win, or it was corrected by hand."
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
            "as_spot": "The spot that it is paid as; null for its own.",
            "first_seat": "The seat on record first; null when it was never put right.",
            "first_patron": "Whose it was on record first, under that name; else null.",
            "first_stake": "The stake on record first, in minor units; else null.",
            "first_paid": "What was paid first, in minor units; else null.",
            "position": "The position of its first event in the ledger.",
            "placed_at": "When it was placed; if it was replaced, when it was placed last.",
        },
    ),
)

PROJECTION = Projection(
    name="wagers",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        coup_wagers.WagerPlaced.TOPIC: _laid,
        coup_wagers.WagerFound.TOPIC: _laid,
        coup_wagers.WagerCarried.TOPIC: _laid,
        coup_wagers.WagerUndecided.TOPIC: _taken_back,
        coup_wagers.WagerWithdrawn.TOPIC: _taken_back,
        coup_wagers.WagerReduced.TOPIC: _reduced,
        coup_wagers.WagerSettled.TOPIC: _paid,
        coup_wagers.StakeCorrected.TOPIC: _stake_corrected,
        coup_wagers.PaymentCorrected.TOPIC: _corrected,
        coup_wagers.WagerSettledLate.TOPIC: _settled_late,
        coup_wagers.WagerRanOut.TOPIC: _ran_out,
        coup_wagers.WagerMoved.TOPIC: _moved,
        coup_wagers.WagerReturned.TOPIC: _returned,
        coup.Settled.TOPIC: _settled,
        coup.Voided.TOPIC: _voided,
    },
    loads=_loads,
)

_OF = narrowed(
    table="wagers.table_code", day="wagers.gaming_day", shoe="wagers.shoe", at=["placed_at"]
)
_OF_A_SEAT = """(%(seat)s::int IS NULL OR seat = %(seat)s::int)
   AND (%(result)s::text IS NULL OR result = %(result)s)"""
REPORT = Report(
    name="wagers",
    title="Wagers",
    about="each wager with its result and commission",
    read_by=OF_THE_PIT,
    projections=("wagers", "coups", "patrons"),
    columns=(
        *("coup", "seat", "patron", "stay", "spot", "stake", "odds", "result", "paid"),
        *("commission_exact", "commission_charged", "commission_due", "put_right"),
        *("placed_at", "dealer", "supervisor", "rules", "shoe", "coup_number"),
        *("player_total", "banker_total"),
    ),
    sql=f"""
SELECT wagers.coup, seat, {IDENTITY.format("wagers")} AS patron, stay, spot, stake, odds, result,
       paid, commission_exact, commission_charged, commission_due,
       CASE WHEN first_seat IS NOT NULL THEN jsonb_build_object(
           'as_spot', as_spot, 'seat_before', first_seat, 'patron_before', first_patron,
           'stake_before', first_stake, 'paid_before', first_paid) END AS put_right,
       placed_at, dealer, supervisor, rules, wagers.shoe, coups.number AS coup_number,
       player_total, banker_total
  FROM wagers {KNOWN.format("wagers")} LEFT JOIN coups ON coups.coup = wagers.coup
 WHERE {_OF}
   AND {_OF_A_SEAT}
   AND {ASKED.format(IDENTITY.format("wagers"))}
 ORDER BY wagers.first_position
""",  # noqa: S608
    money=("stake", "paid", "commission_exact", "commission_charged"),
    may_lack=("commission_exact", "commission_charged"),
    narrowings=("table", "day", "shoe", "patron", "seat", "result", "span"),
    shown=("coup", "seat", "patron", "spot", "stake", "result", "paid", "put_right"),
    dropped_first=("seat", "patron"),  # one of them says whose it is
    words={
        "spot": ("spot", "what was bet on"),
        "stake": ("stake", "the amount wagered"),
        "odds": ("odds", "the odds by which it was judged; of several payouts the one it won"),
        "paid": ("paid", "everything paid for the wager, its stake included"),
        "commission_exact": ("commission exact", "exact commission, before rounding"),
        "commission_charged": ("commission charged", "commission after rounding"),
        "commission_due": ("commission due", "when it is paid: at payout, or later"),
        "put_right": (
            "put right",
            "how the wager was on record before it was put right, and the spot that it is paid as",
        ),
        "placed_at": ("placed at", "when it was placed, at last if it was replaced"),
        "coup_number": ("coup number", "the number of the coup in its shoe, from 1"),
    },
)
