"""R-SHOE-6 from the rule file to the pack: a card is burned between one coup and the next."""

import json

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.stranger import judged
from tests.worlds.terms_of_sheets import TWO, approve, told, written

SHEET = """
name = "harbour@1"
source = "a sheet of the tests"
based_on = "dragon-bonus@1"
burn_between = "{kind}"
"""
SECOND = "B01/2026-11-21/1/2"


@pytest.fixture(params=["or-coup-counts", "or-coup-void"])
def kind(request):
    return request.param


@pytest.fixture
def dealt(dispatcher, kind):
    """A table on which a coup was dealt."""
    approve(dispatcher, SHEET.format(kind=kind))
    pit = GamingTable(dispatcher).open("harbour@1").prepare()
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    return pit


@pytest.fixture
def pit(dealt):
    """A bet lies for the next coup."""
    dealt.bet(3, "player", 100_00)
    return dealt


def test_the_first_card_of_a_coup_is_refused_until_one_is_burned(pit, database, tmp_path):
    pit.say("no-more-bets")
    refused = pit.ask("draw", card="4H")
    burned = pit.say("shoe.burn").body
    again = pit.ask("shoe.burn")
    pit.deal(PLAYER_WINS, settle=True)
    page = " ".join(shell(database, "replay", SECOND).stdout.split())
    file = written(database, tmp_path, SECOND)

    assert ("BurnDue", "R-SHOE-6") == (refused.error, refused.rule)
    assert ["BurnedBetween"] == [each["type"] for each in burned["events"]]
    assert "draw" == burned["due"]["action"]
    assert "has no card to burn now" in str(again.words)
    assert "A card is burned face down." in page
    assert 0 == judged(file).returncode


def test_what_is_due_says_so(pit):
    assert {"action": "shoe.burn", "rule": "R-SHOE-6"} == pit.say("no-more-bets").body["due"]


def test_a_card_is_burned_while_no_coup_is_dealt(pit):
    pit.say("shoe.burn")
    pit.deal(PLAYER_WINS[:2])
    refused = pit.ask("shoe.burn")

    assert "A card is burned when it is over." in str(refused.words)


def test_a_coup_that_was_begun_without_it_counts_or_is_void(pit, kind, database):
    left_out = pit.say("shoe.burn", left_out=True).body
    counts = kind == "or-coup-counts"
    drawn = pit.ask("draw", card="4H")
    if not counts:
        pit.say("void", coup=SECOND, reason="no card was burned", **TWO)
        pit.say("shoe.misdraw", card="4H", disposition="burn", **TWO)
        pit.bet(3, "player", 100_00)
        due_again = pit.ask("draw", card="5H")
        pit.say("shoe.burn")
        pit.deal(PLAYER_WINS, settle=True)

        assert "void" == left_out["due"]["action"]
        assert "Void it" in str(drawn.words)
        assert "BurnDue" == due_again.error
    exceptions = ask(database, REPORTS["exceptions"]).rows

    assert counts == drawn.ok
    assert 1 == [row["kind"] for row in exceptions].count("burn left out")


def without_burns(superuser):
    """Alters the record so that no event says anything of a burn."""
    superuser.execute(
        "ALTER TABLE ledger.event_rows DISABLE TRIGGER USER; UPDATE ledger.events"
        " SET topic = 'shoe.passed', state = convert_to(replace(convert_from(state, 'UTF8'),"
        """ '"coup"', '"holder": "D-204", "was"'), 'UTF8') WHERE topic LIKE 'shoe.burn%-%'"""
    )


def test_a_coup_begun_without_it_unsaid_differs_from_its_rules(
    pit, kind, database, superuser, tmp_path
):
    pit.say("no-more-bets")
    pit.say("shoe.burn", **({"left_out": True} if kind == "or-coup-counts" else {}))
    pit.deal(PLAYER_WINS, settle=True)
    before, file = told(database, SECOND), written(database, tmp_path, SECOND)
    without_burns(superuser)
    after = told(database, SECOND)
    good, body = judged(file).stdout, json.loads(file.read_bytes())
    body["events"] = [
        e for e in body["events"] if not e["topic"].startswith(("shoe.burn-", "shoe.burned-"))
    ]
    file.write_text(json.dumps(body))

    assert (True, []) == (before["agrees"], before["disagreements"])
    assert "burn before the coup" in [each["what"] for each in after["disagreements"]]
    assert "ok     a card burned before the coup" in good
    assert "begun without it, and nothing says so" in judged(file).stdout


def test_a_card_burned_for_a_coup_that_was_not_dealt_is_burned_for_the_next(
    pit, database, tmp_path
):
    pit.say("no-more-bets")
    pit.say("shoe.burn")
    pit.say("void", coup=SECOND, reason="a mistake", **TWO)
    pit.bet(3, "player", 100_00)
    pit.say("no-more-bets")
    pit.deal(PLAYER_WINS, settle=True)
    third = SECOND.replace("/1/2", "/1/3")

    assert told(database, third)["agrees"]
    assert 0 == judged(written(database, tmp_path, third)).returncode


