"""Trays now: what the tray of every table should hold, and whether it needs a fill.

A row is the last gaming day opened at the table, in its last session. The tray is what a count is
compared with: the opener, everything that moved chips since, what wagers won and the commission
paid in chips, less what coupons were paid. Stakes that are not settled lie on the layout, and are
in no tray; money on game accounts is in no chips.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from domain.events import (
    commission_account,
    coup,
    coup_coupons,
    coup_wagers,
    events_of,
    game_account,
    table_counts,
    table_day,
    table_money,
)
from domain.events import property as property_events
from domain.rules.chips import Chips, added, few_of
from projections.model import Change, Event, Projection, narrowed
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a table: its tray on the last gaming day opened at it. Amounts are minor units.
CREATE TABLE trays_now (
    table_code       text    NOT NULL PRIMARY KEY,
    gaming_day       date    NOT NULL,
    session_position bigint  NOT NULL,            -- of the opening, or of the last reopening
    session          int     NOT NULL DEFAULT 1,  -- the openers of the day so far
    chips_moved      numeric NOT NULL,            -- into the tray since, but by no wager
    wagers_won       numeric NOT NULL DEFAULT 0,  -- by the house, on the whole day
    commission_taken numeric NOT NULL DEFAULT 0,  -- in chips, on the whole day
    on_accounts      numeric NOT NULL DEFAULT 0,  -- on game accounts, or wagered from them
    promotions       numeric NOT NULL DEFAULT 0,  -- chips that coupons were paid, on the whole day
    opener           jsonb   NOT NULL,            -- denomination to how many
    chips            jsonb   NOT NULL,            -- as counted last, with slips and changes since
    counted_position bigint  NOT NULL,            -- of that count
    low_position     bigint,                      -- since when it needs a fill; NULL: it does not
    low_at           timestamptz,
    low_floor        numeric NOT NULL DEFAULT 0,  -- below it a fill is needed
    low_chips        jsonb   NOT NULL DEFAULT '{}',  -- denominations of which few are left
    below_position   bigint,                      -- since when it holds less than nothing
    below_at         timestamptz
) WITH (fillfactor = 50);

-- When a fill is needed, as the house set it; one row.
CREATE TABLE fills_needed (
    one   int    NOT NULL PRIMARY KEY,
    floor bigint NOT NULL,  -- minor units
    share int    NOT NULL   -- per cent of the opener
);
"""


class TrayNow(Row):
    """The tray of a table, on the last gaming day opened at it."""

    table_code: str
    gaming_day: date
    session_position: int
    session: int = 1
    chips_moved: int
    wagers_won: int = 0
    commission_taken: int = 0
    on_accounts: int = 0
    promotions: int = 0
    opener: Chips
    chips: Chips
    counted_position: int
    low_position: int | None = None
    low_at: datetime | None = None
    low_floor: int = 0
    low_chips: Chips
    below_position: int | None = None
    below_at: datetime | None = None

    @property
    def tray(self) -> int:
        """What it should hold, in minor units."""
        return self.chips_moved + self.won_in_chips

    @property
    def won_in_chips(self) -> int:
        """What came in on the whole day by the game, less what coupons were paid."""
        return self.wagers_won + self.commission_taken + self.on_accounts - self.promotions


class FillNeeded(Row):
    """When a fill is needed."""

    one: int = 1
    floor: int
    share: int


TRAYS_NOW = Table("trays_now", TrayNow, "table_code")
FILLS_NEEDED = Table("fills_needed", FillNeeded, "one")
# The value that the tray should have, in SQL.
TRAY = "(chips_moved + wagers_won + commission_taken + on_accounts - promotions)"

# Trays that hold less than nothing, of the tables that a report is narrowed to, and the projections
# that have them.
TRAYS_BELOW_ZERO = f"""
SELECT table_code, gaming_day, {TRAY}
  FROM trays_now JOIN tables_now USING (table_code, gaming_day)
 WHERE closed_at IS NULL AND below_position IS NOT NULL AND {narrowed()}
 ORDER BY table_code
"""  # noqa: S608
WITH_TRAYS = ("trays_now", "tables_now")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield FILLS_NEEDED.by_key, (1,)
    if event.table:
        yield TRAYS_NOW.by_key, (event.table,)


def _moving(change: Callable[[Event, TrayNow], None]) -> Change:
    """Makes a change of the tray of that event's day, which is then judged."""

    def whole(event: Event, rows: Rows) -> None:
        tray = rows.get(TRAYS_NOW, event.table)
        if tray and tray.gaming_day == event.gaming_day:
            change(event, rows.mark(TRAYS_NOW, tray))
            _judge(event, tray, rows)

    return whole


