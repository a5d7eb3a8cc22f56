"""Money that was typed wrong, put right: another amount, seat, patron or chips, or it never was."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.slips import SlipBook, gaming_year
from domain.aggregates.table_day import TableDay
from domain.aggregates.tray import Signed, Wrong
from domain.events import commission_account, open_money, table_counts, table_day, table_money
from domain.rules.chips import Chips
from domain.rules.refusals import BadValue, MissingField, NoAccount, NotFound
from domain.rules.seating import Stay, When
from domain.rules.wording import N_, Words
from ops.commands import money as commands
from ops.handlers import open_items
from ops.handlers.accounts import is_here
from ops.handlers.carded import require_card_for_cash
from ops.handlers.cash import cash_of, correct_cash_of
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.little_play import note_little_play
from ops.handlers.openers import compare_opener
from ops.handlers.whose import named_then
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_command_at, read_newest_first

if TYPE_CHECKING:
    import psycopg

    from domain.rules.chips import Chips
    from domain.rules.regimes import Direction
    from ops.ledger.chain import Recorded

_OF_CASH = (table_money.BoughtIn, table_money.CashedOut, table_money.CashCorrected)
_OF_CHIPS = (
    *(table_day.Opened, table_day.Reopened, table_money.Filled, table_money.Credited),
    *(table_money.ColourChanged, table_money.ChipsCorrected),
)
_OF_COMMISSION = (
    commission_account.CommissionCollected,
    commission_account.CollectionCorrected,
)
_MONEY = (*_OF_CASH, *_OF_CHIPS, *_OF_COMMISSION, open_money.LeftOpenSettled)
_CORRECTIONS = (
    *(table_money.CashCorrected, table_money.ChipsCorrected),
    *(commission_account.CollectionCorrected, open_money.SettlementTakenBack),
)
_TICKETS = (table_money.TicketIn, table_money.TicketOut)
# What somebody entered first.
_ENTRIES = tuple(each for each in (*_MONEY, *_TICKETS) if each not in _CORRECTIONS)
_ELSEWHERE = {
    table_counts.DropCounted: N_("#{position} is a count of the drop. Use `table drop-recount`."),
    table_counts.TableClosed: N_("#{position} is a closer. Count again, with `table recount`."),
    table_money.TicketIn: N_("#{position} is a ticket. Pay the difference in or out."),
    table_money.TicketOut: N_("#{position} is a ticket. Pay the difference in or out."),
    table_counts.CloserRecounted: N_("#{position} is a closer. Count again, with `table recount`."),
}


@handles(commands.MoneyCorrect)
def correct(desk: Desk, command: commands.MoneyCorrect) -> None:
    """Corrects a movement of money; what follows from it follows by itself.

    Refuses: NotFound, MissingField, BadValue, OverCollected.
    """
    signed = desk.signed(Words("Correcting money"), command, command.reason)
    position, event = _moved_by(desk, command)
    if isinstance(event, _OF_COMMISSION):
        _correct_collection(desk, command, position, event, signed)
        return
    if isinstance(event, open_money.LeftOpenSettled):
        _correct_settlement(desk, command, position, event, signed)
        return
    day = desk.casino.find(TableDay, event.originator_id)
    assert day is not None
    entry = getattr(event, "entry", event.originator_version)
    number = day.movement(entry).session
    came_at, on_accounts = day.movement(entry).at, 0
    off = day.variances_of(number)
    wrong = Wrong(position, entry, desk.local(came_at).isoformat(timespec="seconds"))
    if isinstance(event, _OF_CASH):
        on_accounts = _correct_cash(desk, command, day, wrong, signed)
    else:
        _correct_chips(desk, command, day, wrong, signed)
    day.reckon_again(number, desk.house(), off, wagers_won=on_accounts, came_at=came_at)


def _moved_by(desk: Desk, command: commands.MoneyCorrect) -> tuple[int, Any]:
    """The position and the event of the money that the command names.

    A position names the money of its whole command. Refuses: NotFound, MissingField.
    """
    with desk.casino.ledger.connection() as connection:
        if command.position == commands.LAST:
            if command.table is None:
                raise MissingField(
                    message=Words("Of which table is it the last one? Name the table.")
                )
            rows = _last_of(connection, command.table)
        else:
            rows = read_command_at(connection, int(command.position))
    events = [(row.position, event_of(row)) for row in rows]
    if any(isinstance(event, commission_account.CommissionOwedAgain) for _, event in events):
        raise BadValue(
            message=Words(
                "This payment recovered commission that was written off, on a numbered form. "
                "Collect more, or write off again, instead."
            )
        )
    for position, event in events:
        if isinstance(event, open_money.LeftOpenSettled):
            return _answered(desk, position), event
        if isinstance(event, _MONEY) and not _is_part(event):
            return getattr(event, "position", position), event
    for position, event in events:
        if type(event) in _ELSEWHERE:
            raise NotFound(message=Words(_ELSEWHERE[type(event)], position=position))
    raise NotFound(
        message=Words(
            "There is no money at #{position}. Name a buy-in, a cash-out, a collection, a fill, a "
            "credit, a colour change or an opener.",
            position=command.position,
        )
    )


def _answered(desk: Desk, position: int) -> int:
    """The number that the command answered which recorded this position."""
    with desk.casino.ledger.connection() as connection:
        return read_command_at(connection, position)[-1].position


def _is_part(event: Any) -> bool:
    """Whether commission was paid with other money: in a payment of a bet, or in a settlement."""
    return isinstance(event, _OF_COMMISSION) and getattr(event, "how", "patron") != "patron"


def _last_of(connection: "psycopg.Connection[Any]", table: str) -> "list[Recorded]":
    """The command that entered a table's last money, whatever was put right since.

    A payment of commission that was found to be another patron's is where that correction put it.
    """
    moved: dict[int, Any] = {}
    for row in read_newest_first(connection, table, [each.TOPIC for each in _ENTRIES]):
        event = event_of(row)
        if _is_part(event):
            continue
        together = read_command_at(connection, row.position)
        corrected = next(
            (each for each in map(event_of, together) if isinstance(each, _CORRECTIONS)), None
        )
        if corrected:
            moved.setdefault(corrected.position, row)
        else:
            named = (moved[each.position] for each in together if each.position in moved)
            return list(named)[:1] or together
    return []


def _correct_cash(
    desk: Desk,
    command: commands.MoneyCorrect,
    day: TableDay,
    wrong: Wrong,
    signed: Signed,
) -> int:
    """Corrects a buy-in or a cash-out, and the cash of the day of whoever it was.

    Returns how much more went onto game accounts.
    """
    before = day.movement(wrong.entry)
    amount = _amount(command, before.amount)
    was = Stay(before.patron, before.stay)
    seat, stay = _whose(desk, day, command, before.seat, was, before.at)
    day.correct_cash(wrong, seat, stay, amount, signed)
    if before.kind == "buy-in" and before.amount != amount:
        day.compare_boxes_again()
    on_accounts = 0
    if day.rules.accounts:
        now = day.movement(wrong.entry)
        on_accounts = _correct_accounts(desk, wrong, before, now, signed)
    direction: Direction = "in" if before.kind == "buy-in" else "out"
    changes = {before.patron: -before.amount}
    changes[stay.patron] = changes.get(stay.patron, 0) + amount
    for name, more in changes.items():
        if more:
            cash = cash_of(desk, desk.names.identity(name), day.address.day)
            became = amount if name == stay.patron else 0
            table = day.address.table
            one = {"became": became, "transaction": wrong.position}
            correct_cash_of(desk, cash, direction, more, **one, table=table, name=name)
            note_little_play(desk, cash)
            if direction == "in" and more > 0:
                require_card_for_cash(desk, day, seat, name, 0, past=True)
    return on_accounts


def _correct_accounts(
    desk: Desk,
    wrong: Wrong,
    was: table_money.Movement,
    now: table_money.Movement,
    signed: Signed,
) -> int:
    """Corrects game accounts, if the cash went through one; how much more went onto them.

    Refuses: NoAccount.
    """
    account = desk.stays.game_account(Stay(was.patron, was.stay))
    if account is None or wrong.entry not in account.cash:
        return 0
    direction: Direction = "in" if was.kind == "buy-in" else "out"
    into, place = -table_money.SIGN[was.kind], account.cash[wrong.entry]
    changes = {was.stay: (was, -was.amount)}
    _, more = changes.get(now.stay, (now, 0))
    changes[now.stay] = now, more + now.amount
    for whose, more in changes.values():
        changed = desk.stays.game_account(Stay(whose.patron, whose.stay))
        if changed is None:
            raise NoAccount(seat=whose.seat)
        if more:
            changed.correct_cash(
                *(wrong.position, wrong.entry, whose.seat, into * more, signed),
                was=direction,
                place=place,
            )
            if not is_here(desk, changed):
                changed.leave_open(whose.seat)
    return into * (now.amount - was.amount)


def _amount(command: commands.MoneyCorrect, before: int) -> int:
    """What it really was, in minor units. Refuses: MissingField, BadValue."""
    if command.chips is not None:
        raise BadValue(message=Words("That was no count of chips. Give the amount."))
    if command.withdrawn:
        return 0
    if command.amount is None and command.seat is None and command.patron is None:
        raise MissingField(
            message=Words(
                "What was it really? Give an amount, a seat or a patron, or `withdrawn` if it "
                "never was."
            )
        )
    return before if command.amount is None else command.amount


def _whose(
    desk: Desk,
    day: TableDay,
    command: commands.MoneyCorrect,
    seat: int,
    stay: Stay,
    at: datetime,
) -> tuple[int, Stay]:
    """Whose money it really was when it moved: the seat and the stay.

    Refuses: SeatEmpty, NotFound, BadValue.
    """
    when = When.at(at)
    if command.patron is not None:
        rightly = seat if command.seat is None else command.seat
        return rightly, named_then(desk, day, command.patron, when)
    if command.seat is not None:
        return command.seat, day.stay_then(command.seat, when)
    return seat, stay


def _correct_chips(
    desk: Desk,
    command: commands.MoneyCorrect,
    day: TableDay,
    wrong: Wrong,
    signed: Signed,
) -> None:
    """Corrects the chips of an opener, a fill or a credit, and its slip; or a colour change."""
    before = day.movement(wrong.entry)
    if before.kind == "colour-change":
        desk.require_chips(day.rules, command.taken or {}, command.given or {})
        _correct_colour(command, day, wrong, signed)
        return
    if command.chips is None and not command.withdrawn:
        raise MissingField(
            message=Words("Which chips was it really? Give them, as in `--chips 100=20`.")
        )
    chips: Chips = {} if command.withdrawn else command.chips or {}
    desk.require_chips(day.rules, chips)
    day.correct_chips(wrong, chips, signed)
    if before.kind == "opener":
        compare_opener(desk, day, before.session)
    if before.slip:
        book = desk.casino.find(SlipBook, SlipBook.stream(gaming_year(day.address.day)))
        assert book is not None
        book.correct(before.slip, chips, signed)


def _correct_colour(
    command: commands.MoneyCorrect, day: TableDay, wrong: Wrong, signed: Signed
) -> None:
    """Corrects the chips of a colour change, both those taken and those given."""
    if not command.withdrawn and (command.taken is None or command.given is None):
        raise MissingField(
            message=Words(
                "Which chips was it really? Give both, as in `--taken 5=20 --given 100=1`."
            )
        )
    taken, given = (command.taken or {}, command.given or {}) if not command.withdrawn else ({}, {})
    day.correct_colour(wrong, taken, given, signed)


def _correct_collection(
    desk: Desk,
    command: commands.MoneyCorrect,
    position: int,
    event: commission_account.CommissionCollected | commission_account.CollectionCorrected,
    signed: Signed,
) -> None:
    """Corrects commission that was collected; another patron's is collected from them instead."""
    account = desk.casino.find(CommissionAccount, event.originator_id)
    assert account is not None
    day = desk.casino.find(TableDay, TableDay.stream(account.table_day))
    assert day is not None
    receipt = getattr(event, "wrong_receipt", event.receipt)
    paid = account.paid_under(receipt)
    amount = _amount(command, paid)
    paid_at = _paid_at(desk, position, event)
    _, stay = _whose(desk, day, command, 0, Stay(account.patron, account.stay), paid_at)
    number = day.session_at(paid_at)
    off = day.variances_of(number)
    moved_at = desk.local(paid_at).isoformat(timespec="seconds")
    rightly = amount if stay.address == account.stay else 0
    with _owed_where_they_sit(desk, account):
        account.correct_collection(position, moved_at, receipt, rightly, signed)
    if stay.address != account.stay and amount:
        desk.stays.account(stay.address).collect(amount)
    day.reckon_again(number, desk.house(), off, commission=amount - paid, came_at=paid_at)


