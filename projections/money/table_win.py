"""Table win: the win of each table day, and its theoretical win.

The win is counted twice. By chips it is what the box and the tray have more than they had; by
wagers it is what was staked less what was paid, by the record as it is now. What lies between them
has a column each, and what is still unexplained has to be 0.
"""

from collections.abc import Iterator
from typing import Any

from domain.events import (
    commission_account,
    coup,
    coup_coupons,
    coup_wagers,
    game_account,
    table_counts,
    table_day,
    table_money,
)
from domain.events import shoe as shoe_events
from domain.rules.permissions import OF_MONEY
from projections.model import Event, Projection, Report, View, narrowed
from projections.money.handles import (
    DAYS_OF_A_SHOE,
    HANDLES,
    HANDLES_TABLES,
    HANDLES_VIEW,
    OF_SHOES,
    STAKED,
    add_stake,
    coup_begun,
    coup_not_dealt,
    shoe_came_along,
    shoe_loaded,
    stake_returned,
    staked,
)
from projections.money.table_wins import TABLE_WINS, WINS_TABLE, TableWin, adds, win_of
from projections.money.trays_now import WITH_TRAYS
from projections.money.win_reconciled import (
    MOVEMENTS,
    changed_hands,
    collected,
    collection_corrected,
    coupon_paid,
    coupon_put_right,
    earlier_put_right,
    followed,
    on_account,
    short,
    won,
)
from projections.rows import Page, Rows, Value

# Null until the box was counted and the table closed.
WIN = "(drop_counted + closer + credits - opener - fills - cash_out)"
# The stakes that were settled, by spot, from which the theoretical win is computed.
STAKED_BY_SPOT = """(
       SELECT coalesce(jsonb_agg(jsonb_build_object(
                  'rules', rules, 'decks', decks, 'spot', spot, 'handle', handle)), '[]')
         FROM table_shoes JOIN handles USING (shoe, gaming_day)
        WHERE (table_shoes.table_code, table_shoes.gaming_day)
            = (wins.table_code, wins.gaming_day))"""
_VARIANCE = "(SELECT coalesce(sum(value::numeric), 0) FROM jsonb_each_text(variances))"


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    fields = event.fields
    if event.topic in STAKED:
        shoe = fields["coup"].rpartition("/")[0]
        yield HANDLES.by_key, (shoe, event.gaming_day, fields["spot"])
    if event.topic in STAKED and event.topic not in _PAID_LATER:
        return
    if event.topic in OF_SHOES:
        yield DAYS_OF_A_SHOE, (fields["shoe"],)
    else:
        yield TABLE_WINS.by_key, (event.table, event.gaming_day)


def _opened(event: Event, rows: Rows) -> None:
    opened = TableWin(
        table_code=event.table,
        gaming_day=event.gaming_day,
        rules=event.fields["rules"],
        opener=event.fields["opener_total"],
        first_position=event.position,
        opened_at=event.at,
        variances={},
    )
    rows.put(TABLE_WINS, opened)


def _counted(event: Event, rows: Rows) -> None:
    if row := win_of(event, rows):
        row.drop_counted = event.fields["amount"]


def _closed(event: Event, rows: Rows) -> None:
    if row := win_of(event, rows):
        row.closers += event.fields["closer_total"]
        row.closer, row.closed_at = row.closers, event.at
    _off(event, rows)


def _off(event: Event, rows: Rows) -> None:
    """Records by how much the closer of a session is off now."""
    if row := win_of(event, rows):
        row.variances[str(event.fields["session"])] = event.fields["variance"] or 0


def _recounted(event: Event, rows: Rows) -> None:
    _off(event, rows)
    if row := win_of(event, rows):
        row.closers += event.fields["closer_total"] - event.fields["before"]
        row.closer = None if row.closer is None else row.closers


def _reopened(event: Event, rows: Rows) -> None:
    """Adds the opener of a further session; the win is open until its closer."""
    if row := win_of(event, rows):
        row.opener += event.fields["opener_total"]
        row.closer = row.closed_at = None


def _chips_corrected(event: Event, rows: Rows) -> None:
    """Corrects an opener or a slip; a colour change is worth nothing before and after."""
    fields = event.fields
    column = {"opener": "opener", "fill": "fills", "credit": "credits"}.get(fields["kind"])
    if column and (row := win_of(event, rows)):
        more = fields["total"] - fields["total_before"]
        setattr(row, column, getattr(row, column) + more)


def _cash_corrected(event: Event, rows: Rows) -> None:
    fields = event.fields
    if row := win_of(event, rows):
        more = fields["amount"] - fields["amount_before"]
        if fields["kind"] == "cash-out":
            row.cash_out += more
        else:
            row.bought_in += more


