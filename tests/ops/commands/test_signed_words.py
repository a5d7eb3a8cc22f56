"""What whoever signs reads: which coup, which chips, who has left, what is owed then."""

import re
from zoneinfo import ZoneInfo

import pytest

from domain.rules.refusals import ChangedSince
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.to_sign import ToSign
from ops.handlers.trial import to_sign
from ops.words.events import sentence
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable

COUP = f"B01/{DAY}/1/1"
TWO = {"by": "D-204", "with": "S-11"}


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open().prepare()


def signs(pit, command, **fields):
    """The sentences shown of a line."""
    about = {} if "coup" in fields else {"table": pit.table}
    line = {"command": command, **about, **TWO, "at": pit.moment.isoformat(), **fields}
    shown = to_sign(pit.dispatcher, line)
    assert isinstance(shown, ToSign), shown
    return list(map(str, shown.words))


def fix(pit, command, **fields):
    pit.say(command, reason="x", **TWO, **fields)


BET = {"coup": COUP, "seat": 3, "reason": "counted again"}


def test_another_stake_of_a_lost_bet_goes_from_the_patron_to_the_tray(pit):
    pit.play(PLAYER_WINS, (3, "banker", 105_00))
    words = signs(pit, "correct", **BET, spot="banker", stake=205_00)

    assert words == [
        f"In coup {COUP}:",
        "Seat 3 P-10417: 205.00 lay on Banker, not 105.00; it is lost.",
        "Reason: counted again",
        "On record 100.00 more went from P-10417 to the tray.",
    ]


MOMENT = "2026-11-21T20:14"


@pytest.mark.parametrize("shown", [MOMENT, f"{MOMENT}:07.5+01:00", f"{MOMENT} the camera shows"])
def test_a_reason_is_what_was_signed_whatever_it_begins_with(pit, shown):
    pit.play(PLAYER_WINS, (3, "banker", 105_00))
    line = {"command": "correct", **BET, "spot": "banker", "stake": 205_00, "table": "B01"}
    sheet = to_sign(pit.dispatcher, {**line, "reason": shown, **TWO})
    other = to_sign(pit.dispatcher, {**line, "reason": f"{shown} and a suite for S-11", **TWO})

    assert any(shown in each for each in map(str, sheet.words))
    assert sheet.mark != other.mark
    with pytest.raises(ChangedSince):
        sheet.require_same(other.events, "PB-1")


