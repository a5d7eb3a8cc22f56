"""A table whose patrons bet from game accounts, and the books that must agree after everything."""

from collections import Counter

from domain.aggregates.game_account import GameAccount
from domain.rules import addresses
from domain.rules.seating import Stay
from ops.handlers.dispatcher import Dispatcher
from tests.worlds.gaming_table import DAY, GamingTable

TWO = {"with": "S-11"}


class ElectronicTable(GamingTable):
    """`electronic@1`; the cards are typed, so that a test knows them."""

    def __init__(self, dispatcher: Dispatcher, table: str = "E01") -> None:
        super().__init__(dispatcher, table)

    def begin(self, *balances: tuple[int, int], rules: str = "electronic@1") -> "ElectronicTable":
        """The table has a shoe, and patrons with so much cash on their accounts."""
        self.say("table.open", rules=rules, opener={}, day=DAY, **TWO)
        for seat, amount in balances:
            self.say("table.seat", seat=seat, patron=f"P-{seat}")
            self.say("account.pay-in", seat=seat, amount=amount)
        return self.shoe()

    def shoe(self) -> "ElectronicTable":
        self.say("shoe.load", decks=8)
        self.say("shoe.inspect")
        self.say("shoe.shuffle", method="machine", device="SH-2")
        self.say("shoe.cut", cut_card=14)
        return self

    def account(self, seat: int) -> GameAccount:
        """The account of whoever sits there."""
        desk = self.dispatcher.desk
        desk.casino.forget()
        account = desk.stays.game_account(desk.last_table_day(self.table).stay_at(seat))
        assert account is not None
        return account

    def balance(self, seat: int) -> int:
        return self.account(seat).balance

    def require_books(self) -> None:
        """Every account's places come to zero; cloth, house and tray agree with the coups."""
        desk = self.dispatcher.desk
        desk.casino.forget()
        day = desk.last_table_day(self.table)
        places: Counter[str] = Counter()
        short = 0
        for number in range(1, day.stays + 1):
            account = desk.stays.game_account(Stay("", f"{day.address}/stay-{number}"))
            if account is not None:
                assert sum(account.places.values()) == 0
                assert account.balance >= 0
                assert account.on_the_cloth == sum(account.staked.values())
                places.update(account.places)
                short += account.short
        won = lying = 0
        for shoe in range(1, day.shoes + 1):
            for n in range(1, self._coups(day, shoe) + 1):
                coup = desk.coup_at(addresses.Coup(addresses.Shoe(day.address, shoe), n))
                won += coup.won
                lying += 0 if coup.over else sum(each.stake for each in coup.wagers())
        assert places["cloth"] == lying
        assert places["house"] == won - short
        in_no_tray = places["account"] + places["cage"] + lying
        assert day.tray + won - short + in_no_tray == 0  # no chip came or went

    def _coups(self, day: object, shoe: int) -> int:
        desk = self.dispatcher.desk
        from domain.aggregates.shoe import Shoe

        found = desk.casino.find(Shoe, Shoe.stream(addresses.Shoe(day.address, shoe)))
        assert found is not None
        return found.coup
