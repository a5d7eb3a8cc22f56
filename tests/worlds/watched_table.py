"""A table whose tray is followed by what its dealer is given and gives, as the answers have it."""

from domain.rules.seating import Stay
from tests.worlds.gaming_table import GamingTable
from tests.worlds.open_items import settle_all

TWO = {"by": "D-204", "with": "S-11"}


class WatchedTable(GamingTable):
    """A table, and the chips that really are in its tray."""

    def __init__(self, dispatcher, table, rules):
        super().__init__(dispatcher, table)
        self.rules = rules
        self.chips = 0  # in the tray
        self.from_patrons = 0  # chips for bets and commission, less what they got
        self.commands = set()

    def ask(self, command, **fields):
        """What a line is answered; its patrons come to no other table."""
        if "patron" in fields:
            fields["patron"] = self.patron(fields["patron"])
        answer = super().ask(command, **fields)
        self.commands.add(command)
        if answer.ok and self.rules != "electronic@1":
            self._follow(command, answer.body.get("events", ()))
        return answer

    def patron(self, name):
        return name if name.startswith(f"{self.table}-") else f"{self.table}-{name}"

    def fix(self, command, **fields):
        """Two people put something right."""
        about = {} if command == "money.correct" else {"table": self.table}
        return self.say(command, **{**about, **TWO, "reason": "typed wrong", **fields})

    def fixing(self, command, **fields):
        """How something will be put right."""
        return lambda: self.fix(command, **fields)

    def fixed(self, answer, **rightly):
        """How the money of an answer will be put right."""
        return self.fixing("money.correct", position=answer.body["position"], **rightly)

    def at(self, place):
        """The address of a shoe or of a coup here."""
        return f"{self.table}/{place}"

    def left(self, shoe):
        """How many cards a shoe has by the record."""
        from domain.aggregates.shoe import Shoe
        from domain.rules import addresses

        found = self.dispatcher.desk.casino.find(
            Shoe, Shoe.stream(addresses.Shoe.parse(self.at(shoe))), rely=False
        )
        return found.cards_left

    def owed(self, patron):
        """What a patron owes here by the record, on all of their stays."""
        desk = self.dispatcher.desk
        day = desk.last_table_day(self.table)
        return sum(each.owed for each in desk.stays.accounts_of(day, self.patron(patron)))

    def balance(self, seat):
        """What is on the game account of a seat."""
        desk = self.dispatcher.desk
        stay = desk.last_table_day(self.table).stay_at(seat)
        account = desk.stays.game_account(Stay(stay.patron, stay.address))
        return account.balance if account else 0

    def take(self, chips, place="tray"):
        """Chips come from patrons into the tray, or to the cage."""
        self.chips += chips * (place == "tray")
        self.from_patrons += chips

    def settle_open(self, patrons, days):
        """The cage settles what corrections left open with patrons who had left."""
        for day in days:
            settle_all(self, self.dispatcher.desk.named_day(self.table, day))

    def _follow(self, command, events):
        """What an earlier day's coup moves is one event; its bets are not counted again."""
        later = [each for each in events if each["type"] == "EarlierCoupPutRight"]
        for each in later:
            self.take(-each["changes_hands"])
        for each in events:
            if each["type"] in ("LeftOpenSettled", "SettlementTakenBack"):
                sign = -1 if (each["how"] == "paid") == (each["type"] == "LeftOpenSettled") else 1
                self.take(sign * each["amount"], "cage" if each["place"] == "cage" else "tray")
            elif each["type"] in ("CommissionCollected", "CommissionRefunded"):
                self._follow_commission(command, each)
            elif not later:
                self.take(_of_bets(each))

    def _follow_commission(self, command, event):
        collected = event["type"] == "CommissionCollected"
        within = event["how"] in ("at-payout", "settlement")
        if within or (collected and command == "money.correct"):
            return  # it is in the payment, or was there before
        self.take(event["amount"] if collected else -event["amount"])


def _of_bets(event):
    """The chips that come from patrons for their bets."""
    match event["type"]:
        case "Settled":
            chips = event["stakes"] - event["paid"]
        case "WagerSettledLate":
            chips = event["stake"] - event["paid"]
        case "Voided":
            chips = -event["changes_hands"]
        case "PaymentCorrected" if event["stake"] == event["stake_before"]:
            chips = -event["changes_hands"]
        case "BetLeftOpen":
            chips = -event["amount"]
        case _:
            chips = 0
    return chips


def chips_of(amount):
    """So many cents, as chips of which the house has every value."""
    return {"1": amount} if amount else {}
