"""Who sits at a table: patrons take chairs, change them, buy in, cash out and leave."""

from domain.aggregates.commission import CommissionAccount, require_settled
from domain.aggregates.game_account import GameAccount
from domain.aggregates.seats import chair
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.rules.refusals import BadValue, Refusal, SeatTaken
from domain.rules.seating import Stay
from domain.rules.wording import Words
from ops.commands import seats as commands
from ops.handlers.carded import require_card_to_sit
from ops.handlers.cash import count_cash
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.likeness import take_name
from ops.handlers.little_play import note_little_play
from ops.handlers.patrons import require_welcome
from ops.handlers.play_limits import require_may_deposit, require_may_play
from ops.handlers.trays import counted_again, require_tray_for_cash

MOST_SEATS = 3  # for one patron, with a supervisor


@handles(commands.TableSeat)
def seat(desk: Desk, command: commands.TableSeat) -> None:
    """Gives a patron a chair; with a supervisor, up to three."""
    _sit_down(desk, command, command)


@handles(commands.TableSeats)
def seat_several(desk: Desk, command: commands.TableSeats) -> None:
    """Seats patrons one after the other; if one of them is refused, all are."""
    for each in command.patrons:
        try:
            _sit_down(desk, command, each)
        except Refusal as refusal:
            refusal.reword(
                Words("{refusal} Nobody named in this line sits down.", refusal=refusal.words)
            )
            raise


def _sit_down(
    desk: Desk,
    command: commands.TableSeat | commands.TableSeats,
    who: commands.TableSeat | commands.Seating,
) -> None:
    day = desk.table_day(command.table)
    require_welcome(desk, who.patron)
    require_may_play(desk, day, who.seat, who.patron)
    if not desk.casino.act.late:
        require_card_to_sit(desk, day, who.seat, who.patron)
    take_name(desk, who.patron, confirmed=command.confirmed, here=day)
    _require_one_name(desk, day, who.patron)
    most = MOST_SEATS if command.second else 1
    take_chair(desk, day, who.seat, who.patron, most=most)


def _require_one_name(desk: Desk, day: TableDay, patron: str) -> None:
    """Refuses a patron who sits here under another name: SeatTaken."""
    who = desk.names.identity(patron)
    for number, stay in sorted(day.seats.items()):
        if stay.patron != patron and desk.names.identity(stay.patron) == who:
            raise SeatTaken(
                message=Words(
                    "{patron} already sits at seat {seat}, as {other}. Use that seat.",
                    patron=patron,
                    seat=number,
                    other=stay.patron,
                )
            )


def take_chair(
    desk: Desk, day: TableDay, number: int, patron: str, *, most: int, continues: str | None = None
) -> None:
    """Seats a patron; the first chair of a stay opens its commission account."""
    before = day.stays
    stay = day.seat(number, patron, most=most, continues=continues)
    if day.stays == before and _game_account(desk, day, stay):
        raise BadValue(
            rule="R-ACC-1",
            message=Words(
                "{patron} bets from a game account, which is for one seat.", patron=patron
            ),
        )
    if day.stays > before:
        desk.casino.make(CommissionAccount.open(stay, day, at=desk.casino.moment))


@handles(commands.TableMove)
def move(desk: Desk, command: commands.TableMove) -> None:
    """Moves a patron to another chair; their debt goes along, and the shoe if they have it."""
    day = desk.table_day(command.table)
    held = _stand_up(desk, day, command.seat)
    day.move(command.seat, command.to)
    if held:
        held.pass_to(chair(command.to))


@handles(commands.TableLeave)
def leave(desk: Desk, command: commands.TableLeave) -> None:
    """Frees a chair; refused while the seat has a wager or the patron owes commission."""
    day = desk.table_day(command.table)
    held = _stand_up(desk, day, command.seat)
    stay = day.stay_at(command.seat)
    if len(day.chairs_of(stay)) == 1:  # the patron's last chair
        require_settled(desk.stays.accounts_of(day, stay.patron))
        if account := _game_account(desk, day, stay):
            account.require_empty()
    if held:
        held.pass_to("dealer")
    day.leave(command.seat)


def _stand_up(desk: Desk, day: TableDay, number: int) -> Shoe | None:
    """The shoe, if it is passed to that seat, or None. Refuses to leave a wager behind."""
    day.stay_at(number)
    shoe = desk.shoe(day) if day.shoe else None
    coup = desk.coup(shoe) if shoe else None
    if coup:
        coup.require_no_wager_of(number)
    return shoe if shoe and shoe.holder == chair(number) else None


@handles(commands.TableBuyIn)
def buy_in(desk: Desk, command: commands.TableBuyIn) -> None:
    """Takes cash from a patron and gives chips."""
    day = desk.day_then(command.table)
    stay = _with_chips(desk, day, command.seat)
    require_may_deposit(desk, day, stay, command.seat, command.amount)
    with counted_again(desk, day):
        day.buy_in(command.seat, command.amount)
    count_cash(desk, day, stay.patron, command.amount, "in", confirmed=command.confirmed)


@handles(commands.TableCashOut)
def cash_out(desk: Desk, command: commands.TableCashOut) -> None:
    """Takes chips from a patron and gives cash."""
    day = desk.day_then(command.table)
    stay = _with_chips(desk, day, command.seat)
    require_tray_for_cash(desk, day, command.amount, command)
    with counted_again(desk, day):
        day.pay_out(command.seat, command.amount)
    sure = command.confirmed
    cash = count_cash(desk, day, stay.patron, command.amount, "out", confirmed=sure)
    note_little_play(desk, cash)


def _with_chips(desk: Desk, day: TableDay, seat: int) -> Stay:
    """The stay at a seat, which bets with chips. Refuses: SeatEmpty, BadValue."""
    stay = day.stay_at(seat)
    if _game_account(desk, day, stay):
        raise BadValue(
            rule="R-ACC-1",
            message=Words(
                "Seat {seat} bets from a game account. Use `account pay-in` or `account pay-out`.",
                seat=seat,
            ),
        )
    return stay


def _game_account(desk: Desk, day: TableDay, stay: Stay) -> GameAccount | None:
    return desk.stays.game_account(stay) if day.rules.accounts else None