def test_a_coup_that_is_void_without_it_has_no_card(pit, kind, database, superuser, tmp_path):
    pit.say("no-more-bets")
    pit.say("shoe.burn", left_out=True)
    if kind == "or-coup-counts":
        pit.deal(PLAYER_WINS, settle=True)
        file = written(database, tmp_path, SECOND)
        body = json.loads(file.read_bytes())
        for each in body["events"]:
            if each["topic"] == "shoe.burn-left-out":
                each["state"] = each["state"].replace("or-coup-counts", "or-coup-void")
        file.write_text(json.dumps(body))

        assert "left out, and the rule set says or-coup-void" in judged(file).stdout
        assert "the coup was dealt without it, and is void" in judged(file).stdout
    else:
        pit.say("void", coup=SECOND, reason="no card was burned", **TWO)

        assert told(database, SECOND)["agrees"]
        assert 0 == judged(written(database, tmp_path, SECOND)).returncode


def types(answer):
    return [each["type"] for each in answer.body["events"]]


def test_a_card_that_was_carried_is_dealt_after_the_burn(dealt, database, tmp_path):
    dealt.say("shoe.misdraw", card="8S", **TWO)
    dealt.bet(3, "player", 100_00)
    closed = dealt.say("no-more-bets")
    burned = dealt.say("shoe.burn")
    dealt.deal("5S 2C QD", settle=True)

    assert ["BettingClosed"] == types(closed)
    assert "shoe.burn" == closed.body["due"]["action"]
    assert ["BurnedBetween", "CarriedCardDealt", "CardDealt"] == types(burned)
    assert 0 == judged(written(database, tmp_path, SECOND)).returncode


def test_a_dummy_coup_waits_for_the_burn_too(dealt):
    begun = dealt.say("shoe.misdraw", card="8S", disposition="dummy", **TWO)
    burned = dealt.say("shoe.burn")

    assert "shoe.burn" == begun.body["due"]["action"]
    assert ["BurnedBetween", "CarriedCardDealt", "CardDealt"] == types(burned)


def test_a_carried_card_goes_to_no_coup_that_can_only_be_void(dealt, kind):
    dealt.say("shoe.misdraw", card="8S", **TWO)
    dealt.bet(3, "player", 100_00)
    dealt.say("no-more-bets")
    left_out = types(dealt.say("shoe.burn", left_out=True))

    assert (kind == "or-coup-counts") == ("CarriedCardDealt" in left_out)


def test_it_is_left_out_only_of_a_coup_that_was_begun(dealt):
    refused = dealt.ask("shoe.burn", left_out=True)

    assert "No coup was begun without a burn." in str(refused.words)


def test_the_burned_cards_are_counted_and_not_named(pit, database):
    pit.say("shoe.burn")
    pit.deal(PLAYER_WINS, settle=True)
    before = ask(database, REPORTS["shoe-log"]).rows[0]
    pit.say("shoe.end", reason="it is late", **TWO)
    log = ask(database, REPORTS["shoe-log"]).rows[0]
    left = 416 - log["drawn"] - log["burned"]
    pit.say("shoe.reconcile", remaining=left)
    log = ask(database, REPORTS["shoe-log"]).rows[0]

    assert 0 == log["difference"]
    assert before["burned"] == log["burned"]


def test_a_generated_shoe_burns_it_by_itself(dispatcher, kind, database):
    approve(dispatcher, SHEET.format(kind=kind))
    pit = GamingTable(dispatcher).open("harbour@1")
    pit.say("shoe.load", decks=8)
    pit.say("shoe.inspect")
    pit.say("shoe.shuffle", method="generated", device="RNG-1")
    pit.say("shoe.burn")
    for _ in range(3):
        pit.bet(3, "player", 100_00)
        due = pit.say("draw").body["due"]
        while due["action"] != "settle":
            hand = {"hand": due["hand"]} if due["action"] == "reveal" else {}
            due = pit.say(due["action"], **hand).body["due"]
        pit.say("settle")
    pit.say("shoe.end", reason="it is late", **TWO)
    audit = shell(database, "audit", "shoe", "B01/2026-11-21/1")

    assert 0 == audit.exit_code, audit.output


def test_the_rule_sheet_and_the_check_say_it(database, tmp_path, kind):
    file = tmp_path / "harbour.toml"
    file.write_text(SHEET.format(kind=kind))
    check = shell(database, "rules", "check", str(file)).stdout
    file.write_text(SHEET.format(kind="sometimes"))
    wrong = shell(database, "rules", "check", str(file))

    assert f"a coup begun without it {'counts' if kind == 'or-coup-counts' else 'is void'}" in check
    assert (1, True) == (wrong.exit_code, "or-coup-void" in wrong.stderr)
