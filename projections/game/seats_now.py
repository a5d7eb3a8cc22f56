"""Who sits at each table now, what the stays of its day owe, and how they play."""

from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec.structs import replace

from domain.events import coup_wagers, table_day
from projections.commission.owed import owes_more
from projections.model import Event
from projections.rows import Row, Rows, Table

SEATS_TABLES = """
CREATE TABLE seats_now (
    table_code text NOT NULL,
    seat       int  NOT NULL,
    patron     text NOT NULL,
    stay       text NOT NULL,
    position   bigint NOT NULL,  -- of the event with which they sat down
    PRIMARY KEY (table_code, seat)
);

-- What every stay of that day owes, also after its patron has left, and how it plays. Every coup
-- changes it, so its pages have room for the next version of a row.
CREATE TABLE stays_now (
    stay       text    NOT NULL PRIMARY KEY,
    table_code text    NOT NULL,
    patron     text    NOT NULL,
    owed       numeric NOT NULL,
    seated_at  timestamptz NOT NULL,
    coups      int     NOT NULL DEFAULT 0,  -- with a settled wager
    staked     numeric NOT NULL DEFAULT 0,  -- minor units that were settled, on all spots
    last_coup  text,                        -- the last one counted
    last_void  text                         -- the last one that was taken off again
) WITH (fillfactor = 50);
CREATE INDEX stays_now_by_table ON stays_now (table_code);
"""


class SeatNow(Row):
    """A seat, with who sits in it."""

    table_code: str
    seat: int
    patron: str
    stay: str
    position: int


class StayNow(Row):
    """What a stay of that day owes, and how it plays."""

    stay: str
    table_code: str
    patron: str
    owed: int
    seated_at: datetime
    coups: int = 0
    staked: int = 0
    last_coup: str | None = None
    last_void: str | None = None


SEATS_NOW = Table("seats_now", SeatNow, "table_code", "seat")
SEATS_OF_A_TABLE = SEATS_NOW.page("table_code")
STAYS_NOW = Table("stays_now", StayNow, "stay")
STAYS_OF_A_TABLE = STAYS_NOW.page("table_code")
SEATING = {
    table_day.PatronSeated.TOPIC,
    table_day.PatronMoved.TOPIC,
    table_day.ChairGivenUp.TOPIC,
    table_day.PatronLeft.TOPIC,
}


def seated(event: Event, rows: Rows) -> None:
    """Enters who took a chair."""
    fields = event.fields
    seat = SeatNow(
        table_code=event.table,
        seat=fields["seat"],
        patron=fields["patron"],
        stay=fields["stay"],
        position=event.position,
    )
    rows.put(SEATS_NOW, seat)


def moved(event: Event, rows: Rows) -> None:
    """Moves a patron to another chair."""
    if left := rows.change(SEATS_NOW, event.table, event.fields["seat"]):
        rows.drop(SEATS_NOW, left)
        rows.put(SEATS_NOW, replace(left, seat=event.fields["to"]))


def stood_up(event: Event, rows: Rows) -> None:
    """Takes off who gave up a chair."""
    if left := rows.change(SEATS_NOW, event.table, event.fields["seat"]):
        rows.drop(SEATS_NOW, left)


def sat_down(event: Event, rows: Rows) -> None:
    """Enters a stay that begins, owing nothing."""
    fields = event.fields
    stay = StayNow(
        stay=fields["stay"],
        table_code=event.table,
        patron=fields["patron"],
        owed=0,
        seated_at=event.at,
    )
    rows.put(STAYS_NOW, stay)


def owes(event: Event, rows: Rows) -> None:
    """Changes what a stay owes."""
    if stay := rows.change(STAYS_NOW, event.fields["stay"]):
        stay.owed += owes_more(event)


def _staked(event: Event, rows: Rows) -> None:
    """Adds a settled stake, and counts its coup."""
    if stay := rows.change(STAYS_NOW, event.fields["stay"]):
        _counted(stay, event.fields["coup"])
        stay.staked += event.fields["stake"]


def _counted(stay: StayNow, coup: str) -> None:
    if stay.last_coup != coup:
        stay.coups, stay.last_coup = stay.coups + 1, coup


def _restaked(event: Event, rows: Rows) -> None:
    """Replaces a stake that had been typed wrong."""
    if stay := rows.change(STAYS_NOW, event.fields["stay"]):
        stay.staked += event.fields["stake"] - event.fields["stake_before"]


def _returned(event: Event, rows: Rows) -> None:
    """Takes off a stake of a coup that is void, if it had been settled."""
    fields = event.fields
    if fields["paid_before"] is not None and (stay := rows.change(STAYS_NOW, fields["stay"])):
        if stay.last_void != fields["coup"]:
            stay.coups, stay.last_void = stay.coups - 1, fields["coup"]
        stay.staked -= fields["stake"]


def _another_s(event: Event, rows: Rows) -> None:
    """Moves a settled stake to the stay whose it was; the coup stays counted for both."""
    fields = event.fields
    if fields["paid"] is None:
        return
    if stay := rows.change(STAYS_NOW, fields["stay"]):
        stay.staked -= fields["stake"]
    if stay := rows.change(STAYS_NOW, fields["to_stay"]):
        _counted(stay, fields["coup"])
        stay.staked += fields["stake"]


PLAYS: Mapping[str, Callable[[Event, Rows], None]] = {
    coup_wagers.WagerSettled.TOPIC: _staked,
    coup_wagers.WagerSettledLate.TOPIC: _staked,
    coup_wagers.WagerRanOut.TOPIC: _staked,
    coup_wagers.PaymentCorrected.TOPIC: _restaked,
    coup_wagers.WagerReturned.TOPIC: _returned,
    coup_wagers.WagerMoved.TOPIC: _another_s,
}