def test_a_sheet_that_has_content_else_beside_is_another_sheet(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    line = {"command": "correct", **BET, "spot": "banker", "to": 100_00, "table": "B01", **TWO}
    before = to_sign(pit.dispatcher, line)
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.say("table.leave", seat=3)

    assert to_sign(pit.dispatcher, line).mark != before.mark


def test_another_amount_leaves_the_spot_that_a_bet_is_paid_as(pit):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    fix(pit, "correct", coup=COUP, seat=3, spot="banker", **{"as": "player"})
    words = signs(pit, "correct", **BET, spot="banker", to=150_00)

    assert (
        "Seat 3 P-10417: Banker 100.00, as Player, is paid 150.00 in all, not 200.00;" in words[1]
    )
    assert not [each for each in words if "commission" in each]


def test_less_stake_of_a_lost_bet_went_less_to_the_tray(pit):
    pit.play(PLAYER_WINS, (3, "banker", 105_00))
    words = signs(pit, "correct", **BET, spot="banker", stake=25_00)

    assert words[-1] == "On record 80.00 less went from P-10417 to the tray."


def test_another_stake_of_a_bet_that_counts_as_another_spot_names_it(pit):
    pit.play(BANKER_WINS, (3, "player", 60_00))
    fix(pit, "correct", coup=COUP, seat=3, spot="player", **{"as": "banker"})
    words = signs(pit, "correct", **BET, spot="player", stake=210_00)

    assert words[1] == (
        "Seat 3 P-10417: 210.00 lay on Player, which counts as Banker, not 60.00; it is paid "
        "420.00 in all, not 120.00."
    )
    assert words[-1] == "On record 150.00 more went from the tray to P-10417."


def test_no_correction_says_that_an_amount_is_not_itself(pit):
    pit.play(PLAYER_WINS, (3, "banker", 105_00))
    words = signs(pit, "correct", **BET, spot="banker", stake=205_00, to=0)

    assert not any(re.search(r"([\d,.]+\d)\D* not \1\b", each) for each in words), words


def test_a_corrected_card_says_its_result_once_and_that_no_money_moves(pit):
    pit.bet(3, "player", 100_00)
    pit.deal("KC 9S 2C QD")
    words = signs(pit, "coup.correct-card", coup=COUP, n=2, card="8S", reason="misread")

    assert words == [
        f"In coup {COUP}:",
        "Card 2 was 8♠, not 9♠: misread.",
        "It was: Banker wins, 9 to 2.",
        "It is then: Banker wins, 8 to 2.",
        "No bet of it is paid yet.",
        "Reason: misread",
        "No money moves.",
    ]


def test_each_card_that_counts_for_the_other_hand_is_named(pit):
    pit.bet(3, "player", 100_00)
    pit.deal("2C 2S 3H 2D 4S")  # Player has 5 and draws
    words = signs(pit, "coup.correct-card", coup=COUP, n=1, card="4C", reason="misread")

    assert "Card 5, 4♠, moves from Player to Banker." in words
    assert len(set(words)) == len(words)


def test_a_card_that_is_undue_is_named_with_its_next_coup(pit):
    pit.bet(3, "player", 100_00)
    pit.deal("2C 2S 3H 2D 4S")
    fields = {"coup": COUP, "n": 1, "card": "5C", "reason": "misread", "after": "stay"}
    words = signs(pit, "coup.correct-card", **fields)
    coming = f"B01/{DAY}/1/2"

    assert any("4♠" in each and coming in each for each in words), words


def test_a_bet_set_by_hand_is_named_where_a_corrected_card_leaves_it_alone(pit):
    pit.play(BANKER_WINS, (1, "player", 100_00), (3, "player", 100_00))
    fix(pit, "correct", coup=COUP, seat=3, spot="player", to=150_00)
    right = {"coup": COUP, "n": 2, "card": "AS", "after": "untyped", "then": ["9H", "7H"]}
    words = signs(pit, "coup.correct-card", reason="misread", **right)

    assert "Seat 3's bet on Player keeps 150.00: it was set by hand." in words
    assert not any(each.startswith("Seat 1's bet") for each in words)


def test_a_misdraw_names_its_coup_and_the_one_that_the_card_goes_to(pit):
    first = signs(pit, "shoe.misdraw", card="AC")
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    words = signs(pit, "shoe.misdraw", card="AC")
    burned = signs(pit, "shoe.misdraw", card="AC", disposition="burn")

    goes_to = f"A♣ came before the first coup: it goes to coup {COUP}."
    assert first == [goes_to, "No money moves."]
    assert COUP in words[0]
    assert f"B01/{DAY}/1/2" in words[0]
    assert COUP in burned[0]


def test_other_chips_of_the_same_worth_are_named(pit):
    slip = {"requested_by": "S-11", "cashier": "C-1", "runner": "R-1"}
    pit.say("table.fill", chips={"10000": 20}, **slip, **TWO)
    right = {"position": "last", "chips": {"50000": 4}, "reason": "misread"}
    words = signs(pit, "money.correct", **right)

    assert words[0].endswith(
        ": The fill of slip 2026-000001 is 4 chips of 500, not 20 chips of 100: misread."
    )


ENTRY = "Entry #{0} of {1}: P-10417 bought chips for 500.00, not 5,000.00."


BOUGHT_IN = "SELECT min(position) FROM ledger.events WHERE topic = 'table-day.bought-in'"


@pytest.mark.parametrize("position", ["last", "by its number"])
def test_a_correction_of_money_names_the_entry_before_and_after(pit, superuser, position):
    pit.say("property.set", name="zone", value="Asia/Macau")
    bought = pit.say("table.buy-in", seat=3, amount=5_000_00)
    moment = pit.moment.astimezone(ZoneInfo("Asia/Macau"))
    number = superuser.execute(BOUGHT_IN).fetchone()[0]
    right = {"position": "last", "amount": 500_00, "reason": "a nought too many"}
    if position != "last":
        pit.say("table.buy-in", seat=1, amount=100_00)
        right["position"] = bought.body["position"]
    named = ENTRY.format(number, f"{moment:%Y-%m-%d %H:%M:%S}")
    words = signs(pit, "money.correct", **right)
    done = pit.say("money.correct", table=pit.table, **right, **TWO)

    assert words[0] == named
    assert str(sentence(done.body["events"][0], "USD")) == f"{named} Reason: a nought too many"


@pytest.mark.parametrize("command", ["void", "correct", "coup.correct-card"])
@pytest.mark.parametrize("left", [True, False], ids=["left", "here"])
def test_it_is_said_that_a_patron_has_left(pit, command, left):
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    if left:
        pit.say("table.leave", seat=3)
    fields = {
        "void": {},
        "correct": {"seat": 3, "spot": "player", "as": "banker"},
        "coup.correct-card": {"n": 5, "card": "2S"},
    }
    words = signs(pit, command, coup=COUP, reason="x", **fields[command])

    assert any(each.startswith("P-10417 has left, ") for each in words) == left, words


def test_what_is_owed_before_and_after_is_said(pit):
    pit.play(BANKER_WINS, (3, "banker", 805_00))
    some = signs(pit, "commission.waive", seat=3, amount=1_00, reason="guest")
    every = signs(pit, "commission.walked", seat=3, reason="gone")

    assert "P-10417 owed 40.25 until now; then owes 39.25." in some
    assert "P-10417 owed 40.25 until now; then owes nothing." in every


@pytest.mark.parametrize(
    ("done", "part"),
    [
        ({"waive": 5_00}, "5.00 was waived. What P-10417 owes stays the same."),
        ({"walked": 5_00}, "5.00 was written off. What P-10417 owes stays the same."),
        ({"waive": 2_00}, "2.00 was waived."),
        ({"waive": 2_00, "walked": 3_00}, "2.00 was waived and 3.00 written off. What P-10417 "
                                          "owes stays the same."),
    ],
)  # fmt: skip
def test_commission_that_was_waived_and_is_charged_no_longer_is_one_sentence(pit, done, part):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    for how, amount in done.items():
        fix(pit, f"commission.{how}", seat=3, amount=amount)
    words = signs(pit, "void", coup=COUP, reason="torn")

    assert f"P-10417 is charged 5.00 less commission; of that, {part}" in words
    assert not any("again" in each for each in words)


def test_the_end_of_a_shoe_names_it_and_why(pit):
    assert signs(pit, "shoe.end", reason="torn") == [
        f"Shoe B01/{DAY}/1 has ended after 0 coups: torn.",
        "Reason: torn",
    ]


def test_chips_by_worth_do_not_read_as_denominations(pit):
    pit.say("table.buy-in", seat=3, amount=500_00)
    chips = {"taken": {"10000": 1}, "given": {"2500": 4}}
    done = pit.say("table.colour-change", **chips).body["events"]
    refused = pit.ask("table.colour-change", taken={"10000": 1}, given={"2500": 8}).body

    assert str(sentence(done[0], "USD")) == "Chips worth 100.00 were changed for others."
    assert refused["message"].startswith(
        "Chips worth 100.00 cannot be changed for chips worth 200.00:"
    )


@pytest.mark.parametrize("reason", ["S", "Banker", "100.00", f"In coup {COUP}:", "No money moves."])
def test_a_reason_has_its_line_whatever_else_says_the_same(pit, reason):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    line = {**BET, "spot": "banker", "to": 100_00, "reason": reason}

    assert f"Reason: {reason}" in signs(pit, "correct", **line)
    assert f"Reason: {reason}" in signs(pit, "void", coup=COUP, reason=reason)


def test_an_alert_of_two_people_is_signed_by_what_it_says(pit):
    program = Dispatcher(pit.dispatcher.casino, "program").for_own_commands()
    found = {"fault": "event changed", "at_event": 7, "words": "Event 7 was changed.", "since": DAY}
    raised = program.dispatch({"command": "audit.failed", **found})
    alert = f"verification-failed/{raised.body['position']}"
    line = {"command": "alert.acknowledge", "alert": alert, "text": "a disk", "by": "P-1"}
    shown = to_sign(pit.dispatcher, {**line, "with": "A-1"})

    assert [*map(str, shown.words)] == [
        f"{alert} is acknowledged.",
        "The record is NOT as it was written (event changed, at event #7): Event 7 was changed. "
        "Run `audit verify`, and call the regulator.",
        "Note: a disk",
    ]
