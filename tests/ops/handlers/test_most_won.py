"""R-PAY-6 from the rule file to the report: what all bets on a spot win at most in one coup."""

import json

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import DAY, TIE, GamingTable
from tests.worlds.stranger import judged
from tests.worlds.terms_of_sheets import COUP, TWO, approve, told, written

SHEET = """
name = "harbour@1"
source = "a sheet of the tests"
based_on = "dragon-bonus@1"
terms.tie = {most_won = "600.00"}
"""
LIES = ((3, "tie", 100_00), (5, "tie", 50_00))  # would win 800.00 and 400.00


@pytest.fixture
def pit(dispatcher):
    approve(dispatcher, SHEET)
    pit = GamingTable(dispatcher).open("harbour@1").prepare()
    pit.play(TIE, *LIES)
    return pit


def rows(database, report="wagers"):
    return ask(database, REPORTS[report]).rows


def test_replay_pack_and_report_have_each_part(pit, database, tmp_path):
    page = " ".join(shell(database, "replay", COUP).stdout.split())
    said = judged(written(database, tmp_path))

    assert [500_00, 250_00] == [each["paid"] for each in told(database)["payments"]]
    assert told(database)["agrees"]
    assert "Tie: all bets on it win 600.00 at most in one coup R-PAY-6" in page
    assert ("R-PAY-1", "R-PAY-6") in [each["rules"] for each in told(database)["payments"]]
    assert (said.returncode, said.stderr) == (0, ""), said.stdout
    assert [500_00, 250_00] == sorted((row["paid"] for row in rows(database)), reverse=True)


@pytest.mark.parametrize(("field", "value"), [("paid", 900_00), ("winnings", 800_00)])
def test_a_stranger_sees_a_part_that_is_too_large(pit, database, tmp_path, field, value):
    file = written(database, tmp_path)
    body = json.loads(file.read_bytes())
    for event in body["events"]:
        state = json.loads(event["state"])
        if event["topic"] == "coup.wager-settled" and state["seat"] == 3:
            event["state"] = json.dumps(state | {field: value})
    file.write_text(json.dumps(body))

    assert f"seat 3 tie: {field} {value}, should be" in judged(file).stdout


PUT_RIGHT = {  # what is put right, and what seats 3 and 5 have in the end
    "a stake": (("correct", {"seat": 3, "spot": "tie", "stake": 50_00}), (350_00, 350_00)),
    "by hand": (("correct", {"seat": 3, "spot": "tie", "to": 900_00}), (900_00, 250_00)),
    "as another spot": (("correct", {"seat": 3, "spot": "tie", "as": "player"}), (100_00, 450_00)),
    "a card": (("coup.correct-card", {"n": 4, "card": "6D"}), (0, 0)),
}


@pytest.mark.parametrize("what", PUT_RIGHT)
def test_what_is_put_right_is_followed_by_everybody_s_part(pit, database, tmp_path, what):
    (command, fields), expected = PUT_RIGHT[what]
    pit.say(command, coup=COUP, reason="misread", **fields, **TWO)
    story = told(database)
    paid = {row["seat"]: row["paid"] for row in rows(database)}

    assert expected == (paid[3], paid[5])
    assert (story["agrees"], story["disagreements"]) == (True, [])
    assert 0 == judged(written(database, tmp_path)).returncode
    (day,) = rows(database, "table-win")
    assert day


def test_a_bet_found_after_the_payment_and_a_void_coup(pit, database, tmp_path):
    late = {"at": f"{DAY}T20:00:06+00:00", "late": True}
    found = pit.say("bet", seat=1, spot="tie", amount=50_00, **late, **TWO)
    paid = {row["seat"]: row["paid"] for row in rows(database)}
    agrees = told(database)["agrees"]
    pit.say("void", coup=COUP, reason="misread", **TWO)

    assert ["WagerFound", "WagerSettledLate", "PaymentCorrected", "PaymentCorrected"] == [
        each["type"] for each in found.body["events"] if each["type"] != "CoupCorrected"
    ][:4]
    assert ({1: 200_00, 3: 400_00, 5: 200_00}, True) == (paid, agrees)
    assert told(database)["agrees"]
    assert 0 == judged(written(database, tmp_path)).returncode


def test_game_accounts_get_their_parts(dispatcher):
    approve(
        dispatcher,
        SHEET.replace("harbour@1", "screens@1").replace("dragon-bonus@1", "electronic@1"),
    )
    table = ElectronicTable(dispatcher).begin((3, 200_00), (5, 200_00), rules="screens@1")
    table.say("open")
    for seat, _, stake in LIES:
        stakes = {"tie": stake}
        table.say("account.bet", seat=seat, coup=f"E01/{DAY}/1/1", stakes=stakes)
    table.deal(TIE, settle=True)

    assert [600_00, 400_00] == [table.balance(seat) for seat in (3, 5)]
    table.require_books()


def test_rules_check_and_diff_say_the_most_and_a_wrong_one_is_refused(database, tmp_path):
    file = tmp_path / "harbour.toml"
    file.write_text(SHEET)
    check = shell(database, "rules", "check", str(file)).stdout
    diff = shell(database, "rules", "diff", "dragon-bonus@1", str(file)).stdout
    file.write_text(SHEET.replace("600.00", "600.01"))
    odd = shell(database, "rules", "check", str(file))

    assert "Tie: all bets on it win 600.00 at most in one coup." in check
    assert "the most that all bets on Tie win in one coup: – → 600.00" in diff
    assert (1, True) == (odd.exit_code, "write an amount that chips of" in odd.stderr), odd.stderr
