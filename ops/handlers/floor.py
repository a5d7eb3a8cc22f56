"""What each command means: which aggregates it loads, which decide, which facts go together.

One method for each line of the vocabulary about a table and who is at it. `game`, `desk`, `cage`
and `office` have the others, and ask here for what they need. Decides nothing by itself: the
aggregates do.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cached_property, singledispatchmethod
from typing import TYPE_CHECKING

from domain.aggregates.commission import CommissionAccount, require_settled
from domain.aggregates.coup import Coup, require_two
from domain.aggregates.due import NextAct, next_act
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.shoe import Shoe
from domain.aggregates.table import Table
from domain.aggregates.table_day import TableDay, chair
from domain.events.table_day import Stay
from domain.rules import addresses
from domain.rules.chips import require_chips_of
from domain.rules.refusals import (
    AlreadyOpen,
    BadValue,
    NotFound,
    Refusal,
    SeatTaken,
    ShoeNotReady,
    TableClosed,
)
from ops.commands import vocabulary as commands
from ops.commands.casino import Casino
from ops.handlers.game import Game

if TYPE_CHECKING:
    from domain.aggregates.cash import Direction
    from ops.handlers.cage import Cage
    from ops.handlers.desk import Desk
    from ops.handlers.disputes import Disputes
    from ops.handlers.office import Office

MOST_SEATS = 3  # that a supervisor may let one patron have


class Floor:
    """The commands of the floor, on one casino."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.game = Game(self)

    @cached_property
    def office(self) -> "Office":
        """Staff, patrons and settings, when a command is about them."""
        from ops.handlers.office import Office

        return Office(self.casino)

    @cached_property
    def cage(self) -> "Cage":
        """Fills and credits, when a command is about them."""
        from ops.handlers.cage import Cage

        return Cage(self)

    @cached_property
    def desk(self) -> "Desk":
        """What is put right, and commission, when a command is about them."""
        from ops.handlers.desk import Desk

        return Desk(self)

    @cached_property
    def disputes(self) -> "Disputes":
        """What patrons say of their coups, when a command is about that."""
        from ops.handlers.disputes import Disputes

        return Disputes(self)

    # What the commands ask for.
    def table_day(self, table: str) -> TableDay:
        """The gaming day that is open at a table. Refuses: TableClosed."""
        day = self.last_table_day(table)
        if day.closed:
            raise TableClosed(what=table)
        return day

    def last_table_day(self, table: str) -> TableDay:
        """The gaming day that is open at a table, or was last. Refuses: TableClosed."""
        found = self.casino.find(Table, Table.stream(table))
        if found is None or found.last_day is None:
            raise TableClosed(what=table)
        address = addresses.TableDay(table, addresses.parse_day(found.last_day))
        day = self.casino.find(TableDay, TableDay.stream(address))
        assert day is not None
        return day

    def shoe(self, day: TableDay) -> Shoe:
        """The shoe in play. Refuses: ShoeNotReady."""
        if day.shoe is None:
            raise ShoeNotReady(shoe=f"{day.address.table}, which has no shoe,", step="shoe.load")
        found = self.casino.find(Shoe, Shoe.stream(day.shoe))
        assert found is not None
        return found

    def coup(self, shoe: Shoe) -> Coup | None:
        """The last coup that was opened from a shoe."""
        if shoe.coup == 0:
            return None
        return self.casino.find(Coup, Coup.stream(addresses.Coup(shoe.address, shoe.coup)))

    def coup_at(self, address: addresses.Coup) -> Coup:
        """A coup of any day. Refuses: NotFound."""
        found = self.casino.find(Coup, Coup.stream(address))
        if found is None:
            raise NotFound(what=f"coup {address}")
        return found

    def coup_in_play(self, day: TableDay) -> Coup:
        """The coup that is not settled. Refuses: ShoeNotReady, NotFound."""
        coup = self.coup(self.shoe(day))
        if coup is None:
            raise NotFound(what=f"coup at {day.address.table} yet: place a bet, or open one")
        return coup

    def account(self, day: TableDay, stay: Stay, *, rely: bool = True) -> CommissionAccount:
        """What a stay owes."""
        stream = CommissionAccount.stream(stay.address, day.address)
        found = self.casino.find(CommissionAccount, stream, rely=rely)
        assert found is not None
        return found

    def accounts(self, day: TableDay, *, rely: bool = True) -> Iterator[CommissionAccount]:
        """What everybody owes who was at the table this day, here or gone."""
        for number in range(1, day.stays + 1):
            yield self.account(day, Stay("", f"{day.address}/stay-{number}"), rely=rely)

    def accounts_of(self, day: TableDay, patron: str) -> list[CommissionAccount]:
        """Of every stay of a patron on this day, under whichever name."""
        return [each for each in self.accounts(day) if self.same(each.patron, patron)]

    def same(self, patron: str, other: str) -> bool:
        """Whether two names are one patron by now."""
        return patron == other or self.office.identity(patron) == self.office.identity(other)

    def second(self, command: commands.Command) -> str:
        """The second person, who is not the first again; '' when there is none."""
        return command.second if command.second and command.second != self.casino.actor else ""

    def require_two(self, act: str, command: commands.Command) -> None:
        """In open house somebody says who they are, and so does another person (R-IRR-5).

        In a closed one it was asked already who may, and with whom. Refuses: SecondPersonNeeded.
        """
        if self.casino.open_house:
            require_two(act, self.casino.actor, command.second or "")

    def table_of(self, command: commands.Command) -> str | None:
        """The table that a command is spoken at, or about."""
        if isinstance(command, commands.CoupVoid | commands.CoupCorrect):
            return addresses.Coup.parse(command.coup).shoe.table_day.table
        if isinstance(command, commands.OfDispute):
            return self.disputes.table_of(command)
        table: str | None = getattr(command, "table", None)
        return table

    def outlook(self, table: str) -> tuple[str | None, NextAct | None]:
        """The coup in play, and what the table must do next."""
        found = self.casino.find(Table, Table.stream(table), rely=False)
        if found is None or found.last_day is None:
            return None, None
        address = addresses.TableDay(table, addresses.parse_day(found.last_day))
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
            and any(account.owed for account in self.accounts(day, rely=False))
        )
        return str(coup.address) if coup else None, next_act(day, shoe, coup, owed=owed)

    # Commands: one for each line of `ops.commands.vocabulary`.
    @singledispatchmethod
    def decide(self, command: commands.Command) -> None:
        """States the facts of a command, or refuses it; what is not its own is the game's."""
        self.game.decide(command)

    @decide.register
    def open_table(self, command: commands.TableOpen) -> None:
        """The first table ever opened founds the house, the first of its rules adopts them."""
        casino, now = self.casino, self.casino.moment
        house = self.office.house()
        rules = self.office.rules(command.rules)
        self.office.require_currency(rules)
        house.require_amounts()
        self.office.on_record(rules).require_same(rules)
        day = addresses.parse_day(command.day) if command.day else house.clock.day_of(now)
        self._require_day(day, house, late=command.late)
        require_chips_of(rules, command.opener)
        address = addresses.TableDay(command.table, day)
        stream = Table.stream(command.table)
        table = casino.find(Table, stream) or casino.make(Table.place(command.table, now))
        before = self.last_table_day(command.table) if table.last_day else None
        table.open_day_of(day)
        if self.casino.find(TableDay, TableDay.stream(address)):
            raise AlreadyOpen(
                what=str(address), then="it was closed again; give the `day` that begins now"
            )
        after = self.casino.make(
            TableDay.open(
                address,
                house,
                rules,
                command.opener,
                at=self.casino.moment,
                dealer=self.casino.actor,
                supervisor=command.second or "",
            )
        )
        if before:
            self._hold_on(before, after)

    def _require_day(self, day: date, house: Property, *, late: bool) -> None:
        """Today's gaming day or tomorrow's; one that is over, in a closed house, only late.

        Refuses: BadValue.
        """
        latest, today = self.casino.latest, house.clock.day_of(self.casino.asked)
        if latest is None:  # days that are made up
            return
        if day > house.clock.day_of(latest) + timedelta(days=1):
            why = f"a table is opened for today's gaming day, {today}, or tomorrow's"
        elif day < today and house.closed and not late:
            why = (
                f"that gaming day is over, today's is {today}; enter it late, with --late and --at"
            )
        else:
            return
        raise BadValue(field="day", value=day.isoformat(), why=why)

    def _hold_on(self, before: TableDay, after: TableDay) -> None:
        """A case that held the table on the day before holds it still, until it lets go."""
        for case in self.disputes.holding(before) if before.held_by else ():
            after.hold(case, self.casino.actor)

    @decide.register
    def seat(self, command: commands.TableSeat) -> None:
        """A chair, and an account for what the stay will owe; with a supervisor, up to three."""
        self._sit_down(command, command)

    def _sit_down(
        self,
        command: commands.TableSeat | commands.TableSeats,
        who: commands.TableSeat | commands.Seating,
    ) -> None:
        day = self.table_day(command.table)
        self.office.require_welcome(who.patron)
        self._require_one_name(day, who.patron)
        most = MOST_SEATS if command.second else 1
        self._seat(day, who.seat, who.patron, most=most)

    @decide.register
    def seat_several(self, command: commands.TableSeats) -> None:
        """One after the other; what one of them is refused, all are."""
        for each in command.patrons:
            try:
                self._sit_down(command, each)
            except Refusal as refusal:
                refusal.put(after=" Nobody of this line sits down.")
                raise

    def _require_one_name(self, day: TableDay, patron: str) -> None:
        """Whoever sits here under another name already is one patron with one name."""
        who = self.office.identity(patron)
        for seat, stay in sorted(day.seats.items()):
            if stay.patron != patron and self.office.identity(stay.patron) == who:
                raise SeatTaken(seat=seat, patron=stay.patron, then=f"{patron} is the same patron")

    def _seat(
        self, day: TableDay, seat: int, patron: str, *, most: int, continues: str | None = None
    ) -> None:
        """With the first chair of a stay comes its account."""
        before = day.stays
        stay = day.seat(seat, patron, most=most, continues=continues)
        if day.stays > before:
            self.casino.make(CommissionAccount.open(stay, day, at=self.casino.moment))

    @decide.register
    def limit(self, command: commands.TableLimits) -> None:
        """From the next coup on: one that is open keeps its own."""
        self.table_day(command.table).limit(
            command.spot, command.minimum, command.maximum, command.differential
        )

    @decide.register
    def relieve_dealer(self, command: commands.TableDealer) -> None:
        """One dealer goes, another comes."""
        self.table_day(command.table).relieve_dealer(command.staff)

    @decide.register
    def relieve_supervisor(self, command: commands.TableSupervisor) -> None:
        """One supervisor goes, another comes."""
        self.table_day(command.table).relieve_supervisor(command.staff)

    @decide.register
    def move(self, command: commands.TableMove) -> None:
        """The stay, and what it owes, goes along; so does the shoe, if it holds it."""
        day = self.table_day(command.table)
        held = self._standing_up(day, command.seat)
        day.move(command.seat, command.to)
        if held:
            held.pass_to(chair(command.to))

    def _standing_up(self, day: TableDay, seat: int) -> Shoe | None:
        """Whoever gets up leaves no wager behind; the shoe, if that seat holds it."""
        day.stay_at(seat)
        shoe = self.shoe(day) if day.shoe else None
        coup = self.coup(shoe) if shoe else None
        if coup:
            coup.require_no_wager_of(seat)
        return shoe if shoe and shoe.holder == chair(seat) else None

    @decide.register
    def buy_in(self, command: commands.TableBuyIn) -> None:
        """Cash for chips."""
        day = self.table_day(command.table)
        day.buy_in(command.seat, command.amount)
        self._count_cash(day, command.seat, "in", command.amount)

    @decide.register
    def cash_out(self, command: commands.TableCashOut) -> None:
        """Chips for cash."""
        day = self.table_day(command.table)
        day.pay_out(command.seat, command.amount)
        self._count_cash(day, command.seat, "out", command.amount)

    def _count_cash(self, day: TableDay, seat: int, direction: "Direction", amount: int) -> None:
        """Over all tables of the gaming day, and under whoever the patron turned out to be."""
        name = day.stay_at(seat).patron
        patron = self.office.identity(name)
        house = self.office.house()
        cash = self.office.cash(patron, day.address.day)
        reporting = house.reporting_amount
        cash.count(direction, amount, reporting, table=day.address.table, name=name)

    @decide.register
    def drop(self, command: commands.TableDrop) -> None:
        """Of the day named, else of the last."""
        if command.day:
            address = addresses.TableDay(command.table, addresses.parse_day(command.day))
            day = self.casino.find(TableDay, TableDay.stream(address))
            if day is None:
                raise NotFound(what=f"table day {address}")
        else:
            day = self.last_table_day(command.table)
        day.count_drop(command.amount)

    @decide.register
    def leave(self, command: commands.TableLeave) -> None:
        """Nothing on the layout, nothing owed."""
        day = self.table_day(command.table)
        held = self._standing_up(day, command.seat)
        stay = day.stay_at(command.seat)
        if len(day.chairs_of(stay)) == 1:  # the last chair; what is owed is the patron's
            require_settled(self.accounts_of(day, stay.patron))
        if held:
            held.pass_to("dealer")
        day.leave(command.seat)

    @decide.register
    def close_table(self, command: commands.TableClose) -> None:
        """The shoe has ended and nobody owes anything."""
        self._close(self.table_day(command.table), command, "closed")

    def _close(
        self, day: TableDay, command: commands.TableClose | commands.TableRollOver, why: str
    ) -> Table:
        require_settled(self.accounts(day))
        self.cage.require_none_under_way(day)
        house = self.casino.find(Property, PROPERTY_STREAM)
        table = self.casino.find(Table, Table.stream(command.table))
        assert house is not None
        assert table is not None
        day.close(
            command.closer,
            house,
            wagers_won=self._won_on_wagers(day),
            commission=self._collected(day),
            why=why,
            counted_by=self.casino.actor or day.dealer,
            signed_by=command.second or day.supervisor,
        )
        table.close_day()
        return table

    def _won_on_wagers(self, day: TableDay) -> int:
        """What the coups of the day brought into the tray, less what they took."""
        won = 0
        for number in range(1, day.shoes + 1):
            shoe = self.casino.find(Shoe, Shoe.stream(addresses.Shoe(day.address, number)))
            assert shoe is not None
            for coup_number in range(1, shoe.coup + 1):
                address = addresses.Coup(shoe.address, coup_number)
                coup = self.casino.find(Coup, Coup.stream(address))
                assert coup is not None
                won += coup.won
        return won

    def _collected(self, day: TableDay) -> int:
        """The commission that was paid in chips on this day."""
        return sum(account.collected for account in self.accounts(day))

    @decide.register
    def settle_dispute(self, command: commands.OfDispute) -> None:
        """Every step of a case."""
        self.disputes.decide(command)

    @decide.register
    def acknowledge_alert(self, command: commands.AlertAcknowledge) -> None:
        """Once, and only what the record itself says needs a person."""
        from ops.handlers.alerts import acknowledge

        acknowledge(self, command)

    @decide.register
    def roll_over(self, command: commands.TableRollOver) -> None:
        """Closed and opened as one act: nobody gets up, and the chips stay where they are."""
        casino = self.casino
        day = self.table_day(command.table)
        seated = dict(sorted(day.seats.items()))
        table = self._close(day, command, "rolled-over")
        house = casino.find(Property, PROPERTY_STREAM)
        assert house is not None
        begins = max(day.address.day + timedelta(days=1), house.clock.day_of(casino.moment))
        address = addresses.TableDay(command.table, begins)
        table.open_day_of(begins)
        after = casino.make(
            TableDay.open(
                address,
                house,
                day.rules,
                command.closer,
                at=casino.moment,
                dealer=day.dealer,
                supervisor=day.supervisor,
                continues=str(day.address),
            )
        )
        if (day.limits, day.differential) != (after.limits, after.differential):
            after.take_limits(day)
        self._hold_on(day, after)
        for seat, stay in seated.items():
            self._seat(after, seat, stay.patron, most=MOST_SEATS, continues=stay.address)
            if stay.address in day.as_it_wins and len(after.chairs_of(after.seats[seat])) == 1:
                after.choose_timing(after.seats[seat], "as-it-wins")
