"""R-SHOE-5 at the table: the order is sealed beside the record, dealt card by card, and told."""

import hashlib
import hmac
import json
import os
from pathlib import Path

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.rules import house_rules
from domain.rules.addresses import Shoe
from domain.rules.house_rules import named
from ops.replay.shoe_audit import audited
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import GamingTable, generate

pytestmark = pytest.mark.usefixtures("held")

SHOE = "B01/2026-11-21/1"
OF_CHANCE = ("shuffle", "clumps", "whole decks")
ALL_GOOD = dict.fromkeys(("cards", "count", "commitment", "order", "sequence", *OF_CHANCE), True)


@pytest.fixture
def screen(dispatcher):
    """An on-screen table with a generated shoe."""
    return generate(GamingTable(dispatcher).open("electronic@1"))


@pytest.fixture
def pepper():
    """The house's pepper, put back afterwards."""
    path = Path(os.environ["SABOT_PEPPER_FILE"])
    kept = path.read_bytes() if path.exists() else None
    yield path
    path.unlink(missing_ok=True)
    if kept is not None:
        path.write_bytes(kept)


def play(pit):
    """A coup, every card as the shoe gives it."""
    pit.bet(3, "banker", 100_00)
    drawn = []
    due = {"action": "draw"}
    while due["action"] == "draw":
        answer = pit.say("draw").body
        drawn += [event["card"] for event in answer["events"] if event["type"] == "CardDrawn"]
        due = answer["due"]
    pit.say("settle")
    return drawn


def told(database):
    with database.connect("sabot_auditor") as connection:
        return to_builtins(audited(connection, Shoe.parse(SHOE)))


def checks(database):
    return {check["check"]: check["ok"] for check in told(database)["checks"]}


def test_r_shoe_5_a_whole_shoe_is_dealt_and_revealed_and_anyone_can_check_it(screen, database):
    drawn, due = [], {"action": "bet"}
    while due["action"] == "bet":
        drawn += play(screen)
        due = screen.dispatcher.desk.outlook("B01")[1].as_dict()
    ended = screen.say("shoe.end").body["events"]
    revealed = next(event for event in ended if event["type"] == "OrderRevealed")
    text = " ".join(revealed["order"]).encode()

    assert due["action"] == "shoe.end"
    assert [event["type"] for event in ended] == [
        *("Ended", "OrderRevealed", "Reconciled", "ShoeTakenOff"),
    ]
    assert drawn == revealed["order"][: len(drawn)]
    secret = bytes.fromhex(revealed["secret"])
    assert screen.commitment == hmac.new(secret, text, hashlib.sha256).hexdigest()
    assert ALL_GOOD.items() <= checks(database).items()
    assert {0} == {row for (row,) in rows_of(database, "difference", report=REPORTS["cards"])}


def test_r_shoe_3_in_a_generated_shoe_the_system_shows_the_cut_card_and_one_more_coup_is_dealt(
    screen, superuser
):
    while screen.dispatcher.desk.outlook("B01")[1].action == "bet":
        play(screen)
    (shown,) = superuser.execute(
        "SELECT convert_from(state, 'UTF8')::json FROM ledger.events "
        "WHERE topic = 'shoe.cut-card-shown'"
    ).fetchone()

    assert shown["cards_left"] == 14
    assert screen.ask("bet", seat=3, spot="banker", amount=100_00).body["error"] == "CutCardOut"


def test_r_shoe_5_a_generated_shoe_takes_no_stated_card_and_every_other_shoe_needs_one(
    screen, dispatcher
):
    screen.bet(3, "banker", 100_00)
    stated = screen.ask("draw", card="9C").body
    other = GamingTable(dispatcher, "B02").open().prepare()
    other.bet(3, "banker", 100_00)

    assert (stated["error"], stated["rule"]) == ("BadValue", "R-SHOE-5")
    assert other.ask("draw").body["message"] == "draw needs 'card'."
    assert other.ask("shoe.burn").body["error"] == "MissingField"


def test_r_irr_1_no_card_leaves_a_generated_shoe_where_none_is_due(screen, superuser):
    before = superuser.execute("SELECT count(*) FROM ledger.events").fetchone()
    undue = screen.ask("draw").body

    assert (undue["error"], undue["rule"]) == ("CardNotDue", "R-IRR-1")
    assert "No card has left the shoe" in undue["message"]
    assert "events" not in undue
    assert superuser.execute("SELECT count(*) FROM ledger.events").fetchone() == before
    assert screen.ask("shoe.misdraw", card="9C").body["error"] == "BadValue"
    assert screen.ask("shoe.cut-card").body["error"] == "ShoeStepOutOfOrder"


def test_r_shoe_2_a_generated_shoe_burns_its_own_first_cards(dispatcher, database, monkeypatch):
    burning = replace(named("electronic@1"), burn="first-card")
    monkeypatch.setitem(house_rules.RULE_SETS, "electronic@1", burning)
    pit = generate(GamingTable(dispatcher).open("electronic@1"))
    (burned,) = pit.say("shoe.burn").body["events"]
    play(pit)
    pit.end_shoe()

    assert told(database)["order"][0] == burned["card"]
    assert ALL_GOOD.items() <= checks(database).items()
    ((counted,),) = rows_of(database, "burned", report=REPORTS["shoe-log"])
    assert counted == 1 + burned["face_down"]


def test_reading_the_database_does_not_reveal_the_next_card(screen, superuser):
    play(screen)
    ((sealed,),) = superuser.execute("SELECT sealed FROM sealed.orders").fetchall()
    stated = superuser.execute("SELECT state FROM ledger.events").fetchall()
    screen.end_shoe()

    ((revealed,),) = superuser.execute(
        "SELECT state FROM ledger.events WHERE topic = 'shoe.order-revealed'"
    ).fetchall()
    order = json.loads(revealed)["order"]
    text = " ".join(order).encode()
    assert text not in sealed
    assert not any(text[-30:] in bytes(state) for (state,) in stated)
    assert superuser.execute("SELECT count(*) FROM sealed.orders").fetchone() == (0,)


