"""Who sits at a table on one day: chairs and stays, and the cash and tickets that they bring."""

from typing import Any

from domain.aggregates.tray_counts import CountedTray
from domain.events import table_day as events
from domain.events import table_money
from domain.rules.refusals import BadValue, UnknownSeat
from domain.rules.seating import Stay, When
from domain.rules.wording import N_, Words, listed

# What to do when a seat does not say whose something was.
_ENTER = Words("Give its own moment, or enter first who sat down there, with `table seat`.")
_NAME = Words("Name whose it was: `--patron` and the patron, or their stay, as in `stay-3`.")


def chair(seat: int) -> str:
    """The name of a seat in events that may also name the dealer: `seat 3`, beside `dealer`."""
    return f"seat {seat}"


class SeatedTable(CountedTray, events.State):
    """A table and the patrons at its seats."""

    @property
    def seats(self) -> dict[int, Stay]:
        """The chairs that are taken, each with its stay."""
        return self.seating.taken

    @property
    def stays(self) -> int:
        """The number of stays that began on this day."""
        return self.seating.stays

    def chairs_of(self, stay: Stay) -> list[int]:
        """The chairs of a stay: one to three."""
        return self.seating.chairs_of(stay)

    def require_seat(self, seat: int) -> None:
        """Refuses: UnknownSeat."""
        if seat not in self.rules.seats:
            seats = listed(map(str, self.rules.seats))
            raise UnknownSeat(table=self.address.table, seat=seat, seats=seats)

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
        """The stay at a seat now; for a late entry, the stay there at the moment it happened.

        Refuses: UnknownSeat, SeatEmpty, BadValue.
        """
        self.require_seat(seat)
        if self.entered_late:
            return self.seating.require_one(seat, When.at(self.happens_at), _ENTER)
        return self.seating.at(seat)

    def stay_then(self, seat: int, when: When) -> Stay:
        """The stay that was at a seat at an earlier moment.

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
        self.record(events.PatronMoved(**stay.on(seat), to=to))

    def leave(self, seat: int, why: str = "left") -> None:
        """Frees a chair; debts are checked before. Refuses: UnknownSeat, SeatEmpty."""
        self.require_open()
        self.require_seat(seat)
        stay = self.seating.at(seat)
        if len(self.chairs_of(stay)) > 1:
            self.record(events.ChairGivenUp(**stay.on(seat)))
        else:
            self.record(events.PatronLeft(**stay.on(seat), why=why))

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

    def opens_for(self, stay: Stay) -> dict[str, Any]:
        """The fields with which an account of a stay is opened here."""
        return {
            "stay": stay.address,
            "patron": stay.patron,
            "table_day": str(self.address),
            "currency": self.rules.currency,
        }

    # Cash and tickets.
    def buy_in(self, seat: int, amount: int) -> None:
        """Takes cash into the drop box, and gives chips. Refuses: SeatEmpty."""
        self.record(table_money.BoughtIn(**self._moving(seat, -amount), amount=amount))

    def pay_out(self, seat: int, amount: int) -> None:
        """Takes chips into the tray, and gives cash. Refuses: SeatEmpty."""
        self.record(table_money.CashedOut(**self._moving(seat, amount), amount=amount))

    def take_ticket(self, seat: int, amount: int, ticket: str) -> None:
        """Takes a ticket for the cage, and gives its worth. Refuses: SeatEmpty."""
        self.record(
            table_money.TicketIn(**self._moving(seat, -amount), amount=amount, ticket=ticket)
        )

    def give_ticket(self, seat: int, amount: int, ticket: str) -> None:
        """Gives a ticket of the cage for its worth. Refuses: SeatEmpty."""
        self.record(
            table_money.TicketOut(**self._moving(seat, amount), amount=amount, ticket=ticket)
        )

    def _moving(self, seat: int, into_tray: int) -> dict[str, Any]:
        """The fields of a movement that tell whose it is. Refuses: SeatEmpty, BadValue."""
        stay = self.stay_at(seat)
        self._require_bounded(self.tray + into_tray)
        return stay.on(seat)
