"""The commission that patrons owe: when they pay it, what they paid, what is waived."""

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.forms import PARTS
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.refusals import BadValue, MissingField, NotFound
from domain.rules.seating import Stay, When
from domain.rules.wording import Words
from ops.commands import commission as commands
from ops.handlers import forms
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.known_names import not_here
from ops.handlers.whose import named_then

_WHOSE = Words("Whose commission is it? Name a seat or a patron.")


@handles(commands.CommissionCollect)
def collect(desk: Desk, command: commands.CommissionCollect) -> None:
    """Collects commission from a seat, or from a named patron, who may have left.

    What was written off may be paid at any table, on any later day.
    """
    day, then = desk.table_day(command.table), desk.day_then(command.table)
    if then.address != day.address:
        _collect_before(desk, command, day, then)
        return
    account = _debtor(desk, command)
    walked, elsewhere = account.walked, account.table_day != day.address
    account.collect(command.amount, elsewhere=elsewhere)
    if elsewhere:
        day.recover_commission(account.patron, account.stay, command.amount)
    forms.issue_recovery(desk, day, account, walked, command)


def _collect_before(
    desk: Desk, command: commands.CommissionCollect, day: TableDay, then: TableDay
) -> None:
    """Collects what was paid before a roll-over and is entered since; the tray of then had it.

    Refuses: MissingField, NotFound, SeatEmpty, BadValue, OverCollected.
    """
    at, seat = desk.casino.moment, command.seat
    patron, here = _accounts_here(desk, day, command)
    owes = next((each for each in here if each.owed), None) or _last(desk, here, patron, day)
    stay = then.stay_at(seat) if seat else named_then(desk, then, patron, When.at(at))
    number = then.session_at(at)
    off = then.variances_of(number)
    desk.stays.account(stay.address).collect_before(owes, command.amount)
    then.reckon_again(number, desk.house(), off, commission=command.amount, came_at=at)


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
        if desk.names.same(stay.patron, command.patron):
            return seat
    message = Words(
        "{patron} has no seat at {table}.", patron=command.patron, table=day.address.table
    )
    raise not_here(command.patron, (each.patron for each in day.seats.values()), message)


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
    account = _account_of(desk, command)
    walked = account.walked
    account.walk(command.amount, command.reason, by, second)
    forms.issue_uncollected(desk, account, walked, command.reason, command)


@handles(commands.CommissionReceipt)
def print_receipt(desk: Desk, command: commands.CommissionReceipt) -> None:
    """Records that a receipt of a stay was printed. Refuses: NotFound."""
    receipt = addresses.Receipt.parse(command.receipt)
    stream = CommissionAccount.stream(receipt.stay)
    account = desk.casino.find(CommissionAccount, stream)
    if account is None:
        raise NotFound(what=Words("receipt {receipt}", receipt=receipt))
    account.print_receipt(str(receipt))


@handles(commands.CommissionForm)
def print_form(desk: Desk, command: commands.CommissionForm) -> None:
    """Records that a form was printed: one of its parts, or both. Refuses: BadValue, NotFound."""
    form = addresses.Form.parse(command.form)
    book = forms.book_of(desk, form)
    for part in (command.part,) if command.part else PARTS:
        book.print_part(str(form), part)


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


def _debtor(desk: Desk, command: commands.CommissionCollect) -> CommissionAccount:
    """The account that a payment is for: one that owes here, else the oldest with an open form.

    Without either, the patron's last one here.
    Refuses: MissingField, NotFound, SeatEmpty, BadValue.
    """
    day = desk.table_day(command.table)
    patron, here = _accounts_here(desk, day, command)
    owing = next((each for each in here if each.owed), None)
    written_off = (each for each in here if sum(each.walked.values()))
    return (
        owing
        or next(forms.with_open_form(desk, day, patron), None)
        or next(written_off, None)
        or _last(desk, here, patron, day)
    )


def _account_of(desk: Desk, command: commands.LettingGo) -> CommissionAccount:
    """The account of a seat or a patron: their first stay that owes, else their last one.

    Refuses: MissingField, NotFound, SeatEmpty, BadValue.
    """
    open_day = command.day is None
    day = desk.table_day(command.table) if open_day else desk.named_day(command.table, command.day)
    patron, here = _accounts_here(desk, day, command)
    return next((each for each in here if each.owed), None) or _last(desk, here, patron, day)


def _accounts_here(
    desk: Desk, day: TableDay, command: commands.CommissionCollect | commands.LettingGo
) -> tuple[str, list[CommissionAccount]]:
    """The patron of a seat, or the named one, with their accounts of this table day.

    Refuses: MissingField, SeatEmpty, BadValue.
    """
    if command.seat is not None:
        of_seat = day if day.closed else desk.day_then(command.table)
        patron = _require_their_seat(desk, of_seat, command).patron
    elif command.patron is None:
        raise MissingField(message=_WHOSE)
    else:
        patron = command.patron
    return patron, desk.stays.accounts_of(day, patron)


def _last(
    desk: Desk, here: list[CommissionAccount], patron: str, day: TableDay
) -> CommissionAccount:
    """The last of a patron's accounts. Refuses: NotFound."""
    if not here:
        raise desk.stays.no_stay_of(day, patron)
    return here[-1]
