"""Table wins: the row of each table day, with its chips, its cash and what explains its win."""

from datetime import date, datetime

from projections.model import Change, Event
from projections.rows import Row, Rows, Table

WINS_TABLE = """
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
    promotions     numeric NOT NULL DEFAULT 0,  -- chips that coupons were paid, as of now
    incidents      numeric NOT NULL DEFAULT 0,  -- chips into its tray because of incidents
    variances      jsonb   NOT NULL,            -- by session, by how much its closer is off
    PRIMARY KEY (table_code, gaming_day)
);
CREATE INDEX table_wins_by_day ON table_wins (gaming_day);
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
    promotions: int = 0
    incidents: int = 0
    variances: dict[str, int]


TABLE_WINS = Table("table_wins", TableWin, "table_code", "gaming_day")


def win_of(event: Event, rows: Rows) -> TableWin | None:
    """The row of the event's table day, or None if there is none."""
    return rows.change(TABLE_WINS, event.table, event.gaming_day)


def adds(column: str, field: str = "amount") -> Change:
    """A change that adds a field of the event to a column of its table day."""

    def change(event: Event, rows: Rows) -> None:
        if row := win_of(event, rows):
            setattr(row, column, getattr(row, column) + event.fields[field])

    return change
