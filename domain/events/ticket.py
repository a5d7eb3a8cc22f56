"""A ticket that stands for money: printed when a game account is paid out, taken once."""

from domain.events import base
from domain.rules import addresses


class Event(base.Event):
    """About one ticket."""

    NAMED_BY = ("ticket",)
    ticket: str = ""


class Issued(Event, topic="ticket.issued", first=True):
    """The ticket was printed here, or came from another system of the house."""

    amount: int  # minor units
    table_day: str  # at which it was printed, or came
    here: bool  # False: another system printed it


class State(base.State):
    """What the ticket is worth, and whether it was taken."""

    def __init__(self, issued: Issued) -> None:
        super().__init__(issued)
        self.ticket = issued.ticket
        self.amount = issued.amount
        self.came_to = addresses.TableDay.parse(issued.table_day)
        self.taken_at = ""


class TicketTaken(Event, topic="ticket.ticket-taken"):
    """The ticket was put on a game account; it is worth nothing more."""

    table_day: str
    stay: str

    def apply(self, state: State) -> None:
        state.came_to = addresses.TableDay.parse(self.table_day)
        state.taken_at = self.table_day


class TicketRefused(Event, topic="ticket.ticket-refused"):
    """The ticket came a second time, or with another amount."""

    table_day: str
    amount: int  # minor units, as it was read

    def apply(self, state: State) -> None:
        state.came_to = addresses.TableDay.parse(self.table_day)
