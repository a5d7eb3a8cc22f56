"""Tickets: those that were printed here and that nobody has brought back yet."""

from collections.abc import Iterator
from datetime import date, datetime

from domain.events import ticket
from domain.rules import addresses
from projections.model import Event, Projection
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a ticket that the house owes.
CREATE TABLE tickets_out (
    ticket         text   NOT NULL PRIMARY KEY,
    table_code     text   NOT NULL,              -- where it was printed, as is the gaming day
    gaming_day     date   NOT NULL,
    issued_at      timestamptz NOT NULL,
    amount         bigint NOT NULL,              -- minor units
    first_position bigint NOT NULL
);
"""


class TicketOut(Row):
    """A ticket that nobody has brought back."""

    ticket: str
    table_code: str
    gaming_day: date
    issued_at: datetime
    amount: int
    first_position: int


TICKETS_OUT = Table("tickets_out", TicketOut, "ticket")


def _loads(event: Event) -> Iterator[tuple[Page[TicketOut], Value]]:
    yield TICKETS_OUT.by_key, (event.fields["ticket"],)


def _issued(event: Event, rows: Rows) -> None:
    fields = event.fields
    if not fields["here"]:
        return
    came_from = addresses.TableDay.parse(fields["table_day"])
    out = TicketOut(
        ticket=fields["ticket"],
        table_code=came_from.table,
        gaming_day=came_from.day,
        issued_at=event.at,
        amount=fields["amount"],
        first_position=event.position,
    )
    rows.put(TICKETS_OUT, out)


def _taken(event: Event, rows: Rows) -> None:
    if out := rows.change(TICKETS_OUT, event.fields["ticket"]):
        rows.drop(TICKETS_OUT, out)


PROJECTION = Projection(
    name="tickets_out",
    schema=_TABLES,
    changes={ticket.Issued.TOPIC: _issued, ticket.TicketTaken.TOPIC: _taken},
    loads=_loads,
)
