"""Fills and credits: chips between the cage and a table, each step by its person, on a slip."""

import re
from functools import singledispatchmethod
from typing import TYPE_CHECKING

from domain.aggregates.slips import SlipBook, gaming_year
from domain.aggregates.table_day import TableDay
from domain.events.slip_book import Slip
from domain.rules import addresses
from domain.rules.refusals import AlreadyOpen, BadValue, NotFound, TableClosed
from ops.commands import vocabulary as commands

if TYPE_CHECKING:
    from ops.handlers.floor import Floor


class Cage:
    """The commands of the cage, for the tables of a floor."""

    def __init__(self, floor: "Floor") -> None:
        self.floor = floor
        self.casino = floor.casino

    @singledispatchmethod
    def decide(self, command: commands.Command) -> None:
        """States the facts of a command, or refuses it; what is not its own is the office's."""
        self.floor.office.decide(command)

    @decide.register
    def request_slip(self, command: commands.SlipRequest) -> None:
        """The next number of the year; where a dealer types it, a supervisor is named who asks."""
        day = self.floor.table_day(command.table)
        asks = command.second or self.casino.actor or day.supervisor
        self._book(day).request(command.kind, str(day.address), command.chips, asks)

    @decide.register
    def issue_slip(self, command: commands.SlipIssue) -> None:
        """By the cage."""
        self._book_of(command.slip).issue(command.slip, self.casino.actor)

    @decide.register
    def carry_slip(self, command: commands.SlipCarry) -> None:
        """By security."""
        self._book_of(command.slip).carry(command.slip, self.casino.actor)

    @decide.register
    def receive_slip(self, command: commands.SlipReceive) -> None:
        """By the table for which it was asked, while it is open."""
        book = self._book_of(command.slip)
        if command.slip not in book.slips:
            raise NotFound(what=f"slip {command.slip}")
        address = addresses.TableDay.parse(book.slips[command.slip].table_day)
        day = self.floor.table_day(address.table)
        if day.address != address:  # the chips are another gaming day's
            raise TableClosed(what=str(address))
        self._receive(book, day, command.slip, command)

    @decide.register
    def void_slip(self, command: commands.SlipVoid) -> None:
        """Its number stays its own."""
        self.floor.require_two("Voiding a slip", command)
        self._book_of(command.slip).void(
            command.slip, command.reason, self.casino.actor, command.second or ""
        )

    @decide.register
    def fill(self, command: commands.TableFill) -> None:
        """Every step of a slip in one act."""
        self._slip_at_once("fill", command)

    @decide.register
    def credit(self, command: commands.TableCredit) -> None:
        """Every step of a slip in one act."""
        self._slip_at_once("credit", command)

    def _slip_at_once(self, kind: str, command: commands.TableFill | commands.TableCredit) -> None:
        day = self.floor.table_day(command.table)
        book = self._book(day)
        slip = book.request(kind, str(day.address), command.chips, command.requested_by)
        book.issue(slip, command.cashier)
        book.carry(slip, command.runner)
        self._receive(book, day, slip, command)

    def _counter(self, day: TableDay) -> str:
        """Who counts the chips at the table: whoever speaks; in one line the table's dealer."""
        one_line = isinstance(self.casino.command, commands.TableFill | commands.TableCredit)
        return day.dealer if one_line else self.casino.actor or day.dealer

    def _receiver(self, day: TableDay, command: commands.Command) -> str:
        """Which supervisor counts along: the second person, unless they brought the chips."""
        if isinstance(command, commands.TableFill | commands.TableCredit) and command.second in (
            command.cashier,
            command.runner,
        ):
            return self.casino.actor or day.supervisor
        return command.second or day.supervisor

    def require_none_under_way(self, day: TableDay) -> None:
        """No chips are between the cage and the table. Refuses: AlreadyOpen."""
        year = gaming_year(day.address.day)
        book = self.casino.find(SlipBook, SlipBook.stream(year))
        for serial, slip in book.slips.items() if book else ():
            if slip.table_day == str(day.address) and slip.step not in ("received", "voided"):
                raise AlreadyOpen(what=f"Slip {serial}", then="receive it, or void it first")

    def _receive(self, book: SlipBook, day: TableDay, slip: str, command: commands.Command) -> None:
        """The chips are counted by the dealer and by a supervisor, and are the table's then."""
        book.receive(slip, self._counter(day), self._receiver(day, command))
        chips = book.slips[slip].chips
        if book.slips[slip].kind == "fill":
            day.fill(slip, chips)
        else:
            day.credit(slip, chips)

    def slip(self, serial: str) -> Slip | None:
        """A slip as it stands now, or None if there is none of that number."""
        try:
            return self._book_of(serial).slips.get(serial)
        except (BadValue, NotFound):
            return None

    def _book(self, day: TableDay) -> SlipBook:
        """The slips of the table day's year; the first one opens their book."""
        year = gaming_year(day.address.day)
        found = self.casino.find(SlipBook, SlipBook.stream(year))
        return found or self.casino.make(SlipBook.begin_year(year, self.casino.moment))

    def _book_of(self, slip: str) -> SlipBook:
        """The book that a slip is in. Refuses: BadValue, NotFound."""
        year = re.fullmatch(r"(\d{4})-\d{6,}", slip)
        if year is None:
            raise BadValue(field="slip", value=repr(slip), why="write it as in 2026-000017")
        book = self.casino.find(SlipBook, SlipBook.stream(int(year[1])))
        if book is None:
            raise NotFound(what=f"slip {slip}")
        return book
