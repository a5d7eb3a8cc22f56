"""A rule set that takes coupons, and what the reports say of a table that took some."""

from ops.reports.ask import ask
from projections import REPORTS

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
