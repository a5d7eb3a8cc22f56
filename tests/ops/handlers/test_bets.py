"""Several wagers in one line: all of them stand or none, as so many bets; and all taken back."""

from datetime import timedelta

import pytest

from ops.commands.command import Command
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, PATRONS, GamingTable, mouth_on

BEGINS_LATER = (BEGINS + timedelta(minutes=1)).isoformat()
TWO = [{"seat": 3, "spot": "banker", "amount": 100_00}, {"seat": 5, "spot": "tie", "amount": 25_00}]


def lying(pit):
    """Seat, spot and stake of what lies on the coup in play."""
    desk = pit.dispatcher.desk
    pit.dispatcher.casino.begin(Command())
    coup = desk.coup_in_play(desk.table_day("B01"))
    return [(wager.seat, wager.spot, wager.stake) for wager in coup.wagers()]


@pytest.fixture
def other(server):
    """The same pit on a ledger of its own."""
    with server.database() as database, mouth_on(database) as dispatcher:
        yield GamingTable(dispatcher).open().prepare()


def test_one_line_has_one_answer_with_an_event_for_each_wager(pit):
    body = pit.say("bets", wagers=TWO).body

    assert ["CoupOpened", "WagerPlaced", "WagerPlaced"] == [
        event["type"] for event in body["events"] if event["type"] != "CoupBegun"
    ]
    assert {"action": "no-more-bets", "rule": "R-DEAL-2"} == body["due"]


def test_a_line_that_is_sent_again_under_its_id_places_nothing_twice(pit):
    line = {"wagers": TWO, "id": "k-1", "at": BEGINS_LATER}
    first, again = (pit.ask("bets", **line).body for _ in range(2))

    assert first == again
    assert 2 == len(lying(pit))


def test_several_wagers_record_the_same_events_as_single_bets(pit, other):
    at_once = pit.say("bets", wagers=TWO).body["events"]
    singly = [event for each in TWO for event in other.say("bet", **each).body["events"]]

    assert singly == at_once


# fmt: off
REFUSED = [
    # the second wager                                     error             rule
    ({"seat": 5, "spot": "banker", "amount": 101_00},      "NotAnIncrement", "R-BET-3",
     "Seat 5 on Banker: 101.00 is no multiple of 5.00. Bet 100.00 or 105.00."),
    ({"seat": 5, "spot": "banker", "amount": 20_00},       "UnderMinimum",   "R-BET-3",
     "Seat 5's 20.00 on Banker is under the minimum of 25.00. Raise it, or take it back."),
    ({"seat": 3, "spot": "player", "amount": 100_00},      "BothSides",      "R-BET-1",
     "A patron bets on Player or on Banker, and seat 3 has 100.00 on Banker. Take that back "
     "first, or bet on it again."),
    ({"seat": 5, "spot": "lucky-6", "amount": 100_00},     "SpotNotOffered", "R-BET-2",
     "Seat 5 on Lucky 6: dragon-bonus@1 has no spot Lucky 6. Its spots are Player, Banker, Tie, "
     "Dragon Player and Dragon Banker."),
    ({"seat": 8, "spot": "banker", "amount": 100_00},      "SeatEmpty",      "R-BET-1",
     "Nobody sits at seat 8. Seat the patron first, with `table seat`."),
]
# fmt: on


@pytest.mark.parametrize(("wager", "error", "rule", "words"), REFUSED, ids=[r[1] for r in REFUSED])
def test_if_one_wager_is_refused_none_is_placed(pit, superuser, wager, error, rule, words):
    before = superuser.execute("SELECT max(position) FROM ledger.events").fetchone()
    body = pit.ask("bets", wagers=[TWO[0], wager]).body

    assert (error, rule) == (body["error"], body["rule"])
    assert f"{words} None of the 2 wagers was placed." == body["message"]
    assert before == superuser.execute("SELECT max(position) FROM ledger.events").fetchone()


def test_two_wagers_of_one_seat_on_one_spot_are_refused(pit):
    body = pit.ask("bets", wagers=[TWO[0], {**TWO[0], "amount": 50_00}]).body

    assert "BadValue" == body["error"]
    assert "Seat 3 has two wagers on Banker in this line." in body["message"]


@pytest.mark.parametrize(
    "wagers", [[], [{"seat": 3}], "3b100", [{**TWO[0], "amount": 0}], [TWO[0]] * 201]
)
def test_a_value_that_is_no_list_of_wagers_is_refused(pit, wagers):
    body = pit.ask("bets", wagers=wagers).body

    assert "BadValue" == body["error"]
    assert "write 1 to 200 wagers of seat, spot and amount" in body["message"]


