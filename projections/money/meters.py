"""Meters: what each position of a table with game accounts took in and paid.

The wagers are counted from the coups, the money from the accounts: two streams of events that
nobody can change together, so that each proves the other.
"""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from domain.events import coup_wagers, game_account
from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Event, Projection, Report, View, narrowed
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a position and gaming day. Amounts are minor units.
CREATE TABLE positions (
    table_code     text    NOT NULL,
    seat           int     NOT NULL,
    gaming_day     date    NOT NULL,
    first_position bigint  NOT NULL,
    games          bigint  NOT NULL DEFAULT 0,  -- coups with a wager that was settled
    bets           bigint  NOT NULL DEFAULT 0,  -- wagers that were settled
    wins           bigint  NOT NULL DEFAULT 0,  -- wagers that were paid more than their stake
    coin_in        numeric NOT NULL DEFAULT 0,  -- settled stakes, from the coups
    coin_out       numeric NOT NULL DEFAULT 0,  -- paid on them, stakes included, from the coups
    cash_in        numeric NOT NULL DEFAULT 0,
    tickets_in     numeric NOT NULL DEFAULT 0,
    cash_out       numeric NOT NULL DEFAULT 0,
    tickets_out    numeric NOT NULL DEFAULT 0,
    hand_paid      numeric NOT NULL DEFAULT 0,
    house          numeric NOT NULL DEFAULT 0,  -- what accounts lost to the house, net
    settled        text,                        -- the last coup that was settled here
    returned       text,                        -- the last settled coup that was voided
    PRIMARY KEY (table_code, seat, gaming_day)
);
CREATE INDEX positions_by_day ON positions (gaming_day, table_code);

-- What each account holds, as its own events state it.
CREATE TABLE account_balances (
    stay           text    NOT NULL PRIMARY KEY,
    patron         text    NOT NULL,
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    seat           int     NOT NULL,            -- the last that it was used at
    balance        bigint  NOT NULL,
    on_the_cloth   bigint  NOT NULL,            -- wagered on coups in play
    first_position bigint  NOT NULL
);
CREATE INDEX account_balances_by_day ON account_balances (gaming_day, table_code);
"""


class Position(Row):
    """A seat of one gaming day: its meters."""

    table_code: str
    seat: int
    gaming_day: date
    first_position: int
    games: int = 0
    bets: int = 0
    wins: int = 0
    coin_in: int = 0
    coin_out: int = 0
    cash_in: int = 0
    tickets_in: int = 0
    cash_out: int = 0
    tickets_out: int = 0
    hand_paid: int = 0
    house: int = 0
    settled: str | None = None
    returned: str | None = None


class Balance(Row):
    """What an account holds."""

    stay: str
    patron: str
    table_code: str
    gaming_day: date
    seat: int
    balance: int = 0
    on_the_cloth: int = 0
    first_position: int


POSITIONS = Table("positions", Position, "table_code", "seat", "gaming_day")
BALANCES = Table("account_balances", Balance, "stay")
# By the place that is not the account: what came from there, and what went there.
_CAME = {"cash": "cash_in", "ticket": "tickets_in"}
_WENT = {"cash": "cash_out", "ticket": "tickets_out", "hand": "hand_paid"}


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield BALANCES.by_key, (event.fields["stay"],)
    yield POSITIONS.by_key, (event.table, event.fields["seat"], event.gaming_day)


def _position(event: Event, rows: Rows) -> Position:
    key = event.table, event.fields["seat"], event.gaming_day
    if row := rows.change(POSITIONS, *key):
        return row
    table, seat, day = key
    row = Position(table_code=table, seat=seat, gaming_day=day, first_position=event.position)
    rows.put(POSITIONS, row)
    return row


# The money, from the accounts.
def _opened(event: Event, rows: Rows) -> None:
    row = Balance(
        stay=event.fields["stay"],
        patron=event.fields["patron"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        seat=event.fields["seat"],
        first_position=event.position,
    )
    rows.put(BALANCES, row)
    _position(event, rows)


def _moved(event: Event, rows: Rows) -> None:
    """Counts a movement where it came from and where it went."""
    out_of, into = event.fields["out_of"], event.fields["into"]
    row = _held(event, rows)
    _count(row, _CAME.get(out_of), event.fields["amount"])
    _count(row, _WENT.get(into), event.fields["amount"])
    row.house += event.fields["amount"] * ((into == "house") - (out_of == "house"))


def _put_right(event: Event, rows: Rows) -> None:
    """Corrects the meter of cash that had been typed wrong."""
    fields = event.fields
    more = fields["amount"] if fields["into"] == "account" else -fields["amount"]
    place = fields["out_of"] if fields["into"] == "account" else fields["into"]
    row = _held(event, rows)
    if fields["was"] == "in":
        _count(row, _CAME[place], more)
    else:
        _count(row, _WENT[place], -more)


def _count(row: Position, meter: str | None, amount: int) -> None:
    if meter:
        setattr(row, meter, getattr(row, meter) + amount)


def _held(event: Event, rows: Rows) -> Position:
    """The event's position; what its account holds is updated."""
    fields = event.fields
    if account := rows.change(BALANCES, fields["stay"]):
        staked = (fields["into"] == "cloth") - (fields["out_of"] == "cloth")
        account.seat, account.balance = fields["seat"], fields["balance"]
        account.on_the_cloth += fields["amount"] * staked
    return _position(event, rows)


