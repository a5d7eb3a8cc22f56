"""Random evenings with random mistakes, each put right, end as the evening without them.

The strongest test of corrections: whatever was typed wrong, and whenever it was put right, both
tables have the same wagers, coups, cards, counts, cash, ratings, commission and win.
"""

from random import Random

import pytest

from domain.rules.cards import DECK, points
from domain.rules.hands import next_due
from ops.reports.rebuild import check_together
from projections import PROJECTIONS
from tests.faults import FULL
from tests.worlds.twin_tables import SEATS, SLIP, TwinTable, ends

FEW = (2, 3, 5, 8, 15, 19, 29)  # in which money of every kind is put right in every way
EVENINGS = range(30) if FULL else FEW
SPOTS = ("banker", "player", "tie")
AMOUNTS = (25_00, 60_00, 100_00, 500_00)
DECKS = 8
AT_ONCE, LATER, AT_THE_END = "at once", "later", "after closing"
MONEY = ("table.buy-in", "table.cash-out", "table.fill", "table.credit")


def dealt(cards):
    """As many of these cards as a coup takes."""
    taken = []
    while next_due([points(card) for card in taken]):
        taken.append(cards[len(taken)])
    return taken


class Evening:
    """The same evening at two tables, at the second of them with mistakes."""

    def __init__(self, dispatcher, number):
        self.random = Random(number)
        self.right = TwinTable(dispatcher, "R01").begin()
        self.wrong = TwinTable(dispatcher, "W01").begin()
        self.shoe = list(DECK) * DECKS
        self.shoe.remove("3D")  # it was burned
        self.random.shuffle(self.shoe)
        self.tables = (self.right, self.wrong)
        self.coups = 0
        self.later = []  # what is put right before the shoe is counted
        self.last = []  # what is put right when the table is closed

    def choose(self, *what):
        return self.random.choice(what)

    def when(self, how, *, late=True):
        """Puts something right now, or later."""
        when = self.choose(AT_ONCE, LATER, AT_THE_END if late else LATER)
        if when == AT_ONCE:
            how(AT_ONCE)
        elif when == LATER:
            self.later.append(how)
        else:
            self.last.append(how)

    # A coup.
    def coup(self):
        self.coups += 1
        seats = self.random.sample(SEATS, self.choose(1, 2))
        bets = [(seat, self.choose(*SPOTS), self.choose(*AMOUNTS)) for seat in sorted(seats)]
        cards = dealt(self.shoe)
        del self.shoe[: len(cards)]
        self.right.play(" ".join(cards), *bets)
        kind = self.choose("none", "card", "seat", "left out")
        if kind == "card":
            self.mistype(bets, cards)
        elif kind == "seat":
            self.take_the_wrong_seat(bets, cards)
        elif kind == "left out" and len(bets) == 2:
            self.leave_one_out(bets, cards)
        else:
            self.wrong.play(" ".join(cards), *bets)

    def mistype(self, bets, cards):
        n = self.random.randint(1, len(cards))
        other = self.choose(*(card for card in self.shoe if card != cards[n - 1]))
        typed = dealt([*cards[: n - 1], other, *cards[n:], *self.shoe[-6:]])
        for bet in bets:
            self.wrong.bet(*bet)
        address = self.wrong.coup(self.coups)
        if n > len(typed):  # the mistake could not have been typed
            typed = cards
        self.wrong.deal(" ".join(typed))
        if n > len(typed) or typed == cards:
            self.wrong.say("settle")
            return

        def fix(_):
            after = {"after": "untyped"} if len(typed) > len(cards) else {}
            card = cards[n - 1]
            self.wrong.fix("coup.correct-card", coup=address, n=n, card=card, **after)

        if len(typed) < len(cards):
            fix(AT_ONCE)
            self.wrong.deal(" ".join(cards[len(typed) :]), settle=True)
        else:
            before = self.choose(True, False)
            if before:
                fix(AT_ONCE)
            self.wrong.say("settle")
            if not before:
                self.when(fix, late=False)

    def take_the_wrong_seat(self, bets, cards):
        seat, spot, amount = bets[0]
        free = [each for each in SEATS if each not in {bet[0] for bet in bets}]
        taken = self.choose(*free)
        self.wrong.play(" ".join(cards), (taken, spot, amount), *bets[1:])
        address = self.wrong.coup(self.coups)

        def fix(when):
            whose = {} if when != AT_THE_END else {"patron": self.wrong.patron(seat)}
            wager = {"coup": address, "seat": taken, "spot": spot}
            self.wrong.fix("coup.move-wager", **wager, to_seat=seat, **whose)

        self.when(fix)

    def leave_one_out(self, bets, cards):
        self.wrong.play(" ".join(cards), bets[0])
        seat, spot, amount = bets[1]
        at = self.wrong.opened_at()
        both = {"by": "D-204", "with": "S-11", "late": True}
        self.wrong.say("bet", seat=seat, spot=spot, amount=amount, at=at, **both)

    # Money.
    def money(self):
        command = self.choose(*MONEY)
        seat, other = self.choose(*SEATS), self.choose(*SEATS)
        amount, typed = self.choose(*AMOUNTS), self.choose(*AMOUNTS)
        kind = self.choose("amount", "seat", "never was")
        if command in ("table.fill", "table.credit"):
            self.chips(command, amount // 500, typed // 500, kind)
            return
        if kind != "never was":
            self.right.say(command, seat=seat, amount=amount)
        wrongly = other if kind == "seat" else seat
        entered = typed if kind == "amount" else amount
        position = self.wrong.say(command, seat=wrongly, amount=entered).body["position"]
        if (wrongly, entered) == (seat, amount) and kind != "never was":
            return

        def fix(when):
            if kind == "never was":
                rightly = {"withdrawn": True}
            elif kind == "amount":
                rightly = {"amount": amount}
            else:
                rightly = (
                    {"seat": seat} if when != AT_THE_END else {"patron": self.wrong.patron(seat)}
                )
            self.wrong.fix("money.correct", position=position, **rightly)

        self.when(fix)

    def chips(self, command, chips, typed, kind):
        rightly, entered = {"500": chips}, {"500": typed}
        if kind != "never was":
            self.right.say(command, chips=rightly, **SLIP)
        position = self.wrong.say(command, chips=entered, **SLIP).body["position"]
        if kind == "never was":
            fields = {"withdrawn": True}
        elif rightly == entered:
            return
        else:
            fields = {"chips": rightly}
        self.when(lambda _: self.wrong.fix("money.correct", position=position, **fields))

    def collect(self):
        """Commission is collected, at the second table with a mistake that is put right at once."""
        owing = [seat for seat in SEATS if self.right.owed(seat) > 1]
        alike = [seat for seat in owing if self.right.owed(seat) == self.wrong.owed(seat)]
        if not alike:
            return
        seat = self.choose(*alike)
        owed = self.right.owed(seat)
        rightly = self.random.randint(1, owed)
        typed = self.random.randint(1, owed)
        self.right.say("commission.collect", seat=seat, amount=rightly)
        paid = self.wrong.say("commission.collect", seat=seat, amount=typed).body["position"]
        if rightly != typed:
            self.wrong.fix("money.correct", position=paid, amount=rightly)

    def finish(self):
        for fix in self.later:
            fix(LATER)
        for table in self.tables:
            table.settle_up()
            table.say("shoe.end", reason="late", by="D-204", **{"with": "S-11"})
        left = self.random.randint(300, 410)
        self.counted("shoe.reconcile", "shoe.recount", "remaining", left, left + 1)
        closer = [{"10000": self.random.randint(0, 300)} for _ in range(2)]
        self.counted("table.close", "table.recount", "closer", *closer)
        drop = self.choose(*AMOUNTS)
        self.counted("table.drop", "table.drop-recount", "amount", drop, drop + 1_00)
        for fix in self.last:
            fix(AT_THE_END)
        self.wrong.settle_at_the_cage()

    def counted(self, first, again, name, rightly, typed):
        """Something is counted; at the second table perhaps wrongly, and then again."""
        self.right.say(first, **{name: rightly, "with": "S-11"})
        mistaken = rightly != typed and self.choose(True, False)
        self.wrong.say(first, **{name: typed if mistaken else rightly, "with": "S-11"})
        if mistaken:
            self.wrong.fix(again, **{name: rightly})


@pytest.mark.parametrize("number", EVENINGS)
def test_whatever_was_typed_wrong_is_put_right_and_leaves_no_trace(dispatcher, database, number):
    evening = Evening(dispatcher, number)
    for _ in range(evening.choose(2, 3, 4)):
        evening.coup()
        if evening.choose(True, False):
            evening.money()
        if evening.choose(True, False):
            evening.collect()
    evening.finish()
    expected, actual = (ends(database, table.table) for table in evening.tables)

    for name, rows in expected.items():
        assert actual[name] == rows, name
    assert actual["proof"] == []
    with database.session("sabot_projector") as connection:
        checked = check_together(connection, list(PROJECTIONS.values()), lambda _: None)
    assert [each for each in checked if each.differing] == []
