"""The desk: what is put right after the game, and the commission that patrons owe.

One method for each of its lines of the vocabulary. Decides nothing by itself: the aggregates do.
"""

from functools import singledispatchmethod
from typing import TYPE_CHECKING

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.coup import Change, Coup, Rightly
from domain.aggregates.table_day import TableDay
from domain.events.table_day import Stay
from domain.rules import addresses
from domain.rules.refusals import BadValue, MissingField, NotFound
from ops.commands import vocabulary as commands

if TYPE_CHECKING:
    from ops.handlers.floor import Floor


class Desk:
    """Voids, corrections and commission, for the tables of a floor."""

    def __init__(self, floor: "Floor") -> None:
        self.floor = floor
        self.casino = floor.casino

    @singledispatchmethod
    def decide(self, command: commands.Command) -> None:
        """States the facts of a command, or refuses it; what is not its own is the cage's."""
        self.floor.cage.decide(command)

    @decide.register
    def void(self, command: commands.CoupVoid) -> None:
        """Of any day; the commission of what was won in it goes as well."""
        self.void_coup(self._coup_at(command), command.reason, command.second or "")

    def void_coup(self, coup: Coup, reason: str, second: str) -> list[Change]:
        """Every wager goes back, and what follows from that; what each came to."""
        changes = coup.void(reason, self.casino.actor, second)
        self._follow(coup, changes)
        day = self.floor.last_table_day(coup.address.shoe.table_day.table)
        if day.shoe == coup.address.shoe:
            shoe = self.floor.shoe(day)
            if not coup.cards:
                shoe.leave_undealt(coup.address.number)
            self.floor.game.begin_dummy(day, shoe)
        return changes

    @decide.register
    def correct(self, command: commands.CoupCorrect) -> None:
        """Of any day; the commission follows what was won."""
        self.correct_payment(
            self._coup_at(command),
            Rightly(command.seat, command.spot, command.to, command.as_spot),
            command.reason,
            command.second or "",
        )

    def correct_payment(
        self, coup: Coup, rightly: Rightly, reason: str, second: str
    ) -> list[Change]:
        """A wager is paid otherwise, and what follows from that."""
        assert rightly.seat is not None
        assert rightly.spot is not None
        change = coup.correct(
            rightly.seat,
            rightly.spot,
            rightly.to,
            as_spot=rightly.as_spot,
            reason=reason,
            requested_by=self.casino.actor,
            approved_by=second,
        )
        self._follow(coup, [change])
        return [change]

    @decide.register
    def readjudicate(self, command: commands.Readjudicate) -> None:
        """What disagrees in the same lines as before is on record already."""
        from domain.review.adjudication import Adjudication, as_texts
        from ops.replay.readjudicate import one

        address = addresses.Coup.parse(command.coup)
        with self.casino.ledger.connection() as connection:
            found = one(connection, address)
        if found is None:
            raise NotFound(what=f"coup {address}")
        texts = as_texts(found.disagreements)
        self.casino.says = {"agrees": found.agrees, "disagreements": texts}
        if not found.agrees and not self.casino.find(
            Adjudication, Adjudication.stream(address, texts)
        ):
            at = self.casino.moment
            self.casino.make(Adjudication.disagree(address, found.rules, texts, at=at))

    def _coup_at(self, command: commands.CoupVoid | commands.CoupCorrect) -> Coup:
        """Refuses: BadValue, NotFound."""
        address = addresses.Coup.parse(command.coup)
        if command.table not in (None, address.shoe.table_day.table):
            why = f"it is no coup of {command.table}"
            raise BadValue(field="coup", value=command.coup, why=why)
        return self.floor.coup_at(address)

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
                account = self.floor.account(day, Stay(each.wager.patron, each.wager.stay))
                chips += account.correct(
                    coup.address, each.wager, each.before, each.after, at_once=day.closed
                )
        if day.closed and chips:
            self.floor.last_table_day(address.table).put_right(str(coup.address), chips)

    @decide.register
    def collect(self, command: commands.CommissionCollect) -> None:
        """From a seat, or from a patron, here or gone."""
        self._account_of(command).collect(command.amount)

    @decide.register
    def choose_timing(self, command: commands.CommissionTiming) -> None:
        """Of whoever sits there; what the stay owes already stays as it is."""
        day = self.floor.table_day(command.table)
        seat = self._seat_of(day, command)
        day.choose_timing(day.stay_at(seat), command.timing)

    def _seat_of(self, day: TableDay, command: commands.CommissionTiming) -> int:
        """The seat that is named, or a patron's first. Refuses: MissingField, NotFound."""
        if command.seat is not None:
            self._require_their_seat(day, command)
            return command.seat
        if command.patron is None:
            raise MissingField(command=commands.name_of(command), field="seat", why=" or 'patron'")
        for seat, stay in sorted(day.seats.items()):
            if self.floor.same(stay.patron, command.patron):
                return seat
        raise NotFound(what=f"seat of {command.patron} at {day.address}")

    @decide.register
    def waive(self, command: commands.CommissionWaive) -> None:
        """The house lets it go, with a reason."""
        self.floor.require_two("Waiving commission", command)
        by, second = self.casino.actor, self.floor.second(command)
        self._account_of(command).waive(command.amount, command.reason, by, second)

    @decide.register
    def walk(self, command: commands.CommissionWalked) -> None:
        """The patron is gone with it, and a reason is given."""
        self.floor.require_two("Writing commission off", command)
        by, second = self.casino.actor, self.floor.second(command)
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

    def _require_their_seat(
        self,
        day: TableDay,
        command: commands.CommissionCollect | commands.CommissionTiming | commands.LettingGo,
    ) -> Stay:
        """Whose seat it is, who is the patron that is named. Refuses: SeatEmpty, BadValue."""
        assert command.seat is not None
        stay = day.stay_at(command.seat)
        if command.patron not in (None, stay.patron):
            why = f"seat {command.seat} is {stay.patron}'s"
            raise BadValue(field="patron", value=repr(command.patron), why=why)
        return stay

    def _account_of(
        self, command: commands.CommissionCollect | commands.LettingGo
    ) -> CommissionAccount:
        """Of whoever sits there, or of a patron: the first stay that owes, else the last one."""
        day = self.floor.table_day(command.table)
        if command.seat is not None:
            stay = self._require_their_seat(day, command)
            theirs = self.floor.accounts_of(day, stay.patron)
        elif command.patron is None:
            raise MissingField(command=commands.name_of(command), field="seat", why=" or 'patron'")
        else:
            theirs = self.floor.accounts_of(day, command.patron)
        if not theirs:
            who = f"stay of {command.patron} at {day.address}"
            raise NotFound(what=f"{who}; say who sat there, or a seat")
        return next((each for each in theirs if each.owed), theirs[-1])
