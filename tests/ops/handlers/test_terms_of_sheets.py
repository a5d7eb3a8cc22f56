"""Terms that a sheet has, from its file to the pack: R-BET-6, and who bets on both sides."""

import json
import subprocess
import sys

import pytest

from domain.rules.addresses import Coup
from ops.handlers.trial import second_of, to_sign
from ops.pack.pack import pack
from ops.replay.story import find
from ops.reports.ask import ask
from projections import REPORTS
from tests import VERIFY
from tests.acceptance.channels import shell
from tests.stories import as_dict
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable

SHEET = """
name = "harbour@1"
source = "a sheet of the tests"
based_on = "dragon-bonus@1"
both_sides = "with-leave"

[terms]
dragon-player = {beside = ["player"], seats = [3, 5]}
dragon-banker = {beside = ["player", "banker"], not_in_last = 1}
tie = {not_in_first = 1}
"""
COUP = f"B01/{DAY}/1/1"
TWO = {"with": "S-11"}
MAIN = {"seat": 3, "spot": "player", "amount": 100_00}
SIDE = {"seat": 3, "spot": "dragon-player", "amount": 25_00}
OTHER = {"seat": 3, "spot": "banker", "amount": 100_00}


def approve(dispatcher, sheet):
    line = {"command": "rules.approve", "file": sheet, "confirmed": True, "by": "A-1", **TWO}
    assert dispatcher.dispatch(line).ok


@pytest.fixture
def pit(dispatcher):
    approve(dispatcher, SHEET)
    return GamingTable(dispatcher).open("harbour@1").prepare()


def told(database, address=COUP):
    with database.session("sabot_auditor") as connection:
        return as_dict(find(connection, Coup.parse(address)))


def packed(database, tmp_path, address=COUP):
    """The pack of a coup, and what a stranger says of it."""
    with database.session("sabot_auditor") as connection:
        file = tmp_path / "coup.json"
        file.write_bytes(pack(connection, find(connection, Coup.parse(address))).json)
    return file, judged(file)


def page_of(database, *words):
    """The coup's page, without its line breaks."""
    return " ".join(shell(database, "replay", COUP, *words).stdout.split())


def judged(file):
    return subprocess.run(
        [sys.executable, VERIFY, file], capture_output=True, text=True, check=False
    )


ON_SCREEN = """
name = "screens@1"
source = "a sheet of the tests"
based_on = "electronic@1"
terms.tie = {beside = ["player", "banker"]}
"""


def test_at_an_electronic_place_clicks_in_any_order_come_to_the_same(dispatcher):
    approve(dispatcher, ON_SCREEN)
    table = ElectronicTable(dispatcher).begin((3, 500_00), rules="screens@1")
    table.say("open")

    def click(**stakes):
        coup = f"E01/{DAY}/1/1"
        answer = table.ask("account.bet", seat=3, coup=coup, stakes=stakes)
        account = table.account(3)
        return answer.error or None, {
            spot: each for (_, _, spot), each in account.staked.items() if each
        }

    assert ("OnlyBeside", {}) == click(tie=10_00)
    assert (None, {"player": 10_00, "tie": 10_00}) == click(tie=10_00, player=10_00)
    assert (None, {"banker": 20_00, "tie": 10_00}) == click(player=0, banker=20_00)
    assert (None, {}) == click(banker=0)
    assert (None, {"player": 10_00, "tie": 10_00}) == click(tie=10_00, player=10_00)
    assert (None, {}) == click(player=0, tie=0)
    table.require_books()


@pytest.mark.parametrize("wagers", [[MAIN, SIDE], [SIDE, MAIN]])
def test_in_one_line_the_order_of_the_bets_does_not_matter(pit, wagers):
    alone = pit.ask("bet", **SIDE)
    both = pit.say("bets", wagers=wagers)
    again = pit.ask("bets", wagers=[{**SIDE, "seat": 5}, {**MAIN, "seat": 1}])

    assert ("OnlyBeside", "R-BET-6") == (alone.error, alone.body["rule"])
    assert ["player", "dragon-player"] == [
        each["spot"] for each in both.body["events"] if each["type"] == "WagerPlaced"
    ]
    assert "OnlyBeside" == again.error
    assert "None of the 2 wagers was placed." in str(again.words)


def test_sent_twice_it_is_refused_twice_and_taken_once(pit):
    line = {"id": "k-1", "at": f"{DAY}T20:20:00+00:00"}
    alone = [pit.ask("bet", **SIDE, **line).body for _ in range(2)]
    pit.moment = pit.moment.replace(minute=21)
    line = {"id": "k-2", "at": f"{DAY}T20:21:00+00:00", "wagers": [SIDE, MAIN]}
    taken = [pit.ask("bets", **line).body for _ in range(2)]

    assert alone[0] == alone[1]
    assert taken[0] == taken[1]


