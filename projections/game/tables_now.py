"""Tables now: the state of every table, one row each, with its seats and what its stays owe.

A row is the last gaming day opened at the table. Events of an earlier day change nothing here, so
every change checks the day, or a shoe or stay of that day.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from msgspec import field

from domain.events import commission_account, coup, shoe, table_counts, table_day, table_money
from projections.commission.owed import OWES
from projections.game.seats_now import (
    PLAYS,
    SEATING,
    SEATS_OF_A_TABLE,
    SEATS_TABLES,
    STAYS_NOW,
    STAYS_OF_A_TABLE,
    moved,
    owes,
    sat_down,
    seated,
    stood_up,
)
from projections.model import Event, Projection
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a table: the last gaming day opened at it. Every card changes it, so its pages have room
-- for the next version of a row. Amounts are minor units.
CREATE TABLE tables_now (
    table_code        text   NOT NULL PRIMARY KEY,
    gaming_day        date   NOT NULL,
    opened_at         timestamptz NOT NULL,
    closed_at         timestamptz,
    rules             text   NOT NULL,
    rules_digest      text   NOT NULL,
    limits            jsonb  NOT NULL,
    differential      bigint,
    dealer            text   NOT NULL,
    supervisor        text   NOT NULL,
    shoe              text,                         -- in play; NULL: none
    cards_left        int,
    cut_card          int,                          -- cards from the back
    cut_card_position bigint,                       -- when it showed; NULL: it has not
    cut_card_at       timestamptz,
    last_coup         int,                          -- the last one allowed after the cut card
    coup              text,                         -- the last one opened of that shoe
    phase             text,
    last_coup_at      timestamptz,                  -- begun or settled
    idle_position     bigint NOT NULL,              -- of the last coup, or of the table's opening
    idle_at           timestamptz NOT NULL,
    cash_in           numeric NOT NULL DEFAULT 0,
    drop_counted      bigint,                       -- NULL: the box was not counted yet
    held_by           text[]  NOT NULL DEFAULT '{}' -- the cases that hold it, the first one first
) WITH (fillfactor = 50);
"""
_COUPS = """
-- The coups that were settled in the last hour of play.
CREATE TABLE coups_now (
    position   bigint NOT NULL PRIMARY KEY,
    table_code text   NOT NULL,
    settled_at timestamptz NOT NULL
);
CREATE INDEX coups_now_by_table ON coups_now (table_code, settled_at);
"""

# A table where none of these happens for long needs a person.
COUP_GOES_ON = (
    table_day.Opened.TOPIC,
    table_day.Reopened.TOPIC,
    shoe.CoupBegun.TOPIC,
    coup.Settled.TOPIC,
)


class TableNow(Row):
    """The state of a table, on the last gaming day opened at it."""

    table_code: str
    gaming_day: date
    opened_at: datetime
    closed_at: datetime | None = None
    rules: str
    rules_digest: str
    limits: dict[str, Any]
    differential: int | None
    dealer: str
    supervisor: str
    shoe: str | None = None
    cards_left: int | None = None
    cut_card: int | None = None
    cut_card_position: int | None = None
    cut_card_at: datetime | None = None
    last_coup: int | None = None
    coup: str | None = None
    phase: str | None = None
    last_coup_at: datetime | None = None
    idle_position: int
    idle_at: datetime
    cash_in: int = 0
    drop_counted: int | None = None
    held_by: list[str] = field(default_factory=list)


class CoupNow(Row):
    """A coup that was settled in the last hour of play."""

    position: int
    table_code: str
    settled_at: datetime


TABLES_NOW = Table("tables_now", TableNow, "table_code")
COUPS_NOW = Table("coups_now", CoupNow, "position")
COUPS_OF_A_TABLE = COUPS_NOW.page("table_code")
_OF_A_TABLE: tuple[Page[Any], ...] = (SEATS_OF_A_TABLE, STAYS_OF_A_TABLE, COUPS_OF_A_TABLE)
AN_HOUR = timedelta(hours=1)


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield TABLES_NOW.by_key, (event.table,)
    if event.topic in SEATING:
        yield SEATS_OF_A_TABLE, (event.table,)
    elif event.topic == coup.Settled.TOPIC:
        yield COUPS_OF_A_TABLE, (event.table,)
    elif event.topic.startswith("commission-account.") or event.topic in PLAYS:
        yield STAYS_NOW.by_key, (event.fields["stay"],)
        if "to_stay" in event.fields:
            yield STAYS_NOW.by_key, (event.fields["to_stay"],)
    elif event.topic == table_day.Opened.TOPIC:
        yield SEATS_OF_A_TABLE, (event.table,)
        yield STAYS_OF_A_TABLE, (event.table,)
        yield COUPS_OF_A_TABLE, (event.table,)


