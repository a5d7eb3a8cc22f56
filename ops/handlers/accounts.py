"""Game accounts: an attendant pays in and out; wagers and their payments follow by themselves."""

from collections.abc import Iterable, Mapping

from domain.aggregates.coup import Coup
from domain.aggregates.game_account import GameAccount
from domain.aggregates.table_day import TableDay
from domain.aggregates.ticket import Ticket
from domain.events import coup_wagers
from domain.rules.refusals import AccountsNotOffered, BadValue, CoupOver, NoAccount
from domain.rules.seating import Stay
from domain.rules.spot_terms import left_alone
from domain.rules.wording import Words
from ops.commands import accounts as commands
from ops.commands.coup import Wager
from ops.handlers.cash import count_cash
from ops.handlers.coup import place_all
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.little_play import note_little_play
from ops.handlers.play_limits import require_may_deposit


@handles(commands.AccountPayIn)
def pay_in(desk: Desk, command: commands.AccountPayIn) -> None:
    """Puts cash or a ticket on a position's account; the first opens it.

    Refuses: AccountsNotOffered, TicketRefused.
    """
    day = desk.table_day(command.table)
    stay = day.stay_at(command.seat)
    account = desk.stays.game_account(stay)
    require_may_deposit(desk, day, stay, command.seat, command.amount)
    if account is None:
        _require_may_open(desk, day, command.seat, stay)
    else:
        account.require_room(command.amount)
    if command.ticket:
        _take(desk, day, stay, command.ticket, command.amount)
        day.take_ticket(command.seat, command.amount, command.ticket)
    else:
        day.buy_in(command.seat, command.amount)
        count_cash(desk, day, stay.patron, command.amount, "in", confirmed=command.confirmed)
    account = account or _open(desk, day, command.seat)
    account.pay_in(command.seat, command.amount, day.version, command.ticket)


def _require_may_open(desk: Desk, day: TableDay, seat: int, stay: Stay) -> None:
    """Refuses an account for several seats, or beside chips that lie on the table.

    Refuses: AccountsNotOffered, BadValue, CoupNotFinished.
    """
    if not day.rules.accounts:
        raise AccountsNotOffered(rules=day.rules_name)
    if len(day.chairs_of(stay)) > 1:
        raise BadValue(
            rule="R-ACC-1",
            message=Words(
                "{patron} has several seats. A game account is for one; free the others first.",
                patron=stay.patron,
            ),
        )
    last = desk.coup(desk.shoe(day)) if day.shoe else None
    if last:
        last.require_no_wager_of(seat)


def _open(desk: Desk, day: TableDay, seat: int) -> GameAccount:
    account = GameAccount.open(seat, day.stay_at(seat), day, at=desk.casino.moment)
    return desk.casino.make(account)


def _take(desk: Desk, day: TableDay, stay: Stay, number: str, amount: int) -> None:
    """Takes a ticket; one that was not printed here came from another system of the house."""
    ticket = desk.casino.find(Ticket, Ticket.stream(number)) or desk.casino.make(
        Ticket.issue(number, amount, day.address, at=desk.casino.moment, here=False)
    )
    ticket.take(amount, day.address, stay.address, day.rules.currency)


@handles(commands.AccountBet)
def bet(desk: Desk, command: commands.AccountBet) -> None:
    """Sets the wagers of a position on one coup, all or none.

    Refuses: NoAccount, AccountShort, CoupOver, and what refuses a bet.
    """
    day = desk.table_in_play(command.table)
    stay = day.stay_at(command.seat)
    if desk.stays.game_account(stay) is None:
        raise NoAccount(seat=command.seat)
    in_play = _require_in_play(desk, day, command.coup)
    stakes = _stays_beside(in_play, command.seat, command.stakes)
    _take_back(in_play, command.seat, stay, command.stakes)
    placed = [Wager(command.seat, spot, stake) for spot, stake in stakes.items() if stake]
    place_all(desk, day, placed, command)


@handles(commands.AccountDeal)
def deal(desk: Desk, command: commands.AccountDeal) -> None:
    """Closes the betting for the only patron at a table. Refuses: CoupOver, BadValue."""
    day = desk.table_in_play(command.table)
    in_play = _require_in_play(desk, day, command.coup)
    stay = day.stay_at(command.seat)
    alone = {each.address for each in day.seats.values()} == {stay.address}
    bets = any(wager.stay == stay.address for wager in in_play.wagers())
    if not (day.rules.clock and alone and bets):
        raise BadValue(
            rule="R-DEAL-6",
            message=Words(
                "The clock closes the betting. Only who sits alone, and has bet, may have the "
                "cards at once."
            ),
        )
    in_play.close_betting()


def _require_in_play(desk: Desk, day: TableDay, coup: str) -> Coup:
    """The coup in play, if it is this one. Refuses: CoupOver."""
    in_play = desk.coup_in_play(day)
    if in_play.over or str(in_play.address) != coup:
        raise CoupOver(message=Words("{coup} is not in play. Bet on the coup that is.", coup=coup))
    return in_play


def _take_back(in_play: Coup, seat: int, stay: Stay, stakes: Mapping[str, int]) -> None:
    """Takes back each wager whose stake is to be 0."""
    for spot, stake in stakes.items():
        if stake == 0 and in_play.layout.at(seat, spot):  # it may have gone back with another
            in_play.withdraw(seat, stay, spot)