def test_who_takes_back_the_main_bet_is_told_what_else_goes_back(pit):
    pit.say("bets", wagers=[MAIN, SIDE])
    back = pit.say("withdraw", seat=3, spot="player").body

    assert ["player", "dragon-player"] == [each["spot"] for each in back["events"]]
    assert pit.say("no-more-bets").body["due"]["action"] == "draw"


def test_the_coup_replays_is_packed_and_judged_by_a_stranger(pit, database, tmp_path):
    pit.say("bets", wagers=[SIDE, MAIN])
    refused = pit.ask("bets", wagers=[{**OTHER, "amount": 50_00}])
    pit.say("bets", wagers=[OTHER], **TWO)
    pit.deal(PLAYER_WINS, settle=True)
    page = page_of(database)
    _, said = packed(database, tmp_path)

    assert ("SecondPersonNeeded", "R-BET-1") == (refused.error, refused.body["rule"])
    assert told(database)["agrees"]
    assert "Dragon Player: only beside Player, only at seats 3 and 5 R-BET-6" in page
    assert "Seat 3 bets on both sides by leave of S-11." in page
    assert (said.returncode, said.stderr) == (0, ""), said.stdout
    assert "3 bets that the rule set takes" in said.stdout


def test_at_a_terminal_a_supervisor_is_asked_only_where_leave_is_needed(pit):
    pit.say("bets", wagers=[MAIN])
    other, tie = (
        {"command": "bet", "table": "B01", "by": "D-204", "seat": 3, "spot": spot, "amount": 100_00}
        for spot in ("banker", "tie")
    )
    signed = to_sign(pit.dispatcher, other)

    assert ("", None) == (second_of(pit.dispatcher, other), second_of(pit.dispatcher, tie))
    assert any("on both sides by leave of" in str(each) for each in signed.words), signed.words


@pytest.mark.parametrize(
    ("left_out", "why"),
    [
        ({"spot": "player"}, "seat 3 dragon-player: without a bet"),
        ({"approved_by": "S-11"}, "seat 3 bet on both sides"),
    ],
)
def test_a_stranger_sees_a_bet_that_the_sheet_does_not_take(pit, database, tmp_path, left_out, why):
    pit.say("bets", wagers=[SIDE, MAIN])
    pit.say("bets", wagers=[OTHER], **TWO)
    pit.deal(PLAYER_WINS, settle=True)
    file, _ = packed(database, tmp_path)
    body = json.loads(file.read_bytes())
    for event in body["events"]:
        state = json.loads(event["state"])
        if event["topic"] == "coup.wager-placed" and left_out.items() <= state.items():
            state |= dict.fromkeys(left_out, "")
            event["state"] = json.dumps(state)
    file.write_text(json.dumps(body))

    assert why in judged(file).stdout


def test_a_void_coup_and_a_correction_leave_the_record_in_agreement(pit, database, tmp_path):
    pit.say("bets", wagers=[SIDE, MAIN])
    pit.deal(PLAYER_WINS, settle=True)
    by = {"coup": COUP, "reason": "misread", **TWO}
    pit.say("coup.move-wager", seat=3, spot="player", to_seat=5, **by)
    moved, page = told(database), page_of(database)
    pit.say("void", **by)

    assert moved["agrees"]
    assert "has 25.00 on Dragon Player without the bet" in page
    assert told(database)["agrees"]
    assert 0 == packed(database, tmp_path)[1].returncode


def test_a_late_entry_of_several_bets_has_no_order_either(pit, database):
    pit.bet(5, "player", 100_00)
    before = pit.moment.isoformat()
    pit.say("draw", card="9C")
    pit.say("bets", wagers=[SIDE, MAIN], at=before, late=True, **TWO)
    alone = pit.say(
        "bets", wagers=[{**SIDE, "seat": 5, "spot": "tie"}], at=before, late=True, **TWO
    )

    assert "LimitFoundBroken" not in [each["event"] for each in told(database)["exceptions"]][:2]
    assert "SpotNotInCoup" in [each.get("refusal") for each in alone.body["events"]]
    assert told(database)["agrees"]


