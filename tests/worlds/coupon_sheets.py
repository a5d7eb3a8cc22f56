"""A rule set that takes coupons, and what the reports say of a table that took some."""

from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable
from tests.worlds.terms_of_sheets import TWO, approve

MATCH = "MP-1"
FREE = "FB-1"
TERMS = """
[coupons.match-play]
spots = ["player", "banker"]

[coupons.free-bet]
spots = ["player", "banker", "tie"]
on_push = "used"
commission = "taken-off"
"""


def sheet(terms=TERMS, name="promo@1", more=""):
    """A rule file: match plays on Player and Banker, free bets on Tie too."""
    return f"""
name = "{name}"
source = "a sheet of the tests"
based_on = "dragon-bonus@1"
{more}
{terms}
"""


def issue(pit, coupon, kind="match-play", worth=25_00, **fields):
    """A coupon of the house's."""
    return pit.say("coupon.issue", coupon=coupon, kind=kind, worth=worth, **fields)


def promotions(database):
    """The report, by coupon."""
    return {row["coupon"]: row for row in ask(database, REPORTS["promotions"]).rows}


def win_of(database, table="B01"):
    """The row of a table's win."""
    (row,) = ask(database, REPORTS["table-win"], table=table).rows
    return row


def with_coupons(dispatcher, table="B10"):
    """A table at which everything happens to coupons that may: used, back, refused, put right."""
    approve(dispatcher, sheet())
    pit = GamingTable(dispatcher, table).open("promo@1").prepare()
    for coupon in (MATCH, "MP-2", "MP-3"):
        issue(pit, coupon)
    issue(pit, FREE, "free-bet", 50_00)
    pit.say("coupon.void", coupon="MP-3", reason="came back")
    for cards, coupon in ((BANKER_WINS, MATCH), (PLAYER_WINS, "MP-2")):
        for spot in ("player", "banker"):
            pit.bet(3, spot, 100_00)
            pit.say("coupon.lay", seat=3, spot=spot, coupon=coupon)
            if spot == "player":
                pit.say("withdraw", seat=3)
        pit.say("coupon.lay", seat=5, spot="tie", coupon=FREE)
        pit.ask("coupon.lay", seat=1, spot="tie", coupon="MP-3")
        pit.deal(cards, settle=True)
        coup = f"{table}/{DAY}/1/{1 if coupon == MATCH else 2}"
        if coupon == MATCH:
            pit.say("void", coup=coup, reason="misread", **TWO)
        else:
            put_right = {"coup": coup, "reason": "misread", **TWO}
            pit.say("coup.correct-card", n=5, card="4H", **put_right)
            pit.say("coupon.correct", seat=3, withdrawn=True, **put_right)
    return pit
