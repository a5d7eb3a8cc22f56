"""The next coup of a shoe: opened by a bet, by a coupon or as a dummy."""

from domain.aggregates.coup import Coup
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.rules.seating import Stay
from ops.handlers.carried import deal_carried
from ops.handlers.desk import Desk


def coup_to_bet_on(
    desk: Desk, day: TableDay, shoe: Shoe, seat: int, *, late: bool = False
) -> tuple[Coup, Stay]:
    """The coup in play, or the next one, opened now, and the stay at the seat.

    `late`: what is bet lay on the coup in play, over or not. Refuses: SeatEmpty, ShoeNotReady.
    """
    coup = desk.coup(shoe)
    if coup and (late or not coup.over):  # it may be of the day before a roll-over
        return coup, desk.day_of(coup).stay_at(seat)
    shoe.require_ready()
    day.require_not_held()
    stay = day.stay_at(seat)
    return open_next(desk, day, shoe), stay


def open_next(desk: Desk, day: TableDay, shoe: Shoe) -> Coup:
    """Opens the next coup of a shoe; a dummy coup is closed at once. Refuses: BadValue."""
    dummy, before = shoe.dummy, desk.coup(shoe)
    if before and before.over_at:
        desk.casino.not_before(before.over_at)
        before.require_over_by(desk.casino.moment)
    address = shoe.begin_coup()
    opened = Coup.open(address, day, shoe, at=desk.casino.moment, before=before)
    coup = desk.casino.make(opened)
    coup.bring(before)
    if dummy:
        coup.take_no_bets()
        deal_carried(shoe, coup)
    return coup


def begin_dummy(desk: Desk, day: TableDay, shoe: Shoe) -> None:
    """Opens a dummy coup, if a misdrawn card calls for one and no coup is in play (R-IRR-1).

    Not at a table on hold: there the dummy begins with `open`, after the hold.
    """
    coup = desk.coup(shoe)
    if shoe.dummy and not day.held_by and (coup is None or coup.over):
        open_next(desk, day, shoe)
