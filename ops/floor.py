"""What each command means: which aggregates it loads, which decide, which facts go together.

One method for each line of `ops.commands` that is spoken at a table; the cage (`ops.cage`) and
the office (`ops.office`) have the others. Decides nothing by itself: the aggregates do.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cached_property, singledispatchmethod
from typing import TYPE_CHECKING, Any

from domain import addresses
from domain.cards import card
from domain.commission import CommissionAccount, require_settled
from domain.coup import Change, Coup
from domain.due import NextAct, next_act
from domain.property import PROPERTY_STREAM, Property
from domain.refusals import (
    AlreadyOpen,
    BadValue,
    MissingField,
    NotFound,
    OrderLost,
    SeatTaken,
    ShoeNotReady,
    TableClosed,
)
from domain.shoe import Shoe
from domain.table import Table
from domain.table_day import Stay, TableDay
from ops import commands
from ops.casino import Casino

if TYPE_CHECKING:
    from domain.cash import Direction
    from domain.deck import Deck
    from domain.order import Order
    from ops.cage import Cage
    from ops.office import Office
    from ops.sealed import SealedOrders

MOST_SEATS = 3  # that a supervisor may let one patron have


class Floor:
    """The commands of the floor, on one casino."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino

    @cached_property
    def office(self) -> "Office":
        """Staff, patrons and settings, when a command is about them."""
        from ops.office import Office

        return Office(self.casino)

    @cached_property
    def cage(self) -> "Cage":
        """Fills and credits, when a command is about them."""
        from ops.cage import Cage

        return Cage(self)

    @cached_property
    def orders(self) -> "SealedOrders":
        """What generated shoes deal, when one is in play."""
        from ops.sealed import SealedOrders

        return SealedOrders(self.casino)

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
        """What everybody owes who was at the table this day, here or gone."""
        for number in range(1, day.stays + 1):
            yield self.account(day, Stay("", f"{day.address}/stay-{number}"), rely=rely)

    def table_of(self, command: commands.Command) -> str | None:
        """The table that a command is spoken at, or about."""
        if isinstance(command, commands.CoupVoid | commands.CoupCorrect):
            return addresses.Coup.parse(command.coup).shoe.table_day.table
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

    # Commands: one for each line of `ops.commands`.
    @singledispatchmethod
    def decide(self, command: commands.Command) -> None:
        """States the facts of a command, or refuses it; what is not its own is the cage's."""
        self.cage.decide(command)

    @decide.register
    def open_table(self, command: commands.TableOpen) -> None:
        """The first table ever opened founds the house, the first of its rules adopts them."""
        casino, now = self.casino, self.casino.moment
        house = self.office.house()
        rules = self.office.rules(command.rules)
        self.office.require_currency(rules)
        self.office.on_record(rules).require_same(rules)
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
        self.office.require_welcome(command.patron)
        self._require_one_name(day, command.patron)
        most = MOST_SEATS if command.second else 1
        self._seat(day, command.seat, command.patron, most=most)

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
            held.pass_to(_chair(command.to))

    def _standing_up(self, day: TableDay, seat: int) -> Shoe | None:
        """Whoever gets up leaves no wager behind; the shoe, if that seat holds it."""
        day.stay_at(seat)
        shoe = self.shoe(day) if day.shoe else None
        coup = self.coup(shoe) if shoe else None
        if coup:
            coup.require_no_wager_of(seat)
        return shoe if shoe and shoe.holder == _chair(seat) else None

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
            require_settled(self._accounts_of(day, stay.patron))
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
        for seat, stay in seated.items():
            self._seat(after, seat, stay.patron, most=MOST_SEATS, continues=stay.address)

    @decide.register
    def load_shoe(self, command: commands.ShoeLoad) -> None:
        """The table takes the shoe that the shoe's own stream begins with."""
        day = self.table_day(command.table)
        address = day.next_shoe()
        shoe = Shoe.load(
            address,
            day.rules,
            at=self.casino.moment,
            decks=command.decks,
            serials=command.serials,
            colour=command.colour or "",
            batch=command.batch or "",
        )
        decks = self._unused(address, command)
        day.bring_shoe()
        self.casino.make(shoe)
        for each in decks:
            self.casino.make(each)

    def _unused(self, shoe: addresses.Shoe, command: commands.ShoeLoad) -> list["Deck"]:
        """Every serial that comes, none of which was loaded before. Refuses: SerialReused."""
        from domain.deck import Deck

        batch = [("batch", command.batch)] if command.batch else []
        serials = [*(("deck", serial) for serial in command.serials), *batch]
        used = [self.casino.find(Deck, Deck.stream(*each)) for each in serials]
        refusals = [each.refuse_reuse(shoe) for each in used if each]
        if refusals:
            raise refusals[0]
        return [Deck.load(*each, shoe, self.casino.moment) for each in serials]

    @decide.register
    def inspect_shoe(self, command: commands.ShoeInspect) -> None:
        """Counted through."""
        shoe = self.shoe(self.table_day(command.table))
        shoe.inspect(command.verified_by or "", by=self.casino.actor)

    @decide.register
    def shuffle_shoe(self, command: commands.ShoeShuffle) -> None:
        """By hand, machine, supplier or generator."""
        shoe = self.shoe(self.table_day(command.table))
        commitment = self.orders.make(shoe) if command.method == "generated" else ""
        shoe.shuffle(command.method, command.device or "", commitment)

    @decide.register
    def cut_shoe(self, command: commands.ShoeCut) -> None:
        """By a patron, or by whoever speaks."""
        day = self.table_day(command.table)
        self.shoe(day).cut(self._person(day, command), command.cut_card)

    @decide.register
    def burn_card(self, command: commands.ShoeBurn) -> None:
        """The last step before the first coup."""
        shoe = self.shoe(self.table_day(command.table))
        shoe.burn(self._card(shoe, command))

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
    def misdraw(self, command: commands.ShoeMisdraw) -> None:
        """With a dummy the next coup begins at once, or as soon as the one in play is settled."""
        day = self.table_day(command.table)
        shoe = self.shoe(day)
        coup = self.coup(shoe)
        if coup:
            coup.require_no_card_due()
        shoe.misdraw(card(command.card), command.disposition)
        self._begin_dummy(day, shoe)

    @decide.register
    def discard(self, command: commands.ShoeDiscard) -> None:
        """What is due stays due, unless the coup in play may have been dealt a foreign card."""
        shoe = self.shoe(self.table_day(command.table))
        coup = self.coup(shoe)
        shoe.discard(card(command.card), command.reason)
        if coup and command.reason == "foreign":
            coup.find_irregular("foreign-card")

    @decide.register
    def end_shoe(self, command: commands.ShoeEnd) -> None:
        """No coup in play, and nobody owes commission."""
        day = self.table_day(command.table)
        shoe = self.shoe(day)
        coup = self.coup(shoe)
        if coup:
            coup.require_finished()
        require_settled(self.accounts(day))
        second = self._second(command)
        order = self._order_of(shoe, untold=bool(command.reason and second))
        shoe.end(reason=command.reason or "", second=second)
        if order:
            shoe.reveal(order.cards, order.secret.hex())
            self.orders.throw_away(shoe)
        elif shoe.commitment:
            shoe.leave_untold()
        day.take_shoe_off()

    def _order_of(self, shoe: Shoe, *, untold: bool) -> "Order | None":
        """Of a generated shoe; should it be lost, two people may end the shoe all the same."""
        try:
            return self.orders.of(shoe) if shoe.commitment else None
        except OrderLost:
            if not untold:
                raise
            return None  # the sealed one stays where it is, should the pepper be found again

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
        burned = [card(each) for each in command.burned]
        shoe.reconcile(counted if isinstance(counted, int) else len(cards), cards, burned)

    @decide.register
    def open_coup(self, command: commands.CoupOpen) -> None:
        """Asked for; a first bet opens by itself."""
        day = self.table_day(command.table)
        shoe = self.shoe(day)
        coup = self.coup(shoe)
        if coup and not coup.over:
            raise AlreadyOpen(what=str(coup.address), then="finish it first")
        self._open_coup(day, shoe)

    @decide.register
    def bet(self, command: commands.Bet) -> None:
        """On the coup in play; the first bet opens the next one."""
        day = self.table_day(command.table)
        shoe = self.shoe(day)
        coup = self.coup(shoe)
        lay_at = _lay_at(coup, command)
        if coup is None or (coup.over and lay_at is None):
            shoe.require_ready()
            stay = day.stay_at(command.seat)
            coup = self._open_coup(day, shoe)
        else:
            stay = day.stay_at(command.seat)
        if not coup.over:
            self._require_one_patron_one_side(coup, command.spot, stay)
        if lay_at:
            day.require_here(stay, lay_at)
            coup.find_wager(
                command.seat,
                stay,
                command.spot,
                command.amount,
                lay_at=lay_at,
                second=self._second(command),
            )
        else:
            coup.bet(command.seat, stay, command.spot, command.amount)

    def _require_one_patron_one_side(self, coup: Coup, spot: str, stay: Stay) -> None:
        """Whoever turned out to be the same patron bets on one hand too (R-BET-1)."""
        for wager in coup.opposite(spot):
            if wager.stay != stay.address and self._same(wager.patron, stay.patron):
                raise coup.both_sides(wager)

    def _same(self, patron: str, other: str) -> bool:
        return patron == other or self.office.identity(patron) == self.office.identity(other)

    @decide.register
    def withdraw(self, command: commands.Withdraw) -> None:
        """Before the first card."""
        day = self.table_day(command.table)
        coup = self.coup_in_play(day)
        coup.withdraw(command.seat, day.stay_at(command.seat), command.spot)

    @decide.register
    def close_betting(self, command: commands.NoMoreBets) -> None:
        """Asked for; the first card closes by itself. The cards that were carried are dealt."""
        day = self.table_day(command.table)
        coup = self.coup_in_play(day)
        coup.close_betting()
        self._deal_carried(self.shoe(day), coup)

    @decide.register
    def draw(self, command: commands.Draw) -> None:
        """One save for shoe and coup: a card cannot leave the one without landing in the other."""
        shoe = self.shoe(self.table_day(command.table))
        shoe.require_ready()
        drawn = self._card(shoe, command)
        undue = None if shoe.commitment else drawn  # a generated shoe keeps it
        coup = self.coup(shoe)
        if coup is None or coup.over:
            raise shoe.refuse_card(undue, coup_complete=False)
        coup.require_regular()
        if coup.phase == "betting":
            coup.take_first_card()
            self._deal_carried(shoe, coup)
        if coup.due is None:
            raise shoe.refuse_card(undue, coup_complete=True)
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
    def move_card(self, command: commands.MoveCard) -> None:
        """It counted where it belongs all the time."""
        self.coup_in_play(self.table_day(command.table)).move(command.n, command.hand)

    @decide.register
    def reveal(self, command: commands.Reveal) -> None:
        """What left the shoe is known; now everybody sees it."""
        self.coup_in_play(self.table_day(command.table)).turn(command.hand, command.n)

    @decide.register
    def void(self, command: commands.CoupVoid) -> None:
        """Of any day; the commission of what was won in it goes as well."""
        coup = self._coup_at(command)
        changes = coup.void(command.reason, self.casino.actor, command.second or "")
        self._follow(coup, changes)
        day = self.last_table_day(coup.address.shoe.table_day.table)
        if day.shoe == coup.address.shoe:
            self._begin_dummy(day, self.shoe(day))

    @decide.register
    def correct(self, command: commands.CoupCorrect) -> None:
        """Of any day; the commission follows what was won."""
        coup = self._coup_at(command)
        change = coup.correct(
            command.seat,
            command.spot,
            command.to,
            reason=command.reason,
            requested_by=self.casino.actor,
            approved_by=command.second or "",
        )
        self._follow(coup, [change])

    def _coup_at(self, command: commands.CoupVoid | commands.CoupCorrect) -> Coup:
        """Refuses: BadValue, NotFound."""
        address = addresses.Coup.parse(command.coup)
        if command.table not in (None, address.shoe.table_day.table):
            why = f"it is no coup of {command.table}"
            raise BadValue(field="coup", value=command.coup, why=why)
        coup = self.casino.find(Coup, Coup.stream(address))
        if coup is None:
            raise NotFound(what=f"coup {address}")
        return coup

    def _follow(self, coup: Coup, changes: list[Change]) -> None:
        """What each wager's commission comes to now; once the day is closed, at once.

        The chips are then those of the day that is open at the table, or the cage's.
        """
        address = coup.address.shoe.table_day
        day = self.casino.find(TableDay, TableDay.stream(address))
        assert day is not None
        chips = sum(each.after.paid - each.before.paid for each in changes)
        for each in changes:
            if each.before.commission_due or each.after.commission_due:
                account = self.account(day, Stay(each.wager.patron, each.wager.stay))
                chips += account.correct(
                    coup.address, each.wager, each.before, each.after, at_once=day.closed
                )
        if day.closed and chips:
            self.last_table_day(address.table).put_right(str(coup.address), chips)

    @decide.register
    def collect(self, command: commands.CommissionCollect) -> None:
        """From a seat, or from a patron, here or gone."""
        self._account_of(command).collect(command.amount)

    @decide.register
    def waive(self, command: commands.CommissionWaive) -> None:
        """The house lets it go, with a reason."""
        by, second = self.casino.actor, self._second(command)
        self._account_of(command).waive(command.amount, command.reason, by, second)

    @decide.register
    def walk(self, command: commands.CommissionWalked) -> None:
        """The patron is gone with it, and a reason is given."""
        by, second = self.casino.actor, self._second(command)
        self._account_of(command).walk(command.amount, command.reason, by, second)

    @decide.register
    def print_receipt(self, command: commands.CommissionReceipt) -> None:
        """Of a stay that goes on or is long over."""
        receipt = addresses.Receipt.parse(command.receipt)
        stream = CommissionAccount.stream(receipt.stay, receipt.table_day)
        account = self.casino.find(CommissionAccount, stream)
        if account is None:
            raise NotFound(what=f"receipt {receipt}")
        account.print_receipt(str(receipt))

    def _open_coup(self, day: TableDay, shoe: Shoe) -> Coup:
        dummy = shoe.dummy
        address = shoe.begin_coup()
        coup = self.casino.make(Coup.open(address, day, shoe, at=self.casino.moment))
        if dummy:
            coup.take_no_bets()
            self._deal_carried(shoe, coup)
        return coup

    def _deal_carried(self, shoe: Shoe, coup: Coup) -> None:
        """The cards that came when none was due, as far as the coup takes them (R-IRR-1)."""
        while shoe.waiting and coup.due:
            coup.deal(shoe.deal_carried(), carried=True)

    def _card(self, shoe: Shoe, command: commands.Draw | commands.ShoeBurn) -> str:
        """The card that was stated, or that a generated shoe gives now."""
        if command.card is None and shoe.commitment:
            return self.orders.next_card(shoe)
        if command.card is None:
            raise MissingField(command=commands.name_of(command), field="card", why="")
        stated = card(command.card)
        shoe.require_not_generated(stated)
        return stated

    def _settle(self, coup: Coup, stated: Any = None) -> None:
        day = self.table_day(coup.address.shoe.table_day.table)
        for wager, payment in coup.settle(stated):
            if payment.commission_due:
                stay = Stay(wager.patron, wager.stay)
                self.account(day, stay).accrue(coup.address, wager, payment)
        self._begin_dummy(day, self.shoe(day))

    def _begin_dummy(self, day: TableDay, shoe: Shoe) -> None:
        """A coup that was waited for is over, and a card waits to begin the next (R-IRR-1)."""
        coup = self.coup(shoe)
        if shoe.dummy and (coup is None or coup.over):
            self._open_coup(day, shoe)

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

    def _account_of(
        self,
        command: commands.CommissionCollect | commands.CommissionWaive | commands.CommissionWalked,
    ) -> CommissionAccount:
        """Of whoever sits there, or of a patron: the first stay that owes, else the last one."""
        day = self.table_day(command.table)
        if command.seat is not None:
            stay = day.stay_at(command.seat)
            if command.patron not in (None, stay.patron):
                why = f"seat {command.seat} is {stay.patron}'s"
                raise BadValue(field="patron", value=repr(command.patron), why=why)
            theirs = self._accounts_of(day, stay.patron)
        elif command.patron is None:
            raise MissingField(command=commands.name_of(command), field="seat", why=" or 'patron'")
        else:
            theirs = self._accounts_of(day, command.patron)
        if not theirs:
            who = f"stay of {command.patron} at {day.address}"
            raise NotFound(what=f"{who}; say who sat there, or a seat")
        return next((each for each in theirs if each.owed), theirs[-1])

    def _accounts_of(self, day: TableDay, patron: str) -> list[CommissionAccount]:
        """Of every stay of a patron on this day, under whichever name."""
        return [each for each in self.accounts(day) if self._same(each.patron, patron)]

    def _second(self, command: commands.Command) -> str:
        """The second person, who is not the first again; '' when there is none."""
        return command.second if command.second and command.second != self.casino.actor else ""


def _lay_at(coup: Coup | None, command: commands.Bet) -> datetime | None:
    """When a wager lay on a coup whose betting is over by now; None: it is bet as any other."""
    if coup is None or command.at is None or not command.late:
        return None
    if coup.over:  # what happened after its first card is about the next one
        ended = coup.first_card_at is not None and command.at < coup.first_card_at
    else:
        ended = coup.phase != "betting"
    return command.at if ended else None


def _chair(seat: int) -> str:
    return f"seat {seat}"
