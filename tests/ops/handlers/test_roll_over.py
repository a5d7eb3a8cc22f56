"""A roll-over: commission that is owed goes along with the patron, and a bar stays one."""

from collections import Counter
from datetime import timedelta

import pytest

from ops.reports.ask import ask
from ops.words.events import sentences
from ops.words.to_sign import to_sign
from projections import REPORTS
from tests.worlds.gaming_table import BANKER_WINS, DAY
from tests.worlds.shared_ledger import require_explained
from tests.worlds.twin_tables import SEATS, TWO, TwinTable

NEXT_DAY = "2026-11-22"
ROW = ("day", "brought_forward", "charged", "corrections", "collected", "outstanding")


@pytest.fixture(scope="module")
def database(agreeing):
    return agreeing.database


@pytest.fixture
def table(agreeing):
    """After the end of its shoe: seat 3 was said to have paid 10.00, and paid nothing."""
    table = agreeing.bring(TwinTable).begin()
    table.play(BANKER_WINS, (1, "banker", 100_00), (3, "banker", 200_00))
    table.say("commission.collect", seat=1, amount=5_00)
    table.say("commission.collect", seat=3, amount=10_00)
    table.end_shoe()
    table.fix("money.correct", table=table.table, position="last", withdrawn=True)
    return table


def roll_over(table):
    return table.say("table.roll-over", closer={"10000": 203}, confirmed=True)


def commission(database, patron):
    asked = ask(database, REPORTS["commission"], patron=patron).rows
    return [tuple(str(row[name]) for name in ROW) for row in asked]


def require_proof(database, table):
    """The commission proves itself to zero."""
    require_explained(database, table=table.table)
    proof = ask(database, REPORTS["commission-proof"], table=table.table).rows
    assert sum(row["brought_forward"] for row in proof if row["scope"] == "patron") == 0


def test_what_a_patron_owes_is_brought_forward_and_paid_the_day_after(table, database):
    who = table.patron(3)
    events = roll_over(table).body["events"]
    owed = table.owed(3)
    table.say("commission.collect", seat=3, amount=10_00)

    types = [event["type"] for event in events]
    assert types[-2:] == ["CommissionCarriedForward", "CommissionBroughtForward"]
    assert list(sentences(events[-2:], "USD")) == [
        f"{who}'s account goes on: {who} still owes 10.00 commission."
    ]
    assert owed == 10_00
    assert commission(database, who) == [
        (DAY, "-1000", "1000", "0", "0", "0"),
        (NEXT_DAY, "1000", "0", "0", "1000", "0"),
    ]
    require_proof(database, table)


def test_it_is_owed_before_the_next_shoe_ends(table):
    roll_over(table)
    table.prepare()

    assert table.ask("shoe.end", reason="late", **TWO).body["error"] == "CommissionOwed"


def test_a_patron_who_has_left_settles_first(table):
    table.say("table.seat", seat=8, patron=table.patron(8))
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
    table.fix("void", coup=table.coup(1), reason="a camera showed it")

    assert table.owed(3) == 0
    (old, new) = commission(database, table.patron(3))
    assert old == (DAY, "0", "1000", "-1000", "0", "0")
    assert new == (NEXT_DAY, "0", "0", "0", "0", "0")
    require_proof(database, table)


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
    agreeing, database, mistake, paid
):
    typed, right, (command, fields) = MISTAKES[mistake]
    tables = [agreeing.bring(TwinTable).begin() for _ in ("right", "wrong")]
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
    for table in tables:
        require_proof(database, table)


def by_patron(database, table):
    """What every patron paid and still owes, over both days."""
    sums = Counter()
    for row in ask(database, REPORTS["commission"], table=table.table).rows:
        for name in ("collected", "outstanding"):
            sums[row["patron"].replace(table.table, ""), name] += row[name]
    return +sums


def test_a_barred_patron_does_not_keep_a_seat(table):
    table.say("patron.bar", patron=table.patron(5), reason="counted cards")
    refused = table.ask("table.roll-over", closer={"10000": 203}, confirmed=True).body

    assert refused["error"] == "PatronBarred"
    assert refused["message"] == (
        f"{table.patron(5)} on seat 5 is barred. "
        "Free the seat with `table leave`, then roll the table over."
    )
    table.say("table.leave", seat=5)
    roll_over(table)


@pytest.mark.parametrize("line", ["bet", "bets"])
@pytest.mark.parametrize("somebody_else", [False, True])
def test_a_wager_found_after_the_roll_over_is_of_who_sat_there_then(
    agreeing, database, line, somebody_else
):
    table = agreeing.bring(TwinTable).begin()
    table.bet(3, "banker", 200_00)
    placed_at = table.moment
    table.deal(BANKER_WINS, settle=True)
    roll_over(table)
    if somebody_else:
        table.say("table.leave", seat=5)
        table.say("table.seat", seat=5, patron=table.patron("new"))
    wager = {"seat": 5, "spot": "player", "amount": 100_00}
    fields = wager if line == "bet" else {"wagers": [wager]}
    late = {"at": placed_at.isoformat(), "late": True, "with": "S-11"}
    found = table.say(line, **fields, **late).body["events"][0]

    assert (found["type"], found["patron"]) == ("WagerFound", table.patron(5))
    assert found["coup"] == table.coup(1)
    assert found["stay"].startswith(f"{table.table}/{DAY}/")
    require_proof(database, table)


