"""Fills and credits: chips between the cage and a table, each step by its person, on a slip."""

import re

from domain.aggregates.slips import Slip, SlipBook, gaming_year
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.refusals import AlreadyOpen, BadValue, NotFound, TableClosed
from ops.commands import slips as commands
from ops.commands.command import Command
from ops.handlers.desk import Desk


def request(desk: Desk, command: commands.SlipRequest) -> None:
    """The next number of the year; where a dealer types it, a supervisor is named who asks."""
    day = desk.table_day(command.table)
    asks = command.second or desk.casino.actor or day.supervisor
    _book(desk, day).request(command.kind, str(day.address), command.chips, asks)


def issue(desk: Desk, command: commands.SlipIssue) -> None:
    """The cage gives out the chips, or waits for them."""
    _book_of(desk, command.slip).issue(command.slip, desk.casino.actor)


def carry(desk: Desk, command: commands.SlipCarry) -> None:
    """Security has the chips."""
    _book_of(desk, command.slip).carry(command.slip, desk.casino.actor)


def receive(desk: Desk, command: commands.SlipReceive) -> None:
    """The table takes the chips for which it was asked, while it is open."""
    book = _book_of(desk, command.slip)
    if command.slip not in book.slips:
        raise NotFound(what=f"slip {command.slip}")
    address = addresses.TableDay.parse(book.slips[command.slip].table_day)
    day = desk.table_day(address.table)
    if day.address != address:  # the chips are another gaming day's
        raise TableClosed(what=str(address))
    _receive(desk, book, day, command.slip, command)


def void(desk: Desk, command: commands.SlipVoid) -> None:
    """The slip is void, by two people; its number stays its own."""
    desk.require_two("Voiding a slip", command)
    _book_of(desk, command.slip).void(
        command.slip, command.reason, desk.casino.actor, command.second or ""
    )


def fill(desk: Desk, command: commands.TableFill) -> None:
    """Every step of a slip in one act."""
    _slip_at_once(desk, "fill", command)


def credit(desk: Desk, command: commands.TableCredit) -> None:
    """Every step of a slip in one act."""
    _slip_at_once(desk, "credit", command)


def _slip_at_once(
    desk: Desk, kind: str, command: commands.TableFill | commands.TableCredit
) -> None:
    day = desk.table_day(command.table)
    book = _book(desk, day)
    slip = book.request(kind, str(day.address), command.chips, command.requested_by)
    book.issue(slip, command.cashier)
    book.carry(slip, command.runner)
    _receive(desk, book, day, slip, command)


def _receive(desk: Desk, book: SlipBook, day: TableDay, slip: str, command: Command) -> None:
    """The chips are counted by the dealer and by a supervisor, and are the table's then."""
    book.receive(slip, _counter(desk, day), _receiver(desk, day, command))
    chips = book.slips[slip].chips
    if book.slips[slip].kind == "fill":
        day.fill(slip, chips)
    else:
        day.credit(slip, chips)


def _counter(desk: Desk, day: TableDay) -> str:
    """Who counts the chips at the table: whoever speaks; in one line the table's dealer."""
    one_line = isinstance(desk.casino.command, commands.TableFill | commands.TableCredit)
    return day.dealer if one_line else desk.casino.actor or day.dealer


def _receiver(desk: Desk, day: TableDay, command: Command) -> str:
    """Which supervisor counts along: the second person, unless they brought the chips."""
    if isinstance(command, commands.TableFill | commands.TableCredit) and command.second in (
        command.cashier,
        command.runner,
    ):
        return desk.casino.actor or day.supervisor
    return command.second or day.supervisor


def require_none_under_way(desk: Desk, day: TableDay) -> None:
    """No chips are between the cage and the table. Refuses: AlreadyOpen."""
    year = gaming_year(day.address.day)
    book = desk.casino.find(SlipBook, SlipBook.stream(year))
    for serial, slip in book.slips.items() if book else ():
        if slip.table_day == str(day.address) and slip.step not in ("received", "voided"):
            raise AlreadyOpen(what=f"Slip {serial}", then="receive it, or void it first")


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
        raise BadValue(field="slip", value=repr(slip), why="write it as in 2026-000017")
    book = desk.casino.find(SlipBook, SlipBook.stream(int(year[1])))
    if book is None:
        raise NotFound(what=f"slip {slip}")
    return book
