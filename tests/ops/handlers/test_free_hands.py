"""R-BET-7 from the rule file to the pack: coups without a bet."""

import json

import pytest

from tests.acceptance.channels import shell
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.stranger import judged
from tests.worlds.terms_of_sheets import COUP, approve, told, written

SHEET = """
name = "harbour@1"
source = "a sheet of the tests"
based_on = "dragon-bonus@1"
free_hands = {in_a_row = 0}
"""


@pytest.fixture
def pit(dispatcher):
    approve(dispatcher, SHEET)
    return GamingTable(dispatcher).open("harbour@1").prepare()


def test_no_more_bets_is_refused_and_a_card_that_came_is_an_exception(pit, database, tmp_path):
    opened = pit.say("open").body
    refused = pit.ask("no-more-bets")
    pit.deal(PLAYER_WINS, settle=True)
    page = " ".join(shell(database, "replay", COUP).stdout.split())
    file = written(database, tmp_path)

    assert {"action": "bet", "rule": "R-BET-7"} == opened["due"]
    assert "Take a bet, or end the shoe with a supervisor." in str(refused.words)
    assert "Dealt without a bet, one more in a row than the rule set allows." in page
    assert told(database)["agrees"]
    assert 0 == judged(file).returncode


def test_a_stranger_sees_a_coup_that_nobody_flagged(pit, database, tmp_path):
    pit.say("open")
    pit.deal(PLAYER_WINS, settle=True)
    file = written(database, tmp_path)
    body = json.loads(file.read_bytes())
    topic = "coup.limit-found-broken"
    body["events"] = [each for each in body["events"] if each["topic"] != topic]
    file.write_text(json.dumps(body))

    assert "the coup was dealt without a bet" in judged(file).stdout


def test_a_table_whose_patrons_bet_deals_on(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 100_00))

    assert told(database)["agrees"]


def test_rules_check_says_it(database, tmp_path):
    file = tmp_path / "harbour.toml"
    file.write_text(SHEET)
    check = shell(database, "rules", "check", str(file)).stdout
    file.write_text(SHEET.replace("in_a_row = 0", "in_a_row = 99"))
    wrong = shell(database, "rules", "check", str(file))

    assert "the most coups in a row without a bet: 0." in check
    assert (1, True) == (wrong.exit_code, "write 0 to 30 coups" in wrong.stderr)
