"""A seat means who sat there when something happened, whoever sits there when it is put right."""

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import BANKER_WINS, BEGINS
from tests.worlds.twin_tables import TwinTable

LEFT, NEW = "P-W01-3", "P-NEW"


@pytest.fixture
def table(dispatcher):
    """Somebody sits at seat 3, whom seat 1's wagers are typed for by mistake."""
    return TwinTable(dispatcher, "W01").begin()


def typed_for_seat_1(table):
    """A coup that is paid, and 5,000.00 in cash: both were seat 3's."""
    table.play(BANKER_WINS, (1, "player", 100_00))
    return table.say("table.buy-in", seat=1, amount=5_000_00).body["position"]


def another_sits_down(table):
    table.say("table.leave", seat=3)
    table.say("table.seat", seat=3, patron=NEW)


def moved(table, **whose):
    fields = {"coup": table.coup(1), "seat": 1, "spot": "player", **whose}
    both = {"reason": "typed wrong", "by": "D-204", "with": "S-11"}
    return table.ask("coup.move-wager", **fields, **both).body


def corrected(table, position, **whose):
    both = {"reason": "typed wrong", "by": "D-204", "with": "S-11"}
    return table.ask("money.correct", position=position, **whose, **both).body


def whose(body):
    event = body["events"][0]
    return event.get("to_patron") or event["patron"], event.get("to_stay") or event["stay"]


def test_a_wager_and_a_buy_in_go_to_who_sat_there_then(table, database):
    position = typed_for_seat_1(table)
    another_sits_down(table)

    assert whose(moved(table, to_seat=3))[0] == LEFT
    assert whose(corrected(table, position, seat=3))[0] == LEFT
    ratings = {row["patron"]: row for row in ask(database, REPORTS["ratings"], table="W01").rows}
    assert ratings[LEFT]["buy_in"] == 5_000_00
    assert (ratings[NEW]["buy_in"], ratings[NEW]["coups"]) == (0, 0)


def test_a_patron_who_came_back_gets_it_on_the_stay_of_then(table):
    position = typed_for_seat_1(table)
    table.say("table.leave", seat=3)
    table.say("table.seat", seat=5 + 1, patron=LEFT)
    first = whose(moved(table, to_seat=3))[1]

    assert first.endswith("/stay-2")
    assert whose(corrected(table, position, patron=LEFT)) == (LEFT, first)


def test_a_seat_that_two_had_while_bets_were_taken_asks_and_takes_the_stay(table):
    table.say("open")
    table.bet(1, "player", 100_00)
    another_sits_down(table)
    table.deal(BANKER_WINS, settle=True)
    asked = moved(table, to_seat=3)

    assert asked["error"] == "BadValue"
    assert f"{LEFT} (stay-2) and {NEW} (stay-4)" in asked["message"]
    assert whose(moved(table, to_seat=3, patron="stay-4"))[0] == NEW


def test_a_seat_that_was_free_then_says_who_sat_down_later(table):
    typed_for_seat_1(table)
    table.say("table.seat", seat=7, patron=NEW)
    sat_down = table.moment
    asked = moved(table, to_seat=7)

    assert asked["error"] == "SeatEmpty"
    assert f"{NEW} sat down only at {sat_down:%Y-%m-%d %H:%M:%S}" in asked["message"]
    assert whose(moved(table, to_seat=7, patron=NEW))[0] == NEW  # the wrong name sat at 1


def test_a_patron_of_several_stays_none_of_which_was_then_is_asked_for_the_stay(table):
    typed_for_seat_1(table)
    for _ in range(2):
        table.say("table.seat", seat=7, patron=NEW)
        table.say("table.leave", seat=7)
    asked = moved(table, to_seat=7, patron=NEW)

    assert (asked["error"], "stay-4 and stay-5" in asked["message"]) == ("BadValue", True)
    assert whose(moved(table, to_seat=7, patron="stay-5"))[1].endswith("stay-5")


def test_what_is_entered_late_is_of_who_sat_there_then(table):
    table.bet(1, "player", 100_00)
    then = table.moment.isoformat()
    table.deal(BANKER_WINS, settle=True)
    another_sits_down(table)
    late = {"at": then, "late": True, "by": "D-204", "with": "S-11"}
    wager = table.say("bet", seat=3, spot="banker", amount=100_00, **late).body["events"]
    cash = table.say("table.buy-in", seat=3, amount=500_00, **late).body["events"]

    assert {each["patron"] for each in (*wager, *cash) if "patron" in each} == {LEFT}


def test_a_collection_goes_to_who_sat_there_when_it_was_paid_also_when_corrected_twice(table):
    table.play(BANKER_WINS, (1, "banker", 100_00), (3, "banker", 100_00), (5, "banker", 100_00))
    paid = table.say("commission.collect", seat=1, amount=5_00).body["position"]
    table.say("commission.collect", seat=3, amount=5_00)
    late = table.moment
    assert late > BEGINS
    another_sits_down(table)
    first = corrected(table, paid, amount=4_00)
    again = corrected(table, first["position"], seat=5)

    assert first["ok"]
    assert again["ok"]
    assert "P-W01-5" in {each.get("patron") for each in again["events"]}