# The wagers, from the coups; those in chips are left out.
def _of_account(change: Callable[[Event, Position], None]) -> Callable[[Event, Rows], None]:
    """Returns a change of the position's meters by a wager of a game account."""

    def changed(event: Event, rows: Rows) -> None:
        if rows.get(BALANCES, event.fields["stay"]):
            change(event, _position(event, rows))

    return changed


def _settled(event: Event, row: Position) -> None:
    stake, paid = event.fields["stake"], event.fields["paid"]
    row.bets += 1
    row.wins += paid > stake
    row.coin_in += stake
    row.coin_out += paid
    row.games += row.settled != event.fields["coup"]
    row.settled = event.fields["coup"]


def _returned(event: Event, row: Position) -> None:
    """Takes back a wager that was settled before its coup was voided."""
    stake, paid = event.fields["stake"], event.fields["paid_before"]
    if paid is None:
        return
    row.bets -= 1
    row.wins -= paid > stake
    row.coin_in -= stake
    row.coin_out -= paid
    row.games -= row.returned != event.fields["coup"]
    row.returned = event.fields["coup"]


def _corrected(event: Event, row: Position) -> None:
    fields = event.fields
    row.coin_out += fields["changes_hands"]
    row.wins += (fields["paid"] > fields["stake"]) - (fields["paid_before"] > fields["stake"])


_MOVEMENTS = (
    *(game_account.PaidIn, game_account.PaidOut, game_account.HandPaid, game_account.Wagered),
    *(game_account.WagerReleased, game_account.StakeReturned, game_account.StakeLost),
    *(game_account.WinningsCredited, game_account.PaymentFollowed, game_account.FoundShort),
)

_VIEWS = (
    View(
        name="positions",
        what="Meters of positions with game accounts. One row a position and gaming day.",
        sql="""
SELECT table_code, seat, gaming_day, games, bets, wins, coin_in::bigint AS coin_in,
       coin_out::bigint AS coin_out, cash_in::bigint AS cash_in,
       tickets_in::bigint AS tickets_in, cash_out::bigint AS cash_out,
       tickets_out::bigint AS tickets_out, hand_paid::bigint AS hand_paid,
       house::bigint AS house
  FROM projections.positions
""",
        columns={
            "table_code": "The table.",
            "seat": "The seat.",
            "gaming_day": "The gaming day.",
            "games": "Coups with a settled wager.",
            "bets": "Settled wagers.",
            "wins": "Settled wagers that were paid more than their stake.",
            "coin_in": "Settled stakes, in minor units.",
            "coin_out": "Paid on settled wagers, stakes included, in minor units.",
            "cash_in": "Cash put on accounts, in minor units.",
            "tickets_in": "Tickets put on accounts, in minor units.",
            "cash_out": "Cash paid out of accounts, in minor units.",
            "tickets_out": "Tickets printed for accounts, in minor units.",
            "hand_paid": "Paid by hand out of accounts, in minor units.",
            "house": "What accounts lost to the house, net, in minor units.",
        },
    ),
)

PROJECTION = Projection(
    name="meters",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        game_account.Opened.TOPIC: _opened,
        **{movement.TOPIC: _moved for movement in _MOVEMENTS},
        game_account.CashPutRight.TOPIC: _put_right,
        coup_wagers.WagerSettled.TOPIC: _of_account(_settled),
        coup_wagers.WagerReturned.TOPIC: _of_account(_returned),
        coup_wagers.PaymentCorrected.TOPIC: _of_account(_corrected),
    },
    loads=_loads,
)