def _judge(event: Event, tray: TrayNow, rows: Rows) -> None:
    """Notes since when the tray needs a fill, and since when it holds less than nothing."""
    asked = rows.get(FILLS_NEEDED, 1) or FillNeeded(
        floor=property_events.FILL_FLOOR, share=property_events.FILL_SHARE
    )
    opener = sum(int(chip) * many for chip, many in tray.opener.items())
    tray.low_floor = max(asked.floor, opener * asked.share // 100)
    tray.low_chips = few_of(tray.chips, tray.opener, asked.share)
    if tray.tray >= tray.low_floor and not tray.low_chips:
        tray.low_position = tray.low_at = None
    elif tray.low_position is None:
        tray.low_position, tray.low_at = event.position, event.at
    if tray.tray >= 0:
        tray.below_position = tray.below_at = None
    elif tray.below_position is None:
        tray.below_position, tray.below_at = event.position, event.at


def _opened(event: Event, rows: Rows) -> None:
    if before := rows.change(TRAYS_NOW, event.table):
        rows.drop(TRAYS_NOW, before)
    fields = event.fields
    tray = TrayNow(
        table_code=event.table,
        gaming_day=event.gaming_day,
        session_position=event.position,
        chips_moved=fields["opener_total"],
        opener=fields["opener"],
        chips=fields["opener"],
        counted_position=event.position,
        low_chips={},
    )
    _judge(event, tray, rows)
    rows.put(TRAYS_NOW, tray)


def _reopened(event: Event, tray: TrayNow) -> None:
    fields = event.fields
    tray.session_position = tray.counted_position = event.position
    tray.session = fields["session"]
    tray.chips_moved = fields["opener_total"] - tray.won_in_chips
    tray.opener = tray.chips = fields["opener"]


def _moved(field: str, sign: int) -> Callable[[Event, TrayNow], None]:
    """A change for money of this field that came into the tray (1), or went out (-1)."""

    def change(event: Event, tray: TrayNow) -> None:
        tray.chips_moved += sign * event.fields[field]

    return change


def _slip(sign: int) -> Callable[[Event, TrayNow], None]:
    """A change for chips of a slip that came from the cage (1), or went there (-1)."""

    def change(event: Event, tray: TrayNow) -> None:
        tray.chips_moved += sign * event.fields["total"]
        tray.chips = added(tray.chips, event.fields["chips"], sign)

    return change


def _colour_changed(event: Event, tray: TrayNow) -> None:
    tray.chips = added(added(tray.chips, event.fields["taken"]), event.fields["given"], -1)


def _shift_counted(event: Event, tray: TrayNow) -> None:
    tray.chips, tray.counted_position = event.fields["chips"], event.position


def _cash_corrected(event: Event, tray: TrayNow) -> None:
    _moved_otherwise(tray, event, event.fields["amount"] - event.fields["amount_before"])


def _chips_corrected(event: Event, tray: TrayNow) -> None:
    fields = event.fields
    _moved_otherwise(tray, event, fields["total"] - fields["total_before"])
    if fields["kind"] == "opener" and fields["position"] == tray.session_position:
        tray.opener = fields["chips"]
    if fields["position"] >= tray.counted_position:
        sign = table_money.SIGN[fields["kind"]]
        without = added(tray.chips, fields["chips_before"], -sign)
        tray.chips = added(without, fields["chips"], sign)


def _moved_otherwise(tray: TrayNow, event: Event, more: int) -> None:
    """More, or less, was moved than it was recorded; of an earlier session it changes no tray."""
    if event.fields["position"] >= tray.session_position:
        tray.chips_moved += table_money.SIGN[event.fields["kind"]] * more


def _settled(event: Event, tray: TrayNow) -> None:
    tray.wagers_won += event.fields["stakes"] - event.fields["paid"]


def _settled_late(event: Event, tray: TrayNow) -> None:
    tray.wagers_won += event.fields["stake"] - event.fields["paid"]


def _put_right(event: Event, tray: TrayNow) -> None:
    tray.wagers_won -= event.fields["changes_hands"]


def _coupon_paid(event: Event, tray: TrayNow) -> None:
    tray.promotions += event.fields["paid"]


def _coupon_put_right(event: Event, tray: TrayNow) -> None:
    tray.promotions += event.fields["changes_hands"]


def _put_right_earlier(event: Event, tray: TrayNow) -> None:
    """Takes a correction to an earlier day's coup off the win, if this tray paid it."""
    if event.fields["place"] == "tray":
        _put_right(event, tray)


def _left_open(event: Event, tray: TrayNow) -> None:
    """Keeps the chips of a coup that was put right, whose patron has left."""
    tray.chips_moved += event.fields["changes_hands"]


def _open_money_moved(event: Event, tray: TrayNow) -> None:
    if event.fields["session"] == tray.session:
        tray.chips_moved += event.fields["amount"]


def _for_incident(event: Event, tray: TrayNow) -> None:
    tray.chips_moved += event.fields["amount"]


def _taken(sign: int) -> Callable[[Event, TrayNow], None]:
    """A change for commission that was collected (1), or given back (-1), in chips."""

    def change(event: Event, tray: TrayNow) -> None:
        if event.fields["how"] == "patron":
            tray.commission_taken += sign * event.fields["amount"]

    return change


def _recovered(event: Event, tray: TrayNow) -> None:
    """Adds commission that another table, or an earlier day, had written off."""
    tray.commission_taken += event.fields["amount"]


def _collection_corrected(event: Event, tray: TrayNow) -> None:
    tray.commission_taken += event.fields["amount"] - event.fields["amount_before"]


def _variance_changed(event: Event, tray: TrayNow) -> None:
    """Takes off what came in more in an earlier session: it was in the tray of then."""
    if event.fields["session"] < tray.session:
        tray.chips_moved -= event.fields["more"]


def _on_account(event: Event, tray: TrayNow) -> None:
    """Counts money that came onto a game account or its wagers, or left them."""
    fields = event.fields
    for place, sign in ((fields["into"], 1), (fields["out_of"], -1)):
        if place in ("account", "cloth", "cage"):
            tray.on_accounts += sign * fields["amount"]


def _set(event: Event, rows: Rows) -> None:
    """Keeps a setting; a tray is judged by it when something moves there next."""
    names = {"fill_floor": "floor", "fill_share": "share"}
    if name := names.get(event.fields["name"]):
        asked = rows.change(FILLS_NEEDED, 1)
        if asked is None:
            asked = FillNeeded(floor=property_events.FILL_FLOOR, share=property_events.FILL_SHARE)
            rows.put(FILLS_NEEDED, asked)
        setattr(asked, name, int(event.fields["value"]))


_MOVING: Mapping[str, Callable[[Event, TrayNow], None]] = {
    table_day.Reopened.TOPIC: _reopened,
    table_money.BoughtIn.TOPIC: _moved("amount", -1),
    table_money.CashedOut.TOPIC: _moved("amount", 1),
    table_money.TicketIn.TOPIC: _moved("amount", -1),
    table_money.TicketOut.TOPIC: _moved("amount", 1),
    table_money.Filled.TOPIC: _slip(1),
    table_money.Credited.TOPIC: _slip(-1),
    table_money.ColourChanged.TOPIC: _colour_changed,
    table_counts.ShiftCounted.TOPIC: _shift_counted,
    table_money.EarlierCoupPutRight.TOPIC: _put_right_earlier,
    table_money.CommissionRecovered.TOPIC: _recovered,
    table_money.ChipsLeftOpen.TOPIC: _left_open,
    table_money.OpenMoneyMoved.TOPIC: _open_money_moved,
    table_money.IncidentChipsMoved.TOPIC: _for_incident,
    table_counts.VarianceChanged.TOPIC: _variance_changed,
    table_money.CashCorrected.TOPIC: _cash_corrected,
    table_money.ChipsCorrected.TOPIC: _chips_corrected,
    coup.Settled.TOPIC: _settled,
    coup_wagers.WagerSettledLate.TOPIC: _settled_late,
    coup_wagers.WagerRanOut.TOPIC: _settled_late,
    coup.Voided.TOPIC: _put_right,
    coup_wagers.PaymentCorrected.TOPIC: _put_right,
    coup_coupons.CouponSettled.TOPIC: _coupon_paid,
    coup_coupons.CouponCorrected.TOPIC: _coupon_put_right,
    coup_coupons.CouponReturned.TOPIC: _coupon_put_right,
    commission_account.CommissionCollected.TOPIC: _taken(1),
    commission_account.CommissionRefunded.TOPIC: _taken(-1),
    commission_account.CollectionCorrected.TOPIC: _collection_corrected,
    **{
        topic: _on_account
        for topic, kind in events_of("game-account").items()
        if issubclass(kind, game_account.Movement)
        and kind is not game_account.FoundShort  # it was never in the tray
    },
}
# Everything that moves chips into a tray or out of one, or says what was there.
MOVES = (table_day.Opened.TOPIC, *_MOVING)

PROJECTION = Projection(
    name="trays_now",
    schema=_TABLES,
    changes={
        table_day.Opened.TOPIC: _opened,
        **{topic: _moving(change) for topic, change in _MOVING.items()},
        property_events.SettingChanged.TOPIC: _set,
    },
    loads=_loads,
)
