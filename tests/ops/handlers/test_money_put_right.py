"""Every report of money agrees with every other after whatever `money correct` puts right.

At one of two tables everything is typed wrong and put right; both must then have the same money, in
every report, on every slip, and in every difference that a count is said to have.
"""

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable
from tests.worlds.twin_tables import SLIP, TWO, TwinTable

pytestmark = pytest.mark.usefixtures("held")

TEAM = {"by": "C-1", "with": "C-2", "third": "C-3"}
R_1 = {"by": "R-1", "with": "S-11"}
# Money by report, without the moments, numbers and people of its events.
MONEY = {
    "boxes": ("table", "day", "amount", "table_figure", "difference"),
    "inventory": ("table", "moment", "shift", "chips", "total", "variance", "level", "session"),
    "table-win": (
        *("table", "opener", "fills", "credits", "closer", "drop", "cash_out", "win", "hold"),
        "theoretical_win",
    ),
    "master": ("table", "period", "handle", "drop", "win", "hold", "theoretical_win"),
    "measures": ("table", "day", "coups", "seats", "handle", "drop", "win", "hold"),
    "ratings": ("patron", "table", "seat", "buy_in", "handle", "win_loss"),
    "cash-log": ("table", "patron", "direction", "amount", "kind", "total_in", "total_out"),
    "ctr": ("patron", "direction", "total"),
    "adjustments": ("table", "kind", "before", "after", "difference"),
    "slips": ("kind", "table", "chips", "total", "status"),
    "commission": ("patron", "table", "charged", "collected", "outstanding"),
}


def played(table, *, wrongly):
    """A day with one movement of every kind; the positions by which they are put right."""
    positions = {}

    def moved(name, command, **fields):
        positions[name] = table.say(command, **fields).body["position"]

    def typed(right, wrong):
        return wrong if wrongly else right

    opener = {"10000": typed(200, 150)}
    moved("opener", "table.open", rules="dragon-bonus@1", opener=opener, day=DAY, **TWO)
    for seat in (1, 3, 5):
        table.say("table.seat", seat=seat, patron=table.patron(seat))
    box = f"X-{table.table}"
    table.say("box.attach", box=box, **R_1)
    moved("in", "table.buy-in", seat=3, amount=typed(500_00, 5_000_00))
    moved("over", "table.buy-in", seat=1, amount=typed(11_000_00, 9_000_00))
    moved("out", "table.cash-out", seat=3, amount=typed(100_00, 10_00))
    moved("fill", "table.fill", chips={"500": typed(40, 20)}, **SLIP)
    moved("credit", "table.credit", chips={"10000": typed(2, 5)}, **SLIP)
    table.prepare()
    table.play(BANKER_WINS, (3, "banker", 100_00))
    moved("paid", "commission.collect", seat=3, amount=typed(5_00, 3_00))
    table.say("table.shift-count", chips={"10000": 90}, **TWO)
    if wrongly:  # or the table could not be closed
        table.fix("money.correct", position=positions["paid"], amount=5_00)
    return positions, box


def ended(table, box):
    """The table is closed, and its box counted."""
    table.end_shoe()
    table.say("table.close", closer={"10000": 90}, **TWO)
    table.say("box.remove", box=box, **R_1)
    table.say("box.carry", box=box, **R_1)
    table.say("box.count", box=box, amount=11_500_00, **TEAM)


def put_right(table, positions):
    """Every movement is put right as it really was."""
    rightly = {
        "opener": {"chips": {"10000": 200}},
        "in": {"amount": 500_00},
        "over": {"amount": 11_000_00},
        "out": {"amount": 100_00},
        "fill": {"chips": {"500": 40}},
        "credit": {"chips": {"10000": 2}},
    }
    for name, fields in rightly.items():
        table.fix("money.correct", position=positions[name], **fields)


# What two people put right is listed as such, beside what follows from it.
ACTS = {"money corrected", "collection corrected"}


def money(database, table):
    """The rows of every report of money, the table's name left out."""
    found = {name: sorted(_rows(database, name, table)) for name in MONEY}
    slip = shell(database, "shift", "slip", f"{table}/{DAY}", "day").stdout.splitlines()
    amounts = ("Total", "Expected", "Difference")
    return found | {"slip": [line for line in slip if line.startswith(amounts)]}


def _rows(database, name, table):
    report = REPORTS[name]
    asked = {"table": table} if "table" in report.narrowings else {}
    for row in ask(database, report, **asked).rows:
        if (asked or table in str(row)) and row.get("kind") not in ACTS:
            yield str([row[column] for column in MONEY[name]]).replace(table, "T")


@pytest.mark.parametrize("when", ["at once", "after the counts"])
def test_all_reports_of_money_are_those_of_a_day_without_mistakes(dispatcher, database, when):
    right, wrong = (TwinTable(dispatcher, name) for name in ("R01", "W01"))
    right.say("property.set", name="adjustment_report", value="1")
    _, box = played(right, wrongly=False)
    ended(right, box)
    positions, box = played(wrong, wrongly=True)
    if when == "at once":
        put_right(wrong, positions)
    ended(wrong, box)
    if when == "after the counts":
        put_right(wrong, positions)

    expected, actual = money(database, "R01"), money(database, "W01")
    for name, rows in expected.items():
        assert rows, name
        assert rows == actual[name], name


@pytest.mark.parametrize("when", ["lost", "left", "closed"])
@pytest.mark.parametrize("kind", ["chips", "account"])
def test_a_pay_in_typed_ten_times_too_high_is_put_right_though_it_was_lost(
    dispatcher, database, kind, when
):
    """Cash that was never given is a fact, whether it was lost in play or not."""
    if kind == "account":
        table = ElectronicTable(dispatcher).begin((5, 100_00))
        paid = table.say("account.pay-in", seat=5, amount=900_00).body["position"]
        table.play(PLAYER_WINS, (5, "banker", 1_000_00))
    else:
        table = GamingTable(dispatcher).open().prepare()
        table.say("table.buy-in", seat=5, amount=100_00)
        paid = table.say("table.buy-in", seat=5, amount=900_00).body["position"]
        table.play(PLAYER_WINS, (5, "banker", 1_000_00))
    if when != "lost":
        table.say("table.leave", seat=5)
    if when == "closed":
        table.end_shoe()
        for seat in (1, 3) if kind == "chips" else ():
            table.ask("table.leave", seat=seat)
        table.say("table.close", closer={}, confirmed=True, **TWO)
    table.say("money.correct", position=paid, amount=90_00, reason="a nought too many", **TWO)

    bought = [row["amount"] for row in ask(database, REPORTS["cash-log"]).rows]
    assert bought == [100_00, 90_00]
    kinds = [row["kind"] for row in ask(database, REPORTS["exceptions"]).rows]
    assert ("account short" in kinds) == (kind == "account")
    assert "money corrected" in kinds