# Entered when the table was rolled over, of before it.
@pytest.fixture
def played(agreeing):
    """Seat 3 owes 10.00, seat 1 has left and another patron sits there since; rolled over."""
    table = agreeing.bring(TwinTable).begin()
    table.play(BANKER_WINS, (3, "banker", 200_00))
    table.say("table.leave", seat=1)
    table.then = table.moment
    table.moment += timedelta(minutes=1)
    roll_over(table)
    table.say("table.seat", seat=1, patron=table.patron("new"))
    return table


def late(table, command, **fields):
    at = {"at": table.then.isoformat(), "late": True}
    return table.say(command, **fields, **at, **{"with": "S-11"}).body["events"]


def variance_and_commission(database, table):
    rows = ask(database, REPORTS["table-win"], table=table.table).rows
    return [(row["variance"], row["commission_in_chips"]) for row in rows]


@pytest.mark.parametrize("whose", ["seat", "patron"])
def test_commission_paid_before_a_roll_over_is_the_tray_s_of_then(played, database, whose):
    whose = {"seat": 3} if whose == "seat" else {"patron": played.patron(3)}
    ((before, _), *_) = variance_and_commission(database, played)
    paid, *_ = late(played, "commission.collect", amount=4_00, **whose)

    assert (paid["type"], paid["stay"]) == ("CommissionCollected", f"{played.table}/{DAY}/stay-2")
    assert played.owed(3) == 6_00
    assert variance_and_commission(database, played) == [(before - 4_00, 4_00), (None, 0)]
    require_proof(database, played)
    assert played.ask("commission.collect", seat=3, amount=6_01).body["error"] == "OverCollected"
    too_much = {"at": played.then.isoformat(), "late": True, "amount": 6_01}
    assert played.ask("commission.collect", **whose, **too_much).body["error"] == "OverCollected"


@pytest.mark.parametrize(("command", "sign"), [("table.buy-in", 1), ("table.cash-out", -1)])
def test_cash_of_before_a_roll_over_is_the_day_s_of_then(played, database, command, sign):
    ((before, _), *_) = variance_and_commission(database, played)
    moved, *_ = late(played, command, seat=3, amount=100_00)

    assert moved["stay"] == f"{played.table}/{DAY}/stay-2"
    assert variance_and_commission(database, played)[0] == (before + sign * 100_00, 0)
    require_proof(database, played)


def test_a_seat_of_before_a_roll_over_is_of_who_sat_there(played, database):
    waived, *_ = late(played, "commission.waive", seat=3, amount=1_00, reason="a guest")
    refused = {"at": played.then.isoformat(), "late": True, "seat": 1, "amount": 1_00}

    assert waived["patron"] == played.patron(3)
    assert played.patron("new") not in str(played.ask("commission.collect", **refused).body)
    require_proof(database, played)


@pytest.mark.parametrize("rightly", [4_00, 12_00])
@pytest.mark.parametrize("gone", [False, True])
def test_a_payment_put_right_after_a_roll_over_is_owed_where_the_patron_sits(
    agreeing, database, rightly, gone
):
    table = agreeing.bring(TwinTable).begin()
    table.play(BANKER_WINS, (3, "banker", 300_00))
    paid = table.say("commission.collect", seat=3, amount=10_00).body["position"]
    roll_over(table)
    if gone:
        table.say("commission.collect", seat=3, amount=5_00)
        table.say("table.leave", seat=3)
        rightly = 4_00
    table.fix("money.correct", position=paid, amount=rightly)
    open_yet = sum(
        row["outstanding"] for row in ask(database, REPORTS["commission"], table=table.table).rows
    )
    noted = [row["kind"] for row in ask(database, REPORTS["exceptions"], table=table.table).rows]

    assert open_yet == 15_00 - rightly - 5_00 * gone
    assert table.owed(3) == (0 if gone else open_yet)
    assert ("commission left open" in noted) == gone
    require_proof(database, table)


def test_whoever_signs_reads_the_tray_first_and_that_the_limits_stay(table):
    table.say("table.limits", spot="main", minimum=50_00, maximum=9_000_00, **TWO)
    events = roll_over(table).body["events"]

    words = to_sign(events, "USD")
    limits = [each for each in words if "Player and Banker" in each]

    assert words[0].startswith("The table is closed. The tray holds")
    assert len(limits) == 1
    assert limits[0].startswith("The limits stay as they are: Player and Banker 50–9,000, Tie")