_COUNTED = ("games", "bets", "wins")
_MONEY = (
    *("coin_in", "coin_out", "cash_in", "tickets_in", "cash_out", "tickets_out", "hand_paid"),
)
REPORT = Report(
    name="meters",
    title="Meters of positions",
    about="each position with game accounts: games, coin in and out, money in and out",
    read_by=OF_MONEY,
    projections=("meters",),
    columns=("table", "seat", "day", *_COUNTED, *_MONEY, "coin_in_reading", "coin_out_reading"),
    # A reading is what the meter shows at the end of the day; it never goes back to zero.
    sql=f"""
SELECT table_code AS "table", seat, gaming_day AS day, {", ".join((*_COUNTED, *_MONEY))},
       coin_in_reading, coin_out_reading
  FROM (SELECT *,
               sum(coin_in) OVER readings AS coin_in_reading,
               sum(coin_out) OVER readings AS coin_out_reading
          FROM positions
        WINDOW readings AS (PARTITION BY table_code, seat ORDER BY gaming_day)) AS metered
 WHERE {narrowed()}
 ORDER BY gaming_day, table_code COLLATE "C", seat
""",  # noqa: S608
    money=(*_MONEY, "coin_in_reading", "coin_out_reading"),
    narrowings=("table", "day"),
    shown=("table", "seat", "day", "games", "coin_in", "coin_out", "cash_in", "cash_out"),
    no_total=no_total.MIXED,
    days_independent=False,
    dropped_first=("cash_in", "cash_out"),
    words={
        "games": ("games", "coups with a wager that was settled"),
        "bets": ("bets", "wagers that were settled"),
        "wins": ("wins", "wagers that were paid more than their stake"),
        "coin_in_reading": ("coin in reading", "what the meter shows at the end of the day"),
        "coin_out_reading": ("coin out reading", "what the meter shows at the end of the day"),
    },
)

COMPARISON = Report(
    name="meter-comparison",
    title="Meters compared with accounts",
    about="each position: what its meters say against its game accounts",
    read_by=OF_MONEY,
    projections=("meters",),
    columns=(
        *("table", "seat", "day", "coin_in", "coin_out", "by_meters", "by_accounts"),
        *("off", "exception"),
    ),
    sql=f"""
SELECT table_code AS "table", seat, gaming_day AS day, coin_in, coin_out,
       coin_in - coin_out AS by_meters, house AS by_accounts,
       coin_in - coin_out - house AS off, coin_in - coin_out <> house AS exception
  FROM positions
 WHERE {narrowed()}
 ORDER BY gaming_day, table_code COLLATE "C", seat
""",  # noqa: S608
    money=("coin_in", "coin_out", "by_meters", "by_accounts", "off"),
    narrowings=("table", "day"),
    shown=("table", "seat", "day", "by_meters", "by_accounts", "off", "exception"),
    dropped_first=("exception",),
    words={
        "by_accounts": ("by accounts", "what the game accounts lost to the house"),
        "exception": ("exception", "whether the two differ, which somebody must explain"),
    },
)

WIN = Report(
    name="etg-win",
    title="Win of electronic tables",
    about="win of tables with game accounts, by their money and by their meters",
    read_by=OF_MONEY,
    projections=("meters",),
    columns=(
        *("table", "day", "cash_in", "tickets_in", "cash_out", "tickets_out", "hand_paid"),
        *("on_accounts", "win", "by_meters", "off"),
    ),
    sql=f"""
WITH metered AS (
    SELECT table_code, gaming_day, min(first_position) AS first_position,
           sum(cash_in) AS cash_in, sum(tickets_in) AS tickets_in, sum(cash_out) AS cash_out,
           sum(tickets_out) AS tickets_out, sum(hand_paid) AS hand_paid,
           sum(coin_in - coin_out) AS by_meters
      FROM positions
     GROUP BY table_code, gaming_day
), won AS (
    SELECT *, cash_in + tickets_in - cash_out - tickets_out - hand_paid - on_accounts AS win
      FROM metered
      JOIN (SELECT table_code, gaming_day, sum(balance + on_the_cloth) AS on_accounts
              FROM account_balances GROUP BY table_code, gaming_day) AS held
     USING (table_code, gaming_day)
)
SELECT table_code AS "table", gaming_day AS day, cash_in, tickets_in, cash_out, tickets_out,
       hand_paid, on_accounts, win, by_meters, win - by_meters AS off
  FROM won
 WHERE {narrowed()}
 ORDER BY gaming_day, table_code COLLATE "C"
""",  # noqa: S608
    money=(
        *("cash_in", "tickets_in", "cash_out", "tickets_out", "hand_paid", "on_accounts"),
        *("win", "by_meters", "off"),
    ),
    narrowings=("table", "day"),
    shown=("table", "day", "on_accounts", "win", "by_meters", "off"),
    summands=("cash_in", "tickets_in", "cash_out", "tickets_out", "hand_paid"),
    words={
        "win": ("win", "money in less money out less what is left on the accounts"),
    },
)
