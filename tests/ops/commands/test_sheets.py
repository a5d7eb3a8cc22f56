"""What a sheet says of money: how much, whose, and from where to where, each once."""

import re
from collections import Counter

import pytest

from domain.rules.money import minor
from ops.handlers.to_sign import ToSign
from ops.handlers.trial import to_sign
from ops.reports.ask import ask
from ops.words.events import sentences
from ops.words.values import detail_words
from projections import REPORTS
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, TIE, GamingTable, mouth_on
from tests.worlds.twin_tables import TWO

LAST = {"position": "last", "table": "B01", "reason": "typed wrong"}
WENT = re.compile(
    r"^On record (?P<amount>[\d,.]+) (?P<how>more|less) went from (?P<out_of>.+) to (?P<into>.+)\.$"
)


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open().prepare()


def sheet(pit, command, **fields):
    """The sentences that whoever signs the line is shown."""
    shown = to_sign(pit.dispatcher, {"command": command, **TWO, **fields})
    assert isinstance(shown, ToSign), shown
    return list(map(str, shown.words))


def on_record(words):
    """What each patron has more on record, by the sentences."""
    told = Counter()
    for each in filter(None, map(WENT.match, words)):
        more = minor(each["amount"].replace(",", ""), "USD") * (1 if each["how"] == "more" else -1)
        told[each["into"]] += more
        told[each["out_of"]] -= more
    return {who: more for who, more in told.items() if more and not who.startswith("the ")}


def won(database):
    """What each patron won in chips."""
    net = Counter()
    for row in ask(database, REPORTS["wagers"]).rows:
        net[row["patron"]] += (row["paid"] or 0) - row["stake"]
    return net


@pytest.mark.parametrize("rules", ["classic@1", "dragon-bonus@1"])
@pytest.mark.parametrize("cards", [BANKER_WINS, PLAYER_WINS, TIE], ids=["wins", "loses", "push"])
def test_a_moved_wager_moves_what_it_won_or_lost_and_nothing_else(database, cards, rules):
    with mouth_on(database) as dispatcher:
        pit = GamingTable(dispatcher).open(rules).prepare()
        coup = pit.play(cards, (3, "banker", 100_00), (1, "player", 60_00)).body["coup"]
        before = won(database)
        whose = {"coup": coup, "seat": 3, "spot": "banker", "to_seat": 5, "reason": "his"}
        words = sheet(pit, "coup.move-wager", **whose)
        pit.say("coup.move-wager", **whose, **TWO)
        after = won(database)
    change = {who: after[who] - before[who] for who in (*before, *after)}
    changed = {who: more for who, more in change.items() if more}

    assert on_record(words) == changed
    assert len([each for each in words if each.startswith("On record")]) == len(changed)
    assert ("No money moves." in words) == (cards == TIE)


@pytest.mark.parametrize(
    ("really", "expected"),
    [
        (
            {"amount": 50_00},
            [
                "On record 450.00 less in chips went from the tray to P-10411.",
                "On record 450.00 less in cash went from P-10411 to the drop box.",
            ],
        ),
        (
            {"seat": 3},
            [
                "On record 500.00 less in chips went from the tray to P-10411.",
                "On record 500.00 less in cash went from P-10411 to the drop box.",
                "On record 500.00 more in chips went from the tray to P-10417.",
                "On record 500.00 more in cash went from P-10417 to the drop box.",
            ],
        ),
    ],
)
def test_a_buy_in_put_right_says_where_the_chips_and_the_cash_are(pit, really, expected):
    pit.say("table.buy-in", seat=1, amount=500_00)
    words = sheet(pit, "money.correct", **LAST, **really)

    assert [each for each in words if each.startswith("On record")] == expected


def test_a_cash_out_says_where_the_cash_comes_from(pit):
    pit.say("table.cash-out", seat=1, amount=500_00)
    words = sheet(pit, "money.correct", **LAST, withdrawn=True)

    assert words[-2:] == [
        "On record 500.00 less in chips went from P-10411 to the tray.",
        "On record 500.00 less in cash went from the house to P-10411.",
    ]


def test_a_colour_change_put_right_says_which_chips_went_which_way(pit):
    pit.say("table.colour-change", taken={"10000": 1}, given={"2500": 4})
    words = sheet(pit, "money.correct", **LAST, taken={"10000": 2}, given={"2500": 8})

    assert words[1:3] + words[-1:] == [
        "In truth: 2 chips of 100 from the patron to the tray, 8 chips of 25 from the tray to the "
        "patron.",
        "Entered was: 1 chip of 100 from the patron to the tray, 4 chips of 25 from the tray to "
        "the patron.",
        "No money moves.",
    ]


def test_an_opener_put_right_says_by_how_much_the_tray_began_with_less(pit):
    words = sheet(pit, "money.correct", position=2, chips={"10000": 190}, reason="typed wrong")

    assert "On record the tray began with 1,000.00 less." in words
    assert "No money moves." not in words


def test_a_patron_who_has_left_is_named_with_the_money_that_is_meant(pit):
    coup = pit.play(BANKER_WINS, (1, "player", 60_00), (3, "banker", 100_00)).body["coup"]
    pit.say("commission.collect", seat=3, amount=5_00)
    for seat in (1, 3):
        pit.say("table.leave", seat=seat)
    words = sheet(pit, "void", coup=coup, reason="torn")

    assert (
        "P-10411 has left. The tray counts the 60.00 as paid out now: pay P-10411, or tell "
        "the cage."
    ) in words
    assert (
        "P-10417 has left. The tray counts the 100.00 as paid in now: collect it from "
        "P-10417, or tell the cage."
    ) in words


def test_a_void_says_of_each_bet_what_it_was_paid_and_what_changes_hands(pit):
    coup = pit.play(
        BANKER_WINS, (1, "player", 60_00), (3, "banker", 100_00), (5, "tie", 10_00)
    ).body["coup"]
    words = sheet(pit, "void", coup=coup, reason="torn")

    assert words[1:4] == [
        "Seat 1 P-10411: 60.00 on Player was lost; the patron gets 60.00.",
        "Seat 3 P-10417: 100.00 on Banker was paid 200.00; the patron gives back 100.00.",
        "Seat 5 grey-jacket: 10.00 on Tie was lost; the patron gets 10.00.",
    ]


def test_why_a_payment_was_corrected_is_said_once(pit, database):
    bets = (1, "player", 60_00), (3, "banker", 100_00)
    coup = pit.play(BANKER_WINS, *bets).body["coup"]
    by_card = sheet(pit, "coup.correct-card", coup=coup, n=3, card="9C", reason="misread")
    line = {"coup": coup, "seat": 3, "spot": "banker", "to": 1_00, "reason": "taken"}
    by_hand = sheet(pit, "correct", **line)
    log = sentences(pit.say("correct", **line, **TWO).body["events"], "USD")
    [noted] = ask(database, REPORTS["exceptions"]).rows

    assert sum("misread" in each for each in by_card) == 2  # with the card, and by itself
    assert [each for each in by_hand if "taken" in each] == ["Reason: taken"]
    assert [each for each in map(str, log) if "taken" in each] == [
        "! Seat 3 P-10417: Banker 100.00 is paid 1.00 in all, not 200.00; the patron gives back "
        "199.00. Reason: taken"
    ]
    assert str(next(iter(detail_words(noted["detail"], "USD")))).endswith("Reason: taken")
