"""The event-sourced application: loads, lets the domain decide, saves together.

What must be true together is one save, and what was only read to decide goes along with its
version, so that the append refuses when somebody else moved it meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import singledispatchmethod
from typing import Any, TypeVar
from uuid import UUID

from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.domain import CanMutateAggregate
from eventsourcing.utils import Environment

from domain import addresses
from domain.aggregate import Aggregate
from domain.cards import card
from domain.commission import CommissionAccount, require_settled
from domain.coup import Coup
from domain.due import NextAct, next_act
from domain.gaming_day import GamingClock
from domain.house_rules import named
from domain.property import PROPERTY_STREAM, Property
from domain.refusals import AlreadyOpen, MissingField, NotFound, ShoeNotReady, TableClosed
from domain.shoe import Shoe
from domain.table import Table
from domain.table_day import Stay, TableDay
from ops import commands
from ops.ledger.recorder import Decision, Ledger, LedgerFactory

A = TypeVar("A", bound=Aggregate)
MOST_HELD = 2_000


def replay(aggregate: Any, events: Iterable[Any]) -> Any:
    """The library's projector without its protocol check, which costs more than the replay."""
    for event in events:
        aggregate = event.mutate(aggregate)
    return aggregate


class Casino(Application[UUID]):
    """One process's view of the house. Not for threads: it holds aggregates between commands."""

    def __init__(
        self, ledger: Ledger, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.ledger = ledger
        self._clock = now
        self._held: dict[UUID, Aggregate] = {}
        self._used: dict[UUID, Aggregate | None] = {}
        self._seen: dict[UUID, int] = {}  # the version at which each was seen; 0: not there
        super().__init__()

    def construct_factory(self, env: Environment) -> LedgerFactory:
        """Facts are written to the ledger, and nowhere else."""
        return LedgerFactory(env, self.ledger)

    # What one command loads and makes.
    def begin(self, command: commands.Command) -> None:
        """A command comes to be decided; nothing is loaded for it yet."""
        self.command = command
        self.moment = command.at or self._clock()
        self.clock_behind = 0.0
        self._used = {}
        self._seen = {}

    def find(self, kind: type[A], stream: UUID, *, rely: bool = True) -> A | None:
        """An aggregate, held or loaded; None when it is not there.

        With `rely` the command's save holds only if nobody moves it meanwhile.
        """
        if stream in self._used:
            used = self._used[stream]
            assert used is None or isinstance(used, kind)
            return used
        aggregate = self._held.get(stream) or self._load(stream)
        assert aggregate is None or isinstance(aggregate, kind)
        if rely:
            self._used[stream] = aggregate
            self._seen[stream] = aggregate.version if aggregate else 0
            self._keep_time()
        return aggregate

    def _load(self, stream: UUID) -> Aggregate | None:
        try:
            found: Aggregate = self.repository.get(stream, projector_func=replay)
        except AggregateNotFoundError:
            return None
        if len(self._held) >= MOST_HELD:
            self._held.clear()
        self._held[stream] = found
        return found

    def _keep_time(self) -> None:
        """A moment that nobody stated never runs backwards; a stated one is refused if it does."""
        used = [aggregate for aggregate in self._used.values() if aggregate]
        if self.command.at is None and used:
            latest = max(aggregate.modified_on for aggregate in used)
            self.clock_behind = max(0.0, (latest - self.moment).total_seconds())
            self.moment = max(self.moment, latest)
        for aggregate in used:
            aggregate.at(self.moment, late=self.command.late)

    def make(self, aggregate: A) -> A:
        """A stream begins with this command."""
        self._used[aggregate.id] = aggregate
        return aggregate

    def pending(self) -> list[CanMutateAggregate[UUID]]:
        """The facts that the command has stated so far."""
        return [event for each in self._used.values() if each for event in each.pending_events]

    def take_back(self) -> None:
        """Throws away what the command stated; what was loaded for it is loaded again."""
        for stream, aggregate in self._used.items():
            if aggregate and aggregate.pending_events:
                self._held.pop(stream, None)
                self._used[stream] = None

    def forget(self) -> None:
        """Throws everything away that is held: somebody else wrote, or the connection broke."""
        self._held.clear()
        self._used.clear()

    def record(self, command_id: str, content: bytes, answer: str, metadata: str) -> int | None:
        """Saves what the command stated beside its answer; the position of the last fact.

        Raises NotAppended or LedgerLost; then nothing that was used may be used again.
        """
        changed = [each for each in self._used.values() if each and each.pending_events]
        house = self.find(Property, PROPERTY_STREAM, rely=False) if changed else None
        clock = house.clock if house else GamingClock("UTC", "06:00")
        decision = Decision(
            command_id=command_id,
            content=content,
            answer=answer,
            actor=self.command.by or "",
            metadata=metadata,
            reads={
                stream: version
                for stream, version in self._seen.items()
                if stream not in {each.id for each in changed}
            },
            places={
                each.id: (each.belongs_to[0] or clock.day_of(self.moment), each.belongs_to[1])
                for each in changed
            },
        )
        try:
            recordings = self.save(*changed, decision=decision)
        except BaseException:
            self.forget()
            raise
        self._held.update((each.id, each) for each in changed)
        return recordings[-1].notification.id if recordings else None

    # What the commands ask for.
    def table_day(self, table: str) -> TableDay:
        """The gaming day that is open at a table. Refuses: TableClosed."""
        found = self.find(Table, Table.stream(table))
        if found is None or found.open_day is None:
            raise TableClosed(what=table)
        address = addresses.TableDay(table, addresses.parse_day(found.open_day))
        day = self.find(TableDay, TableDay.stream(address))
        assert day is not None
        return day

    def shoe(self, day: TableDay) -> Shoe:
        """The shoe in play. Refuses: ShoeNotReady."""
        if day.shoe is None:
            raise ShoeNotReady(shoe=f"No shoe is on {day.address.table}; it", step="shoe.load")
        found = self.find(Shoe, Shoe.stream(day.shoe))
        assert found is not None
        return found

    def coup(self, shoe: Shoe) -> Coup | None:
        """The last coup that was opened from a shoe."""
        if shoe.coup == 0:
            return None
        return self.find(Coup, Coup.stream(addresses.Coup(shoe.address, shoe.coup)))

    def coup_in_play(self, day: TableDay) -> Coup:
        """The coup that is not settled. Refuses: ShoeNotReady, NotFound."""
        coup = self.coup(self.shoe(day))
        if coup is None:
            raise NotFound(what=f"coup at {day.address.table} yet: place a bet, or open one")
        return coup

    def account(self, day: TableDay, stay: Stay) -> CommissionAccount:
        """What a stay owes."""
        found = self.find(CommissionAccount, CommissionAccount.stream(stay.address, day.address))
        assert found is not None
        return found

    def accounts(self, day: TableDay) -> Iterator[CommissionAccount]:
        """What everybody at the table owes."""
        for seat in sorted(day.seats):
            yield self.account(day, day.seats[seat])

    def outlook(self, table: str) -> tuple[str | None, NextAct | None]:
        """The coup in play, and what the table must do next."""
        found = self.find(Table, Table.stream(table), rely=False)
        if found is None or found.last_day is None:
            return None, None
        address = addresses.TableDay(table, addresses.parse_day(found.last_day))
        day = self.find(TableDay, TableDay.stream(address), rely=False)
        assert day is not None
        shoe = self.find(Shoe, Shoe.stream(day.shoe), rely=False) if day.shoe else None
        coup = None
        if shoe and shoe.coup:
            address_of = addresses.Coup(shoe.address, shoe.coup)
            coup = self.find(Coup, Coup.stream(address_of), rely=False)
        return str(coup.address) if coup else None, next_act(day, shoe, coup)

    # Commands: one for each line of `ops.commands`.
    @singledispatchmethod
    def decide(self, command: commands.Command) -> None:
        """States the facts of a command, or refuses it."""
        raise NotImplementedError(commands.name_of(command))

    @decide.register
    def open_table(self, command: commands.TableOpen) -> None:
        """The first table ever opened founds the house with its defaults."""
        rules = named(command.rules)
        house = self.find(Property, PROPERTY_STREAM) or self.make(Property.found(self.moment))
        day = addresses.parse_day(command.day) if command.day else house.clock.day_of(self.moment)
        address = addresses.TableDay(command.table, day)
        stream = Table.stream(command.table)
        table = self.find(Table, stream) or self.make(Table.place(command.table, self.moment))
        table.open_day_of(day)
        if self.find(TableDay, TableDay.stream(address)):
            raise AlreadyOpen(
                what=str(address), then="it was closed again; give the `day` that begins now"
            )
        self.make(
            TableDay.open(
                address,
                house,
                rules,
                command.opener,
                at=self.moment,
                dealer=command.by or "",
                supervisor=command.second or "",
            )
        )

    @decide.register
    def seat(self, command: commands.TableSeat) -> None:
        """A chair, and an account for what the stay will owe."""
        day = self.table_day(command.table)
        stay = day.seat(command.seat, command.patron)
        self.make(CommissionAccount.open(stay, day, at=self.moment))

    @decide.register
    def leave(self, command: commands.TableLeave) -> None:
        """Nothing on the layout, nothing owed."""
        day = self.table_day(command.table)
        stay = day.stay_at(command.seat)
        coup = self.coup(self.shoe(day)) if day.shoe else None
        if coup:
            coup.require_no_wager_of(command.seat)
        require_settled([self.account(day, stay)])
        day.leave(command.seat)

    @decide.register
    def close_table(self, command: commands.TableClose) -> None:
        """The shoe has ended and nobody owes anything."""
        day = self.table_day(command.table)
        require_settled(self.accounts(day))
        day.close(command.closer)
        table = self.find(Table, Table.stream(command.table))
        assert table is not None
        table.close_day()

    @decide.register
    def load_shoe(self, command: commands.ShoeLoad) -> None:
        """The table takes the shoe that the shoe's own stream begins with."""
        day = self.table_day(command.table)
        address = day.bring_shoe()
        self.make(
            Shoe.load(
                address,
                day.rules,
                at=self.moment,
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
        second = command.second if command.second != command.by else None
        shoe.end(reason=command.reason or "", second=second or "")
        day.take_shoe_off()

    @decide.register
    def reconcile_shoe(self, command: commands.ShoeReconcile) -> None:
        """The shoe that ended last at this table."""
        day = self.table_day(command.table)
        address = addresses.Shoe(day.address, day.shoes)
        shoe = self.find(Shoe, Shoe.stream(address)) if day.shoes else None
        if shoe is None:
            raise NotFound(what=f"shoe at {command.table} to reconcile")
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
            raise shoe.refuse_card(drawn, "no coup is open, so place a bet or open one first")
        if coup.due is None:
            raise shoe.refuse_card(drawn, f"{coup.address} has all its cards")
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
    def collect(self, command: commands.CommissionCollect) -> None:
        """From a seat, or from a patron wherever they sit."""
        day = self.table_day(command.table)
        self.account(day, self._stay(day, command)).collect(command.amount)

    def _open_coup(self, day: TableDay, shoe: Shoe) -> Coup:
        address = shoe.begin_coup()
        return self.make(Coup.open(address, day, shoe, at=self.moment))

    def _settle(self, coup: Coup, stated: Any = None) -> None:
        day = self.table_day(coup.address.shoe.table_day.table)
        for wager, payment in coup.settle(stated):
            if payment.commission_due:
                stay = Stay(wager.patron, wager.stay)
                self.account(day, stay).accrue(coup.address, wager, payment)

    def _person(self, day: TableDay, command: commands.ShoeCut | commands.ShoePass) -> str:
        if command.seat is not None:
            day.stay_at(command.seat)
            return f"seat {command.seat}"
        return command.staff or command.by or "dealer"

    def _stay(self, day: TableDay, command: commands.CommissionCollect) -> Stay:
        if command.seat is not None:
            return day.stay_at(command.seat)
        if command.patron is None:
            raise MissingField(command=commands.name_of(command), field="seat", why=" or 'patron'")
        for stay in day.seats.values():
            if stay.patron == command.patron:
                return stay
        raise NotFound(what=f"patron {command.patron} at {day.address}")
