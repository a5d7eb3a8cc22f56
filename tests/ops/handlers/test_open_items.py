"""What is open with a patron who left is settled by two people, and every place has its money.

Beside what Sabot says lies what the tray, the cage and the patrons have, counted by hand.
"""

import pytest

from domain.rules.addresses import Coup
from domain.rules.open_items import FROM_PATRON, HOW, IN_MONEY
from ops.pack.pack import pack
from ops.replay.story import find
from ops.words.events import sentences
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import DAY, PLAYER_WINS
from tests.worlds.left_table import LeftTable, open_items, owed, rows, tray
from tests.worlds.open_items import PEOPLE
from tests.worlds.shared_ledger import require_explained
from tests.worlds.stranger import judged
from tests.worlds.twin_tables import TWO


@pytest.fixture(scope="module")
def database(agreeing):
    return agreeing.database


@pytest.fixture
def table(agreeing):
    """Seat 3 won 200.00 on Banker, paid 10.00 and left; then the coup was void."""
    table = agreeing.bring(LeftTable).until("left")
    table.put_right("void", {})
    return table


def settle(table, how, *, ask=False, **fields):
    about = {"patron": table.patron(3), "how": how, "reason": "came by", **PEOPLE}
    return (table.ask if ask else table.say)("patron.settle", **{**about, **fields})


def open_with(database, table, seat=3):
    who = table.patron(seat)
    return {
        item: owes for (patron, item), owes in open_items(database, table).items() if patron == who
    }


def test_r_irr_5_what_both_owe_is_set_off_before_anything_is_paid(table, database):
    assert open_with(database, table) == {"bets": 200_00, "commission": -10_00}
    before = tray(database, table)
    answer = settle(table, "received", amount=40_00)

    assert [each["type"] for each in answer.body["events"]] == [
        *("LeftOpenSettled", "CommissionRefunded")
    ]
    assert open_with(database, table) == {"bets": 150_00}
    assert tray(database, table) == before
    settle(table, "received", place="table")
    assert open_items(database, table) == {}
    assert tray(database, table) == before + 150_00
    require_explained(database, table=table.table)


def test_a_replay_has_what_its_coup_left_open_and_how_it_was_settled(table, database, tmp_path):
    settle(table, "received", place="table")
    with database.connect("sabot_auditor") as connection:
        record = find(connection, Coup.parse(table.coup(1)))
        made = pack(connection, record)
    file = tmp_path / "coup.json"
    file.write_bytes(made.json)
    (tmp_path / "coup.pdf").write_bytes(made.pdf)
    checked = judged(file)
    kinds = [type(line.event).__name__ for line in record.afterwards]

    assert {"BetLeftOpen", "LeftOpenSettled"} < {*kinds}
    assert kinds.index("BetLeftOpen") < kinds.index("LeftOpenSettled")
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout


@pytest.mark.parametrize(
    ("how", "fields", "why"),
    [
        ("paid", {}, "P-{table}-3 owes 190.00."),
        ("received", {"amount": 190_01}, "P-{table}-3 owes 190.00, less than 190.01. Settle"),
        (
            "received",
            {"patron": "P-{table}-1"},
            "Nothing is open with P-{table}-1 on {table}/2026-11-21.",
        ),
        ("received", {"patron": "P-9"}, "P-9 did not sit at {table}/2026-11-21."),
    ],
)
def test_what_is_not_open_is_not_settled(table, how, fields, why):
    if "patron" in fields:
        fields = {"patron": fields["patron"].format(table=table.table)}
    refused = settle(table, how, ask=True, **fields).body

    assert why.format(table=table.table) in refused["message"]


