"""The rows of exceptions: their table, and the row of an event."""

from datetime import date, datetime
from typing import Any

from domain.events import (
    coup_wagers,
)
from projections.attention.exception_kinds import LATE_ENTRY, coup_of
from projections.model import Event
from projections.proofs import proof_in, with_proof
from projections.ranks import RANKS, SLIP
from projections.rows import Row, Rows, Table

TABLES = """
-- One row an exception: what somebody should look at.
CREATE TABLE exceptions (
    position          bigint NOT NULL,
    kind              text   NOT NULL,  -- late bet, undue card, coup voided, …
    at                timestamptz NOT NULL,
    table_code        text   NOT NULL,  -- '' for the house's own
    gaming_day        date   NOT NULL,
    shoe              text,
    coup              text,
    patron            text,             -- under the name that they had at the table
    "by"              text   NOT NULL,  -- who did it, and the second person
    detail            jsonb  NOT NULL,  -- the fields of the event
    command_id        text   NOT NULL,
    acknowledged_by   text,
    acknowledged_at   timestamptz,
    acknowledged_text text,
    rank              int    NOT NULL,  -- 1 rings, 2 asks for a decision, 3 was a slip of the keys
    unfinished        text,             -- what may change it yet: a shoe, a stay, a person
    last_command      text,             -- of a stretch of late entry
    PRIMARY KEY (position, kind)
);
CREATE INDEX exceptions_by_day ON exceptions (gaming_day);
CREATE INDEX exceptions_by_kind ON exceptions (kind);
CREATE INDEX exceptions_by_table ON exceptions (table_code, gaming_day);
-- A command with several events is late once.
CREATE UNIQUE INDEX exceptions_of_a_command ON exceptions (command_id, kind)
    WHERE kind IN ('late entry', 'clock behind', 'clock ahead');
CREATE INDEX exceptions_by_command ON exceptions (command_id);
CREATE INDEX exceptions_by_coup ON exceptions (coup, kind) WHERE coup IS NOT NULL;
CREATE INDEX exceptions_open ON exceptions (position) WHERE acknowledged_at IS NULL;
CREATE INDEX exceptions_unfinished ON exceptions (unfinished) WHERE unfinished IS NOT NULL;
CREATE INDEX exceptions_by_last_command ON exceptions (last_command)
    WHERE last_command IS NOT NULL;
"""
# A late command with no other events only mends bets.
_MENDS_BETS = {
    coup_wagers.WagerPlaced.TOPIC,
    coup_wagers.WagerWithdrawn.TOPIC,
    coup_wagers.WagerFound.TOPIC,
    coup_wagers.StakeCorrected.TOPIC,
    coup_wagers.WagerReduced.TOPIC,
}


class Acknowledged(Row):
    """A row that somebody may acknowledge."""

    acknowledged_by: str | None = None
    acknowledged_at: datetime | None = None
    acknowledged_text: str | None = None

    def acknowledge(self, event: Event) -> None:
        """Records who acknowledged the row, when and with which words."""
        self.acknowledged_by = acknowledged_by(event) or None
        self.acknowledged_at = event.at
        self.acknowledged_text = event.fields["text"] or None


class Noted(Acknowledged):
    """An exception: what somebody should look at."""

    position: int
    kind: str
    at: datetime
    table_code: str
    gaming_day: date
    shoe: str | None
    coup: str | None
    patron: str | None
    by: str
    detail: dict[str, Any]
    command_id: str
    rank: int
    unfinished: str | None = None
    last_command: str | None = None


EXCEPTIONS = Table("exceptions", Noted, "position", "kind")
OF_ONE_COMMAND = EXCEPTIONS.page("command_id")
AT_ONE_COUP = EXCEPTIONS.page("coup", "kind")
UNFINISHED = EXCEPTIONS.page("unfinished")
WITH_LAST_COMMAND = EXCEPTIONS.page("last_command")


def row_of(event: Event, kind: str, detail: dict[str, Any]) -> Noted:
    """The row of an event, with both people and the coup, shoe and table that it is about."""
    second = event.metadata.get("with", "")
    people = event.actor, with_proof(second, proof_in(event, second))
    coup = coup_of(event)
    shoe = event.fields.get("shoe") or (coup.rpartition("/")[0] if coup else None)
    table, day = _table_day_of(event, shoe)
    return Noted(
        position=event.position,
        kind=kind,
        at=event.at,
        table_code=table,
        gaming_day=day,
        shoe=shoe,
        coup=coup,
        patron=event.fields.get("patron"),
        by=", ".join(filter(None, people)),
        detail=detail,
        command_id=event.command_id,
        rank=SLIP if kind == LATE_ENTRY and event.topic in _MENDS_BETS else RANKS[kind],
    )


def _table_day_of(event: Event, shoe: str | None) -> tuple[str, date]:
    """The table and day; an event of the house has them in its table day or its shoe."""
    if event.table:
        return event.table, event.gaming_day
    table, _, rest = (event.fields.get("table_day") or shoe or "").partition("/")
    day = rest.partition("/")[0]
    return table, date.fromisoformat(day) if day else event.gaming_day


# Late entry.
def table_of(event: Event) -> str:
    """The event's table; one of the house has it in its table day or its shoe, or nowhere: ''."""
    return _table_day_of(event, event.fields.get("shoe"))[0]


def as_answered(event: Event) -> dict[str, Any]:
    """The event as it is in the answer of its command."""
    return {"type": event.name, **event.fields}


def finish(row: Noted, rows: Rows) -> Noted:
    """The row, which nothing that follows changes any more."""
    rows.drop(EXCEPTIONS, row)
    row.unfinished = None
    rows.put(EXCEPTIONS, row)
    return row


def position_of_alert(event: Event) -> int:
    """The ledger position of the event that the acknowledged alert is about."""
    return int(event.fields["alert"].rpartition("/")[2])


def acknowledged_by(event: Event) -> str:
    """Who acknowledged the alert, and the second person with how their signature is known."""
    second = event.metadata.get("with", "")
    people = event.fields["by"], with_proof(second, proof_in(event, second))
    return ", ".join(filter(None, people))
