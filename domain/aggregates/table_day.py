"""One table for one gaming day: its rules and limits, who sits where, which shoe is in play."""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.aggregates.property import Property
from domain.events import table_day as events
from domain.rules import addresses
from domain.rules.chips import Chips, require_countable, total
from domain.rules.house_rules import HouseRules, Limit, of
from domain.rules.layout import Limits
from domain.rules.money import LARGEST_AMOUNT, major
from domain.rules.refusals import (
    BadValue,
    ShoeStepOutOfOrder,
    TableClosed,
    TableHeld,
    UnknownSeat,
)
from domain.rules.seating import Stay


def chair(seat: int) -> str:
    """How a seat is named among those who hold something: `seat 3`, beside `dealer`."""
    return f"seat {seat}"


class TableDay(Aggregate, events.State):
    """One table, one gaming day."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the events belong to."""
        return self.address.day, self.address.table

    @staticmethod
    def stream(address: addresses.TableDay) -> UUID:
        """Where this table day's events are."""
        return addresses.stream_id("table-day", str(address), address.day)

    @property
    def rules(self) -> HouseRules:
        """The rule set that this table day was opened under."""
        return of(self.rules_name, self.rules_digest)

    @property
    def seats(self) -> dict[int, Stay]:
        """The chairs that are taken, and by whom."""
        return self.seating.taken

    @property
    def stays(self) -> int:
        """How many began on this day."""
        return self.seating.stays

    def chairs_of(self, stay: Stay) -> list[int]:
        """The chairs that a patron has: one, or up to three."""
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
        continues: str | None = None,
    ) -> Self:
        """Opens the table for a gaming day, with its opener in the tray."""
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
                continues=continues,
            ),
            cls.stream(address),
            at,
        )

    def require_open(self) -> None:
        """Refuses: TableClosed."""
        if self.closed:
            raise TableClosed(what=str(self.address))

    def limit(
        self,
        spot: str = "main",
        minimum: int | None = None,
        maximum: int | None = None,
        differential: int | None = None,
    ) -> None:
        """What holds from the next coup on; what is not said stays. Refuses: BadValue."""
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
            raise BadValue(field="limits", value="as they are", why="say what is to change")
        self.record(events.LimitsChanged(limits=limits, differential=differential))

    def take_limits(self, before: "TableDay") -> None:
        """The limits of the day before go on."""
        limits = {spot: list(limit) for spot, limit in before.limits.items()}
        self.record(events.LimitsChanged(limits=limits, differential=before.differential))

    def _require_sensible(self, spot: str, least: int, most: int) -> None:
        self._require_step("minimum", least)
        self._require_step("maximum", most)
        rules = self.rules
        said = major(most, rules.currency)
        if least > most:
            why = f"it is under the minimum of {major(least, rules.currency)}"
            raise BadValue(field="maximum", value=said, why=why)
        spots = rules.spots if spot == "main" else [spot]
        if any(rules.most_paid(each, most) > LARGEST_AMOUNT for each in spots):
            why = "it would be paid more than 2^53 minor units"
            raise BadValue(field="maximum", value=said, why=why)

    def _require_spot(self, spot: str) -> None:
        if spot != "main" and spot not in self.rules.spots:
            spots = ", ".join(("main", *self.rules.spots))
            raise BadValue(field="spot", value=spot, why=f"{self.rules_name} has {spots}")

    def _require_step(self, field: str, amount: int) -> None:
        step, currency = self.rules.increment, self.rules.currency
        if amount % step:
            why = f"it is no multiple of {major(step, currency)}"
            raise BadValue(field=field, value=major(amount, currency), why=why)

    def relieve_dealer(self, staff: str) -> None:
        """Another dealer, from the next coup on. Refuses: BadValue, who deals already."""
        self._require_another("dealer", staff, self.dealer)
        self.record(events.DealerRelieved(staff=staff, before=self.dealer))

    def relieve_supervisor(self, staff: str) -> None:
        """Another supervisor, from the next coup on. Refuses: BadValue."""
        self._require_another("supervisor", staff, self.supervisor)
        self.record(events.SupervisorRelieved(staff=staff, before=self.supervisor))

    def _require_another(self, role: str, staff: str, now: str) -> None:
        self.require_open()
        if staff == now:
            raise BadValue(field="staff", value=staff, why=f"they are its {role} already")

    def seat(self, seat: int, patron: str, *, most: int = 1, continues: str | None = None) -> Stay:
        """A patron takes a chair, which begins a stay. Refuses: UnknownSeat, SeatTaken.

        A supervisor may let one patron have up to three; then all are the one stay.
        """
        self.require_open()
        self._require_seat(seat)
        self.seating.require_free(seat)
        stay = self.seating.stay_of(patron, most)
        address = stay.address if stay else f"{self.address}/stay-{self.seating.stays + 1}"
        self.record(
            events.PatronSeated(seat=seat, patron=patron, stay=address, continues=continues)
        )
        return self.seating.at(seat)

    def stay_at(self, seat: int) -> Stay:
        """Whose chair this is. Refuses: UnknownSeat, SeatEmpty."""
        self._require_seat(seat)
        return self.seating.at(seat)

    def require_here(self, stay: Stay, at: datetime) -> None:
        """Who was not here yet had no wager here (R-BET-5). Refuses: BadValue."""
        began = self.seating.began[stay.address]
        if at < began:
            why = f"{stay.patron} sat down only at {began.isoformat()}"
            raise BadValue(rule="R-BET-5", field="at", value=at.isoformat(), why=why)

    def move(self, seat: int, to: int) -> None:
        """The patron takes another chair; the stay goes along (R-COM-5). Refuses: as `seat`."""
        stay = self.stay_at(seat)
        self._require_seat(to)
        self.seating.require_free(to)
        self.record(events.PatronMoved(seat=seat, to=to, patron=stay.patron, stay=stay.address))

    def choose_timing(self, stay: Stay, timing: str) -> None:
        """When a stay pays the commission of what it wins from now on (R-COM-2). Refuses: BadValue.

        What it owes already stays owed until it is collected.
        """
        self.require_open()
        if self.rules.commission.timing != "deferred":
            why = f"{self.rules_name} leaves no commission owed that could be paid sooner"
            raise BadValue(rule="R-COM-2", field="timing", value=timing, why=why)
        now = "as-it-wins" if stay.address in self.as_it_wins else "deferred"
        if timing == now:
            why = f"{stay.patron} pays so already"
            raise BadValue(rule="R-COM-2", field="timing", value=timing, why=why)
        self.record(
            events.CommissionTimingChosen(patron=stay.patron, stay=stay.address, timing=timing)
        )

    def buy_in(self, seat: int, amount: int) -> None:
        """Cash into the box, and chips of that worth to the patron. Refuses: SeatEmpty."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray - amount)
        self.record(
            events.BoughtIn(seat=seat, patron=stay.patron, stay=stay.address, amount=amount)
        )

    def pay_out(self, seat: int, amount: int) -> None:
        """Chips into the tray, and cash to the patron. Refuses: SeatEmpty."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray + amount)
        self.record(
            events.CashedOut(seat=seat, patron=stay.patron, stay=stay.address, amount=amount)
        )

    def fill(self, slip: str, chips: Chips) -> None:
        """Chips came from the cage, with their slip. Refuses: TableClosed."""
        self.require_open()
        require_countable("chips", chips)
        self._require_bounded(self.tray + total(chips))
        self.record(events.Filled(slip=slip, chips=chips, total=total(chips)))

    def credit(self, slip: str, chips: Chips) -> None:
        """Chips went to the cage, with their slip. Refuses: TableClosed."""
        self.require_open()
        require_countable("chips", chips)
        self._require_bounded(self.tray - total(chips))
        self.record(events.Credited(slip=slip, chips=chips, total=total(chips)))

    def count_drop(self, amount: int) -> None:
        """The box was opened and counted, after the close as well."""
        self.record(events.DropCounted(amount=amount, before=self.drop))

    def put_right(self, coup: str, changes_hands: int) -> None:
        """A coup of a closed day was put right, with chips of this tray or, closed, the cage's."""
        place = "cage" if self.closed else "tray"
        self.record(events.EarlierCoupPutRight(coup=coup, changes_hands=changes_hands, place=place))

    def hold(self, case: str, by: str) -> None:
        """No further coup until the case lets it go. Refuses: TableClosed."""
        self.require_open()
        self.record(events.Held(case=case, by=by))

    def release(self, case: str, by: str) -> None:
        """As far as this case goes; a day on which it never held is as it was."""
        if case in self.held_by and not self.closed:
            self.record(events.Released(case=case, by=by))

    def require_not_held(self) -> None:
        """Refuses: TableHeld."""
        if self.held_by:
            raise TableHeld(table=self.address.table, cases=" and ".join(self.held_by))

    def _require_bounded(self, tray: int) -> None:
        """Amounts that every reader can still tell apart. Refuses: BadValue."""
        if abs(tray) > LARGEST_AMOUNT:
            why = "the tray would be off by more than 2^53 minor units"
            raise BadValue(field="amount", value="so much", why=why)

    def leave(self, seat: int, why: str = "left") -> None:
        """The patron goes; what the stay owes was asked before. Refuses: UnknownSeat, SeatEmpty."""
        self.require_open()
        stay = self.stay_at(seat)
        if len(self.chairs_of(stay)) > 1:
            self.record(events.ChairGivenUp(seat=seat, patron=stay.patron, stay=stay.address))
        else:
            self.record(
                events.PatronLeft(seat=seat, patron=stay.patron, stay=stay.address, why=why)
            )

    def next_shoe(self) -> addresses.Shoe:
        """The shoe that may come to the table now. Refuses: ShoeStepOutOfOrder."""
        self.require_open()
        if self.shoe is not None:
            raise ShoeStepOutOfOrder(
                shoe=f"Shoe {self.shoes + 1}", step="loaded", why=f"end {self.shoe} first"
            )
        return addresses.Shoe(self.address, self.shoes + 1)

    def bring_shoe(self) -> addresses.Shoe:
        """The next shoe of the day comes to the table. Refuses: ShoeStepOutOfOrder."""
        self.record(events.ShoeBrought(shoe=str(self.next_shoe())))
        assert self.shoe is not None
        return self.shoe

    def take_shoe_off(self) -> None:
        """The shoe in play has ended."""
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
    ) -> None:
        """Everybody leaves and the tray is counted. Refuses: TableClosed, ShoeStepOutOfOrder.

        `wagers_won` and `commission`: the chips that they brought into the tray.
        """
        self.require_open()
        if self.shoe is not None:
            raise ShoeStepOutOfOrder(
                shoe=str(self.shoe), step="left on the table", why="end the shoe, then close"
            )
        require_countable("closer", closer)
        for seat in sorted(self.seats):
            self.leave(seat, why)
        expected = self.tray + wagers_won + commission
        variance = total(closer) - expected
        self.record(
            events.TableClosed(
                closer=closer,
                closer_total=total(closer),
                expected=expected,
                variance=variance,
                level=_level(abs(variance), house),
                thresholds=[house.variance_report, house.variance_regulator],
                wagers_won=wagers_won,
                commission=commission,
                counted_by=counted_by,
                signed_by=signed_by,
                why=why,
            )
        )

    def _require_seat(self, seat: int) -> None:
        if seat not in self.rules.seats:
            seats = ", ".join(map(str, self.rules.seats))
            raise UnknownSeat(table=self.address.table, seat=seat, seats=seats)


def _level(off: int, house: Property) -> str:
    """Who hears of what the tray has too much or too little."""
    if off >= house.variance_regulator:
        return "regulator"
    return "report" if off > house.variance_report else "none"


def _limits(rules: HouseRules) -> Limits:
    """The limits in force when the table opens: the rule set's own."""
    stated: dict[str, Limit] = {"main": rules.main} | {
        spot: each.limit for spot, each in rules.spots.items() if each.limit
    }
    return {spot: [limit.minimum, limit.maximum] for spot, limit in stated.items()}
