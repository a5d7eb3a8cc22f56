"""Fills and credits: chips between the cage and a table, each step by its person, on a slip."""

import re

from domain.aggregates.slips import SlipBook, gaming_year
from domain.aggregates.table_day import TableDay
from domain.events.slip_book import Slip
from domain.rules import addresses
from domain.rules.refusals import AlreadyOpen, BadValue, NotFound, TableClosed
from domain.rules.wording import Words
from ops.commands import slips as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles


@handles(commands.SlipRequest)
def request(desk: Desk, command: commands.SlipRequest) -> None:
    """Requests a fill or a credit under the year's next number, in a supervisor's name."""
    day = desk.table_day(command.table)
    asks = command.second or desk.casino.actor or day.supervisor
    _book(desk, day).request(command.kind, str(day.address), command.chips, asks)


@handles(commands.SlipIssue)
def issue(desk: Desk, command: commands.SlipIssue) -> None:
    """Issues a slip: the cage gives out the chips, or waits for them."""
    _book_of(desk, command.slip).issue(command.slip, desk.casino.actor)


@handles(commands.SlipCarry)
def carry(desk: Desk, command: commands.SlipCarry) -> None:
    """Carries a slip: security has the chips."""
    _book_of(desk, command.slip).carry(command.slip, desk.casino.actor)


@handles(commands.SlipReceive)
def receive(desk: Desk, command: commands.SlipReceive) -> None:
    """Receives the chips at the table whose they are. Refuses: NotFound, TableClosed."""
    book = _book_of(desk, command.slip)
    if command.slip not in book.slips:
        raise NotFound(what=Words("slip {slip}", slip=command.slip))
    address = addresses.TableDay.parse(book.slips[command.slip].table_day)
    day = desk.table_day(address.table)
    if day.address != address:  # the chips are another gaming day's
        raise TableClosed(what=str(address))
    counter, along = desk.casino.actor or day.dealer, command.second or day.supervisor
    _receive(book, day, command.slip, counter, along)


@handles(commands.SlipVoid)
def void(desk: Desk, command: commands.SlipVoid) -> None:
    """Voids a slip, by two people; its number stays its own."""
    desk.require_two(Words("Voiding a slip"), command)
    _book_of(desk, command.slip).void(
        command.slip, command.reason, desk.casino.actor, command.second or ""
    )


@handles(commands.TableFill)
def fill(desk: Desk, command: commands.TableFill) -> None:
    """Takes every step of a slip in one act."""
    _slip_at_once(desk, "fill", command)


@handles(commands.TableCredit)
def credit(desk: Desk, command: commands.TableCredit) -> None:
    """Takes every step of a slip in one act."""
    _slip_at_once(desk, "credit", command)


def _slip_at_once(
    desk: Desk, kind: str, command: commands.TableFill | commands.TableCredit
) -> None:
    """Counted by the table's dealer, and by the second person unless they brought the chips."""
    day = desk.table_day(command.table)
    book = _book(desk, day)
    slip = book.request(kind, str(day.address), command.chips, command.requested_by)
    book.issue(slip, command.cashier)
    book.carry(slip, command.runner)
    brought = command.second in (command.cashier, command.runner)
    along = desk.casino.actor if brought else command.second
    _receive(book, day, slip, day.dealer, along or day.supervisor)


def _receive(book: SlipBook, day: TableDay, slip: str, counter: str, along: str) -> None:
    """Counts the chips into the tray or out of it; a supervisor counts along."""
    book.receive(slip, counter, along)
    chips = book.slips[slip].chips
    if book.slips[slip].kind == "fill":
        day.fill(slip, chips)
    else:
        day.credit(slip, chips)


def require_none_under_way(desk: Desk, day: TableDay) -> None:
    """Refuses while chips are between the cage and the table: AlreadyOpen."""
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
    """A slip as it stands now, or None if there is none of that number."""
    try:
        return _book_of(desk, serial).slips.get(serial)
    except (BadValue, NotFound):
        return None


def _book(desk: Desk, day: TableDay) -> SlipBook:
    """The slips of the table day's year; the first one opens their book."""
    year = gaming_year(day.address.day)
    found = desk.casino.find(SlipBook, SlipBook.stream(year))
    return found or desk.casino.make(SlipBook.begin_year(year, desk.casino.moment))


def _book_of(desk: Desk, slip: str) -> SlipBook:
    """The book that a slip is in. Refuses: BadValue, NotFound."""
    year = re.fullmatch(r"(\d{4})-\d{6,}", slip)
    if year is None:
        raise BadValue(field="slip", value=repr(slip), why=Words("write it as in `2026-000017`"))
    book = desk.casino.find(SlipBook, SlipBook.stream(int(year[1])))
    if book is None:
        raise NotFound(what=Words("slip {slip}", slip=slip))
    return book
