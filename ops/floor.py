"""What each command means: which aggregates it loads, which decide, which facts go together.

One method for each line of `ops.commands`. Decides nothing by itself: the aggregates do.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import singledispatchmethod
from typing import Any

from domain import addresses
from domain.cards import card
from domain.cash import CashDay, Direction
from domain.commission import CommissionAccount, require_settled
from domain.coup import Coup
from domain.due import NextAct, next_act
from domain.house_rules import named
from domain.patron import Patron
from domain.property import PROPERTY_STREAM, Property
from domain.refusals import (
    AlreadyOpen,
    BadValue,
    MissingField,
    NotFound,
    NotSignedOn,
    ShoeNotReady,
    TableClosed,
)
from domain.rule_set import RuleSet
from domain.shoe import Shoe
from domain.slips import SlipBook, gaming_year
from domain.staff import StaffMember
from domain.table import Table
from domain.table_day import Stay, TableDay
from ops import commands
from ops.casino import Casino
from ops.people import Proof, chosen, code_for, digest, enrolled

MOST_SEATS = 3  # that a supervisor may let one patron have


class Floor:
    """The commands of the floor, on one casino."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino

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
        """What everybody at the table owes."""
        for seat in sorted(day.seats):
            yield self.account(day, day.seats[seat], rely=rely)

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

    # Commands: one for each line of `ops.commands`.
    @singledispatchmethod
    def decide(self, command: commands.Command) -> None:
        """States the facts of a command, or refuses it."""
        raise NotImplementedError(commands.name_of(command))

    @decide.register
    def open_table(self, command: commands.TableOpen) -> None:
        """The first table ever opened founds the house, the first of its rules adopts them."""
        casino, now = self.casino, self.casino.moment
        rules = named(command.rules)
        house = casino.find(Property, PROPERTY_STREAM) or casino.make(Property.found(now))
        adopted = casino.find(RuleSet, RuleSet.stream(rules.name))
        (adopted or casino.make(RuleSet.adopt(rules, now))).require_same(rules)
        day = addresses.parse_day(command.day) if command.day else house.clock.day_of(now)
        address = addresses.TableDay(command.table, day)
        stream = Table.stream(command.table)
        table = casino.find(Table, stream) or casino.make(Table.place(command.table, now))
        table.open_day_of(day)
        if self.casino.find(TableDay, TableDay.stream(address)):
            raise AlreadyOpen(
                what=str(address), then="it was closed again; give the `day` that begins now"
            )
        self.casino.make(
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

    @decide.register
    def seat(self, command: commands.TableSeat) -> None:
        """A chair, and an account for what the stay will owe; with a supervisor, up to three."""
        day = self.table_day(command.table)
        self._require_welcome(command.patron)
        most = MOST_SEATS if command.second else 1
        self._seat(day, command.seat, command.patron, most=most)

    def _seat(self, day: TableDay, seat: int, patron: str, *, most: int) -> None:
        """With the first chair of a stay comes its account."""
        before = day.stays
        stay = day.seat(seat, patron, most=most)
        if day.stays > before:
            self.casino.make(CommissionAccount.open(stay, day, at=self.casino.moment))

    def _require_welcome(self, patron: str) -> None:
        """Whoever they turned out to be. Refuses: PatronBarred."""
        for known in self._known_as(patron):
            known.require_welcome()

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
        stay = day.stay_at(command.seat)
        shoe = self.shoe(day) if day.shoe else None
        coup = self.coup(shoe) if shoe else None
        if coup:
            coup.require_no_wager_of(command.seat)
        day.move(command.seat, command.to)
        if shoe and shoe.holder == _chair(command.seat):
            shoe.pass_to(_chair(command.to))
        assert day.stay_at(command.to) == stay

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

    def _count_cash(self, day: TableDay, seat: int, direction: Direction, amount: int) -> None:
        """Over all tables of the gaming day, and under whoever the patron turned out to be."""
        patron = self._identity(day.stay_at(seat).patron)
        house = self.casino.find(Property, PROPERTY_STREAM)
        assert house is not None
        date = day.address.day
        cash = self.casino.find(CashDay, CashDay.stream(patron, date))
        if cash is None:
            cash = self.casino.make(CashDay.begin_day(patron, date, self.casino.moment))
        cash.count(direction, amount, day.address.table, house.reporting_amount)

    def _identity(self, patron: str) -> str:
        """Whoever a patron turned out to be, however often."""
        *_, last = (patron, *(known.identity for known in self._known_as(patron)))
        return last

    def _known_as(self, patron: str) -> Iterator[Patron]:
        """A patron, and whoever they turned out to be, each once."""
        seen: set[str] = set()
        while patron not in seen:
            seen.add(patron)
            known = self.casino.find(Patron, Patron.stream(patron))
            if known is None:
                return
            yield known
            patron = known.identity

    @decide.register
    def fill(self, command: commands.TableFill) -> None:
        """Every step of a slip in one act."""
        self._slip_at_once("fill", command)

    @decide.register
    def credit(self, command: commands.TableCredit) -> None:
        """Every step of a slip in one act."""
        self._slip_at_once("credit", command)

    def _slip_at_once(self, kind: str, command: commands.TableFill | commands.TableCredit) -> None:
        day = self.table_day(command.table)
        book = self._book(day)
        slip = book.request(kind, str(day.address), command.chips, command.requested_by)
        book.issue(slip, command.cashier)
        book.carry(slip, command.runner)
        self._receive(book, day, slip, command)

    def _receive(self, book: SlipBook, day: TableDay, slip: str, command: commands.Command) -> None:
        """The chips are counted by the dealer and by a supervisor, and are the table's then."""
        book.receive(slip, day.dealer, command.second or day.supervisor)
        chips = book.slips[slip].chips
        if book.slips[slip].kind == "fill":
            day.fill(slip, chips)
        else:
            day.credit(slip, chips)

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

    @decide.register
    def request_slip(self, command: commands.SlipRequest) -> None:
        """The next number of the year."""
        day = self.table_day(command.table)
        asks = self.casino.actor or day.supervisor
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
        day = self.table_day(address.table)
        self._receive(book, day, command.slip, command)

    @decide.register
    def void_slip(self, command: commands.SlipVoid) -> None:
        """Its number stays its own."""
        self._book_of(command.slip).void(
            command.slip, command.reason, self.casino.actor, command.second or ""
        )

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
        stay = day.stay_at(command.seat)
        shoe = self.shoe(day) if day.shoe else None
        coup = self.coup(shoe) if shoe else None
        if coup:
            coup.require_no_wager_of(command.seat)
        if len(day.chairs_of(stay)) == 1:  # the last chair; what is owed is the stay's
            require_settled([self.account(day, stay)])
        if shoe and shoe.holder == _chair(command.seat):
            shoe.pass_to("dealer")
        day.leave(command.seat)

    @decide.register
    def close_table(self, command: commands.TableClose) -> None:
        """The shoe has ended and nobody owes anything."""
        self._close(self.table_day(command.table), command)

    def _close(self, day: TableDay, command: commands.TableClose | commands.TableRollOver) -> Table:
        require_settled(self.accounts(day))
        house = self.casino.find(Property, PROPERTY_STREAM)
        table = self.casino.find(Table, Table.stream(command.table))
        assert house is not None
        assert table is not None
        day.close(
            command.closer,
            house,
            won=self._won(day),
            counted_by=self.casino.actor or day.dealer,
            signed_by=command.second or day.supervisor,
        )
        table.close_day()
        return table

    def _won(self, day: TableDay) -> int:
        """What wagers and commission brought into the tray, from the record of the day."""
        won = 0
        for number in range(1, day.shoes + 1):
            shoe = self.casino.find(Shoe, Shoe.stream(addresses.Shoe(day.address, number)))
            assert shoe is not None
            for coup_number in range(1, shoe.coup + 1):
                address = addresses.Coup(shoe.address, coup_number)
                coup = self.casino.find(Coup, Coup.stream(address))
                assert coup is not None
                won += coup.won
        for stay in range(1, day.stays + 1):
            stream = CommissionAccount.stream(f"{day.address}/stay-{stay}", day.address)
            account = self.casino.find(CommissionAccount, stream)
            assert account is not None
            won += account.collected
        return won

    @decide.register
    def roll_over(self, command: commands.TableRollOver) -> None:
        """Closed and opened as one act: nobody gets up, and the chips stay where they are."""
        casino = self.casino
        day = self.table_day(command.table)
        seated = dict(sorted(day.seats.items()))
        table = self._close(day, command)
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
            )
        )
        if (day.limits, day.differential) != (after.limits, after.differential):
            after.take_limits(day)
        for seat, stay in seated.items():
            self._seat(after, seat, stay.patron, most=MOST_SEATS)

    @decide.register
    def load_shoe(self, command: commands.ShoeLoad) -> None:
        """The table takes the shoe that the shoe's own stream begins with."""
        day = self.table_day(command.table)
        address = day.bring_shoe()
        self.casino.make(
            Shoe.load(
                address,
                day.rules,
                at=self.casino.moment,
                decks=command.decks,
                serials=command.serials,
                colour=command.colour or "",
                batch=command.batch or "",
            )
        )

    @decide.register
    def inspect_shoe(self, command: commands.ShoeInspect) -> None:
        """Counted through."""
        self.shoe(self.table_day(command.table)).inspect(command.verified_by or "")

    @decide.register
    def shuffle_shoe(self, command: commands.ShoeShuffle) -> None:
        """By hand, machine, supplier or generator."""
        self.shoe(self.table_day(command.table)).shuffle(command.method, command.device or "")

    @decide.register
    def cut_shoe(self, command: commands.ShoeCut) -> None:
        """By a patron, or by whoever speaks."""
        day = self.table_day(command.table)
        self.shoe(day).cut(self._person(day, command), command.cut_card)

    @decide.register
    def burn_card(self, command: commands.ShoeBurn) -> None:
        """The last step before the first coup."""
        self.shoe(self.table_day(command.table)).burn(card(command.card))

    @decide.register
    def pass_shoe(self, command: commands.ShoePass) -> None:
        """To a seat, or to the dealer."""
        day = self.table_day(command.table)
        self.shoe(day).pass_to(self._person(day, command))

    @decide.register
    def show_cut_card(self, command: commands.ShoeCutCard) -> None:
        """Declared by the dealer."""
        self.shoe(self.table_day(command.table)).show_cut_card()

    @decide.register
    def end_shoe(self, command: commands.ShoeEnd) -> None:
        """No coup in play, and nobody owes commission."""
        day = self.table_day(command.table)
        shoe = self.shoe(day)
        coup = self.coup(shoe)
        if coup:
            coup.require_finished()
        require_settled(self.accounts(day))
        second = command.second if command.second != self.casino.actor else None
        shoe.end(reason=command.reason or "", second=second or "")
        day.take_shoe_off()

    @decide.register
    def reconcile_shoe(self, command: commands.ShoeReconcile) -> None:
        """The one named, else the last that ended uncounted; the table may be closed by then."""
        if command.shoe:
            address = addresses.Shoe.parse(command.shoe)
            if address.table_day.table != command.table:
                why = f"it is no shoe of {command.table}"
                raise BadValue(field="shoe", value=command.shoe, why=why)
            shoe = self.casino.find(Shoe, Shoe.stream(address))
        else:
            shoe = self._to_reconcile(self.last_table_day(command.table))
        if shoe is None:
            raise NotFound(what=f"shoe {command.shoe or f'at {command.table}'} to reconcile")
        counted = command.remaining
        cards = [] if isinstance(counted, int) else [card(each) for each in counted]
        shoe.reconcile(counted if isinstance(counted, int) else len(cards), cards)

    @decide.register
    def open_coup(self, command: commands.CoupOpen) -> None:
        """Asked for; a first bet opens by itself."""
        day = self.table_day(command.table)
        shoe = self.shoe(day)
        coup = self.coup(shoe)
        if coup and coup.phase != "settled":
            raise AlreadyOpen(what=str(coup.address), then="finish it first")
        self._open_coup(day, shoe)

    @decide.register
    def bet(self, command: commands.Bet) -> None:
        """On the coup in play; the first bet opens the next one."""
        day = self.table_day(command.table)
        shoe = self.shoe(day)
        coup = self.coup(shoe)
        if coup is None or coup.phase == "settled":
            shoe.require_ready()
            stay = day.stay_at(command.seat)
            coup = self._open_coup(day, shoe)
        else:
            stay = day.stay_at(command.seat)
        coup.bet(command.seat, stay, command.spot, command.amount)

    @decide.register
    def withdraw(self, command: commands.Withdraw) -> None:
        """Before the first card."""
        day = self.table_day(command.table)
        coup = self.coup_in_play(day)
        coup.withdraw(command.seat, day.stay_at(command.seat), command.spot)

    @decide.register
    def close_betting(self, command: commands.NoMoreBets) -> None:
        """Asked for; the first card closes by itself."""
        self.coup_in_play(self.table_day(command.table)).close_betting()

    @decide.register
    def draw(self, command: commands.Draw) -> None:
        """One save for shoe and coup: a card cannot leave the one without landing in the other."""
        drawn = card(command.card)
        shoe = self.shoe(self.table_day(command.table))
        shoe.require_ready()
        coup = self.coup(shoe)
        if coup is None or coup.phase == "settled":
            raise shoe.refuse_card(drawn, coup_complete=False)
        if coup.due is None:
            raise shoe.refuse_card(drawn, coup_complete=True)
        if coup.phase == "betting":
            coup.take_first_card()
        shoe.draw(drawn)
        coup.deal(drawn)
        if command.settle and coup.phase == "resulted":
            self._settle(coup)

    @decide.register
    def settle(self, command: commands.Settle) -> None:
        """Every wager, and the commission of each that owes one."""
        coup = self.coup_in_play(self.table_day(command.table))
        paid = command.paid
        self._settle(coup, {int(seat): amount for seat, amount in paid.items()} if paid else paid)

    @decide.register
    def identify_patron(self, command: commands.PatronIdentify) -> None:
        """Both are known from then on; what is owed stays where it is."""
        target = self._patron(command.patron_is)
        if target.identity == command.patron:
            why = f"{command.patron_is} is known as {command.patron}"
            raise BadValue(field="is", value=command.patron_is, why=why)
        self._patron(command.patron).identify(command.patron_is)

    @decide.register
    def bar_patron(self, command: commands.PatronBar) -> None:
        """Refused at the seat from now on."""
        self._patron(command.patron).bar(command.reason, command.kind)

    @decide.register
    def unbar_patron(self, command: commands.PatronUnbar) -> None:
        """Welcome again."""
        self._patron(command.patron).unbar(command.reason)

    def _patron(self, patron: str) -> Patron:
        self._house()  # whose day it is
        found = self.casino.find(Patron, Patron.stream(patron))
        return found or self.casino.make(Patron.know(patron, self.casino.moment))

    @decide.register
    def set_property(self, command: commands.PropertySet) -> None:
        """From now on; what was recorded keeps what it was recorded under."""
        self._house().set(command.name, command.value)

    def _house(self) -> Property:
        found = self.casino.find(Property, PROPERTY_STREAM)
        return found or self.casino.make(Property.found(self.casino.moment))

    @decide.register
    def enrol(self, command: commands.StaffEnrol) -> None:
        """The first administrator closes the house for good."""
        house = self._house()
        member = self.casino.find(StaffMember, StaffMember.stream(command.staff))
        if member is None:
            moment = self.casino.moment
            member = self.casino.make(StaffMember.enrol(command.staff, command.role, moment))
        else:
            member.enrol_again(command.role)
        if command.role == "administrator":
            house.close_house(command.staff)
        code = code_for(self.casino.command_id)
        self.casino.beside.append(enrolled(command.staff, command.name, code))
        if command.role == "device":  # its code is its key, and it is always at work
            member.sign_on("", digest(code), right=True)

    @decide.register
    def sign_on(self, command: commands.StaffSignOn) -> None:
        """With a PIN, or with the code and a new PIN; in open house with neither."""
        member = self._member(command.staff)
        proof = self.casino.proof
        house = self.casino.find(Property, PROPERTY_STREAM)
        if proof is None:
            if house and house.closed:
                raise NotSignedOn(who=command.staff)
            proof = Proof(right=True)
        member.sign_on(
            command.table or "", proof.session, right=proof.right, chooses=bool(proof.new_pin)
        )
        self._keep_pin(command.staff, proof)

    def _keep_pin(self, staff: str, proof: Proof) -> None:
        """Only when nobody refused."""
        if proof.new_pin:
            self.casino.beside.append(chosen(staff, proof.new_pin))

    @decide.register
    def sign_off(self, command: commands.StaffSignOff) -> None:
        """By themselves, or by whoever finds that they went."""
        self._member(command.staff).sign_off()

    @decide.register
    def change_pin(self, command: commands.StaffChangePin) -> None:
        """Only at a terminal, where the PIN is asked for."""
        proof = self.casino.proof
        if proof is None:
            raise NotSignedOn(who=command.staff)
        self._member(command.staff).change_pin(right=proof.right)
        self._keep_pin(command.staff, proof)

    @decide.register
    def retire(self, command: commands.StaffRetire) -> None:
        """Never used again."""
        self._member(command.staff).retire(command.reason)

    def _member(self, staff: str) -> StaffMember:
        found = self.casino.find(StaffMember, StaffMember.stream(staff))
        if found is None:
            raise NotFound(what=f"staff number {staff}: an administrator enrols it")
        return found

    @decide.register
    def collect(self, command: commands.CommissionCollect) -> None:
        """From a seat, or from a patron wherever they sit."""
        day = self.table_day(command.table)
        self.account(day, self._stay(day, command)).collect(command.amount)

    def _open_coup(self, day: TableDay, shoe: Shoe) -> Coup:
        address = shoe.begin_coup()
        return self.casino.make(Coup.open(address, day, shoe, at=self.casino.moment))

    def _settle(self, coup: Coup, stated: Any = None) -> None:
        day = self.table_day(coup.address.shoe.table_day.table)
        for wager, payment in coup.settle(stated):
            if payment.commission_due:
                stay = Stay(wager.patron, wager.stay)
                self.account(day, stay).accrue(coup.address, wager, payment)

    def _to_reconcile(self, day: TableDay) -> Shoe | None:
        """The last shoe of the day that ended and was not counted, or simply the last."""
        shoes = [
            self.casino.find(Shoe, Shoe.stream(addresses.Shoe(day.address, number)))
            for number in range(day.shoes, 0, -1)
        ]
        uncounted = (shoe for shoe in shoes if shoe and shoe.step == "ended")
        return next(uncounted, shoes[0] if shoes else None)

    def _person(self, day: TableDay, command: commands.ShoeCut | commands.ShoePass) -> str:
        if command.seat is not None and command.staff is not None:
            raise BadValue(field="staff", value=repr(command.staff), why="a seat is named as well")
        if command.seat is not None:
            day.stay_at(command.seat)
            return _chair(command.seat)
        return command.staff or self.casino.actor or "dealer"

    def _stay(self, day: TableDay, command: commands.CommissionCollect) -> Stay:
        if command.seat is not None:
            stay = day.stay_at(command.seat)
            if command.patron not in (None, stay.patron):
                why = f"seat {command.seat} is {stay.patron}'s"
                raise BadValue(field="patron", value=repr(command.patron), why=why)
            return stay
        if command.patron is None:
            raise MissingField(command=commands.name_of(command), field="seat", why=" or 'patron'")
        for stay in day.seats.values():
            if stay.patron == command.patron:
                return stay
        raise NotFound(what=f"patron {command.patron} at {day.address}")


def _chair(seat: int) -> str:
    return f"seat {seat}"
