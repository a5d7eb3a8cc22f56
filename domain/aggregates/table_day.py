"""One table for one gaming day: its rules and limits, its seats, its chips, its shoe."""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.property import Property
from domain.aggregates.tray import Signed
from domain.aggregates.tray_counts import CountedTray
from domain.events import table_day as events
from domain.rules import addresses
from domain.rules.chips import Chips, require_countable, total
from domain.rules.house_rules import HouseRules, Limit
from domain.rules.layout import Limits
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import (
    BadValue,
    ShoeStepOutOfOrder,
    TableHeld,
    TableLockedUp,
    UnknownSeat,
)
from domain.rules.seating import Stay, When
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Amount, Words, listed

_NO_MULTIPLE = {
    "minimum": N_("The minimum {amount} is no multiple of {increment}. Choose another."),
    "maximum": N_("The maximum {amount} is no multiple of {increment}. Choose another."),
    "differential": N_("The differential {amount} is no multiple of {increment}. Choose another."),
}
_AT_WORK = {
    "dealer": N_("{staff} is already the dealer of {table}."),
    "supervisor": N_("{staff} is already the supervisor of {table}."),
}

# What to do when a seat does not say whose something was.
_ENTER = Words("Give its own moment, or enter first who sat down there, with `table seat`.")
_NAME = Words("Name whose it was: `--patron` and the patron, or their stay, as in `stay-3`.")


def chair(seat: int) -> str:
    """The name of a seat in events that may also name the dealer: `seat 3`, beside `dealer`."""
    return f"seat {seat}"