def _by_cage(event: Event, rows: Rows) -> None:
    """What the cage paid off a game account counts like chips that came from there."""
    fields = event.fields
    if row := win_of(event, rows):
        row.fills += fields["amount"] * (1 if fields["into"] == "cage" else -1)
    on_account(event, rows)


def _settled_late(event: Event, rows: Rows) -> None:
    staked(event, rows)
    changed_hands(event, rows)


def _corrected(event: Event, rows: Rows) -> None:
    """Makes the handle what was really staked."""
    if more := event.fields["stake"] - event.fields["stake_before"]:
        add_stake(event, more, rows)
    changed_hands(event, rows)


_PAID_LATER = {
    *(coup_wagers.WagerSettledLate.TOPIC, coup_wagers.WagerRanOut.TOPIC),
    coup_wagers.PaymentCorrected.TOPIC,
}
_VIEWS = (
    View(
        name="table_days",
        what="One table for one gaming day, from its opener to its closer. One row a table day.",
        sql="""
SELECT wins.table_code, wins.gaming_day, wins.rules, wins.opener::bigint AS opener,
       wins.fills::bigint AS fills,
       wins.credits::bigint AS credits, wins.closer::bigint AS closer, wins.drop_counted,
       wins.cash_out::bigint AS cash_out,
       (wins.drop_counted + wins.closer + wins.credits - wins.opener - wins.fills
           - wins.cash_out)::bigint AS win,
       coalesce((SELECT sum(handles.handle) FROM projections.table_shoes AS shoes
                   JOIN projections.handles USING (shoe, gaming_day)
                  WHERE shoes.table_code = wins.table_code
                    AND shoes.gaming_day = wins.gaming_day), 0)::bigint AS handle,
       wins.first_position AS position
  FROM projections.table_wins AS wins
""",
        columns={
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "rules": "The rule set that it was dealt under.",
            "opener": "Chips in the tray when it opened, in minor units.",
            "fills": "Chips that came from the cage, in minor units.",
            "credits": "Chips that went to the cage, in minor units.",
            "closer": "Chips in the tray when it closed, in minor units; null while it is open.",
            "drop_counted": "The drop, in minor units; null until the box was counted.",
            "cash_out": "Cash paid out at the table, in minor units.",
            "win": (
                "drop + closer + credits - opener - fills - cash out, in minor units; null until "
                "all are known."
            ),
            "handle": "What was staked and settled, in minor units.",
            "position": "The position of its first event in the ledger.",
        },
    ),
    HANDLES_VIEW,
)

PROJECTION = Projection(
    name="table_win",
    schema=WINS_TABLE + HANDLES_TABLES,
    views=_VIEWS,
    changes={
        table_day.Opened.TOPIC: _opened,
        table_money.Filled.TOPIC: adds("fills", "total"),
        table_money.Credited.TOPIC: adds("credits", "total"),
        table_money.CashedOut.TOPIC: adds("cash_out"),
        # A ticket is the cage's, like chips that went there or came from there.
        table_money.TicketIn.TOPIC: adds("credits"),
        table_money.TicketOut.TOPIC: adds("fills"),
        table_counts.DropCounted.TOPIC: _counted,
        table_counts.TableClosed.TOPIC: _closed,
        table_counts.CloserRecounted.TOPIC: _recounted,
        table_day.Reopened.TOPIC: _reopened,
        table_money.ChipsCorrected.TOPIC: _chips_corrected,
        table_money.CashCorrected.TOPIC: _cash_corrected,
        shoe_events.Loaded.TOPIC: shoe_loaded,
        shoe_events.CameAlong.TOPIC: shoe_came_along,
        shoe_events.CoupBegun.TOPIC: coup_begun,
        shoe_events.CoupNotDealt.TOPIC: coup_not_dealt,
        coup_wagers.WagerSettled.TOPIC: staked,
        coup_wagers.WagerSettledLate.TOPIC: _settled_late,
        coup_wagers.WagerRanOut.TOPIC: _settled_late,
        coup_wagers.WagerReturned.TOPIC: stake_returned,
        coup_wagers.PaymentCorrected.TOPIC: _corrected,
        coup.Settled.TOPIC: won,
        coup_coupons.CouponSettled.TOPIC: coupon_paid,
        coup_coupons.CouponCorrected.TOPIC: coupon_put_right,
        coup_coupons.CouponReturned.TOPIC: coupon_put_right,
        coup.Voided.TOPIC: changed_hands,
        table_money.BoughtIn.TOPIC: adds("bought_in"),
        table_counts.VarianceChanged.TOPIC: _off,
        table_money.EarlierCoupPutRight.TOPIC: earlier_put_right,
        # Commission that another table, or an earlier day, had written off.
        table_money.CommissionRecovered.TOPIC: adds("commission"),
        # Chips of a coup of this day that its tray did not pay, or get.
        table_money.ChipsLeftOpen.TOPIC: adds("later", "changes_hands"),
        # What was settled with this tray, of whichever day it had been left open.
        table_money.OpenMoneyMoved.TOPIC: adds("earlier"),
        table_money.IncidentChipsMoved.TOPIC: adds("incidents"),
        game_account.SettledAtCage.TOPIC: _by_cage,
        commission_account.CommissionCollected.TOPIC: collected(1),
        commission_account.CommissionRefunded.TOPIC: collected(-1),
        commission_account.CollectionCorrected.TOPIC: collection_corrected,
        **{movement.TOPIC: on_account for movement in MOVEMENTS},
        game_account.PaymentFollowed.TOPIC: followed,
        game_account.FoundShort.TOPIC: short,
    },
    loads=_loads,
)