def test_a_refused_shuffle_stores_no_order(screen, superuser):
    refused = screen.ask("shoe.shuffle", method="generated").body

    assert refused["error"] == "ShoeStepOutOfOrder"
    assert superuser.execute("SELECT count(*) FROM sealed.orders").fetchone() == (1,)


def test_another_process_deals_the_same_order(screen, another, database):
    drawn = play(screen)
    other = GamingTable(another())
    other.moment = screen.moment
    drawn += play(other)
    screen.moment = other.moment
    screen.end_shoe()

    assert drawn == told(database)["order"][: len(drawn)]


@pytest.mark.parametrize("kept", [None, b"x" * 32, b"short"])
def test_without_the_pepper_no_card_is_drawn_and_nothing_is_recorded(
    screen, another, database, pepper, kept
):
    own = pepper.read_bytes()
    screen.bet(3, "banker", 100_00)
    pepper.unlink()
    if kept:
        pepper.write_bytes(kept)
    result = shell(database, "draw", "B01")
    other = GamingTable(another())
    other.moment = screen.moment

    assert result.exit_code == 1
    assert "pepper" in result.stderr
    assert other.ask("draw").body["error"] == "OrderLost"
    assert pepper.exists() is bool(kept)
    pepper.write_bytes(own)
    assert other.say("draw").body["events"][1]["type"] == "CardDrawn"


def test_a_sealed_order_opens_for_its_own_shoe_only(screen, another, superuser):
    """Nobody deals a shoe twice by putting its row in another's place."""
    generate(GamingTable(screen.dispatcher, "B02").open("electronic@1"))
    superuser.execute(
        "UPDATE sealed.orders SET sealed = "
        "(SELECT sealed FROM sealed.orders WHERE shoe LIKE 'B02/%') WHERE shoe LIKE 'B01/%'"
    )
    other = GamingTable(another())
    other.moment = screen.moment
    other.say("open")

    assert "cannot be opened" in other.ask("draw").body["message"]


def test_a_lost_order_is_refused_in_words(screen, another, superuser):
    superuser.execute("DELETE FROM sealed.orders")
    other = GamingTable(another())
    other.moment = screen.moment
    other.say("open")

    assert "it is no longer stored" in other.ask("draw").body["message"]


def test_a_shoe_whose_order_is_lost_is_ended_by_two_people_and_the_audit_says_so(
    screen, another, superuser, database
):
    superuser.execute("DELETE FROM sealed.orders")
    other = GamingTable(another())
    other.moment = screen.moment
    assert other.ask("shoe.end", reason="the pepper is lost").body["error"] == "OrderLost"
    ended = other.say("shoe.end", reason="the pepper is lost", **{"with": "S-11"})

    assert "OrderUntold" in [event["type"] for event in ended.body["events"]]
    assert shell(database, "audit", "shoe", SHOE).exit_code == 1


# `sabot audit shoe`, for shoes of every kind.
def test_the_audit_of_a_shoe_in_play_and_of_a_revealed_one(screen, database):
    play(screen)
    before = shell(database, "audit", "shoe", SHOE)
    screen.end_shoe()
    after = shell(database, "audit", "shoe", SHOE, "--json")
    body = json.loads(after.stdout)

    assert before.stdout == (
        "good  cards: at most 8 of each\ngood  order: revealed when the shoe ends\n"
        "good  shuffle: the cards follow no other order\n"
        "good  clumps: cards that are alike come as far apart as by chance\n"
        "good  whole decks: each rank and suit comes as often as by chance\n"
    )
    assert (before.exit_code, after.exit_code, body["ok"]) == (0, 0, True)
    assert body["commitment"] == screen.commitment
    assert len(body["order"]) == 416


def test_the_audit_names_a_count_that_differs_and_a_card_seen_too_often(pit, database):
    pit.end_shoe()
    pit.say("shoe.reconcile", remaining=["9S"] * 9)
    result = shell(database, "audit", "shoe", SHOE)

    assert result.exit_code == 1
    assert result.stdout == (
        "BAD   cards: 9S 9 times of 8\nBAD   count: 9 remained after 4 had left, difference -403\n"
        "good  shuffle: the cards follow no other order\n"
        "good  clumps: cards that are alike come as far apart as by chance\n"
        "good  whole decks: each rank and suit comes as often as by chance\n"
    )


def test_the_audit_names_an_order_that_was_changed_afterwards(screen, database, superuser):
    play(screen)
    screen.end_shoe()
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to(replace(convert_from(state, 'UTF8'), "
        "'\"secret\":\"', '\"secret\":\"00'), 'UTF8') WHERE topic = 'shoe.order-revealed'"
    )

    assert {name for name, ok in checks(database).items() if not ok} == {"commitment"}


def test_the_audit_of_an_unreadable_shoe_and_of_an_unknown_one(screen, database, superuser):
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute("UPDATE ledger.events SET state = '{}' WHERE topic = 'shoe.shuffled'")
    broken = shell(database, "audit", "shoe", SHOE, "--json")
    missing = shell(database, "audit", "shoe", "B09/2026-11-21/1")

    assert (broken.exit_code, json.loads(broken.stdout)["checks"][0]["check"]) == (1, "record")
    assert (missing.exit_code, missing.stderr.strip()) == (
        1,
        "NotFound: The ledger has no shoe B09/2026-11-21/1.",
    )
