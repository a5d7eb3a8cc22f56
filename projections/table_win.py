"""Table win: the win of each table day, and its theoretical win.

The win is counted twice. By chips it is what the box and the tray have more than they had; by
wagers it is what was staked less what was paid, by the record as it is now. What lies between them
has a column each, and what is still unexplained has to be 0.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from domain.events import (
    commission_account,
    coup,
    coup_wagers,
    game_account,
    table_counts,
    table_day,
    table_money,
)
from domain.events import shoe as shoe_events
from domain.rules.permissions import OF_MONEY
from projections.model import Event, Projection, Report, View, narrowed
from projections.passing import WITH_TRAYS
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a table and gaming day. Sums are numeric, so that nothing runs over; minor units.
CREATE TABLE table_wins (
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    rules          text    NOT NULL,            -- the rule set that it was dealt under
    opener         numeric NOT NULL,            -- chips in the tray when it opened; of all sessions
    fills          numeric NOT NULL DEFAULT 0,
    credits        numeric NOT NULL DEFAULT 0,
    cash_out       numeric NOT NULL DEFAULT 0,
    drop_counted   bigint,                      -- NULL: the box was not counted yet
    closer         numeric,                     -- of all sessions; NULL: still open
    closers        numeric NOT NULL DEFAULT 0,  -- of the sessions that were closed
    first_position bigint  NOT NULL,
    opened_at      timestamptz NOT NULL,
    closed_at      timestamptz,                 -- NULL: still open
    bought_in      numeric NOT NULL DEFAULT 0,  -- cash for the box, as it was typed
    win_by_wagers  numeric NOT NULL DEFAULT 0,  -- stakes less payments of its coups, as of now
    commission     numeric NOT NULL DEFAULT 0,  -- that came into its tray in chips
    later          numeric NOT NULL DEFAULT 0,  -- of its coups, paid by another tray or the cage
    earlier        numeric NOT NULL DEFAULT 0,  -- of earlier days' coups, paid by its tray
    on_accounts    numeric NOT NULL DEFAULT 0,  -- what game accounts and their wagers hold
    shortages      numeric NOT NULL DEFAULT 0,  -- what game accounts could not give back
    variances      jsonb   NOT NULL,            -- by session, by how much its closer is off
    PRIMARY KEY (table_code, gaming_day)
);
-- The shoes of each gaming day. A shoe that went over a roll-over is one of two days.
CREATE TABLE table_shoes (
    shoe       text NOT NULL,
    gaming_day date NOT NULL,
    table_code text NOT NULL,
    decks      int  NOT NULL,            -- on which the odds depend
    coups      int  NOT NULL DEFAULT 0,  -- begun on that day; not those that ended before a card
    PRIMARY KEY (shoe, gaming_day)
);
CREATE INDEX table_shoes_by_table ON table_shoes (table_code, gaming_day);
-- Stakes that were settled, by shoe, gaming day and spot.
CREATE TABLE handles (
    shoe       text    NOT NULL,
    gaming_day date    NOT NULL,
    spot       text    NOT NULL,
    handle     numeric NOT NULL,
    PRIMARY KEY (shoe, gaming_day, spot)
);
"""


class TableWin(Row):
    """A table and gaming day: the chips that went into and out of the tray."""

    table_code: str
    gaming_day: date
    rules: str
    opener: int
    fills: int = 0
    credits: int = 0
    cash_out: int = 0
    drop_counted: int | None = None
    closer: int | None = None
    closers: int = 0
    first_position: int
    opened_at: datetime
    closed_at: datetime | None = None
    bought_in: int = 0
    win_by_wagers: int = 0
    commission: int = 0
    later: int = 0
    earlier: int = 0
    on_accounts: int = 0
    shortages: int = 0
    variances: dict[str, int]


class TableShoe(Row):
    """A shoe on one of its gaming days."""

    shoe: str
    gaming_day: date
    table_code: str
    decks: int
    coups: int = 0


class Handle(Row):
    """The settled stakes on a spot in a shoe on a gaming day."""

    shoe: str
    gaming_day: date
    spot: str
    handle: int


TABLE_WINS = Table("table_wins", TableWin, "table_code", "gaming_day")
TABLE_SHOES = Table("table_shoes", TableShoe, "shoe", "gaming_day")
DAYS_OF_A_SHOE = TABLE_SHOES.page("shoe")
HANDLES = Table("handles", Handle, "shoe", "gaming_day", "spot")


