"""R-PROMO-1 to 4 over random evenings: the same evening with coupons and without them.

Two tables play the same coups, one with coupons beside the bets. Drop, handle, ratings, win by
wagers and commission must be the same; what differs is the tray, by what a model of its own pays
on the coupons, which knows no event.
"""

from random import Random

from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.coupon_sheets import issue, promotions, sheet, win_of
from tests.worlds.gaming_table import BANKER_WINS, DAY, PATRONS, PLAYER_WINS, TIE, GamingTable
from tests.worlds.terms_of_sheets import TWO, approve

WINNER = {PLAYER_WINS: "player", BANKER_WINS: "banker", TIE: "tie"}
SAME = {  # of each report, the columns that coupons must not change
    "wagers": ("seat", "spot", "stake", "result", "paid", "commission_charged"),
    "commission": ("accrued", "owed", "paid"),
    "ratings": ("seat", "buy_in", "coups", "average_wager", "handle", "win_loss"),
    "measures": ("coups", "handle", "drop"),
}
COUPS = 10


def worth_of(kind, spot, worth, cards):
    """What a coupon is paid in chips, and whether it is used, by hand from the sheet."""
    winner = WINNER[cards]
    if winner == spot:
        won = worth * (8 if spot == "tie" else 1)
        off = won // 20 if (kind, spot) == ("free-bet", "banker") else 0
        return won - off, True
    push = winner == "tie"
    return 0, not push or kind == "free-bet"


class Evening:
    """A table with coupons, a table without, and every coupon by the model."""

    def __init__(self, dispatcher, seed):
        self.chance = Random(seed)
        approve(dispatcher, sheet())
        self.pits = [
            GamingTable(dispatcher, table).open("promo@1").prepare() for table in ("B01", "B02")
        ]
        self.issued = {}  # by coupon: kind, worth
        self.lies = {}  # by coup: what lies there, with its payment: seat, coupon, spot
        self.paid = {}  # by coup and coupon
        self.used = {}  # by coupon: the coup
        self.cards = {}
        self.void = set()
        for n in range(6):
            kind = self.chance.choice(["match-play", "free-bet"])
            self.issued[f"C-{n}"] = kind, self.chance.choice([20_00, 50_00])
            issue(self.pits[0], f"C-{n}", *self.issued[f"C-{n}"])

    def both(self, command, **fields):
        for pit in self.pits:
            pit.say(command, **fields)

    def play(self, number):
        cards = self.chance.choice(list(WINNER))
        bets = {seat: self.chance.choice(["player", "banker"]) for seat in PATRONS}
        for seat, spot in bets.items():
            self.both("bet", seat=seat, spot=spot, amount=100_00)
        self.lies[number] = {}
        for seat, spot in bets.items():
            coupon = self.chance.choice(list(self.issued))
            kind, _ = self.issued[coupon]
            on = self.chance.choice([spot, "tie"]) if kind == "free-bet" else spot
            answer = self.pits[0].ask("coupon.lay", seat=seat, spot=on, coupon=coupon)
            free = coupon not in self.used and coupon not in self.lies[number]
            assert answer.ok == free, answer.words
            if free and self.chance.random() < 0.2:
                self.pits[0].say("coupon.withdraw", seat=seat)
            elif free:
                self.lies[number][coupon] = seat, on
        self.cards[number] = cards
        for pit in self.pits:
            pit.deal(cards, settle=True)
        self.pay(number)

    def pay(self, number):
        """What each coupon of a coup is paid now; one that went on to another coup stays."""
        for coupon, (_, spot) in self.lies[number].items():
            if self.used.get(coupon, number) == number:
                paid, used = worth_of(*self.of(coupon, spot), self.cards[number])
                self.paid[number, coupon] = paid
                self.used.pop(coupon, None)
                if used:
                    self.used[coupon] = number

    def of(self, coupon, spot):
        kind, worth = self.issued[coupon]
        return kind, spot, worth

    def mend(self, number):
        """A void, a coupon that never was there, or nothing."""
        coup = f"{{}}/{DAY}/1/{number}"
        what = self.chance.choice(["void", "withdrawn", "none"])
        if what == "void" and number not in self.void:
            self.void.add(number)
            for pit in self.pits:
                pit.say("void", coup=coup.format(pit.table), reason="misread", **TWO)
            for coupon in self.lies.pop(number):
                self.back(number, coupon)
        elif what == "withdrawn" and self.lies.get(number):
            coupon, (seat, _) = next(iter(self.lies[number].items()))
            if self.used.get(coupon, number) != number:
                return
            put_right = {"coup": coup.format("B01"), "seat": seat, "reason": "misread", **TWO}
            self.pits[0].say("coupon.correct", withdrawn=True, **put_right)
            del self.lies[number][coupon]
            self.back(number, coupon)

    def back(self, number, coupon):
        self.paid[number, coupon] = 0
        if self.used.get(coupon) == number:
            del self.used[coupon]


def columns(database, report, table):
    rows = ask(database, REPORTS[report], table=table).rows
    return [tuple(row.get(name) for name in SAME[report]) for row in rows]


def test_coupons_change_the_tray_by_what_they_are_paid_and_nothing_else(dispatcher, database):
    evening = Evening(dispatcher, seed=2)
    for number in range(1, COUPS + 1):
        evening.play(number)
        if number > 1:
            evening.mend(evening.chance.randrange(1, number))
    trays = [
        pit.say("table.shift-count", chips={"10000": 200}).body["events"][0]["expected"]
        for pit in evening.pits
    ]
    with_coupons, without = (win_of(database, pit.table) for pit in evening.pits)
    paid = sum(evening.paid.values())
    rows = promotions(database)

    assert paid == trays[1] - trays[0] == with_coupons["promotions"]
    assert with_coupons["win_by_wagers"] == without["win_by_wagers"]
    assert paid == sum(row["paid"] for row in rows.values())
    assert set(evening.used) == {each for each, row in rows.items() if row["status"] == "used"}
    for report in SAME:
        assert columns(database, report, "B01") == columns(database, report, "B02"), report
