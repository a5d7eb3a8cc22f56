"""One table for one gaming day: its rules and limits, its seats, its chips, its shoe."""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.property import Property
from domain.aggregates.seats import SeatedTable
from domain.aggregates.tray import Signed
from domain.events import table_day as events
from domain.rules import addresses
from domain.rules.chips import Chips, require_countable, total
from domain.rules.house_rules import HouseRules
from domain.rules.layout import Limits
from domain.rules.limits import changed, limits_of, require_multiple
from domain.rules.refusals import (
    AlreadyOpen,
    BadValue,
    ShoeStepOutOfOrder,
    TableHeld,
    TableLockedUp,
)
from domain.rules.wording import N_, Words, listed

_AT_WORK = {
    "dealer": N_("{staff} is already the dealer of {table}."),
    "supervisor": N_("{staff} is already the supervisor of {table}."),
}


class TableDay(SeatedTable, events.State):
    """One table, one gaming day."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the events belong to."""
        return self.address.day, self.address.table

    @staticmethod
    def stream(address: addresses.TableDay) -> UUID:
        """The stream of a table day."""
        return addresses.stream_id("table-day", str(address), address.day)

    @property
    def shoes_dealt(self) -> list[addresses.Shoe]:
        """Every shoe that was on the table on this day, in order."""
        along = [self.came_along] if self.came_along else []
        return along + [addresses.Shoe(self.address, n + 1) for n in range(self.shoes)]

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(
        cls,
        address: addresses.TableDay,
        house: Property,
        rules: HouseRules,
        opener: Chips,
        *,
        at: datetime,
        dealer: str,
        supervisor: str,
        continues: "TableDay | None" = None,
    ) -> Self:
        """Opens the table for a gaming day, with its opener in the tray.

        `continues`: the day that is rolled over into this one; its shoe in play comes along.
        """
        require_countable("opener", opener)
        begins, ends = house.clock.bounds(address.day)
        return cls.begin(
            events.Opened(
                table=address.table,
                day=address.day.isoformat(),
                house=house.name,
                currency=rules.currency,
                zone=house.zone,
                day_begins=begins.isoformat(),
                day_ends=ends.isoformat(),
                rules=rules.name,
                rules_digest=rules.digest,
                limits=limits_of(rules),
                differential=rules.differential,
                opener=opener,
                opener_total=total(opener),
                dealer=dealer,
                supervisor=supervisor,
                continues=str(continues.address) if continues else None,
                shoe=str(continues.shoe) if continues and continues.shoe else None,
            ),
            cls.stream(address),
            at,
        )

    def limit(
        self,
        spot: str = "main",
        minimum: int | None = None,
        maximum: int | None = None,
        differential: int | None = None,
    ) -> None:
        """Changes the limits that are given, from the next coup on. Refuses: BadValue."""
        self.require_open()
        limits = changed(self.limits, self.rules, spot, minimum, maximum)
        if differential is None:
            differential = self.differential
        else:
            require_multiple(self.rules, "differential", differential)
        if (limits, differential) == (self.limits, self.differential):
            raise BadValue(
                message=Words(
                    "These limits are already in force. Give a minimum, maximum or differential."
                )
            )
        self._change_limits(limits, differential, self)

    def take_limits(self, before: "TableDay") -> None:
        """Takes over the limits of the day before."""
        self._change_limits(before.limits, before.differential, before)

    def _change_limits(self, limits: Limits, differential: int | None, before: "TableDay") -> None:
        """`before`: the day whose limits were in force at the table until now."""
        self.record(
            events.LimitsChanged(
                limits=limits,
                differential=differential,
                limits_before=before.limits,
                differential_before=before.differential,
            )
        )

    def relieve_dealer(self, staff: str) -> None:
        """Puts another dealer in charge, from the next coup on. Refuses: BadValue."""
        self._require_another("dealer", staff, self.dealer)
        self.record(events.DealerRelieved(staff=staff, before=self.dealer))

    def relieve_supervisor(self, staff: str) -> None:
        """Puts another supervisor in charge, from the next coup on. Refuses: BadValue."""
        self._require_another("supervisor", staff, self.supervisor)
        self.record(events.SupervisorRelieved(staff=staff, before=self.supervisor))

    def _require_another(self, role: str, staff: str, now: str) -> None:
        self.require_open()
        if staff == now:
            raise BadValue(message=Words(_AT_WORK[role], staff=staff, table=self.address.table))

    def hold(self, case: str, by: str) -> None:
        """Holds the table for a case: no further coup. Refuses: TableClosed."""
        self.require_open()
        self.record(events.Held(case=case, by=by))

    def release(self, case: str, by: str) -> None:
        """Ends this case's hold, if there is one."""
        if case in self.held_by and not self.closed:
            self.record(events.Released(case=case, by=by))

    def lock_up(self, why: str, coup: str, reason: str, by: str) -> None:
        """Stops the table until two people decide. Refuses: TableClosed, TableLockedUp."""
        self.require_open()
        self.require_not_locked_up()
        self.record(events.LockedUp(why=why, coup=coup, reason=reason, by=by))

    def unlock(self, how: str, coup: str, signed: Signed) -> None:
        """Lets the table go on, once its coup is decided. Refuses: BadValue."""
        self.require_locked_up()
        self.record(events.Unlocked(how=how, coup=coup, **signed.fields))

    def require_locked_up(self) -> None:
        """Refuses: BadValue."""
        if not self.locked_up:
            words = Words("{table} is not locked up.", table=self.address.table)
            raise BadValue(rule="R-IRR-6", message=words)

    def require_not_locked_up(self) -> None:
        """Refuses: TableLockedUp."""
        if self.locked_up:
            raise TableLockedUp(table=self.address.table)

    def require_not_held(self) -> None:
        """Refuses: TableHeld."""
        if self.held_by:
            raise TableHeld(table=self.address.table, cases=listed(self.held_by))

    def next_shoe(self) -> addresses.Shoe:
        """The address of the next shoe. Refuses: ShoeStepOutOfOrder."""
        self.require_open()
        if self.shoe is not None:
            raise ShoeStepOutOfOrder(
                message=Words(
                    "Shoe {shoe} has not ended. End it with `shoe end`, then load the next.",
                    shoe=self.shoe,
                )
            )
        return addresses.Shoe(self.address, self.shoes + 1)

    def bring_shoe(self) -> addresses.Shoe:
        """Brings the next shoe of the day to the table. Refuses: ShoeStepOutOfOrder."""
        self.record(events.ShoeBrought(shoe=str(self.next_shoe())))
        assert self.shoe is not None
        return self.shoe

    def take_shoe_off(self) -> None:
        """Takes the shoe off the table when it has ended."""
        assert self.shoe is not None
        self.record(events.ShoeTakenOff(shoe=str(self.shoe)))

    def close(
        self,
        closer: Chips,
        house: Property,
        *,
        wagers_won: int = 0,
        commission: int = 0,
        counted_by: str = "",
        signed_by: str = "",
        why: str = "closed",
        confirmed: bool = True,
    ) -> None:
        """Closes the table with everybody gone and the tray counted.

        `wagers_won` and `commission`: the chips that they brought into the tray in the whole day.
        A shoe in play goes on if the table is rolled over.
        Refuses: TableClosed, ShoeStepOutOfOrder, ConfirmationNeeded.
        """
        self.require_open()
        if self.shoe is not None and why == "closed":
            raise ShoeStepOutOfOrder(
                message=Words(
                    "Shoe {shoe} has not ended. End it with `shoe end`, then close the table.",
                    shoe=self.shoe,
                )
            )
        for seat in sorted(self.seats):
            self.leave(seat, why)
        self.count_closer(
            closer,
            house,
            wagers_won=wagers_won,
            commission=commission,
            counted_by=counted_by,
            signed_by=signed_by,
            why=why,
            confirmed=confirmed,
        )

    def reopen(
        self,
        opener: Chips,
        signed: Signed,
        *,
        wagers_won: int,
        commission: int,
    ) -> None:
        """Opens the closed day for a further session, with its own opener. Refuses: AlreadyOpen.

        `wagers_won` and `commission`: of the whole day before it. Who requests it is the dealer,
        who approves it the supervisor.
        """
        if not self.closed:
            raise AlreadyOpen(what=self.address, then=Words("close it first"))
        require_countable("opener", opener)
        self.record(
            events.Reopened(
                session=len(self.sessions) + 1,
                opener=opener,
                opener_total=total(opener),
                dealer=signed.requested_by or self.dealer,
                supervisor=signed.approved_by or self.supervisor,
                wagers_won=wagers_won,
                commission=commission,
                reason=signed.reason,
            )
        )
