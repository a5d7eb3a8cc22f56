"""The commission that patrons owe: when they pay it, what they paid, what is waived."""

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.refusals import BadValue, MissingField, NotFound
from domain.rules.seating import Stay
from domain.rules.wording import Words
from ops.commands import commission as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles

_WHOSE = Words("Whose commission is it? Name a seat or a patron.")


@handles(commands.CommissionCollect)
def collect(desk: Desk, command: commands.CommissionCollect) -> None:
    """Collects commission from a seat, or from a named patron, who may have left."""
    _account_of(desk, command).collect(command.amount)


@handles(commands.CommissionTiming)
def choose_timing(desk: Desk, command: commands.CommissionTiming) -> None:
    """Changes when a stay pays commission: as it wins or later; from the next win on."""
    day = desk.table_day(command.table)
    seat = _seat_of(desk, day, command)
    day.choose_timing(day.stay_at(seat), command.timing)


def _seat_of(desk: Desk, day: TableDay, command: commands.CommissionTiming) -> int:
    """The seat that the command names, or the named patron's first seat.

    Refuses: MissingField, NotFound, SeatEmpty, BadValue.
    """
    if command.seat is not None:
        _require_their_seat(desk, day, command)
        return command.seat
    if command.patron is None:
        raise MissingField(message=_WHOSE)
    for seat, stay in sorted(day.seats.items()):
        if desk.same(stay.patron, command.patron):
            return seat
    raise NotFound(
        message=Words(
            "{patron} has no seat at {table}.", patron=command.patron, table=day.address.table
        )
    )


@handles(commands.CommissionWaive)
def waive(desk: Desk, command: commands.CommissionWaive) -> None:
    """Waives commission, by two people and with a reason."""
    desk.require_two(Words("Waiving commission"), command)
    by, second = desk.casino.actor, desk.second(command)
    _account_of(desk, command).waive(command.amount, command.reason, by, second)


@handles(commands.CommissionWalked)
def walk(desk: Desk, command: commands.CommissionWalked) -> None:
    """Writes off the commission of a patron who left, by two people and with a reason."""
    desk.require_two(Words("Writing commission off"), command)
    by, second = desk.casino.actor, desk.second(command)
    _account_of(desk, command).walk(command.amount, command.reason, by, second)


@handles(commands.CommissionReceipt)
def print_receipt(desk: Desk, command: commands.CommissionReceipt) -> None:
    """Records that a receipt of a stay was printed. Refuses: NotFound."""
    receipt = addresses.Receipt.parse(command.receipt)
    stream = CommissionAccount.stream(receipt.stay, receipt.table_day)
    account = desk.casino.find(CommissionAccount, stream)
    if account is None:
        raise NotFound(what=Words("receipt {receipt}", receipt=receipt))
    account.print_receipt(str(receipt))


def _require_their_seat(
    desk: Desk,
    day: TableDay,
    command: commands.CommissionCollect | commands.CommissionTiming | commands.LettingGo,
) -> Stay:
    """The stay at a seat; refused if a patron is named and it is not theirs.

    Refuses: SeatEmpty, BadValue.
    """
    assert command.seat is not None
    stay = day.stay_at(command.seat)
    if command.patron not in (None, stay.patron):
        raise BadValue(
            message=Words(
                "Seat {seat} is {patron}'s, not {other}'s. Name one of the two.",
                seat=command.seat,
                patron=stay.patron,
                other=command.patron,
            )
        )
    return stay


def _account_of(
    desk: Desk, command: commands.CommissionCollect | commands.LettingGo
) -> CommissionAccount:
    """The account of a seat or a patron: their first stay that owes, else their last one.

    Refuses: MissingField, NotFound, SeatEmpty, BadValue.
    """
    day = desk.table_day(command.table)
    if command.seat is not None:
        stay = _require_their_seat(desk, day, command)
        theirs = desk.accounts_of(day, stay.patron)
    elif command.patron is None:
        raise MissingField(message=_WHOSE)
    else:
        theirs = desk.accounts_of(day, command.patron)
    if not theirs:
        raise NotFound(
            message=Words(
                "{patron} did not sit at {day}. Name who did, or a seat.",
                patron=command.patron,
                day=day.address,
            )
        )
    return next((each for each in theirs if each.owed), theirs[-1])
