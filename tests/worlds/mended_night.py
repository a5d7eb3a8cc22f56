"""A night at one table that is played twice: as it was, and with slips that are put right.

What was typed wrong at the second table waits in `mends`, and is put right at any moment until the
night is over. `by_hand` has what really happened, and reckons it without Sabot.
"""

from contextlib import nullcontext
from datetime import timedelta
from random import Random
from unittest.mock import patch

from domain.rules.cards import DECK
from tests.acceptance.by_hand import PIPS, dealt
from tests.worlds.gaming_table import BEGINS
from tests.worlds.mended_coup import MendedCoup
from tests.worlds.mends import Mend
from tests.worlds.night_by_hand import ByHand, Deal
from tests.worlds.night_money import NightMoney
from tests.worlds.watched_table import TWO, WatchedTable, chips_of

SEATS, CHAIRS = (1, 2, 3, 5), (1, 2, 3, 5, 6)
RULES = ("dragon-bonus@1", "classic@1", "big-table@1", "tie-eight@1", "electronic@1")
LEAST = {"big-table@1": 100_00}  # else 25.00
SIDES = {"dragon-bonus@1": ("dragon-banker", "dragon-player")}


class MendedNight(NightMoney):
    """The same night at two tables, the second with slips."""

    def __init__(self, dispatcher, number, random):
        super().__init__(random)
        self.rules = random.choice(RULES)
        self.accounts = self.rules == "electronic@1"
        self.right = WatchedTable(dispatcher, f"R{number}", self.rules)
        self.wrong = WatchedTable(dispatcher, f"W{number}", self.rules)
        self.by_hand = ByHand(self.rules)
        self.carried, self.generated = 0, False  # cards that wait for the next coup; the shoe
        self.patrons = {f"P-{n}" for n in (*SEATS, 7, 8)}
        self.sides = SIDES.get(self.rules, ())
        self.number = number
        self.seated, self.as_it_wins = {}, set()  # patrons, by seat; those who pay as it wins
        self.day, self.nights, self.box = "", 0, ""
        self.cards, self.shoe, self.coups = [], None, 0  # left in the shoe, at the top of it first

    def __repr__(self):
        return f"night {self.number} of {self.rules}"

    @property
    def spots_typed_wrong(self):
        return any(deal.typed_on for deal in self.by_hand.deals)

    @property
    def at_payout(self):
        """Whether commission is taken off the payment."""
        return self.rules != "dragon-bonus@1"

    def both(self, command, **fields):
        """The same at both tables."""
        return [table.say(command, **fields) for table in (self.right, self.wrong)]

    def stake(self):
        if self.accounts:
            return self.choose(1_00, 7_00)
        return LEAST.get(self.rules, 25_00) + self.choose(0, 5_00, 35_00, 60_00)

    # A day.
    def open(self):
        self.nights += 1
        moment = max(BEGINS + timedelta(days=self.nights - 1), self.right.moment)
        self.day = f"2026-11-{20 + self.nights}"
        for table in (self.right, self.wrong):
            table.moment = moment
        opener = 0 if self.accounts else 50_000_00
        self.opened("table.open", opener, rules=self.rules, day=self.day)
        self.attach_box()
        self.seated = {}
        self.sit({seat: f"P-{seat}" for seat in SEATS})

    def opened(self, command, opener, **fields):
        """The table opens; at the second one perhaps with an opener that was typed wrong."""
        typed = opener + self.choose(-25_00, 100_00) if opener and self.chance(2) else opener
        for table, chips in ((self.right, opener), (self.wrong, typed)):
            answer = table.say(command, opener=chips_of(chips), **fields, **TWO)
            table.chips = opener
        if typed != opener:
            self.slip(Mend("opener", self.wrong.fixed(answer, chips=chips_of(opener))))

    def sit(self, seated):
        """Patrons sit down, by seat."""
        self.seated |= seated
        self.as_it_wins -= set(seated.values())
        for table in (self.right, self.wrong):
            patrons = [{"seat": n, "patron": table.patron(who)} for n, who in seated.items()]
            if len(patrons) > 1:
                table.say("table.seats", patrons=patrons)
        if len(seated) == 1:
            [(seat, patron)] = seated.items()
            self.both("table.seat", seat=seat, patron=patron)
        for seat in seated if self.accounts else ():
            self.cash("in", seat, 100_00)

    def prepare(self):
        """A shoe; its cards are the same at both tables."""
        self.generated = not self.accounts and self.chance(2)
        loaded, _ = self.both("shoe.load", decks=8)
        shoe = next(each["shoe"] for each in loaded.body["events"] if "shoe" in each)
        self.shoe, self.coups, self.carried = shoe.partition("/")[2], 0, 0
        self.cards, seed = list(DECK) * 8, self.random.random()
        if not self.generated:
            self.both("shoe.inspect")
        with _known_order(seed) if self.generated else nullcontext():
            self.both("shoe.shuffle", method="generated" if self.generated else "machine")
        if not self.generated:
            self.both("shoe.cut", **({} if self.accounts else {"seat": self.choose(*self.seated)}))
            self.cards.remove("3D")
        Random(seed).shuffle(self.cards)
        if not self.accounts:
            self.both("shoe.burn", **({} if self.generated else {"card": "3D"}))
        if self.generated:
            self.cards = self.cards[1 + (PIPS[self.cards[0][0]] or 10) :]
        elif self.accounts:
            self.cards.append("3D")

    def session(self):
        if self.shoe is None:
            self.prepare()
        for _ in range(self.random.randint(2, 5)):
            self.act()
            self.now_and_then()

    def act(self):
        acts = [self.coup] * 5 + [self.money, self.money, self.chair]
        if not self.accounts:
            acts += [self.rack, self.colours, self.collect, self.timing, self.count_shift]
            acts += [self.pass_shoe]
        self.choose(*acts)()

    # A coup.
    def coup(self):
        if self.seated:
            self.require_right("coup")
            self.coups += 1
            deal = Deal(f"{self.shoe}/{self.coups}", self.day, at_once=frozenset(self.as_it_wins))
            self.by_hand.deals.append(deal)
            MendedCoup(self, deal).play()

    def take(self):
        """The cards of the next coup, out of the shoe."""
        _, used = dealt(self.cards)
        cards, self.cards = self.cards[:used], self.cards[used:]
        return cards

    # Chairs.
    def chair(self):
        """Somebody leaves, sits down, or takes another chair."""
        seat = self.choose(*CHAIRS)
        free = [each for each in CHAIRS if each not in self.seated]
        if seat in free:
            absent = sorted(self.patrons - set(self.seated.values()))
            self.sit({seat: self.choose(*absent)})
        elif free and self.chance(4):
            to = self.choose(*free)
            self.seated[to] = self.seated.pop(seat)
            self.both("table.move", seat=seat, to=to)
        else:
            self.leave(seat)

    def leave(self, seat):
        """A patron pays what they owe, and leaves."""
        if self.accounts:
            self.all_right()
            self.require_right("coup")
            self.pay_out(seat)
        patron = self.seated.pop(seat)
        self.require_right("collect")
        self.pay(patron)
        self.both("table.leave", seat=seat)
        self.as_it_wins.discard(patron)

    def pay_out(self, seat):
        balance = self.right.balance(seat)
        assert balance == self.wrong.balance(seat)
        if balance:
            self.by_hand.cash.append((self.day, self.seated[seat], "out", balance))
            way = self.choose("account.pay-out", "account.hand-pay")
            signed = {"reason": "no printer", **TWO} if way == "account.hand-pay" else {}
            self.both(way, seat=seat, **signed)

    def pay(self, *patrons):
        """Each pays what they owe by the record of the table."""
        for table in (self.right, self.wrong):
            for patron in patrons:
                if owed := table.owed(patron):
                    table.say("commission.collect", patron=patron, amount=owed)

    # The end of a session, and of a day.
    def end_shoe(self):
        self.require_right("coup", "count", "collect")
        self.pay(*sorted(self.patrons))
        self.both("shoe.end", reason="late", **TWO)
        if not self.generated:
            left, off = self.right.left(self.shoe), self.choose(0, 0, 1)
            self.right.say("shoe.reconcile", remaining=left, **TWO)
            self.wrong.say("shoe.reconcile", remaining=left - off, **TWO)
            again = {"remaining": left, "shoe": self.wrong.at(self.shoe)}
            if off:
                self.slip(Mend("recount", self.wrong.fixing("shoe.recount", **again)))
        self.shoe = None

    def close(self):
        """The shoe is counted and the table closes."""
        if self.accounts:
            self.all_right()
            for seat in list(self.seated):
                self.leave(seat)
        if self.shoe:
            self.end_shoe()
        self.pay(*sorted(self.patrons))
        self.counted("table.close")

    def roll_over(self):
        """The next day begins; seats, debts and the shoe go along."""
        self.require_right("coup", "closed")
        if self.accounts:
            self.all_right()
        self.nights += 1
        for table in (self.right, self.wrong):
            table.moment = max(BEGINS + timedelta(days=self.nights - 1), table.moment)
        before = self.day
        self.pay(*sorted(self.patrons - set(self.seated.values())))
        self.counted("table.roll-over")
        self.day = f"2026-11-{20 + self.nights}"
        self.drop(before)
        self.attach_box()

    def reopen(self):
        self.require_right("closed")
        self.opened("table.reopen", 0 if self.accounts else 40_000_00, reason="again")
        seated, self.seated = self.seated, {}
        self.sit(seated or {seat: f"P-{seat}" for seat in SEATS})

    def play(self):
        """The whole night, until everything is right."""
        self.open()
        while True:
            self.session()
            if self.nights < 3 and self.chance(3):
                self.roll_over()
                continue
            self.close()
            if self.chance(2):
                self.reopen()
                continue
            self.drop(self.day)
            if self.nights == 3 or self.chance(6):
                break
            self.require_right("closed")
            self.open()
        self.all_right()
        days = [f"2026-11-{20 + n}" for n in range(1, self.nights + 1)]
        for table in (self.right, self.wrong):
            table.settle_open(sorted(self.patrons), days)
        return self


def _known_order(seed):
    """Generated shoes come in this order."""
    return patch("ops.commands.sealed_orders.secrets.SystemRandom", lambda: Random(seed))