def _on_that_day(event: Event, rows: Rows) -> TableNow | None:
    """The table's row, or None if it is not on the event's gaming day."""
    now = rows.change(TABLES_NOW, event.table)
    return now if now and now.gaming_day == event.gaming_day else None


def _with_that_shoe(event: Event, rows: Rows) -> TableNow | None:
    """The table's row, or None if the event's shoe is not in play there."""
    now = rows.change(TABLES_NOW, event.table)
    return now if now and now.shoe == event.fields["shoe"] else None


def _opened(event: Event, rows: Rows) -> None:
    for page in _OF_A_TABLE:
        for each in rows.find(page, event.table):
            rows.drop(page.table, each)
    before = rows.change(TABLES_NOW, event.table)
    if before:
        rows.drop(TABLES_NOW, before)
    fields = event.fields
    now = TableNow(
        table_code=event.table,
        gaming_day=event.gaming_day,
        opened_at=event.at,
        rules=fields["rules"],
        rules_digest=fields["rules_digest"],
        limits=fields["limits"],
        differential=fields["differential"],
        dealer=fields["dealer"],
        supervisor=fields["supervisor"],
        idle_position=event.position,
        idle_at=event.at,
    )
    if before and fields["shoe"]:
        for name in _OF_THE_SHOE:
            setattr(now, name, getattr(before, name))
    rows.put(TABLES_NOW, now)


