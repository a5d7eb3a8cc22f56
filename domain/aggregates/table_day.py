"""One table for one gaming day: its rules and limits, who sits where, which shoe is in play."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.aggregates.property import Property
from domain.rules import addresses
from domain.rules.house_rules import HouseRules, Limit, of
from domain.rules.layout import Limits
from domain.rules.money import LARGEST_AMOUNT, major
from domain.rules.refusals import (
    BadValue,
    SeatEmpty,
    SeatTaken,
    ShoeStepOutOfOrder,
    TableClosed,
    TableHeld,
    UnknownSeat,
)

Chips = dict[str, int]  # denomination in minor units, as text, to how many


@dataclass(frozen=True)
class Stay:
    """A patron's time at this table: who pays what it owes, whichever chair they have."""

    patron: str
    address: str


def chair(seat: int) -> str:
    """How a seat is named among those who hold something: `seat 3`, beside `dealer`."""
    return f"seat {seat}"


def total(chips: Chips) -> int:
    """What the chips are worth, in minor units."""
    return sum(int(denomination) * count for denomination, count in chips.items())


def require_countable(field: str, chips: Chips) -> None:
    """Chips are worth no more than every reader can count. Refuses: BadValue."""
    if total(chips) > LARGEST_AMOUNT:
        raise BadValue(field=field, value="worth so much", why="it is more than 2^53 minor units")


def require_chips_of(rules: HouseRules, opener: Chips) -> None:
    """An opener is of the chips that the rule set deals with. Refuses: BadValue."""
    strange = [major(each, rules.currency) for each in map(int, opener) if each not in rules.chips]
    if strange:
        chips = ", ".join(major(each, rules.currency) for each in rules.chips)
        raise BadValue(
            field="opener", value=f"of {strange[0]}", why=f"the chips of {rules.name} are {chips}"
        )


