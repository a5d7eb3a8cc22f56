"""Handles: what was staked and settled, by shoe, gaming day and spot, and the shoes of each day."""

from datetime import date

from domain.events import (
    coup_wagers,
)
from domain.events import shoe as shoe_events
from projections.model import Event, View
from projections.rows import Row, Rows, Table

HANDLES_TABLES = """
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


TABLE_SHOES = Table("table_shoes", TableShoe, "shoe", "gaming_day")
DAYS_OF_A_SHOE = TABLE_SHOES.page("shoe")
HANDLES = Table("handles", Handle, "shoe", "gaming_day", "spot")
OF_SHOES = {
    shoe_events.Loaded.TOPIC,
    shoe_events.CameAlong.TOPIC,
    shoe_events.CoupBegun.TOPIC,
    shoe_events.CoupNotDealt.TOPIC,
}
STAKED = {
    *(
        coup_wagers.WagerSettled.TOPIC,
        coup_wagers.WagerSettledLate.TOPIC,
        coup_wagers.WagerReturned.TOPIC,
    ),
    *(coup_wagers.WagerRanOut.TOPIC, coup_wagers.PaymentCorrected.TOPIC),
}


def shoe_loaded(event: Event, rows: Rows) -> None:
    """Enters a shoe on the day on which it was loaded."""
    shoe = TableShoe(
        shoe=event.fields["shoe"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        decks=event.fields["decks"],
    )
    rows.put(TABLE_SHOES, shoe)


def shoe_came_along(event: Event, rows: Rows) -> None:
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


def coup_begun(event: Event, rows: Rows) -> None:
    """Counts a coup of a shoe."""
    if row := rows.change(TABLE_SHOES, event.fields["shoe"], event.gaming_day):
        row.coups += 1


def coup_not_dealt(event: Event, rows: Rows) -> None:
    """Does not count a coup that ended before its first card."""
    if row := rows.change(TABLE_SHOES, event.fields["shoe"], event.gaming_day):
        row.coups -= 1


def staked(event: Event, rows: Rows) -> None:
    """Adds a settled stake to the handle."""
    add_stake(event, event.fields["stake"], rows)


def stake_returned(event: Event, rows: Rows) -> None:
    """Takes a returned stake off the handle, if it had been settled."""
    if event.fields["paid_before"] is not None:
        add_stake(event, -event.fields["stake"], rows)


def add_stake(event: Event, stake: int, rows: Rows) -> None:
    """Adds a stake to the handle of its shoe and spot; takes it off if it is less than 0."""
    shoe, spot = event.fields["coup"].rpartition("/")[0], event.fields["spot"]
    if row := rows.change(HANDLES, shoe, event.gaming_day, spot):
        row.handle += stake
    else:
        rows.put(HANDLES, Handle(shoe=shoe, gaming_day=event.gaming_day, spot=spot, handle=stake))


HANDLES_VIEW = View(
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
)
