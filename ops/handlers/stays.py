"""The stays of patrons at tables: the accounts of each, and what was left open of its bets."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.open_money import OpenMoney
from domain.aggregates.table_day import TableDay
from domain.rules.refusals import NotFound
from domain.rules.seating import Stay
from domain.rules.wording import Words
from ops.commands.casino import Casino
from ops.handlers.known_names import KnownNames, not_here

if TYPE_CHECKING:
    from domain.aggregates.game_account import GameAccount


class Stays:
    """Finds what is recorded about a stay, by its address, its day or its patron."""

    def __init__(self, casino: Casino, names: KnownNames) -> None:
        self._casino = casino
        self._names = names

    def account(self, stay: str, *, rely: bool = True) -> CommissionAccount:
        """The commission account of a stay, by the address of the stay."""
        account = self._casino.find(CommissionAccount, CommissionAccount.stream(stay), rely=rely)
        assert account is not None
        return account

    def accounts(self, day: TableDay, *, rely: bool = True) -> Iterator[CommissionAccount]:
        """The accounts of every stay of this day, over or not."""
        for number in range(1, day.stays + 1):
            yield self.account(f"{day.address}/stay-{number}", rely=rely)

    def accounts_of(self, day: TableDay, patron: str) -> list[CommissionAccount]:
        """The patron's accounts of this day, under all of their aliases."""
        return [each for each in self.accounts(day) if self._names.same(each.patron, patron)]

    def game_account(self, stay: Stay) -> "GameAccount | None":
        """The game account of a stay, or None: it bets with chips."""
        from domain.aggregates.game_account import GameAccount  # most tables have none

        return self._casino.find(GameAccount, GameAccount.stream(stay.address))

    def game_accounts(self, day: TableDay) -> "Iterator[GameAccount]":
        """The game accounts of every stay of this day, over or not."""
        for number in range(1, day.stays + 1) if day.rules.accounts else ():
            if account := self.game_account(Stay("", f"{day.address}/stay-{number}")):
                yield account

    def open_money(self, account: CommissionAccount) -> OpenMoney | None:
        """What corrections left open of the bets of a stay, or None if they never did."""
        return self._casino.find(OpenMoney, OpenMoney.stream(account.stay))

    def begun_open_money(self, account: CommissionAccount) -> OpenMoney:
        """The same, which begins with the first that is left open or settled."""
        begun = self.open_money(account)
        about = (account.stay, account.patron, account.table_day, account.currency)
        return begun or self._casino.make(OpenMoney.open(*about, at=self._casino.moment))

    def stay_of(self, day: TableDay, patron: str) -> Stay:
        """The patron's last stay of this day, over or not. Refuses: NotFound."""
        theirs = self.accounts_of(day, patron)
        if not theirs:
            raise self.no_stay_of(day, patron)
        return Stay(theirs[-1].patron, theirs[-1].stay)

    def no_stay_of(self, day: TableDay, patron: str) -> NotFound:
        """The refusal of a patron who did not sit at a table that day."""
        message = Words(
            "{patron} did not sit at {day}. Name who did, or a seat.",
            patron=patron,
            day=day.address,
        )
        return not_here(patron, (each.patron for each in self.accounts(day, rely=False)), message)
