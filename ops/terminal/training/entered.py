"""What is entered at the table, beside what should be entered at a moment of the course."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.rules.spots import in_order
from domain.rules.wording import listed
from ops.now.table_now import SeatNow, TableNow
from ops.terminal.training.moments import Betting, Dealing, Leaving, Moment, Paying, Step
from ops.words import show

STEPS = ("loaded", "inspected", "shuffled", "cut", "burned")


def dealt(now: TableNow) -> int:
    """How many cards of the coup are entered."""
    return len(now.coup.player.cards) + len(now.coup.banker.cards) if now.coup else 0


def is_recorded(moment: Moment, number: int, now: TableNow) -> bool:
    """Whether what was due at this moment of coup `number` is entered."""
    match moment:
        case Step(step=step):
            return now.shoe is not None and _reached(now.shoe.step, step)
        case Betting():
            return now.coup is not None and _in_play(number, now) and now.coup.phase != "betting"
        case Dealing(cards=cards):
            return dealt(now) >= len(cards)
        case Paying():
            return now.coup is not None and now.coup.over
        case Leaving(seat=place, patron=patron):
            seat = now.seat(place)
            return seat is None or seat.patron != patron
        case _:
            return now.owed == 0


def _reached(step: str, wanted: str) -> bool:
    return step in STEPS and STEPS.index(step) >= STEPS.index(wanted)


def _in_play(number: int, now: TableNow) -> bool:
    """Whether the coup of this number is open at the table."""
    return now.coup is not None and now.coup.number == number


def wagers_entered(number: int, now: TableNow) -> dict[tuple[int, str], int]:
    """The stakes that are entered for coup `number`, in minor units by seat and spot."""
    if not _in_play(number, now):
        return {}  # the table still shows the wagers of the coup before
    return {(seat.seat, each.spot): each.stake for seat in now.seats for each in seat.wagers}


def differences(moment: Betting, number: int, now: TableNow) -> Iterator[str]:
    """Sentences about each wager that is entered otherwise than it is placed, or not at all."""
    on_layout = {(each.seat, each.spot): each.stake for each in moment.wagers}
    entered = wagers_entered(number, now)
    both = on_layout.keys() | entered.keys()
    missing = []
    for seat, spot in sorted(both, key=lambda each: (each[0], in_order(each[1]))):
        placed, typed = on_layout.get((seat, spot), 0), entered.get((seat, spot), 0)
        if placed == typed:
            continue
        name = show.spot_called(spot)
        stake, amount = show.chips(placed, now.currency), show.chips(typed, now.currency)
        if not typed:
            missing.append(f"seat {seat}'s {stake} on {name}")
        elif not placed:
            yield f"Seat {seat} has no bet on {name}; you entered {amount}."
        else:
            yield f"Seat {seat} has {stake} on {name}; you entered {amount}."
    if missing:
        yield f"You have not entered {listed(missing)}."


def unpaid(now: TableNow) -> tuple[SeatNow, ...]:
    """The seats, without the payments."""
    if now.coup is None or now.coup.phase != "resulted":
        return now.seats
    return tuple(
        replace(seat, wagers=tuple(replace(each, payment=None) for each in seat.wagers))
        for seat in now.seats
    )