def test_what_a_patron_never_pays_is_written_off_and_its_commission_on_a_form(agreeing, database):
    table = agreeing.bring(LeftTable).until("left")
    table.fix("correct", coup=table.coup(1), seat=3, spot="banker", to=100_00)
    table.fix("correct", coup=table.coup(1), seat=3, spot="banker", stake=300_00)
    was, before = open_with(database, table), tray(database, table)
    assert was == {"bets": 300_00, "commission": 5_00}
    answer = settle(table, "written-off", reason="gone for good")
    kinds = [each["type"] for each in answer.body["events"]]

    assert {"CommissionWalked", "UncollectedFormIssued", "LeftOpenSettled"} <= {*kinds}
    assert (open_items(database, table), owed(database, table)) == ({}, {})
    assert tray(database, table) == before
    require_explained(database, table=table.table)


def test_what_a_patron_never_claims_the_cage_keeps(agreeing, database):
    table = agreeing.bring(LeftTable).until("closed")
    table.put_right("correct", {"seat": 3, "spot": "banker", "to": 450_00})
    assert open_with(database, table) == {"bets": -50_00, "commission": 2_50}
    settle(table, "paid", amount=20_00)
    assert open_with(database, table) == {"bets": -27_50}
    settle(table, "unclaimed", reason="a year is over")

    assert open_items(database, table) == {}
    require_explained(database, table=table.table)


# What was typed, what puts it right; then what is in the tray, and what is open.
WRONG = [
    ({"how": "received", "amount": 40_00}, {"amount": 60_00}, 60_00, 130_00),
    ({"how": "received", "amount": 40_00}, {"withdrawn": True}, 0, 190_00),
    ({"how": "received"}, {"how": "written-off"}, 0, 0),
    ({"how": "written-off", "amount": 40_00}, {"how": "received", "amount": 30_00}, 0, 160_00),
]