def _limits(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.limits, now.differential = event.fields["limits"], event.fields["differential"]


def _dealer(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.dealer = event.fields["staff"]


def _supervisor(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.supervisor = event.fields["staff"]


def _bought_in(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.cash_in += event.fields["amount"]


def _drop(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.drop_counted = event.fields["amount"]


def _closed(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.closed_at = event.at


def _reopened(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.closed_at = None
        now.dealer, now.supervisor = event.fields["dealer"], event.fields["supervisor"]
        now.idle_position, now.idle_at = event.position, event.at


def _cash_corrected(event: Event, rows: Rows) -> None:
    fields = event.fields
    if fields["kind"] == "buy-in" and (now := _on_that_day(event, rows)):
        now.cash_in += fields["amount"] - fields["amount_before"]


def _held(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.held_by.append(event.fields["case"])


def _released(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.held_by = [each for each in now.held_by if each != event.fields["case"]]


def _loaded(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        _without_shoe(now)
        now.shoe, now.cut_card = event.fields["shoe"], event.fields["cut_card"]
        now.cards_left = 52 * event.fields["decks"]


def _taken_off(event: Event, rows: Rows) -> None:
    if now := _with_that_shoe(event, rows):
        _without_shoe(now)


def _without_shoe(now: TableNow) -> None:
    for name in _OF_THE_SHOE:
        setattr(now, name, None)


# What a table's row has of its shoe, None without one.
_OF_THE_SHOE = (
    *("shoe", "cards_left", "cut_card", "last_coup"),
    *("cut_card_position", "cut_card_at", "coup", "phase"),
)


def _cut(event: Event, rows: Rows) -> None:
    if now := _with_that_shoe(event, rows):
        now.cut_card = event.fields["cut_card"]


def _gone(event: Event, rows: Rows, cards: int = 1) -> None:
    now = _with_that_shoe(event, rows)
    if now and now.cards_left is not None:
        now.cards_left -= cards


def _burned(event: Event, rows: Rows) -> None:
    _gone(event, rows, 1 + event.fields["face_down"])


def _discarded(event: Event, rows: Rows) -> None:
    """Takes a discarded card off the cards left, unless it is foreign to the shoe."""
    if event.fields["reason"] != "foreign":
        _gone(event, rows)


def _taken_back(event: Event, rows: Rows) -> None:
    _gone(event, rows, -1)


def _cut_card_shown(event: Event, rows: Rows) -> None:
    if now := _with_that_shoe(event, rows):
        now.cut_card_position, now.cut_card_at = event.position, event.at
        now.last_coup = event.fields["last_coup"]


def _not_dealt(event: Event, rows: Rows) -> None:
    if now := _with_that_shoe(event, rows):
        now.last_coup = event.fields["last_coup"]


def _begun(event: Event, rows: Rows) -> None:
    """Begins a coup; the event has only its number in the shoe."""
    if now := _with_that_shoe(event, rows):
        now.coup, now.phase = f"{event.fields['shoe']}/{event.fields['coup']}", "betting"
        now.last_coup_at = now.idle_at = event.at
        now.idle_position = event.position


def _phase(phase: str) -> Callable[[Event, Rows], None]:
    """Returns a change that sets the phase of the coup in play."""

    def change(event: Event, rows: Rows) -> None:
        now = rows.change(TABLES_NOW, event.table)
        if now and now.coup == event.fields["coup"]:
            now.phase = phase

    return change


def _resulted(event: Event, rows: Rows) -> None:
    """A settled coup stays so when a card that was put right has another result."""
    now = rows.change(TABLES_NOW, event.table)
    if now and now.coup == event.fields["coup"] and now.phase != "settled":
        now.phase = "resulted"


def _settled(event: Event, rows: Rows) -> None:
    if now := _on_that_day(event, rows):
        now.phase = "settled"
        now.last_coup_at = now.idle_at = event.at
        now.idle_position = event.position
    for each in rows.find(COUPS_OF_A_TABLE, event.table):
        if each.settled_at <= event.at - AN_HOUR:
            rows.drop(COUPS_NOW, each)
    settled = CoupNow(position=event.position, table_code=event.table, settled_at=event.at)
    rows.put(COUPS_NOW, settled)


def _card_corrected(event: Event, rows: Rows) -> None:
    """A coup in play goes on; its result follows if it has all its cards."""
    if event.fields["phase"] in ("dealing", "resulted"):
        _phase("dealing")(event, rows)


PROJECTION = Projection(
    name="tables_now",
    schema=_TABLES + SEATS_TABLES + _COUPS,
    changes={
        table_day.Opened.TOPIC: _opened,
        table_day.LimitsChanged.TOPIC: _limits,
        table_day.DealerRelieved.TOPIC: _dealer,
        table_day.SupervisorRelieved.TOPIC: _supervisor,
        table_day.PatronSeated.TOPIC: seated,
        table_day.PatronMoved.TOPIC: moved,
        table_day.ChairGivenUp.TOPIC: stood_up,
        table_day.PatronLeft.TOPIC: stood_up,
        table_money.BoughtIn.TOPIC: _bought_in,
        table_counts.DropCounted.TOPIC: _drop,
        table_day.Held.TOPIC: _held,
        table_day.Released.TOPIC: _released,
        table_counts.TableClosed.TOPIC: _closed,
        table_day.Reopened.TOPIC: _reopened,
        table_money.CashCorrected.TOPIC: _cash_corrected,
        table_day.ShoeTakenOff.TOPIC: _taken_off,
        shoe.Loaded.TOPIC: _loaded,
        shoe.Cut.TOPIC: _cut,
        shoe.Burned.TOPIC: _burned,
        shoe.BurnedBetween.TOPIC: _gone,
        shoe.CoupBegun.TOPIC: _begun,
        shoe.CardDrawn.TOPIC: _gone,
        shoe.CardMisdrawn.TOPIC: _gone,
        shoe.CardDiscarded.TOPIC: _discarded,
        shoe.CardTakenBack.TOPIC: _taken_back,
        shoe.CutCardShown.TOPIC: _cut_card_shown,
        shoe.CoupNotDealt.TOPIC: _not_dealt,
        coup.BettingClosed.TOPIC: _phase("dealing"),
        coup.Resulted.TOPIC: _resulted,
        coup.Settled.TOPIC: _settled,
        coup.Voided.TOPIC: _phase("voided"),
        coup.LeftUnused.TOPIC: _phase("unused"),
        coup.CardCorrected.TOPIC: _card_corrected,
        commission_account.Opened.TOPIC: sat_down,
        **dict.fromkeys(OWES, owes),
        **PLAYS,
    },
    loads=_loads,
)