class TableDay(CountedTray):
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
    def seats(self) -> dict[int, Stay]:
        """The chairs that are taken, each with its stay."""
        return self.seating.taken

    @property
    def shoes_dealt(self) -> list[addresses.Shoe]:
        """Every shoe that was on the table on this day, in order."""
        along = [self.came_along] if self.came_along else []
        return along + [addresses.Shoe(self.address, n + 1) for n in range(self.shoes)]

    @property
    def stays(self) -> int:
        """The number of stays that began on this day."""
        return self.seating.stays

    def chairs_of(self, stay: Stay) -> list[int]:
        """The chairs of a stay: one to three."""
        return self.seating.chairs_of(stay)

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
                limits=_limits(rules),
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
        self._require_spot(spot)
        limits = {each: list(limit) for each, limit in self.limits.items()}
        if minimum is not None or maximum is not None:
            least, most = limits.get(spot) or limits["main"]
            limits[spot] = [
                least if minimum is None else minimum,
                most if maximum is None else maximum,
            ]
            self._require_sensible(spot, *limits[spot])
        if differential is None:
            differential = self.differential
        else:
            self._require_step("differential", differential)
        if (limits, differential) == (self.limits, self.differential):
            raise BadValue(
                message=Words(
                    "These limits are already in force. Give a minimum, maximum or differential."
                )
            )
        self._change_limits(limits, differential, self)

    def take_limits(self, before: "TableDay") -> None:
        """Takes over the limits of the day before."""
        limits = {spot: list(limit) for spot, limit in before.limits.items()}
        self._change_limits(limits, before.differential, before)

    def _change_limits(
        self, limits: dict[str, list[int]], differential: int | None, before: "TableDay"
    ) -> None:
        """`before`: the day whose limits were in force at the table until now."""
        self.record(
            events.LimitsChanged(
                limits=limits,
                differential=differential,
                limits_before=before.limits,
                differential_before=before.differential,
            )
        )

    def _require_sensible(self, spot: str, least: int, most: int) -> None:
        self._require_step("minimum", least)
        self._require_step("maximum", most)
        rules = self.rules
        maximum = Amount(most, rules.currency)
        if least > most:
            raise BadValue(
                message=Words(
                    "The maximum {maximum} is under the minimum {minimum}. Change one of them.",
                    maximum=maximum,
                    minimum=Amount(least, rules.currency),
                )
            )
        spots = rules.spots if spot == "main" else [spot]
        if any(rules.most_paid(each, most) > LARGEST_AMOUNT for each in spots):
            raise BadValue(
                message=Words(
                    "With a maximum of {maximum} a win may pay more than 2^53 minor units. Choose "
                    "a lower one.",
                    maximum=maximum,
                )
            )

    def _require_spot(self, spot: str) -> None:
        if spot != "main" and spot not in self.rules.spots:
            spots = [spot_label(each) for each in self.rules.spots]
            raise BadValue(
                message=Words(
                    "{rules} has no spot {spot}. Its limits are `main` and those of {spots}.",
                    rules=self.rules_name,
                    spot=spot_label(spot),
                    spots=listed(spots),
                )
            )

    def _require_step(self, field: str, amount: int) -> None:
        step, currency = self.rules.increment, self.rules.currency
        if amount % step:
            raise BadValue(
                message=Words(
                    _NO_MULTIPLE[field],
                    amount=Amount(amount, currency),
                    increment=Amount(step, currency),
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

    def seat(self, seat: int, patron: str, *, most: int = 1, continues: str | None = None) -> Stay:
        """Seats a patron, and begins a stay. Refuses: UnknownSeat, SeatTaken.

        `most`: with a supervisor a patron may have up to three chairs, all of one stay.
        """
        self.require_open()
        self.require_seat(seat)
        self.seating.require_free(seat)
        stay = self.seating.stay_of(patron, most)
        address = stay.address if stay else f"{self.address}/stay-{self.seating.stays + 1}"
        self.record(
            events.PatronSeated(seat=seat, patron=patron, stay=address, continues=continues)
        )
        return self.seating.at(seat)

    def stay_at(self, seat: int) -> Stay:
        """The stay of whoever sits at a seat; in a late entry, of whoever sat there then.

        Refuses: UnknownSeat, SeatEmpty, BadValue.
        """
        self.require_seat(seat)
        if self.entered_late:
            return self.seating.require_one(seat, When.at(self.happens_at), _ENTER)
        return self.seating.at(seat)

    def stay_then(self, seat: int, when: When) -> Stay:
        """The stay of whoever sat at a seat at a moment that is over.

        Refuses: UnknownSeat, SeatEmpty, BadValue.
        """
        self.require_seat(seat)
        return self.seating.require_one(seat, when, _NAME)

    def move(self, seat: int, to: int) -> None:
        """Moves a patron and the stay to another chair (R-COM-5). Refuses: as `seat`."""
        self.require_seat(seat)
        stay = self.seating.at(seat)
        self.require_seat(to)
        self.seating.require_free(to)
        self.record(events.PatronMoved(seat=seat, to=to, patron=stay.patron, stay=stay.address))

    def choose_timing(self, stay: Stay, timing: str) -> None:
        """Sets when a stay pays commission, from the next win on (R-COM-2). Refuses: BadValue.

        Commission that is owed already stays owed until it is collected.
        """
        self.require_open()
        if self.rules.commission.timing != "deferred":
            raise BadValue(
                rule="R-COM-2",
                message=Words(
                    "With {rules} no commission is owed after the payout. There is nothing to "
                    "choose.",
                    rules=self.rules_name,
                ),
            )
        now = "as-it-wins" if stay.address in self.as_it_wins else "deferred"
        if timing == now:
            already = (
                N_("{patron} already pays commission with each win.")
                if timing == "as-it-wins"
                else N_("{patron} already pays commission later.")
            )
            raise BadValue(rule="R-COM-2", message=Words(already, patron=stay.patron))
        self.record(
            events.CommissionTimingChosen(patron=stay.patron, stay=stay.address, timing=timing)
        )

    def buy_in(self, seat: int, amount: int) -> None:
        """Takes cash into the drop box, and gives chips. Refuses: SeatEmpty."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray - amount)
        self.record(
            events.BoughtIn(seat=seat, patron=stay.patron, stay=stay.address, amount=amount)
        )

    def pay_out(self, seat: int, amount: int) -> None:
        """Takes chips into the tray, and gives cash. Refuses: SeatEmpty."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray + amount)
        self.record(
            events.CashedOut(seat=seat, patron=stay.patron, stay=stay.address, amount=amount)
        )

    def take_ticket(self, seat: int, amount: int, ticket: str) -> None:
        """Takes a ticket for the cage, and gives its worth. Refuses: SeatEmpty."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray - amount)
        self.record(
            events.TicketIn(
                seat=seat, patron=stay.patron, stay=stay.address, amount=amount, ticket=ticket
            )
        )

    def give_ticket(self, seat: int, amount: int, ticket: str) -> None:
        """Gives a ticket of the cage for its worth. Refuses: SeatEmpty."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray + amount)
        self.record(
            events.TicketOut(
                seat=seat, patron=stay.patron, stay=stay.address, amount=amount, ticket=ticket
            )
        )

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

    def leave(self, seat: int, why: str = "left") -> None:
        """Frees a chair; debts are checked before. Refuses: UnknownSeat, SeatEmpty."""
        self.require_open()
        self.require_seat(seat)
        stay = self.seating.at(seat)
        if len(self.chairs_of(stay)) > 1:
            self.record(events.ChairGivenUp(seat=seat, patron=stay.patron, stay=stay.address))
        else:
            self.record(
                events.PatronLeft(seat=seat, patron=stay.patron, stay=stay.address, why=why)
            )

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

    def require_seat(self, seat: int) -> None:
        """Refuses: UnknownSeat."""
        if seat not in self.rules.seats:
            seats = listed(map(str, self.rules.seats))
            raise UnknownSeat(table=self.address.table, seat=seat, seats=seats)


def _limits(rules: HouseRules) -> Limits:
    """The limits when the table opens, which are the rule set's."""
    stated: dict[str, Limit] = {"main": rules.main} | {
        spot: each.limit for spot, each in rules.spots.items() if each.limit
    }
    return {spot: [limit.minimum, limit.maximum] for spot, limit in stated.items()}