# Null until the box was counted and the table closed.
WIN = "(drop_counted + closer + credits - opener - fills - cash_out)"
_VARIANCE = "(SELECT coalesce(sum(value::numeric), 0) FROM jsonb_each_text(variances))"


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    fields = event.fields
    if event.topic in _STAKED:
        shoe = fields["coup"].rpartition("/")[0]
        yield HANDLES.by_key, (shoe, event.gaming_day, fields["spot"])
    if event.topic in _STAKED and event.topic not in _PAID_LATER:
        return
    if event.topic in _OF_SHOES:
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


def _of(event: Event, rows: Rows) -> TableWin | None:
    """The row of the event's table day, or None if there is none."""
    return rows.change(TABLE_WINS, event.table, event.gaming_day)


def _filled(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.fills += event.fields["total"]


def _credited(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.credits += event.fields["total"]


def _ticket_in(event: Event, rows: Rows) -> None:
    """A ticket taken is the cage's to pay, like chips that went there."""
    if row := _of(event, rows):
        row.credits += event.fields["amount"]


def _ticket_out(event: Event, rows: Rows) -> None:
    """A ticket given is the cage's too, like chips that came from there."""
    if row := _of(event, rows):
        row.fills += event.fields["amount"]


def _cashed_out(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.cash_out += event.fields["amount"]


def _counted(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.drop_counted = event.fields["amount"]


def _closed(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.closers += event.fields["closer_total"]
        row.closer, row.closed_at = row.closers, event.at
    _off(event, rows)


def _off(event: Event, rows: Rows) -> None:
    """Records by how much the closer of a session is off now."""
    if row := _of(event, rows):
        row.variances[str(event.fields["session"])] = event.fields["variance"] or 0


def _recounted(event: Event, rows: Rows) -> None:
    _off(event, rows)
    if row := _of(event, rows):
        row.closers += event.fields["closer_total"] - event.fields["before"]
        row.closer = None if row.closer is None else row.closers


def _reopened(event: Event, rows: Rows) -> None:
    """Adds the opener of a further session; the win is open until its closer."""
    if row := _of(event, rows):
        row.opener += event.fields["opener_total"]
        row.closer = row.closed_at = None


def _chips_corrected(event: Event, rows: Rows) -> None:
    """Corrects an opener or a slip; a colour change is worth nothing before and after."""
    fields = event.fields
    column = {"opener": "opener", "fill": "fills", "credit": "credits"}.get(fields["kind"])
    if column and (row := _of(event, rows)):
        more = fields["total"] - fields["total_before"]
        setattr(row, column, getattr(row, column) + more)


def _cash_corrected(event: Event, rows: Rows) -> None:
    fields = event.fields
    if row := _of(event, rows):
        more = fields["amount"] - fields["amount_before"]
        if fields["kind"] == "cash-out":
            row.cash_out += more
        else:
            row.bought_in += more


def _bought_in(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.bought_in += event.fields["amount"]


def _collected(sign: int) -> Callable[[Event, Rows], None]:
    """A change for commission that was collected (1), or given back (-1), in chips of the tray."""

    def change(event: Event, rows: Rows) -> None:
        if event.fields["how"] == "patron" and (row := _of(event, rows)):
            row.commission += sign * event.fields["amount"]

    return change


def _recovered(event: Event, rows: Rows) -> None:
    """Adds commission that another table, or an earlier day, had written off."""
    if row := _of(event, rows):
        row.commission += event.fields["amount"]


def _collection_corrected(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.commission += event.fields["amount"] - event.fields["amount_before"]


def _earlier_put_right(event: Event, rows: Rows) -> None:
    """Counts what this tray paid for a coup of an earlier day."""
    if event.fields["place"] == "tray" and (row := _of(event, rows)):
        row.earlier -= event.fields["changes_hands"]


def _left_open(event: Event, rows: Rows) -> None:
    """Counts chips of a coup of this day that its tray did not pay, or get."""
    if row := _of(event, rows):
        row.later += event.fields["changes_hands"]


def _open_money_moved(event: Event, rows: Rows) -> None:
    """Counts what was settled with this tray, of whichever day it had been left open."""
    if row := _of(event, rows):
        row.earlier += event.fields["amount"]


def _by_cage(event: Event, rows: Rows) -> None:
    """What the cage paid off a game account counts like chips that came from there."""
    fields = event.fields
    if row := _of(event, rows):
        row.fills += fields["amount"] * (1 if fields["into"] == "cage" else -1)
    _on_account(event, rows)


def _won(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.win_by_wagers += event.fields["stakes"] - event.fields["paid"]


def _changed_hands(event: Event, rows: Rows) -> None:
    """Changes what was won on wagers; after the closer, this tray neither pays nor takes it."""
    fields = event.fields
    more = (
        fields["changes_hands"] if "changes_hands" in fields else fields["paid"] - fields["stake"]
    )
    another_stake = fields.get("stake_before", fields.get("stake")) != fields.get("stake")
    if row := _of(event, rows):
        row.win_by_wagers -= more
        if row.closer is not None and not another_stake:
            row.later += more


def _on_account(event: Event, rows: Rows) -> None:
    """Counts money that came onto a game account or its wagers, or left them."""
    fields = event.fields
    if row := _of(event, rows):
        for place, sign in ((fields["into"], 1), (fields["out_of"], -1)):
            if place in ("account", "cloth"):
                row.on_accounts += sign * fields["amount"]


def _short(event: Event, rows: Rows) -> None:
    if row := _of(event, rows):
        row.shortages -= event.fields["amount"]
    _on_account(event, rows)


def _followed(event: Event, rows: Rows) -> None:
    """A game account gives back, or gets, what was corrected, and so no tray does."""
    fields = event.fields
    row = _of(event, rows)
    if row and row.closer is not None:
        row.later += fields["amount"] * (1 if fields["into"] == "house" else -1)
    _on_account(event, rows)


def _loaded(event: Event, rows: Rows) -> None:
    shoe = TableShoe(
        shoe=event.fields["shoe"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        decks=event.fields["decks"],
    )
    rows.put(TABLE_SHOES, shoe)


def _came_along(event: Event, rows: Rows) -> None:
    """Enters a shoe on the day into which its table was rolled over."""
    before = rows.find(DAYS_OF_A_SHOE, event.fields["shoe"])
    for decks in {each.decks for each in before}:
        shoe = TableShoe(
            shoe=event.fields["shoe"],
            gaming_day=event.gaming_day,
            table_code=event.table,
            decks=decks,
        )
        rows.put(TABLE_SHOES, shoe)


def _begun(event: Event, rows: Rows) -> None:
    if row := rows.change(TABLE_SHOES, event.fields["shoe"], event.gaming_day):
        row.coups += 1


def _not_dealt(event: Event, rows: Rows) -> None:
    """Does not count a coup that ended before its first card."""
    if row := rows.change(TABLE_SHOES, event.fields["shoe"], event.gaming_day):
        row.coups -= 1


def _settled(event: Event, rows: Rows) -> None:
    _staked(event, event.fields["stake"], rows)


def _settled_late(event: Event, rows: Rows) -> None:
    _settled(event, rows)
    _changed_hands(event, rows)


def _returned(event: Event, rows: Rows) -> None:
    """Takes a returned stake off the handle, if it had been settled."""
    if event.fields["paid_before"] is not None:
        _staked(event, -event.fields["stake"], rows)


def _corrected(event: Event, rows: Rows) -> None:
    """Makes the handle what was really staked."""
    if more := event.fields["stake"] - event.fields["stake_before"]:
        _staked(event, more, rows)
    _changed_hands(event, rows)


def _staked(event: Event, stake: int, rows: Rows) -> None:
    shoe, spot = event.fields["coup"].rpartition("/")[0], event.fields["spot"]
    if row := rows.change(HANDLES, shoe, event.gaming_day, spot):
        row.handle += stake
    else:
        rows.put(HANDLES, Handle(shoe=shoe, gaming_day=event.gaming_day, spot=spot, handle=stake))


_OF_SHOES = {
    shoe_events.Loaded.TOPIC,
    shoe_events.CameAlong.TOPIC,
    shoe_events.CoupBegun.TOPIC,
    shoe_events.CoupNotDealt.TOPIC,
}
_STAKED = {
    *(
        coup_wagers.WagerSettled.TOPIC,
        coup_wagers.WagerSettledLate.TOPIC,
        coup_wagers.WagerReturned.TOPIC,
    ),
    coup_wagers.PaymentCorrected.TOPIC,
}
_PAID_LATER = {coup_wagers.WagerSettledLate.TOPIC, coup_wagers.PaymentCorrected.TOPIC}
_MOVEMENTS = (
    *(game_account.PaidIn, game_account.PaidOut, game_account.HandPaid, game_account.Wagered),
    *(game_account.WagerReleased, game_account.StakeReturned, game_account.StakeLost),
    *(game_account.WinningsCredited, game_account.CashPutRight),
)


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
    View(
        name="handles",
        what="What was staked and settled. One row a shoe, gaming day and spot.",
        sql="""
SELECT handles.shoe, handles.spot, handles.handle::bigint AS handle, shoes.decks,
       shoes.table_code, gaming_day
  FROM projections.handles
  JOIN projections.table_shoes AS shoes USING (shoe, gaming_day)
""",
        columns={
            "shoe": "The shoe.",
            "spot": "What was bet on.",
            "handle": "What was staked and settled, in minor units.",
            "decks": "How many decks the shoe has, on which the odds depend.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
        },
    ),
)

PROJECTION = Projection(
    name="table_win",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        table_day.Opened.TOPIC: _opened,
        table_money.Filled.TOPIC: _filled,
        table_money.Credited.TOPIC: _credited,
        table_money.CashedOut.TOPIC: _cashed_out,
        table_money.TicketIn.TOPIC: _ticket_in,
        table_money.TicketOut.TOPIC: _ticket_out,
        table_counts.DropCounted.TOPIC: _counted,
        table_counts.TableClosed.TOPIC: _closed,
        table_counts.CloserRecounted.TOPIC: _recounted,
        table_day.Reopened.TOPIC: _reopened,
        table_money.ChipsCorrected.TOPIC: _chips_corrected,
        table_money.CashCorrected.TOPIC: _cash_corrected,
        shoe_events.Loaded.TOPIC: _loaded,
        shoe_events.CameAlong.TOPIC: _came_along,
        shoe_events.CoupBegun.TOPIC: _begun,
        shoe_events.CoupNotDealt.TOPIC: _not_dealt,
        coup_wagers.WagerSettled.TOPIC: _settled,
        coup_wagers.WagerSettledLate.TOPIC: _settled_late,
        coup_wagers.WagerReturned.TOPIC: _returned,
        coup_wagers.PaymentCorrected.TOPIC: _corrected,
        coup.Settled.TOPIC: _won,
        coup.Voided.TOPIC: _changed_hands,
        table_money.BoughtIn.TOPIC: _bought_in,
        table_counts.VarianceChanged.TOPIC: _off,
        table_money.EarlierCoupPutRight.TOPIC: _earlier_put_right,
        table_money.CommissionRecovered.TOPIC: _recovered,
        table_money.ChipsLeftOpen.TOPIC: _left_open,
        table_money.OpenMoneyMoved.TOPIC: _open_money_moved,
        game_account.SettledAtCage.TOPIC: _by_cage,
        commission_account.CommissionCollected.TOPIC: _collected(1),
        commission_account.CommissionRefunded.TOPIC: _collected(-1),
        commission_account.CollectionCorrected.TOPIC: _collection_corrected,
        **{movement.TOPIC: _on_account for movement in _MOVEMENTS},
        game_account.PaymentFollowed.TOPIC: _followed,
        game_account.FoundShort.TOPIC: _short,
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
        *("shortages", "variance", "drop_difference"),
    ),
    # `ops.reports.ask` computes the theoretical win from the last column, by the edges of the odds.
    sql=f"""
SELECT table_code AS "table", gaming_day AS day, opener, fills, credits, closer,
       drop_counted AS "drop", cash_out, {WIN} AS win,
       round({WIN} / nullif(drop_counted, 0), 4)::text AS hold,
       (SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'rules', rules, 'decks', decks, 'spot', spot, 'handle', handle)), '[]')
          FROM table_shoes JOIN handles USING (shoe, gaming_day)
         WHERE (table_shoes.table_code, table_shoes.gaming_day)
             = (wins.table_code, wins.gaming_day)) AS theoretical_win,
       win_by_wagers,
       {WIN} - (win_by_wagers + commission + later + earlier + on_accounts + shortages
           + {_VARIANCE} + drop_counted - bought_in) AS unreconciled,
       commission AS commission_in_chips, later AS put_right_later,
       earlier AS put_right_earlier, on_accounts, shortages,
       CASE WHEN closer IS NOT NULL THEN {_VARIANCE} END AS variance,
       drop_counted - bought_in AS drop_difference
  FROM table_wins AS wins
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    money=(
        *("opener", "fills", "credits", "closer", "drop", "cash_out", "win"),
        *("theoretical_win", "win_by_wagers", "commission_in_chips", "put_right_later"),
        *("put_right_earlier", "on_accounts", "shortages", "variance", "drop_difference"),
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
        "drop_difference": ("drop difference", "the drop less the cash for which chips were sold"),
    },
)
