"""What an act means at this table: its seat, its coup, its amounts. All raise NotUnderstood."""

from domain.rules.money import LARGEST_AMOUNT, minor
from domain.rules.wording import Words
from ops.now.table_now import SeatNow, TableNow
from ops.typed.acts import Act, NotUnderstood


def coup_in_play(act: Act, now: TableNow) -> str:
    """The address of the coup in play, else of the last one."""
    if now.coup is None:
        why = Words("No coup was opened from this shoe. For an earlier coup type its address too.")
        raise NotUnderstood(act.words, why)
    return now.coup.address


def seat_at(act: Act, number: int, now: TableNow) -> SeatNow:
    """The seat, where somebody sits at it."""
    seat = now.seat(number)
    if seat is None and now.rules and number not in now.rules.seats:
        raise NotUnderstood(act.words, Words("There is no seat {seat} here.", seat=number))
    if seat is None:
        why = Words("Nobody sits at seat {seat}. Type `seat {seat} NAME` first.", seat=number)
        raise NotUnderstood(act.words, why)
    return seat


def minor_units(act: Act, text: str, now: TableNow) -> int:
    """An amount as it was typed, in minor units of the table's money."""
    try:
        units = minor(text, now.currency)
    except ValueError:
        why = Words(
            "`{text}` is not an amount of {currency}. Type it as `100` or `12.50`.",
            text=text,
            currency=now.currency,
        )
        raise NotUnderstood(act.words, why) from None
    if units > LARGEST_AMOUNT:
        raise NotUnderstood(act.words, Words("`{text}` is more than any table has.", text=text))
    return units
