"""What is open with a patron who left: bets, commission, a game account; and how it is settled."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.game_account import GameAccount
from domain.aggregates.table_day import TableDay
from domain.aggregates.tray import Signed
from domain.events import open_money as events
from domain.rules import addresses
from domain.rules.open_items import FROM_PATRON, IN_MONEY, settling
from domain.rules.refusals import BadValue, OverCollected
from domain.rules.seating import Stay
from domain.rules.wording import N_, Amount, Words
from ops.commands import open_items as commands
from ops.commands.command import Command
from ops.handlers import forms
from ops.handlers.accounts import is_here
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles

CAGE = "cage"
_OPEN = {
    1: N_("{patron} owes {open}."),
    -1: N_("{patron} is owed {open}."),
    0: N_("Nothing is open with {patron} on {day}."),
}
_TOO_MUCH = {
    1: N_("{patron} owes {open}, less than {amount}. Settle {open} or less."),
    -1: N_("{patron} is owed {open}, less than {amount}. Settle {open} or less."),
}


class Settling(Struct, frozen=True):
    """A settlement as two people state it; without an amount of all that is open."""

    how: str
    amount: int | None
    signed: Signed
    tray: TableDay | None = None  # None: the cage
    session: int = 0
    moved_at: str = ""

    @property
    def sign(self) -> int:
        """1 if it settles what the patron owes, -1 if it settles what the house owes."""
        return 1 if self.how in FROM_PATRON else -1


class OpenItems(Struct, frozen=True):
    """What is open with one stay."""

    commission: CommissionAccount
    account: GameAccount | None

    def items(self, desk: Desk) -> dict[str, int]:
        """Each item in minor units; more than 0: the patron owes it."""
        money = desk.stays.open_money(self.commission)
        return {
            "bets": money.balance if money else 0,
            "commission": self.commission.balance,
            "account": -self.account.balance if self.account else 0,
        }

    def note_open(self, desk: Desk) -> None:
        """Notes again what is open, after a settlement was taken back."""
        if money := desk.stays.open_money(self.commission):
            money.note_open()
        if desk.account_now(self.commission) is None:
            self.commission.leave_open()
        if self.account:
            self.account.leave_open(self.account.seat)


def of_stay(desk: Desk, account: CommissionAccount) -> OpenItems:
    """What is open with a stay; a game account only after its patron has left."""
    game = desk.stays.game_account(Stay(account.patron, account.stay))
    return OpenItems(account, None if game is None or is_here(desk, game) else game)


@handles(commands.PatronSettle)
def settle(desk: Desk, command: commands.PatronSettle) -> None:
    """Settles what is open with a patron of a day, at the cage or with the table's open tray.

    Refuses: NotFound, BadValue, OverCollected, TableClosed.
    """
    signed = desk.signed(Words("Settling with a patron"), command, command.reason)
    settling_ = Settling(command.how, command.amount, signed)
    if command.place == "table" and command.how in IN_MONEY:
        tray = desk.table_day(command.table)
        now = desk.local(desk.casino.moment).isoformat(timespec="seconds")
        settling_ = replace(settling_, tray=tray, session=len(tray.sessions), moved_at=now)
    settle_with(
        desk, desk.named_day(command.table, command.day), command.patron, settling_, command
    )


def settle_with(
    desk: Desk, day: TableDay, patron: str, settling_: Settling, command: Command
) -> None:
    """Settles what is open with a patron of a day. Refuses: NotFound, BadValue, OverCollected."""
    accounts = desk.stays.accounts_of(day, patron)
    if not accounts:
        raise desk.stays.no_stay_of(day, patron)
    of_stays = [of_stay(desk, each) for each in accounts]
    _settle(desk, day, _chosen(desk, day, of_stays, settling_), settling_, command)


def _chosen(desk: Desk, day: TableDay, of_stays: list[OpenItems], settling_: Settling) -> OpenItems:
    """The first stay with something open that way, or whose items cancel. Refuses: BadValue."""
    nets = []
    for each in of_stays:
        items = each.items(desk)
        net = sum(items.values())
        if net * settling_.sign > 0 or (any(items.values()) and not net):
            return each
        nets.append(net)
    last = of_stays[-1].commission
    net = next(filter(None, nets), 0)
    raise BadValue(
        message=Words(
            _OPEN[(net > 0) - (net < 0)],
            patron=last.patron,
            open=Amount(abs(net), last.currency),
            day=day.address,
        )
    )


def _settle(
    desk: Desk, day: TableDay, stay: OpenItems, settling_: Settling, command: Command
) -> None:
    items = stay.items(desk)
    net, sign, account = sum(items.values()), settling_.sign, stay.commission
    amount = abs(net) if settling_.amount is None else settling_.amount
    if amount > abs(net):
        raise OverCollected(
            message=Words(
                _TOO_MUCH[sign],
                patron=account.patron,
                open=Amount(abs(net), account.currency),
                amount=Amount(amount, account.currency),
            )
        )
    parts = settling(items, sign * amount)
    by_shoe = account.parts_of(parts.get("commission", 0))
    desk.stays.begun_open_money(account).settle(
        settling_.how,
        amount,
        bets=parts.get("bets", 0),
        commission=by_shoe,
        account=parts.get("account", 0),
        place=str(settling_.tray.address) if settling_.tray else CAGE,
        session=settling_.session,
        signed=settling_.signed,
    )
    _settle_commission(desk, account, by_shoe, settling_, command)
    if (part := parts.get("account", 0)) and stay.account:
        stay.account.settle(-part)
    if settling_.tray and settling_.how in IN_MONEY and amount:
        with reckoned(desk, settling_.tray, settling_.session):
            settling_.tray.move_open_money(
                *(account.patron, account.stay, sign * amount),
                session=settling_.session,
                moved_at=settling_.moved_at,
            )


def _settle_commission(
    desk: Desk,
    account: CommissionAccount,
    by_shoe: Mapping[str, int],
    settling_: Settling,
    command: Command,
) -> None:
    """Settles the part of commission; what is written off is walked, on a numbered form."""
    owed = sum(by_shoe.values())
    if owed <= 0 or settling_.how != "written-off":
        account.settle(by_shoe)
        return
    walked, signed = account.walked, settling_.signed
    account.walk(owed, signed.reason, signed.requested_by, signed.approved_by)
    forms.issue_uncollected(desk, account, walked, signed.reason, command)


def take_back(
    desk: Desk, account: CommissionAccount, position: int, number: int, signed: Signed
) -> tuple[events.LeftOpenSettled, OpenItems]:
    """Takes back a settlement that was typed wrong. Refuses: BadValue."""
    money = desk.stays.begun_open_money(account)
    settled = money.settled.get(number)
    moved_at = settled.timestamp if settled else desk.casino.moment
    local = desk.local(moved_at).isoformat(timespec="seconds")
    was = money.take_back(number, position, local, signed)
    if was.how == "written-off" and any(part > 0 for part in was.commission.values()):
        raise BadValue(
            message=Words(
                "The commission in it was written off on a numbered form. If the patron pays, use "
                "`commission collect`."
            )
        )
    account.settle({shoe: -part for shoe, part in was.commission.items()})
    stay = of_stay(desk, account)
    if was.account and stay.account:
        stay.account.settle(was.account)
    if tray := tray_of(desk, was):
        _move_back(desk, tray, was, local)
    return was, stay


def tray_of(desk: Desk, was: events.LeftOpenSettled) -> TableDay | None:
    """The table day whose tray had a settlement, or None for the cage."""
    if was.place == CAGE:
        return None
    return desk.casino.find(TableDay, TableDay.stream(addresses.TableDay.parse(was.place)))


@contextmanager
def reckoned(desk: Desk, tray: TableDay, session: int) -> Iterator[None]:
    """Compares the counts of a session again, after what came into its tray was put right."""
    off = tray.variances_of(session)
    yield
    tray.reckon_again(session, desk.house(), off)


def _move_back(desk: Desk, tray: TableDay, was: events.LeftOpenSettled, moved_at: str) -> None:
    if not was.into_house:
        return
    with reckoned(desk, tray, was.session):
        tray.move_open_money(
            *(was.patron, was.stay, -was.into_house), session=was.session, moved_at=moved_at
        )