def test_the_first_and_the_last_coup_of_a_shoe_are_by_the_shoe(pit, database, tmp_path):
    first = pit.ask("bet", seat=3, spot="tie", amount=25_00)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    second = pit.say("bet", seat=3, spot="tie", amount=100_00)
    pit.say("draw", card="KC")
    pit.say("shoe.cut-card")
    pit.deal("9S 2C QD", settle=True)
    opened = pit.say("bet", **MAIN).body["events"]
    last = pit.ask("bet", seat=3, spot="dragon-banker", amount=25_00)
    pit.deal(BANKER_WINS, settle=True)

    assert ("SpotNotInCoup", True) == (first.error, second.ok)
    assert "Bet on it in the next coup." in str(first.words)
    assert [0] == [each["cards_to_cut"] for each in opened if each["type"] == "CoupOpened"]
    assert "not taken in the last coup of a shoe" in str(last.words)
    assert 0 == packed(database, tmp_path, f"B01/{DAY}/1/3")[1].returncode


def test_a_what_if_says_what_the_sheet_would_refuse(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    said = page_of(database, "--what-if", "bet 1 dragon-player 25")

    assert "Dragon Player is not taken at seat 1, only at 3 and 5" in said
    assert "(R-BET-6)" in said


def test_a_sheet_without_terms_is_stored_as_before(dispatcher):
    pit = GamingTable(dispatcher).open().prepare()
    events = pit.say("bet", **MAIN).body["events"]

    assert not {"cards_to_cut", "approved_by"} & {name for each in events for name in each}


def test_rules_check_show_and_diff_say_the_terms(database, tmp_path):
    file = tmp_path / "harbour.toml"
    file.write_text(SHEET)
    check = shell(database, "rules", "check", str(file)).stdout
    diff = shell(database, "rules", "diff", "dragon-bonus@1", str(file)).stdout

    assert "Dragon Player: only beside Player, only at seats 3 and 5." in check
    assert "Dragon Banker: only beside Player or Banker, not once the cut card is out." in check
    assert "Tie: not in the first coup of a shoe." in check
    assert "Player and Banker by one patron: with a supervisor's leave." in check
    assert "Dragon Player is taken only beside: – → Player" in diff
    assert "Player and Banker by one patron: – → with a supervisor's leave" in diff


WRONG = [
    ('beside = ["player"]', 'beside = ["dragon-banker"]', "is itself taken only beside"),
    ('beside = ["player"]', 'beside = ["dragon-player"]', "write one of player, banker, tie"),
    ('beside = ["player"]', 'beside = ["plyer"]', "write one of player, banker, tie"),
    ('beside = ["player"]', "beside = 3", "write spots, as in"),
    ("seats = [3, 5]", "seats = [3, 12]", "write different ones of 1, 2, 3"),
    ("not_in_first = 1", "not_in_first = 99", "write 0 to 30 coups"),
    ("not_in_first = 1", "not_in_frist = 1", "not_in_first"),
    ("tie = {", "tiger = {", "terms cannot be"),
    ('both_sides = "with-leave"', 'both_sides = "yes"', "write one of forbidden, with-leave, free"),
]


@pytest.mark.parametrize(("right", "wrong", "why"), WRONG)
def test_a_term_that_cannot_be_is_refused_in_words(database, tmp_path, right, wrong, why):
    file = tmp_path / "harbour.toml"
    file.write_text(SHEET.replace(right, wrong))
    said = shell(database, "rules", "check", str(file))

    assert (said.exit_code, why in said.stderr) == (1, True), said.stderr


ROUNDED_DOWN = """
name = "down@1"
source = "a sheet of the tests"
based_on = "dragon-bonus@1"
commission.rounding = {mode = "down", unit = "5.00", moment = "MOMENT"}
"""


@pytest.mark.parametrize(
    ("moment", "charged"), [("per-win", [0, 5_00]), ("on-collection", [0, 10_00])]
)
def test_commission_is_rounded_down_from_the_payment_to_the_report(
    dispatcher, database, tmp_path, moment, charged
):
    approve(dispatcher, ROUNDED_DOWN.replace("MOMENT", moment))
    pit = GamingTable(dispatcher).open("down@1").prepare()
    events = [
        each
        for stake in (95_00, 105_00)  # 4.75, and 5.25: together 10.00
        for each in pit.play(BANKER_WINS, (3, "banker", stake)).body["events"]
    ]
    accrued = [each["charged"] for each in events if each["type"] == "CommissionAccrued"]
    collected = pit.say("commission.collect", seat=3, amount=sum(accrued))
    proof = ask(database, REPORTS["commission-proof"]).rows

    assert charged == accrued
    assert collected.ok
    assert [0] == sorted({row["difference"] for row in proof})
    assert told(database)["agrees"]
    assert 0 == packed(database, tmp_path)[1].returncode