def _correct_settlement(
    desk: Desk,
    command: commands.MoneyCorrect,
    position: int,
    event: open_money.LeftOpenSettled,
    signed: Signed,
) -> None:
    """Takes a settlement back, and settles as it really was. Refuses: BadValue, OverCollected."""
    account = desk.stays.account(event.stay)
    was, stay = open_items.take_back(desk, account, position, event.number, signed)
    if not command.withdrawn:
        nothing_new = command.patron is None and command.how in (None, was.how)
        if nothing_new and command.amount in (None, was.amount):
            raise BadValue(
                message=Words("That is how it is on record. Give what was wrong as it really was.")
            )
        tray = open_items.tray_of(desk, was)
        local = desk.local(was.timestamp).isoformat(timespec="seconds")
        amount = was.amount if command.amount is None else command.amount
        how = command.how or was.how
        again = open_items.Settling(how, amount, signed, tray, was.session, local)
        day = desk.casino.find(TableDay, TableDay.stream(account.table_day))
        assert day is not None
        open_items.settle_with(desk, day, command.patron or account.patron, again, command)
    stay.note_open(desk)


@contextmanager
def _owed_where_they_sit(desk: Desk, account: CommissionAccount) -> Iterator[None]:
    """Has this stay owe again what a roll-over brought forward, while that is put right.

    Left open with a patron who is not at the table.
    """
    now = desk.account_now(account)
    if now is None or now.table_day == account.table_day:
        yield
        if now is None:
            account.leave_open()
        return
    for shoe in account.tabs:
        now.carry_forward(account, shoe)
    yield
    account.carry_forward(now)


def _paid_at(
    desk: Desk,
    position: int,
    event: commission_account.CommissionCollected | commission_account.CollectionCorrected,
) -> datetime:
    """When commission was collected, also if that was corrected before."""
    if isinstance(event, commission_account.CommissionCollected):
        return event.timestamp
    with desk.casino.ledger.connection() as connection:
        events = map(event_of, read_command_at(connection, position))
        first = next(
            each for each in events if isinstance(each, commission_account.CommissionCollected)
        )
    return first.timestamp
