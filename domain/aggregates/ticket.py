"""A ticket that stands for money, which is taken once (R-ACC-2)."""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import ticket as events
from domain.rules import addresses
from domain.rules.refusals import TicketRefused
from domain.rules.wording import Amount, Words


class Ticket(Aggregate, events.State):
    """One ticket, by its number."""

    MANY_CLOCKS = True

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that it last came to."""
        return self.came_to.day, self.came_to.table

    @staticmethod
    def stream(ticket: str) -> UUID:
        """The stream of a ticket, in capitals or not."""
        return addresses.stream_id("ticket", ticket.upper())

    # Commands: decide; refuse, or record an event.
    @classmethod
    def issue(
        cls, ticket: str, amount: int, day: addresses.TableDay, *, at: datetime, here: bool
    ) -> Self:
        """Begins a ticket worth `amount` minor units; not `here`: another system printed it."""
        first = events.Issued(ticket=ticket, amount=amount, table_day=str(day), here=here)
        return cls.begin(first, cls.stream(ticket), at)

    def take(self, amount: int, day: addresses.TableDay, stay: str, currency: str) -> None:
        """Takes the ticket, once and for what it is worth. Refuses: TicketRefused."""
        if self.taken_at:
            why = Words("it was already taken at {table_day}", table_day=self.taken_at)
        elif amount != self.amount:
            why = Words("it is worth {amount}", amount=Amount(self.amount, currency))
        else:
            self.record(events.TicketTaken(table_day=str(day), stay=stay))
            return
        self.record(events.TicketRefused(table_day=str(day), amount=amount))
        raise TicketRefused(ticket=self.ticket, why=why)
