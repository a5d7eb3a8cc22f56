"""The rows of alerts, and the table at which a patron's cash of a day moved last."""

from datetime import date, datetime
from typing import Any

from projections.attention.exception_rows import Acknowledged
from projections.rows import Row, Table

TABLES = """
-- One row an alert: what needs a person until somebody acknowledges it.
CREATE TABLE alerts (
    position          bigint NOT NULL,
    kind              text   NOT NULL,
    at                timestamptz NOT NULL,
    table_code        text   NOT NULL,
    gaming_day        date   NOT NULL,
    shoe              text,
    coup              text,
    patron            text,
    detail            jsonb  NOT NULL,
    ended_at          timestamptz,  -- when it held no more
    acknowledged_by   text,
    acknowledged_at   timestamptz,
    acknowledged_text text,
    rank              int    NOT NULL,  -- as in `exceptions`
    PRIMARY KEY (position, kind)
);
CREATE INDEX alerts_by_day ON alerts (gaming_day, table_code);
CREATE INDEX alerts_by_kind ON alerts (kind);
CREATE INDEX alerts_of_a_patron ON alerts (patron, gaming_day);
CREATE INDEX alerts_open ON alerts (position)
    WHERE acknowledged_at IS NULL AND ended_at IS NULL;

-- The table at which a patron's cash of a day moved last.
CREATE TABLE alert_places (
    patron     text NOT NULL,
    gaming_day date NOT NULL,
    table_code text NOT NULL,
    PRIMARY KEY (patron, gaming_day)
);
"""


class Alert(Acknowledged):
    """An alert: what needs a person until somebody acknowledges it."""

    position: int
    kind: str
    at: datetime
    table_code: str
    gaming_day: date
    shoe: str | None = None
    coup: str | None = None
    patron: str | None = None
    detail: dict[str, Any]
    ended_at: datetime | None = None
    rank: int

    @property
    def waits(self) -> bool:
        """Whether nobody has acknowledged it, and what it is about still holds."""
        return self.acknowledged_at is None and self.ended_at is None


class Place(Row):
    """The table at which a patron's cash of a day moved last."""

    patron: str
    gaming_day: date
    table_code: str


ALERTS = Table("alerts", Alert, "position", "kind")
OF_A_PATRON = ALERTS.page("patron", "gaming_day")
OF_A_KIND = ALERTS.page("kind")
PLACES = Table("alert_places", Place, "patron", "gaming_day")