def test_a_wager_replaces_the_one_on_its_spot_and_others_stay(pit):
    pit.bet(3, "banker", 500_00)
    pit.bet(1, "player", 50_00)
    pit.say("bets", wagers=TWO)

    assert [(1, "player", 50_00), (3, "banker", 100_00), (5, "tie", 25_00)] == lying(pit)


@pytest.mark.parametrize("close", [("no-more-bets", {}), ("draw", {"card": "KC"})])
def test_r_deal_2_each_wager_that_is_too_late_is_recorded(pit, close):
    pit.bet(3, "player", 50_00)
    pit.say(close[0], **close[1])
    late = [{"seat": 3, "spot": "player", "amount": 100_00}, TWO[1]]
    body = pit.ask("bets", wagers=[{"seat": 8, "spot": "tie", "amount": 25_00}, *late]).body
    told = [(f["type"], f["seat"], f["spot"], f["amount"], f["act"]) for f in body["events"]]

    assert ("BettingClosed", "R-DEAL-2") == (body["error"], body["rule"])
    assert body["message"].startswith("Betting is closed on B01/2026-11-21/1/1")
    assert body["message"].endswith(" None of the 3 wagers was placed.")
    assert told == [
        ("LateBetRefused", 3, "player", 100_00, "bet"),
        ("LateBetRefused", 5, "tie", 25_00, "bet"),
    ]
    assert [(3, "player", 50_00)] == lying(pit)


def test_r_bet_5_several_wagers_are_entered_late_with_a_second_person(pit):
    pit.bet(1, "player", 50_00)
    placed_at = pit.moment.isoformat()
    pit.say("draw", card="KC")
    alone = pit.ask("bets", wagers=TWO, at=placed_at, late=True).body
    found = pit.say("bets", wagers=TWO, at=placed_at, late=True, **{"with": "S-11"}).body

    assert ("SecondPersonNeeded", "R-BET-5") == (alone["error"], alone["rule"])
    assert [("WagerFound", 3), ("WagerFound", 5)] == [
        (event["type"], event["seat"]) for event in found["events"]
    ]


def test_a_seat_takes_back_all_it_has_in_one_line(pit):
    pit.say("bets", wagers=[*TWO, {"seat": 3, "spot": "tie", "amount": 25_00}])
    events = pit.say("withdraw", seat=3).body["events"]
    none = pit.ask("withdraw", seat=3).body

    assert [("WagerWithdrawn", "banker"), ("WagerWithdrawn", "tie")] == [
        (event["type"], event["spot"]) for event in events
    ]
    assert [(5, "tie", 25_00)] == lying(pit)
    assert ("NoWager", "Seat 3 has no bet to take back.") == (
        none["error"],
        none["message"],
    )


def test_r_deal_2_every_late_withdrawal_is_recorded(pit):
    pit.say("bets", wagers=[*TWO, {"seat": 3, "spot": "tie", "amount": 25_00}])
    pit.say("no-more-bets")
    body = pit.ask("withdraw", seat=3).body

    assert "BettingClosed" == body["error"]
    assert [("banker", 100_00, "withdraw"), ("tie", 25_00, "withdraw")] == [
        (event["spot"], event["amount"], event["act"]) for event in body["events"]
    ]


def test_reports_are_the_same_for_one_line_and_for_several(pit, database):
    pit.say("bets", wagers=TWO)
    pit.deal(BANKER_WINS, settle=True)
    replay = shell(database, "replay", "B01/2026-11-21/1/1")
    ratings = shell(database, "report", "ratings", "--json")

    assert (0, 0) == (replay.exit_code, ratings.exit_code)
    assert "agrees" in replay.stdout
    assert PATRONS[5] in ratings.stdout


WRONG = [
    ("3x100", "`x` is not a spot"),
    ("=", "type seats, spot and amount"),
    ("3 -", "type seats, spot and amount"),
    ("9h", "type seats, spot and amount"),
    ("3p8500", "`p8500` can mean Panda 8 too"),
    ("3b1.234", "type an amount of USD"),
]


@pytest.mark.parametrize(("typed", "words"), WRONG)
def test_at_the_shell_wagers_are_typed_as_at_the_dealer_s_terminal(pit, database, typed, words):
    wrong = shell(database, "bets", "B01", typed)
    right = shell(database, "bets", "B01", "1,3b100", "5t25")

    assert (1, 0) == (wrong.exit_code, right.exit_code)
    assert wrong.stderr.startswith("BadValue: ")
    assert words in wrong.stderr
    assert not wrong.stderr.rstrip().endswith("..")
    assert all(words in right.stdout for words in ("Banker 100.00", "Tie 25.00", "Next: ")), (
        right.stdout
    )
