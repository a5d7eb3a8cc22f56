"""What the tray of a table should hold now: the one figure for counts, decisions and screens.

`projections.trays_now` has the same figure for reports, from the same events.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from domain.aggregates.table_day import TableDay
from domain.rules.refusals import ConfirmationNeeded, SecondPersonNeeded
from domain.rules.wording import Amount, Words
from ops.commands.command import Command
from ops.handlers.desk import Desk


def chips_of_the_day(desk: Desk, day: TableDay) -> dict[str, int]:
    """What wagers and commission brought into the tray on the whole day, in minor units.

    Money on game accounts, and wagered from them, is in no chips: it left the tray as if it were,
    so it counts as won until it is paid out; the cage pays it out of no tray. A shortage was never
    in the tray. What coupons were paid left it, like what wagers were.
    """
    accounts = desk.stays.game_accounts(day)
    on_accounts = sum(each.in_no_tray - each.short for each in accounts)
    return {
        "wagers_won": sum(coup.won - coup.promotions for coup in desk.coups(day)) + on_accounts,
        "commission": sum(account.collected for account in desk.stays.accounts(day)),
    }


def tray_now(desk: Desk, day: TableDay) -> int:
    """The value that the tray should have now, in minor units."""
    return day.expected_now(**chips_of_the_day(desk, day))


@contextmanager
def counted_again(desk: Desk, day: TableDay) -> Iterator[None]:
    """Compares the counts again that came after what is entered late."""
    number = len(day.sessions)
    off = day.variances_of(number)
    yield
    if desk.casino.act.late:
        day.reckon_again(number, desk.house(), off)


def require_tray_for_credit(desk: Desk, day: TableDay, amount: int, *, confirmed: bool) -> None:
    """Asks about a credit of more than the tray should hold: ConfirmationNeeded.

    Two people count a credit anyhow; both are asked.
    """
    holds = tray_now(desk, day)
    if amount <= holds:
        return
    if not confirmed:
        raise ConfirmationNeeded(
            so=Words(
                "A credit of {amount} is more than {table} can have: by the record its tray "
                "holds {holds}",
                amount=_amount(day, amount),
                table=day.address.table,
                holds=_amount(day, holds),
            )
        )
    day.exceed("credit", amount, holds)


def require_tray_for_cash(desk: Desk, day: TableDay, amount: int, command: Command) -> None:
    """Has a second person agree to pay out more than the tray should hold: SecondPersonNeeded."""
    holds = tray_now(desk, day)
    if amount <= holds:
        return
    if not desk.casino.actor or not desk.second(command):
        raise SecondPersonNeeded(
            message=Words(
                "A cash-out of {amount} is more than the tray of {table} holds by the record: "
                "{holds}. Count the chips; a supervisor then signs as the second person.",
                amount=_amount(day, amount),
                table=day.address.table,
                holds=_amount(day, holds),
            )
        )
    day.exceed("cash-out", amount, holds)


def _amount(day: TableDay, amount: int) -> Amount:
    return Amount(amount, day.rules.currency)