REPORT = Report(
    name="table-win",
    title="Table win",
    about="win of each table and day, from chips, cash and drop",
    read_by=OF_MONEY,
    projections=("table_win", *WITH_TRAYS),
    columns=(
        *("table", "day", "opener", "fills", "credits", "closer", "drop", "cash_out"),
        *("win", "hold", "theoretical_win", "win_by_wagers", "unreconciled"),
        *("commission_in_chips", "put_right_later", "put_right_earlier", "on_accounts"),
        *("shortages", "promotions", "by_incidents", "variance", "drop_difference"),
    ),
    # `ops.reports.ask` computes the theoretical win from the last column, by the edges of the odds.
    sql=f"""
SELECT table_code AS "table", gaming_day AS day, opener, fills, credits, closer,
       drop_counted AS "drop", cash_out, {WIN} AS win,
       round({WIN} / nullif(drop_counted, 0), 4)::text AS hold,
       {STAKED_BY_SPOT} AS theoretical_win,
       win_by_wagers,
       {WIN} - (win_by_wagers + commission + later + earlier + on_accounts + shortages - promotions
           + incidents + {_VARIANCE} + drop_counted - bought_in) AS unreconciled,
       commission AS commission_in_chips, later AS put_right_later,
       earlier AS put_right_earlier, on_accounts, shortages, promotions,
       incidents AS by_incidents,
       CASE WHEN closer IS NOT NULL THEN {_VARIANCE} END AS variance,
       drop_counted - bought_in AS drop_difference
  FROM table_wins AS wins
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    money=(
        *("opener", "fills", "credits", "closer", "drop", "cash_out", "win"),
        *("theoretical_win", "win_by_wagers", "commission_in_chips", "put_right_later"),
        *("put_right_earlier", "on_accounts", "shortages", "promotions", "variance"),
        *("by_incidents", "drop_difference"),
        "unreconciled",
    ),
    warns_of_trays=True,
    narrowings=("table", "day"),
    shown=("table", "day", "drop", "win", "hold", "theoretical_win"),
    summands=("opener", "fills", "credits", "closer", "cash_out"),
    words={
        "opener": ("opener", "chips in the tray when the table opens"),
        "fills": (
            "fills",
            "chips sent from the cage to the tray, and tickets given for game accounts",
        ),
        "credits": (
            "credits",
            "chips sent from the tray to the cage, and tickets taken for game accounts",
        ),
        "closer": ("closer", "chips in the tray when the table closes"),
        "win_by_wagers": ("win by wagers", "stakes less what was paid on them, as on record now"),
        "unreconciled": (
            "unreconciled",
            "win less everything that explains it by the wagers; zero when all is right",
        ),
        "commission_in_chips": (
            "commission in chips",
            "commission that came into the tray in chips",
        ),
        "put_right_later": (
            "put right later",
            "corrected on the day's coups after it closed, with chips of another tray or of "
            "the cage",
        ),
        "put_right_earlier": (
            "put right earlier",
            "corrected on coups of earlier days, with chips of this tray; negative if paid to "
            "patrons",
        ),
        "shortages": ("shortages", "what game accounts could not give back, which the house bears"),
        "promotions": ("promotions", "chips that coupons were paid, which the win by chips lacks"),
        "by_incidents": (
            "by incidents",
            "chips that came into the tray because of incidents; negative if they left it",
        ),
        "drop_difference": ("drop difference", "the drop less the cash for which chips were sold"),
    },
)
