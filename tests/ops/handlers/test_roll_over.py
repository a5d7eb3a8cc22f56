"""A roll-over: commission that is owed goes along with the patron, and a bar stays one."""

from collections import Counter

import pytest

from ops.reports.ask import ask
from ops.reports.rebuild import check_together
from projections import PROJECTIONS, REPORTS
from tests.worlds.gaming_table import BANKER_WINS, DAY
from tests.worlds.twin_tables import SEATS, TWO, TwinTable

NEXT_DAY = "2026-11-22"
ROW = ("day", "brought_forward", "charged", "corrections", "collected", "outstanding")


@pytest.fixture
def table(dispatcher):
    """After the end of its shoe: seat 3 was said to have paid 10.00, and paid nothing."""
    table = TwinTable(dispatcher, "B01").begin()
    table.play(BANKER_WINS, (1, "banker", 100_00), (3, "banker", 200_00))
    table.say("commission.collect", seat=1, amount=5_00)
    table.say("commission.collect", seat=3, amount=10_00)
    table.end_shoe()
    table.fix("money.correct", table="B01", position="last", withdrawn=True)
    return table


def roll_over(table):
    return table.say("table.roll-over", closer={"10000": 203}, confirmed=True)


def commission(database, patron):
    asked = ask(database, REPORTS["commission"], patron=patron).rows
    return [tuple(str(row[name]) for name in ROW) for row in asked]


def require_proof(database):
    """The commission proves itself to zero, and its projections are those of a rebuild."""
    proof = ask(database, REPORTS["commission-proof"]).rows
    assert {row["difference"] for row in proof} == {0}
    assert sum(row["brought_forward"] for row in proof if row["scope"] == "patron") == 0
    with database.session("sabot_projector") as connection:
        checked = check_together(connection, list(PROJECTIONS.values()), lambda _: None)
    assert [each for each in checked if each.differing] == []


def test_what_a_patron_owes_is_brought_forward_and_paid_the_day_after(table, database):
    events = roll_over(table).body["events"]
    owed = table.owed(3)
    table.say("commission.collect", seat=3, amount=10_00)

    types = [event["type"] for event in events]
    assert types[-2:] == ["CommissionCarriedForward", "CommissionBroughtForward"]
    assert owed == 10_00
    assert commission(database, "P-B01-3") == [
        (DAY, "-1000", "1000", "0", "0", "0"),
        (NEXT_DAY, "1000", "0", "0", "1000", "0"),
    ]
    require_proof(database)


def test_it_is_owed_before_the_next_shoe_ends(table):
    roll_over(table)
    table.prepare()

    assert table.ask("shoe.end", reason="late", **TWO).body["error"] == "CommissionOwed"


def test_a_patron_who_has_left_settles_first(table):
    table.say("table.seat", seat=8, patron="P-9")
    refused = table.ask("table.leave", seat=3).body
    table.say("commission.walked", seat=3, reason="ran off", **TWO)
    table.say("table.leave", seat=3)

    assert refused["error"] == "CommissionOwed"
    roll_over(table)


@pytest.mark.parametrize("paid_before", [False, True])
def test_a_correction_of_a_coup_before_the_roll_over_takes_it_back(table, database, paid_before):
    roll_over(table)
    if paid_before:
        table.say("commission.collect", seat=3, amount=10_00)
    table.fix("void", coup=f"B01/{DAY}/1/1", reason="a camera showed it")

    assert table.owed(3) == 0
    (old, new) = commission(database, "P-B01-3")
    assert old == (DAY, "0", "1000", "-1000", "0", "0")
    assert new == (NEXT_DAY, "0", "0", "0", "0", "0")
    require_proof(database)


# A coup of before the roll-over: what was typed at one table, the right coup at the other, and how
# it is put right.
MISTAKES = {
    "stake": ((3, "banker", 1_000_00), (3, "banker", 100_00), ("correct", {"stake": 100_00})),
    "spot": ((3, "banker", 100_00), (3, "tie", 100_00), ("correct", {"as": "tie"})),
    "other spot": ((3, "tie", 100_00), (3, "banker", 100_00), ("correct", {"as": "banker"})),
    "whose": ((3, "banker", 100_00), (5, "banker", 100_00), ("coup.move-wager", {"to_seat": 5})),
}


@pytest.mark.parametrize("paid", ["before", "after", "never"])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_patron_who_plays_on_owes_or_gets_back_as_within_the_day(
    dispatcher, database, mistake, paid
):
    typed, right, (command, fields) = MISTAKES[mistake]
    tables = [TwinTable(dispatcher, name).begin() for name in ("R01", "W01")]
    for table, wager in zip(tables, (right, typed), strict=True):
        table.play(BANKER_WINS, wager)
        if paid == "before":
            table.settle_up()
        roll_over(table)
        if paid == "after":
            table.settle_up()
    wrong = tables[1]
    wrong.fix(command, coup=wrong.coup(1), seat=3, spot=typed[1], **fields)
    for table in tables:
        table.settle_up()
        for seat in SEATS:
            table.say("table.leave", seat=seat)

    expected, actual = (by_patron(database, table) for table in tables)
    assert actual == expected
    require_proof(database)


def by_patron(database, table):
    """What every patron paid and still owes, over both days."""
    sums = Counter()
    for row in ask(database, REPORTS["commission"], table=table.table).rows:
        for name in ("collected", "outstanding"):
            sums[row["patron"].replace(table.table, ""), name] += row[name]
    return +sums


def test_a_barred_patron_does_not_keep_a_seat(table, dispatcher):
    bar = {"command": "patron.bar", "patron": "P-B01-5", "reason": "counted cards", "by": "S-11"}
    assert dispatcher.dispatch(bar).ok
    refused = table.ask("table.roll-over", closer={"10000": 203}, confirmed=True).body

    assert refused["error"] == "PatronBarred"
    assert refused["message"] == (
        "P-B01-5 on seat 5 is barred. Free the seat with `table leave`, then roll the table over."
    )
    table.say("table.leave", seat=5)
    roll_over(table)


@pytest.mark.parametrize("line", ["bet", "bets"])
@pytest.mark.parametrize("somebody_else", [False, True])
def test_a_wager_found_after_the_roll_over_is_of_who_sat_there_then(
    dispatcher, database, line, somebody_else
):
    table = TwinTable(dispatcher, "B01").begin()
    table.bet(3, "banker", 200_00)
    placed_at = table.moment
    table.deal(BANKER_WINS, settle=True)
    roll_over(table)
    if somebody_else:
        table.say("table.leave", seat=5)
        table.say("table.seat", seat=5, patron="P-NEW")
    wager = {"seat": 5, "spot": "player", "amount": 100_00}
    fields = wager if line == "bet" else {"wagers": [wager]}
    late = {"at": placed_at.isoformat(), "late": True, "with": "S-11"}
    found = table.say(line, **fields, **late).body["events"][0]

    assert (found["type"], found["patron"]) == ("WagerFound", "P-B01-5")
    assert found["coup"] == f"B01/{DAY}/1/1"
    assert found["stay"].startswith(f"B01/{DAY}/")
    require_proof(database)
