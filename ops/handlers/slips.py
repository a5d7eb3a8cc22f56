"""Fills and credits: chips between the cage and a table, on a slip that each person signs."""

import re

from domain.aggregates.slips import SlipBook, gaming_year
from domain.aggregates.table_day import TableDay
from domain.events.slip_book import Slip
from domain.rules import addresses
from domain.rules.chips import total
from domain.rules.refusals import AlreadyOpen, BadValue, NotFound, TableClosed
from domain.rules.wording import Words
from ops.commands import slips as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.trays import require_tray_for_credit


@handles(commands.SlipRequest)
def request(desk: Desk, command: commands.SlipRequest) -> None:
    """Requests a fill or a credit, in a supervisor's name, with the year's next slip number."""
    day = desk.table_day(command.table)
    desk.require_chips(day.rules, command.chips)
    if command.kind == "credit":
        require_tray_for_credit(desk, day, total(command.chips), confirmed=command.confirmed)
    asks = command.second or desk.casino.actor or day.supervisor
    _book(desk, day).request(command.kind, str(day.address), command.chips, asks)


@handles(commands.SlipIssue)
def issue(desk: Desk, command: commands.SlipIssue) -> None:
    """Issues a slip: the cage gives out the chips of a fill, or expects those of a credit."""
    _book_of(desk, command.slip).issue(command.slip, desk.casino.actor)


@handles(commands.SlipCarry)
def carry(desk: Desk, command: commands.SlipCarry) -> None:
    """Records that security carries the chips of a slip."""
    _book_of(desk, command.slip).carry(command.slip, desk.casino.actor)


@handles(commands.SlipReceive)
def receive(desk: Desk, command: commands.SlipReceive) -> None:
    """Receives the chips of a slip at its table. Refuses: NotFound, TableClosed."""
    book = _book_of(desk, command.slip)
    if command.slip not in book.slips:
        raise NotFound(what=Words("slip {slip}", slip=command.slip))
    address = addresses.TableDay.parse(book.slips[command.slip].table_day)
    day = desk.table_day(address.table)
    if day.address != address:  # the slip belongs to another gaming day
        raise TableClosed(what=str(address))
    counter, along = desk.casino.actor or day.dealer, command.second or day.supervisor
    _receive(desk, day, command.slip, counter, along, confirmed=command.confirmed)


@handles(commands.SlipVoid)
def void(desk: Desk, command: commands.SlipVoid) -> None:
    """Voids a slip, by two people; its number is not used again."""
    desk.require_two(Words("Voiding a slip"), command)
    _book_of(desk, command.slip).void(
        command.slip, command.reason, desk.casino.actor, command.second or ""
    )


@handles(commands.TableFill)
def fill(desk: Desk, command: commands.TableFill) -> None:
    """Requests, issues, carries and receives a fill in one command."""
    _slip_at_once(desk, "fill", command)


@handles(commands.TableCredit)
def credit(desk: Desk, command: commands.TableCredit) -> None:
    """Requests, issues, carries and receives a credit in one command."""
    _slip_at_once(desk, "credit", command)


def _slip_at_once(
    desk: Desk, kind: str, command: commands.TableFill | commands.TableCredit
) -> None:
    """Takes a slip through all of its steps.

    The table's dealer counts the chips, with the second person, or if that one brought the chips,
    with whoever gives the command.
    """
    day = desk.table_day(command.table)
    desk.require_chips(day.rules, command.chips)
    book = _book(desk, day)
    slip = book.request(kind, str(day.address), command.chips, command.requested_by)
    book.issue(slip, command.cashier)
    book.carry(slip, command.runner)
    brought = command.second in (command.cashier, command.runner)
    along = desk.casino.actor if brought else command.second
    sure = isinstance(command, commands.TableCredit) and command.confirmed
    _receive(desk, day, slip, day.dealer, along or day.supervisor, confirmed=sure)


def _receive(
    desk: Desk, day: TableDay, slip: str, counter: str, along: str, *, confirmed: bool
) -> None:
    """Counts a fill into the tray, or a credit out of it; `along` counts with the counter.

    Refuses: also ConfirmationNeeded.
    """
    book = _book(desk, day)
    book.receive(slip, counter, along)
    chips = book.slips[slip].chips
    if book.slips[slip].kind == "fill":
        day.fill(slip, chips)
    else:
        require_tray_for_credit(desk, day, total(chips), confirmed=confirmed)
        day.credit(slip, chips)


def require_none_under_way(desk: Desk, day: TableDay) -> None:
    """Refuses while a slip of this day is not received or voided: AlreadyOpen."""
    year = gaming_year(day.address.day)
    book = desk.casino.find(SlipBook, SlipBook.stream(year))
    for serial, slip in book.slips.items() if book else ():
        if slip.table_day == str(day.address) and slip.step not in ("received", "voided"):
            raise AlreadyOpen(
                message=Words(
                    "Slip {slip} is still open. Receive it, or void it first.", slip=serial
                )
            )


def slip_of(desk: Desk, serial: str) -> Slip | None:
    """A slip as it is now, or None if there is none of that number."""
    try:
        return _book_of(desk, serial).slips.get(serial)
    except (BadValue, NotFound):
        return None


def _book(desk: Desk, day: TableDay) -> SlipBook:
    """The slip book of the table day's year; the year's first slip begins it."""
    year = gaming_year(day.address.day)
    book = desk.casino.find(SlipBook, SlipBook.stream(year))
    return book or desk.casino.make(SlipBook.begin_year(year, desk.casino.moment))


def _book_of(desk: Desk, slip: str) -> SlipBook:
    """The book that a slip is in. Refuses: BadValue, NotFound."""
    year = re.fullmatch(r"(\d{4})-\d{6,}", slip)
    if year is None:
        raise BadValue(field="slip", value=repr(slip), why=Words("write it as in `2026-000017`"))
    book = desk.casino.find(SlipBook, SlipBook.stream(int(year[1])))
    if book is None:
        raise NotFound(what=Words("slip {slip}", slip=slip))
    return book
