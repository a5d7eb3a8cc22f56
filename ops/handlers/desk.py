"""The desk that handlers work at: it loads what a command is about."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.corrections import require_two
from domain.aggregates.coup import Coup
from domain.aggregates.due import NextAct, next_act
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.shoe import Shoe
from domain.aggregates.table import Table
from domain.aggregates.table_day import TableDay
from domain.aggregates.tray import Signed
from domain.aggregates.year_books import YearBook
from domain.events.table import Placed
from domain.rules import addresses
from domain.rules.chips import Chips, require_chips_of
from domain.rules.house_rules import HouseRules
from domain.rules.likeness import alike
from domain.rules.refusals import BadValue, NotFound, ShoeNotReady, TableClosed
from domain.rules.wording import Words
from ops.commands.casino import Casino
from ops.commands.command import Command
from ops.commands.corrections import OfCoup
from ops.commands.disputes import DisputeOpen, OnCase
from ops.commands.sealed_orders import SealedOrders
from ops.handlers.known_names import KnownNames
from ops.handlers.play_clock import PlayClock
from ops.handlers.stays import Stays
from ops.ledger.reading import Wanted, read_events

if TYPE_CHECKING:
    from domain.aggregates.dispute import Dispute
    from ops.words.cash import Ahead

Book = TypeVar("Book", bound=YearBook)
_TABLES = 100_000  # no house ever had so many


class Desk:
    """Loads table days, shoes, coups, accounts, cases, patrons and the house.

    New aggregates begin with `casino.make`. The dispatcher saves all of a command together.
    """

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.orders = SealedOrders(casino)  # the card orders of generated shoes
        self.names = KnownNames(casino)
        self.stays = Stays(casino, self.names)
        self.play_clock = PlayClock(casino)
        self.pause: Words | None = None  # that the last command's patron should pause
        self.ahead: Ahead | None = None  # what the cash of the last command brings about

    def house(self) -> Property:
        """The house, founded with its defaults if there is none yet."""
        house = self.casino.find(Property, PROPERTY_STREAM)
        return house or self.casino.make(Property.establish(self.casino.moment))

    def local(self, moment: datetime) -> datetime:
        """A moment by the house's clock; as it is while there is no house."""
        house = self.casino.find(Property, PROPERTY_STREAM)
        return house.clock.local(moment) if house else moment

    def table_day(self, table: str) -> TableDay:
        """The gaming day that is open at a table. Refuses: TableClosed."""
        day = self.last_table_day(table)
        if day.closed:
            raise TableClosed(what=table)
        return day

    def table(self, code: str) -> Table | None:
        """A table, or None if it was never open. Refuses one typed in other capitals: BadValue."""
        known = self.casino.find(Table, Table.stream(code))
        if known is not None and known.table != code:
            raise _another_table(known.table, code)
        return known

    def new_table(self, code: str) -> Table:
        """A table that the house never had. Refuses a code that looks like another's: BadValue."""
        with self.casino.ledger.connection() as connection:
            placed = read_events(connection, 0, _TABLES, wanted=Wanted((Placed.TOPIC,)))
        for each in placed:
            if alike(each.table_code, code):
                raise _another_table(each.table_code, code)
        return self.casino.make(Table.place(code, self.casino.moment))

    def last_table_day(self, table: str) -> TableDay:
        """The last gaming day of a table, open or closed. Refuses: TableClosed."""
        known = self.table(table)
        if known is None or known.last_day is None:
            raise TableClosed(what=table)
        address = addresses.TableDay(table, addresses.parse_day(known.last_day))
        day = self.casino.find(TableDay, TableDay.stream(address))
        assert day is not None
        return day

    def day_then(self, table: str) -> TableDay:
        """The open day of a table; of what is entered late, the day that was rolled over since.

        Refuses: TableClosed.
        """
        day = self.table_day(table)
        while self.casino.act.late and day.continues and self.casino.moment < day.created_on:
            before = self.casino.find(TableDay, TableDay.stream(day.continues))
            assert before is not None
            day = before
        return day

    def named_day(self, table: str, day: str | None) -> TableDay:
        """That gaming day of a table, else its last one. Refuses: TableClosed, NotFound."""
        if day is None:
            return self.last_table_day(table)
        address = addresses.TableDay(table, addresses.parse_day(day))
        named = self.casino.find(TableDay, TableDay.stream(address))
        if named is None:
            raise NotFound(what=Words("table day {day}", day=address))
        return named

    def shoe(self, day: TableDay) -> Shoe:
        """The shoe in play. Refuses: ShoeNotReady."""
        if day.shoe is None:
            raise ShoeNotReady(
                message=Words(
                    "{table} has no shoe. Load one, with `shoe load`.", table=day.address.table
                )
            )
        shoe = self.casino.find(Shoe, Shoe.stream(day.shoe))
        assert shoe is not None
        return shoe

    def coup(self, shoe: Shoe) -> Coup | None:
        """The last coup that was opened from a shoe, or None before the first."""
        if shoe.coup == 0:
            return None
        return self.casino.find(Coup, Coup.stream(addresses.Coup(shoe.address, shoe.coup)))

    def coups(self, day: TableDay) -> Iterator[Coup]:
        """The coups opened on a day; its first shoe may have others, of the day before."""
        for shoe_address in day.shoes_dealt:
            shoe = self.casino.find(Shoe, Shoe.stream(shoe_address))
            assert shoe is not None
            for number in range(1, shoe.coup + 1):
                coup = self.coup_at(addresses.Coup(shoe_address, number))
                if coup.table_day == day.address:
                    yield coup

    def coup_at(self, address: addresses.Coup) -> Coup:
        """A coup of any day. Refuses: NotFound."""
        coup = self.casino.find(Coup, Coup.stream(address))
        if coup is None:
            raise NotFound(what=Words("coup {coup}", coup=address))
        return coup

    def day_of(self, coup: Coup, *, rely: bool = True) -> TableDay:
        """The table day on which a coup was opened."""
        day = self.casino.find(TableDay, TableDay.stream(coup.table_day), rely=rely)
        assert day is not None
        return day

    def table_in_play(self, table: str) -> TableDay:
        """The open day of a table where people bet and cards are drawn.

        Refuses: TableClosed, TableLockedUp.
        """
        day = self.table_day(table)
        day.require_not_locked_up()
        return day

    def coup_in_play(self, day: TableDay) -> Coup:
        """The last coup of the shoe in play. Refuses: ShoeNotReady, NotFound."""
        coup = self.coup(self.shoe(day))
        if coup is None:
            raise NotFound(
                message=Words(
                    "{table} has no coup yet. Place a bet, or open a coup.", table=day.address.table
                )
            )
        return coup

    def require_chips(self, rules: HouseRules, *counted: Chips) -> None:
        """Refuses a chip that neither the rule set nor the house has: BadValue."""
        own = self.house().own_chips
        for chips in counted:
            require_chips_of(rules, own, chips)

    def account_now(self, account: CommissionAccount) -> CommissionAccount | None:
        """The account of the stay at which a patron sits at the table now, or None."""
        day = self.last_table_day(account.table_day.table)
        for stay in day.seats.values():
            if self.names.same(stay.patron, account.patron):
                return self.stays.account(stay.address)
        return None

    def case(self, text: str) -> "Dispute":
        """A dispute on file. Refuses: BadValue, NotFound."""
        from domain.aggregates.dispute import Dispute  # 5 ms that most lines do without

        address = addresses.Case.parse(text)
        case = self.casino.find(Dispute, Dispute.stream(address))
        if case is None:
            raise NotFound(what=Words("case {case}", case=address))
        return case

    def year_book(self, kind: type[Book]) -> Book:
        """This year's book of such cases."""
        year = self.house().clock.day_of(self.casino.moment).year
        book = self.casino.find(kind, kind.stream(year))
        return book or self.casino.make(kind.begin_year(year, self.casino.moment))

    def second(self, command: Command) -> str:
        """The second person's number; '' if there is none, or it is the first person's."""
        second = command.second or ""
        return "" if alike(second, self.casino.actor) else second

    def require_two(self, act: Words, command: Command) -> None:
        """In open house, refuses a line that does not name two people: SecondPersonNeeded.

        In a closed house the permission was checked before (R-IRR-5).
        """
        if self.casino.open_house:
            require_two(act, self.casino.actor, command.second or "")

    def signed(self, act: Words, command: Command, reason: str) -> Signed:
        """The reason and the two people who put something right. Refuses: SecondPersonNeeded."""
        self.require_two(act, command)
        return Signed(reason, self.casino.actor, command.second or "")

    def table_of(self, command: Command) -> str | None:
        """The code of the table that a command is about, or None. Refuses: BadValue, NotFound."""
        match command:
            case OfCoup() | DisputeOpen():
                return addresses.Coup.parse(command.coup).shoe.table_day.table
            case OnCase():
                return self.case(command.case).coup.shoe.table_day.table
        table: str | None = getattr(command, "table", None)
        return table

    def outlook(self, table: str) -> tuple[str | None, NextAct | None]:
        """The address of the coup in play, and what the table must do next; None for neither."""
        known = self.casino.find(Table, Table.stream(table), rely=False)
        if known is None or known.last_day is None or known.table != table:
            return None, None
        address = addresses.TableDay(table, addresses.parse_day(known.last_day))
        day = self.casino.find(TableDay, TableDay.stream(address), rely=False)
        assert day is not None
        shoe = self.casino.find(Shoe, Shoe.stream(day.shoe), rely=False) if day.shoe else None
        coup = None
        if shoe and shoe.coup:
            address_of = addresses.Coup(shoe.address, shoe.coup)
            coup = self.casino.find(Coup, Coup.stream(address_of), rely=False)
        owed = (
            shoe is not None
            and shoe.finished
            and any(account.owed for account in self.stays.accounts(day, rely=False))
        )
        return str(coup.address) if coup else None, next_act(day, shoe, coup, owed=owed)


def _another_table(known: str, code: str) -> BadValue:
    return BadValue(
        message=Words(
            "There is a table {known}, and {code} looks the same. Write {known}.",
            known=known,
            code=code,
        )
    )
