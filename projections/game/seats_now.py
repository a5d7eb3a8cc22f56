"""Who sits at each table now, and what the stays of its day owe."""

from domain.events import table_day
from projections.commission.owed import owes_more
from projections.model import Event
from projections.rows import Row, Rows, Table

SEATS_TABLES = """
CREATE TABLE seats_now (
    table_code text NOT NULL,
    seat       int  NOT NULL,
    patron     text NOT NULL,
    stay       text NOT NULL,
    PRIMARY KEY (table_code, seat)
);

-- What every stay of that day owes, also after its patron has left.
CREATE TABLE stays_now (
    stay       text    NOT NULL PRIMARY KEY,
    table_code text    NOT NULL,
    patron     text    NOT NULL,
    owed       numeric NOT NULL
);
CREATE INDEX stays_now_by_table ON stays_now (table_code);
"""


class SeatNow(Row):
    """A seat, with who sits in it."""

    table_code: str
    seat: int
    patron: str
    stay: str


class StayNow(Row):
    """What a stay of that day owes."""

    stay: str
    table_code: str
    patron: str
    owed: int


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
    _sits(event.table, fields["seat"], fields["patron"], fields["stay"], rows)


def _sits(table: str, seat: int, patron: str, stay: str, rows: Rows) -> None:
    rows.put(SEATS_NOW, SeatNow(table_code=table, seat=seat, patron=patron, stay=stay))


def moved(event: Event, rows: Rows) -> None:
    """Moves a patron to another chair."""
    if left := rows.change(SEATS_NOW, event.table, event.fields["seat"]):
        rows.drop(SEATS_NOW, left)
        _sits(event.table, event.fields["to"], left.patron, left.stay, rows)


def stood_up(event: Event, rows: Rows) -> None:
    """Takes off who gave up a chair."""
    if left := rows.change(SEATS_NOW, event.table, event.fields["seat"]):
        rows.drop(SEATS_NOW, left)


def sat_down(event: Event, rows: Rows) -> None:
    """Enters a stay that begins, owing nothing."""
    fields = event.fields
    stay = StayNow(stay=fields["stay"], table_code=event.table, patron=fields["patron"], owed=0)
    rows.put(STAYS_NOW, stay)


def owes(event: Event, rows: Rows) -> None:
    """Changes what a stay owes."""
    if stay := rows.change(STAYS_NOW, event.fields["stay"]):
        stay.owed += owes_more(event)