@pytest.mark.parametrize("closed", [False, True], ids=["at once", "after the close"])
@pytest.mark.parametrize(("typed", "rightly", "got", "open_yet"), WRONG)
def test_r_irr_5_a_settlement_typed_wrong_is_put_right(
    table, database, typed, rightly, got, open_yet, closed
):
    start = tray(database, table)
    wrong = settle(table, place="table", **typed).body["position"]
    if closed:
        table.settle_up()
        table.end_shoe()
        table.say("table.close", closer={"10000": (start + got) // 100_00}, **TWO)
    table.fix("money.correct", position=wrong, **rightly)
    table.say("table.drop", amount=0, day=DAY, by="C-1", **{"with": "S-11"})

    assert sum(open_with(database, table).values()) == open_yet
    if closed:
        (win,) = rows(database, table, "table-win")
        assert win["variance"] == (start + got) // 100_00 * 100_00 - (start + got)
    else:
        assert tray(database, table) == start + got
    require_explained(database, table=table.table)


def test_the_last_money_is_the_settlement_as_it_was_put_right(table, database):
    wrong = settle(table, "received", amount=40_00).body["position"]
    table.fix("money.correct", position=wrong, amount=60_00)
    again = table.fix("money.correct", position="last", table=table.table, amount=70_00)

    assert again.body["events"][0]["amount"] == 60_00
    assert sum(open_with(database, table).values()) == 120_00
    old = table.ask("money.correct", position=wrong, reason="x", withdrawn=True, **TWO).body
    assert "taken back before" in old["message"]
    require_explained(database, table=table.table)


def test_a_settlement_was_with_somebody_else(agreeing, database):
    table = agreeing.bring(LeftTable).until("closed")
    table.put_right("void", {})
    wrong = settle(table, "received", amount=50_00).body["position"]
    table.fix("money.correct", position=wrong, patron=table.patron(1))

    assert sum(open_with(database, table).values()) == 190_00
    assert sum(open_with(database, table, 1).values()) == 95_00 - 50_00
    require_explained(database, table=table.table)


def test_r_acc_1_the_cage_pays_a_game_account_whose_patron_is_gone(agreeing, database):
    table = agreeing.bring(ElectronicTable).begin((3, 200_00), (5, 50_00))
    more = table.say("account.pay-in", seat=3, amount=10_00).body["position"]
    table.play(PLAYER_WINS, (5, "player", 50_00))
    for seat in (3, 5):
        table.say("account.pay-out", seat=seat)
        table.say("table.leave", seat=seat)
    start = tray(database, table)
    table.say("money.correct", position=more, amount=100_00, reason="typed wrong", **TWO)
    assert open_items(database, table) == {("P-3", "game account"): -90_00}
    about = {"patron": "P-3", "how": "paid", "reason": "came by", **PEOPLE}
    table.say("patron.settle", amount=30_00, **about)
    wrong = table.say("patron.settle", amount=50_00, **about).body["position"]
    table.say("money.correct", position=wrong, amount=40_00, reason="typed wrong", **TWO)

    assert open_items(database, table) == {("P-3", "game account"): -20_00}
    table.say("patron.settle", **about)
    assert open_items(database, table) == {}
    assert tray(database, table) == start
    table.require_books()
    table.end_shoe()
    closed = table.say("table.close", closer={}).body["events"]
    table.say("table.drop", amount=350_00, day=DAY, by="C-1", **{"with": "S-11"})
    assert [each["variance"] for each in closed if each["type"] == "TableClosed"] == [0]
    (win,) = rows(database, table, "table-win")
    # 350.00 in cash and 50.00 lost; 260.00 less was paid out at the table than the cage paid later.
    assert win["win"] == -50_00
    require_explained(database, table=table.table)


def test_the_chips_of_a_position_whose_patron_is_gone_are_left_open(agreeing, database):
    table = agreeing.bring(ElectronicTable).begin((3, 200_00))
    table.play(PLAYER_WINS, (3, "banker", 100_00))
    table.say("account.pay-out", seat=3)
    table.say("table.leave", seat=3)
    start = tray(database, table)
    table.say("void", coup=f"{table.table}/{DAY}/1/1", reason="a wrong card", **TWO)
    assert (open_items(database, table), tray(database, table)) == (
        {("P-3", "bets"): -100_00},
        start,
    )
    table.say("patron.settle", patron="P-3", how="paid", reason="came by", **PEOPLE)

    assert (open_items(database, table), tray(database, table)) == ({}, start)
    require_explained(database, table=table.table)


@pytest.mark.parametrize("place", ["cage", "table"])
@pytest.mark.parametrize("rightly", HOW)
@pytest.mark.parametrize("how", HOW)
def test_a_settlement_was_of_any_other_kind(agreeing, database, how, rightly, place):
    """Of the same direction it takes its place, and only money in hand is in the tray."""
    table = agreeing.bring(LeftTable).until("left")
    owes = how in FROM_PATRON
    table.put_right(*(("void", {}) if owes else ("correct", {"seat": 3, "spot": "banker",
                                                            "to": 450_00})))  # fmt: skip
    start, was = tray(database, table), sum(open_with(database, table).values())
    wrong = settle(table, how, place=place).body["position"]
    in_tray = was if place == "table" and how in IN_MONEY else 0
    assert tray(database, table) == start + in_tray
    line = {"position": wrong, "how": rightly, "reason": "wrong direction"}
    answer = table.ask("money.correct", **line, **TWO)
    said = "\n".join(sentences(answer.body.get("events", []), "USD"))

    assert answer.ok == (rightly != how and (rightly in FROM_PATRON) == owes), answer.body
    if not answer.ok:
        assert answer.body["error"] == "BadValue"
        return
    to_tray = was if place == "table" and {how, rightly} <= {*IN_MONEY} else 0
    assert tray(database, table) == start + to_tray
    assert open_items(database, table) == {}
    if rightly not in IN_MONEY:
        why = {"written-off": "is written off", "unclaimed": "the cage keeps it"}[rightly]
        assert f"{why}: wrong direction." in said
    require_explained(database, table=table.table)


def test_a_settlement_put_right_has_the_number_that_it_answered(table):
    number = settle(table, "received", amount=40_00).body["position"]
    for name, amount in ((number, 60_00), ("last", 70_00)):
        right = {"position": name, "amount": amount, "table": table.table}
        answer = table.fix("money.correct", **right)
        said = list(sentences(answer.body["events"], "USD"))

        assert said[0].startswith(f"Entry #{number} of ")
        number = answer.body["position"]
