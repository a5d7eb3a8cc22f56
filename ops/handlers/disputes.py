"""Disputes: a case from what a patron says to what was decided, and what follows from that.

One method for each of their lines of the vocabulary. Decides nothing by itself: the aggregates do.
"""

from collections.abc import Iterator, Sequence
from functools import singledispatchmethod
from typing import TYPE_CHECKING

from domain.aggregates.coup import Change, Coup, Rightly
from domain.aggregates.dispute import Dispute, Evidence, Frozen
from domain.aggregates.docket import Docket
from domain.aggregates.table_day import TableDay
from domain.events import commission_account
from domain.rules import addresses
from domain.rules.refusals import BadValue, NotFound
from ops.commands import vocabulary as commands

if TYPE_CHECKING:
    from ops.handlers.floor import Floor


class Disputes:
    """The cases of a house, for the tables of a floor."""

    def __init__(self, floor: "Floor") -> None:
        self.floor = floor
        self.casino = floor.casino

    def table_of(self, command: commands.OfDispute) -> str:
        """The table at which the coup was dealt. Refuses: BadValue, NotFound."""
        if isinstance(command, commands.OnCase):
            return self.case(command.case).coup.shoe.table_day.table
        assert isinstance(command, commands.DisputeOpen)
        return addresses.Coup.parse(command.coup).shoe.table_day.table

    def case(self, text: str) -> Dispute:
        """Refuses: BadValue, NotFound."""
        address = addresses.Case.parse(text)
        found = self.casino.find(Dispute, Dispute.stream(address))
        if found is None:
            raise NotFound(what=f"case {address}")
        return found

    @singledispatchmethod
    def decide(self, command: commands.OfDispute) -> None:
        """States the facts of a command, or refuses it."""
        raise NotImplementedError(commands.name_of(command))

    @decide.register
    def open(self, command: commands.DisputeOpen) -> None:
        """The coup is frozen as it stands; a coup may have several cases."""
        coup = self.floor.coup_at(addresses.Coup.parse(command.coup))
        day = self._day_of(coup)
        names = self._names_of(command.patron, day)
        house = self.floor.office.house()
        held = self._to_hold(coup.address, "hold", "true") if command.hold else None
        frozen = self._frozen(coup)
        others = list(self._others(coup.address))
        address = self._docket().enter(str(coup.address))
        self.casino.make(
            Dispute.open(
                address,
                coup,
                command.patron,
                names,
                command.complaint,
                frozen=frozen,
                house=house,
                at=self.casino.moment,
                amount=command.amount,
                hold=command.hold,
                others=others,
                opened_by=self.casino.actor,
            )
        )
        if held:
            held.hold(str(address), self.casino.actor)

    @decide.register
    def note(self, command: commands.DisputeNote) -> None:
        """With what cameras saw, and what was asked of the coup."""
        for seen in command.evidence:
            if not commands.EARLIEST <= seen.at <= commands.LATEST:
                why = "no casino was open then"
                raise BadValue(field="evidence", value=seen.at.isoformat(), why=why)
        evidence = [Evidence(seen.camera, seen.at, seen.ahead) for seen in command.evidence]
        case = self.case(command.case)
        if command.what_if:
            self._require_sense(case.coup, command.what_if)
        case.note(command.text, evidence, self.casino.actor, command.what_if)

    @decide.register
    def decide_case(self, command: commands.DisputeDecide) -> None:
        """What is decided is done in the same act, or nothing is."""
        case = self.case(command.case)
        by, second = self.casino.actor, command.second or ""
        house, coup = self.floor.office.house(), self.floor.coup_at(case.coup)
        rightly = Rightly(command.seat, command.spot, command.to, command.as_spot)
        case.require_decidable(
            command.decision,
            rightly,
            by=by,
            approved_by=second,
            dealer=coup.dealer,
            currency=house.currency,
        )
        held = case.holds
        changes = self._carry_out(command, rightly, coup)
        case.decide(
            command.decision,
            command.reason,
            changes,
            coup,
            house,
            rightly=rightly,
            commission=self._commission_put_right(),
            by=by,
            approved_by=second,
        )
        if held:
            self._let_go(case)

    def _commission_put_right(self) -> int:
        """By how much more, or less, the accounts have charged in this act."""
        return sum(
            fact.charged
            for fact in self.casino.act.facts
            if isinstance(fact, commission_account.CommissionCorrected)
        )

    def _carry_out(
        self, command: commands.DisputeDecide, rightly: Rightly, coup: Coup
    ) -> list[Change]:
        """As the two people could have said it without a case; the reason names it."""
        desk, reason, second = self.floor.desk, f"{command.case}: {command.reason}", command.second
        if command.decision == "void":
            return desk.void_coup(coup, reason, second or "")
        if command.decision == "correct":
            return desk.correct_payment(coup, rightly, reason, second or "")
        return []

    @decide.register
    def tell(self, command: commands.DisputeTell) -> None:
        """The decision that stands, and whom they may turn to."""
        self.case(command.case).tell(self.floor.office.house(), self.casino.actor)

    @decide.register
    def notify(self, command: commands.DisputeNotify) -> None:
        """Whether it had to be, or not."""
        self.case(command.case).notify(command.reference or "", self.casino.actor)

    @decide.register
    def hold(self, command: commands.DisputeHold) -> None:
        """The table deals no further coup; its day may be the one after the coup's."""
        case = self.case(command.case)
        day = self._to_hold(case.coup, "case", str(case.address))
        case.hold(self.casino.actor)
        day.hold(str(case.address), self.casino.actor)

    def _to_hold(self, coup: addresses.Coup, field: str, value: str) -> TableDay:
        """The day that is open at the table, which may be the one after the coup's."""
        day = self.floor.last_table_day(coup.shoe.table_day.table)
        if day.closed:
            why = f"{day.address} is closed, and deals no coup"
            raise BadValue(field=field, value=value, why=why)
        return day

    def holding(self, day: TableDay) -> list[str]:
        """The cases that hold a table still, of those that held it on a day that ends, or ended."""
        return [case for case in day.held_by if self.case(case).holds]

    @decide.register
    def release(self, command: commands.DisputeRelease) -> None:
        """As far as this case goes."""
        case = self.case(command.case)
        case.release(self.casino.actor)
        self._let_go(case)

    @decide.register
    def export(self, command: commands.DisputeExport) -> None:
        """As the record stands now; whoever asks the record again makes the same files."""
        from ops.pack.case import pack_of_case

        case = self.case(command.case)
        with self.casino.ledger.connection() as connection:
            made = pack_of_case(connection, case.address)
        case.hand_out(made.position, made.json_sha256, made.pdf_sha256, self.casino.actor)

    @decide.register
    def close(self, command: commands.DisputeClose) -> None:
        """Nothing is added to it any more."""
        self.case(command.case).close(self.casino.actor)

    def _let_go(self, case: Dispute) -> None:
        """The day that is open at the table may be the one after the coup's."""
        day = self.floor.last_table_day(case.coup.shoe.table_day.table)
        day.release(str(case.address), self.casino.actor)

    def _frozen(self, coup: Coup) -> Frozen:
        """What the record has of a coup now; its stream does not move until this is saved."""
        from domain.review.adjudication import as_texts
        from ops.ledger.recorder import head_of
        from ops.replay.story import find

        with self.casino.ledger.connection() as connection:
            position = head_of(connection)
            found = find(connection, coup.address)
        differing = [
            f"{each['what']}: {each['recorded']} on record, {each['adjudicated']} by today's rules"
            for each in as_texts(found.disagreements)
        ]
        return Frozen(position, coup.version, coup.phase, not differing, differing)

    def _require_sense(self, coup: addresses.Coup, changes: Sequence[str]) -> None:
        """Whether the changes can be asked about together. Refuses: BadValue, UnknownRules."""
        from ops.replay.story import find
        from ops.replay.what_if import ask

        with self.casino.ledger.connection() as connection:
            found = find(connection, coup)
            if found.whole is None:
                why = f"the record of {coup} makes no sense"
                raise BadValue(field="what-if", value=repr(changes[0]), why=why)
            ask(connection, found, changes)

    def _others(self, coup: addresses.Coup) -> Iterator[Dispute]:
        """The cases about a coup, of every year since it was dealt."""
        year = self.floor.office.house().clock.day_of(self.casino.moment).year
        for each in range(coup.shoe.table_day.day.year, year + 1):
            docket = self.casino.find(Docket, Docket.stream(each), rely=False)
            for case in docket.about.get(str(coup), []) if docket else []:
                yield self.case(case)

    def _docket(self) -> Docket:
        """Of the year that it is; the first case opens it."""
        year = self.floor.office.house().clock.day_of(self.casino.moment).year
        found = self.casino.find(Docket, Docket.stream(year))
        return found or self.casino.make(Docket.begin_year(year, self.casino.moment))

    def _day_of(self, coup: Coup) -> TableDay:
        stream = TableDay.stream(coup.address.shoe.table_day)
        found = self.casino.find(TableDay, stream, rely=False)
        assert found is not None
        return found

    def _names_of(self, patron: str, day: TableDay) -> list[str]:
        """Under which names a patron sat there that day. Refuses: NotFound.

        Whoever had a stay may claim a bet that nobody entered.
        """
        stays = self.floor.accounts(day, rely=False)
        names = {each.patron for each in stays if self.floor.same(each.patron, patron)}
        if not names:
            who = f"stay of {patron} at {day.address}"
            raise NotFound(what=f"{who}: say who sat there and claims it")
        return sorted(names)