class TableDay(Aggregate):
    """One table, one gaming day."""

    TOPIC = "table-day"

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Created(Aggregate.Created):
        TOPIC = "table-day.opened"
        class_version = 2
        table: str
        day: str
        house: str
        currency: str
        zone: str
        day_begins: str
        day_ends: str
        rules: str
        rules_digest: str
        limits: Limits
        differential: int | None
        opener: Chips
        opener_total: int  # minor units
        dealer: str
        supervisor: str
        continues: str | None  # the table day that was rolled over into this one

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """There was no roll-over yet."""
            state["continues"] = None

    class PatronSeated(Aggregate.Event):
        TOPIC = "table-day.patron-seated"
        class_version = 2
        seat: int
        patron: str
        stay: str
        continues: str | None  # the stay of the table day before, which nobody ended

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """There was no roll-over yet."""
            state["continues"] = None

        def apply(self, aggregate: Any) -> None:
            """A stay begins with its first chair."""
            aggregate.began.setdefault(self.stay, self.timestamp)

    class ChairGivenUp(Aggregate.Event):
        TOPIC = "table-day.chair-given-up"  # one of several; the patron stays
        seat: int
        patron: str
        stay: str

    class PatronLeft(Aggregate.Event):
        TOPIC = "table-day.patron-left"
        class_version = 2
        seat: int
        patron: str
        stay: str
        why: str  # `left`, `closed`, or `rolled-over`: the stay goes on tomorrow

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """The first version did not say; who was sent home left, too."""
            state["why"] = "left"

    class ShoeBrought(Aggregate.Event):
        TOPIC = "table-day.shoe-brought"
        shoe: str

    class ShoeTakenOff(Aggregate.Event):
        TOPIC = "table-day.shoe-taken-off"
        shoe: str

    class LimitsChanged(Aggregate.Event):
        TOPIC = "table-day.limits-changed"
        limits: Limits  # all of them, as they are from the next coup on
        differential: int | None

    class DealerRelieved(Aggregate.Event):
        TOPIC = "table-day.dealer-relieved"
        staff: str
        before: str

    class SupervisorRelieved(Aggregate.Event):
        TOPIC = "table-day.supervisor-relieved"
        staff: str
        before: str

    class PatronMoved(Aggregate.Event):
        TOPIC = "table-day.patron-moved"
        seat: int
        to: int
        patron: str
        stay: str

    class BoughtIn(Aggregate.Event):
        TOPIC = "table-day.bought-in"  # cash into the box, chips to the patron
        seat: int
        patron: str
        stay: str
        amount: int

    class CashedOut(Aggregate.Event):
        TOPIC = "table-day.cashed-out"  # chips into the tray, cash to the patron
        seat: int
        patron: str
        stay: str
        amount: int

    class Filled(Aggregate.Event):
        TOPIC = "table-day.filled"  # chips from the cage
        slip: str
        chips: Chips
        total: int

    class Credited(Aggregate.Event):
        TOPIC = "table-day.credited"  # chips to the cage
        slip: str
        chips: Chips
        total: int

    class DropCounted(Aggregate.Event):
        TOPIC = "table-day.drop-counted"
        amount: int
        before: int | None  # what an earlier count said; None: this is the first

    class EarlierCoupPutRight(Aggregate.Event):
        TOPIC = "table-day.earlier-coup-put-right"  # of a day that is closed
        coup: str
        changes_hands: int  # to the patrons; less than 0: from them
        place: str  # `tray` of the day that is open; `cage`, when none is

    class CommissionTimingChosen(Aggregate.Event):
        TOPIC = "table-day.commission-timing-chosen"  # R-COM-2
        stay: str
        patron: str
        timing: str  # `as-it-wins`: each settlement collects it; or `deferred`, as the rules say

    class Held(Aggregate.Event):
        TOPIC = "table-day.held"  # no further coup, for a dispute's sake
        case: str
        by: str

    class Released(Aggregate.Event):
        TOPIC = "table-day.released"  # from this case; another may hold it still
        case: str
        by: str

    class TableClosed(Aggregate.Event):
        TOPIC = "table-day.table-closed"
        class_version = 2
        closer: Chips
        closer_total: int  # minor units
        expected: int | None  # what the chips in the tray should be worth
        variance: int | None  # what was counted, less what was expected
        level: str  # `none`, `report`, or `regulator`
        thresholds: list[int] | None  # over the first it is reported, from the second regulator's
        wagers_won: int | None  # what the house won on wagers, less what it took at payout
        commission: int | None  # collected in chips
        counted_by: str
        signed_by: str
        why: str  # `closed`, or `rolled-over`

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """The first version expected nothing."""
            state |= dict.fromkeys(("expected", "variance", "thresholds"))
            state |= {"level": "none", "wagers_won": None, "commission": None}
            state |= {"counted_by": "", "signed_by": "", "why": "closed"}

    # State: what later decisions ask.
    def __init__(
        self,
        table: str,
        day: str,
        rules: str,
        rules_digest: str,
        limits: Limits,
        differential: int | None,
        opener_total: int,
        dealer: str,
        supervisor: str,
    ) -> None:
        self.address = addresses.TableDay.parse(f"{table}/{day}")
        self.rules_name = rules
        self.rules_digest = rules_digest
        self.limits = limits
        self.differential = differential
        self.dealer = dealer
        self.supervisor = supervisor
        self.seats: dict[int, Stay] = {}
        self.stays = 0
        self.began: dict[str, datetime] = {}  # when each stay did
        self.as_it_wins: list[str] = []  # the stays that pay commission as they win
        self.tray = opener_total  # what its chips are worth, but for wagers and commission
        self.drop: int | None = None
        self.cash_in = 0
        self.cash_out = 0
        self.shoes = 0
        self.shoe: addresses.Shoe | None = None
        self.held_by: list[str] = []  # cases, the first one first
        self.closed = False

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the facts belong to."""
        return self.address.day, self.address.table

    @staticmethod
    def stream(address: addresses.TableDay) -> UUID:
        """Where this table day's facts are."""
        return addresses.stream_id("table-day", str(address), address.day)

    @property
    def rules(self) -> HouseRules:
        """The rule set that this table day was opened under."""
        return of(self.rules_name, self.rules_digest)

    # Commands: decide; refuse, or state a fact.
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
            cls.Created,
            cls.stream(address),
            at,
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
        self._limits_changed(limits=limits, differential=differential)

    def take_limits(self, before: "TableDay") -> None:
        """The limits of the day before go on."""
        limits = {spot: list(limit) for spot, limit in before.limits.items()}
        self._limits_changed(limits=limits, differential=before.differential)

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
        self._dealer_relieved(staff=staff, before=self.dealer)

    def relieve_supervisor(self, staff: str) -> None:
        """Another supervisor, from the next coup on. Refuses: BadValue."""
        self._require_another("supervisor", staff, self.supervisor)
        self._supervisor_relieved(staff=staff, before=self.supervisor)

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
        self._require_free(seat)
        mine = [chair for chair, stay in self.seats.items() if stay.patron == patron]
        if len(mine) >= most:
            then = (
                "one patron has one seat" if most == 1 else f"one patron has at most {most} seats"
            )
            raise SeatTaken(seat=mine[0], patron=patron, then=then)
        if mine:
            address = self.seats[mine[0]].address
            self._patron_seated(seat=seat, patron=patron, stay=address, continues=continues)
            return self.seats[seat]
        address = f"{self.address}/stay-{self.stays + 1}"
        self._patron_seated(seat=seat, patron=patron, stay=address, continues=continues)
        return self.seats[seat]

    def stay_at(self, seat: int) -> Stay:
        """Whose chair this is. Refuses: UnknownSeat, SeatEmpty."""
        self._require_seat(seat)
        if seat not in self.seats:
            raise SeatEmpty(seat=seat)
        return self.seats[seat]

    def require_here(self, stay: Stay, at: datetime) -> None:
        """Who was not here yet had no wager here (R-BET-5). Refuses: BadValue."""
        began = self.began[stay.address]
        if at < began:
            why = f"{stay.patron} sat down only at {began.isoformat()}"
            raise BadValue(rule="R-BET-5", field="at", value=at.isoformat(), why=why)

    def move(self, seat: int, to: int) -> None:
        """The patron takes another chair; the stay goes along (R-COM-5). Refuses: as `seat`."""
        stay = self.stay_at(seat)
        self._require_seat(to)
        self._require_free(to)
        self._patron_moved(seat=seat, to=to, patron=stay.patron, stay=stay.address)

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
        self._commission_timing_chosen(patron=stay.patron, stay=stay.address, timing=timing)

    def buy_in(self, seat: int, amount: int) -> None:
        """Cash into the box, and chips of that worth to the patron. Refuses: SeatEmpty."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray - amount)
        self._bought_in(seat=seat, patron=stay.patron, stay=stay.address, amount=amount)

    def pay_out(self, seat: int, amount: int) -> None:
        """Chips into the tray, and cash to the patron. Refuses: SeatEmpty."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray + amount)
        self._cashed_out(seat=seat, patron=stay.patron, stay=stay.address, amount=amount)

    def fill(self, slip: str, chips: Chips) -> None:
        """Chips came from the cage, with their slip. Refuses: TableClosed."""
        self.require_open()
        require_countable("chips", chips)
        self._require_bounded(self.tray + total(chips))
        self._filled(slip=slip, chips=chips, total=total(chips))

    def credit(self, slip: str, chips: Chips) -> None:
        """Chips went to the cage, with their slip. Refuses: TableClosed."""
        self.require_open()
        require_countable("chips", chips)
        self._require_bounded(self.tray - total(chips))
        self._credited(slip=slip, chips=chips, total=total(chips))

    def count_drop(self, amount: int) -> None:
        """The box was opened and counted, after the close as well."""
        self._drop_counted(amount=amount, before=self.drop)

    def put_right(self, coup: str, changes_hands: int) -> None:
        """A coup of a closed day was put right, with chips of this tray or, closed, the cage's."""
        place = "cage" if self.closed else "tray"
        self._earlier_coup_put_right(coup=coup, changes_hands=changes_hands, place=place)

    def hold(self, case: str, by: str) -> None:
        """No further coup until the case lets it go. Refuses: TableClosed."""
        self.require_open()
        self._held(case=case, by=by)

    def release(self, case: str, by: str) -> None:
        """As far as this case goes; a day on which it never held is as it was."""
        if case in self.held_by and not self.closed:
            self._released(case=case, by=by)

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
            self._chair_given_up(seat=seat, patron=stay.patron, stay=stay.address)
        else:
            self._patron_left(seat=seat, patron=stay.patron, stay=stay.address, why=why)

    def chairs_of(self, stay: Stay) -> list[int]:
        """The chairs that a patron has: one, or up to three."""
        return [seat for seat, each in self.seats.items() if each == stay]

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
        self._shoe_brought(shoe=str(self.next_shoe()))
        assert self.shoe is not None
        return self.shoe

    def take_shoe_off(self) -> None:
        """The shoe in play has ended."""
        assert self.shoe is not None
        self._shoe_taken_off(shoe=str(self.shoe))

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
        self._table_closed(
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

    def _require_free(self, seat: int) -> None:
        if seat in self.seats:
            patron = self.seats[seat].patron
            raise SeatTaken(seat=seat, patron=patron, then="choose another seat")

    def _require_seat(self, seat: int) -> None:
        if seat not in self.rules.seats:
            seats = ", ".join(map(str, self.rules.seats))
            raise UnknownSeat(table=self.address.table, seat=seat, seats=seats)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(PatronSeated)
    def _patron_seated(self, seat: int, patron: str, stay: str, continues: str | None) -> None:
        if stay not in {each.address for each in self.seats.values()}:
            self.stays += 1
        self.seats[seat] = Stay(patron, stay)

    @event(PatronMoved)
    def _patron_moved(self, seat: int, to: int, patron: str, stay: str) -> None:
        self.seats[to] = self.seats.pop(seat)

    @event(LimitsChanged)
    def _limits_changed(self, limits: Limits, differential: int | None) -> None:
        self.limits = limits
        self.differential = differential

    @event(DealerRelieved)
    def _dealer_relieved(self, staff: str, before: str) -> None:
        self.dealer = staff

    @event(SupervisorRelieved)
    def _supervisor_relieved(self, staff: str, before: str) -> None:
        self.supervisor = staff

    @event(BoughtIn)
    def _bought_in(self, seat: int, patron: str, stay: str, amount: int) -> None:
        self.tray -= amount
        self.cash_in += amount

    @event(CashedOut)
    def _cashed_out(self, seat: int, patron: str, stay: str, amount: int) -> None:
        self.tray += amount
        self.cash_out += amount

    @event(Filled)
    def _filled(self, slip: str, chips: Chips, total: int) -> None:
        self.tray += total

    @event(Credited)
    def _credited(self, slip: str, chips: Chips, total: int) -> None:
        self.tray -= total

    @event(DropCounted)
    def _drop_counted(self, amount: int, before: int | None) -> None:
        self.drop = amount

    @event(EarlierCoupPutRight)
    def _earlier_coup_put_right(self, coup: str, changes_hands: int, place: str) -> None:
        if place == "tray":
            self.tray -= changes_hands

    @event(CommissionTimingChosen)
    def _commission_timing_chosen(self, patron: str, stay: str, timing: str) -> None:
        if timing == "as-it-wins":
            self.as_it_wins.append(stay)
        else:
            self.as_it_wins.remove(stay)

    @event(Held)
    def _held(self, case: str, by: str) -> None:
        self.held_by.append(case)

    @event(Released)
    def _released(self, case: str, by: str) -> None:
        self.held_by.remove(case)

    @event(ChairGivenUp)
    def _chair_given_up(self, seat: int, patron: str, stay: str) -> None:
        del self.seats[seat]

    @event(PatronLeft)
    def _patron_left(self, seat: int, patron: str, stay: str, why: str) -> None:
        del self.seats[seat]

    @event(ShoeBrought)
    def _shoe_brought(self, shoe: str) -> None:
        self.shoe = addresses.Shoe.parse(shoe)
        self.shoes = self.shoe.number

    @event(ShoeTakenOff)
    def _shoe_taken_off(self, shoe: str) -> None:
        self.shoe = None

    @event(TableClosed)
    def _table_closed(
        self,
        closer: Chips,
        closer_total: int,
        expected: int | None,
        variance: int | None,
        level: str,
        thresholds: list[int] | None,
        wagers_won: int | None,
        commission: int | None,
        counted_by: str,
        signed_by: str,
        why: str,
    ) -> None:
        self.closed = True


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