def _stays_beside(in_play: Coup, seat: int, stakes: Mapping[str, int]) -> dict[str, int]:
    """The stakes, and each bet that would go back with another, but that these keep in place."""
    placed = in_play.layout.placed.get(seat, {})
    now = {spot: each.stake for spot, each in placed.items()} | dict(stakes)
    left = [spot for spot, stake in now.items() if stake]
    gone = {
        each.spot
        for spot in placed
        if stakes.get(spot) == 0
        for each in in_play.layout.left_alone(in_play.rules, seat, spot)
    }
    stay = gone - set(stakes) - set(left_alone(in_play.rules, left))
    return {**stakes, **{spot: now[spot] for spot in stay}}


@handles(commands.AccountPayOut)
def pay_out(desk: Desk, command: commands.AccountPayOut) -> None:
    """Pays a position's account out, in cash or with a ticket. Refuses: NoAccount, AccountShort."""
    day = desk.table_day(command.table)
    account, amount = _to_pay(desk, day, command)
    if command.to == "ticket":
        pay_by_ticket(desk, day, account, command.seat, amount)
    else:
        day.pay_out(command.seat, amount)
        sure = command.confirmed
        note_little_play(desk, count_cash(desk, day, account.patron, amount, "out", confirmed=sure))
        account.pay_out(command.seat, amount, day.version)


def pay_by_ticket(
    desk: Desk, day: TableDay, account: GameAccount, seat: int, amount: int
) -> Ticket:
    """Pays an account out with a ticket that is printed now."""
    at, number = desk.casino.moment, account.next_ticket
    ticket = desk.casino.make(Ticket.issue(number, amount, day.address, at=at, here=True))
    day.give_ticket(seat, amount, number)
    account.pay_out(seat, amount, day.version, number)
    return ticket


@handles(commands.AccountHandPay)
def pay_by_hand(desk: Desk, command: commands.AccountHandPay) -> None:
    """Pays a position's account out by hand. Refuses: NoAccount, AccountShort."""
    signed = desk.signed(Words("Paying by hand"), command, command.reason)
    day = desk.table_day(command.table)
    account, amount = _to_pay(desk, day, command)
    day.pay_out(command.seat, amount)
    count_cash(desk, day, account.patron, amount, "out", confirmed=command.confirmed)
    account.pay_by_hand(command.seat, amount, day.version, signed)


def _to_pay(
    desk: Desk, day: TableDay, command: commands.AccountPayOut | commands.AccountHandPay
) -> tuple[GameAccount, int]:
    """The account of the seat, and the amount: all of it if none is named.

    Refuses: NoAccount, AccountShort.
    """
    account = desk.stays.game_account(day.stay_at(command.seat))
    if account is None:
        raise NoAccount(seat=command.seat)
    amount = account.balance if command.amount is None else command.amount
    account.require(command.seat, max(amount, 1))
    return account, amount


def require_empty(accounts: Iterable[GameAccount]) -> None:
    """Refuses that somebody leaves money behind: AccountNotEmpty."""
    for account in accounts:
        account.require_empty()


def pay_all_by_ticket(desk: Desk, day: TableDay) -> dict[int, Ticket]:
    """Pays every account of the day out with tickets, by seat."""
    return {
        seat: pay_by_ticket(desk, day, account, seat, account.balance)
        for seat, stay in sorted(day.seats.items())
        if day.rules.accounts and (account := desk.stays.game_account(stay)) and account.balance
    }


def pay_in_ticket(desk: Desk, day: TableDay, seat: int, ticket: Ticket) -> None:
    """Opens an account with a ticket that was just printed."""
    stay = day.stay_at(seat)
    ticket.take(ticket.amount, day.address, stay.address, day.rules.currency)
    day.take_ticket(seat, ticket.amount, ticket.ticket)
    _open(desk, day, seat).pay_in(seat, ticket.amount, day.version, ticket.ticket)


def follow_wagers(desk: Desk, wagers: Iterable[coup_wagers.OfWager]) -> None:
    """Has every account follow the wagers of its stay, in the act that changes them.

    Whoever has left is paid in chips, as at every table: nobody could take it off the account.
    What was paid to them too much is short. Refuses: AccountShort, BadValue.
    """
    for event in wagers:
        for stay in {event.stay, getattr(event, "to_stay", event.stay)}:
            account = desk.stays.game_account(Stay(event.patron, stay))
            if account and (_follows_anyhow(event) or is_here(desk, account)):
                account.follow(event)


def _follows_anyhow(event: coup_wagers.OfWager) -> bool:
    """Whether an account follows even if its stay is over."""
    if isinstance(event, coup_wagers.WagerReturned | coup_wagers.PaymentCorrected):
        return event.changes_hands < 0
    return isinstance(event, coup_wagers.WagerMoved)


def is_here(desk: Desk, account: GameAccount) -> bool:
    """Whether the account's stay goes on."""
    day = desk.casino.find(TableDay, TableDay.stream(account.table_day))
    assert day is not None
    return any(stay.address == account.stay for stay in day.seats.values())
