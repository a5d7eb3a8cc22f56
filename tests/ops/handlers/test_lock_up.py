"""A table that failed is locked up, and two people decide its coup in one of two ways (R-IRR-6)."""

import pytest

from tests.worlds.electronic_table import TWO, ElectronicTable
from tests.worlds.gaming_table import PLAYER_WINS

BALANCE = 500_00


@pytest.fixture
def table(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, BALANCE))
    table.say("bet", seat=3, spot="player", amount=100_00)
    return table


def dealt(table, cards=PLAYER_WINS):
    for card in cards.split():
        table.say("draw", card=card)


def locked(table):
    return table.say("table.lock-up", reason="a screen is dark").body


def unlocked(table, how, **fields):
    return table.ask("table.unlock", how=how, reason="it was dark", **{**TWO, **fields})


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("bet", {"seat": 3, "spot": "player", "amount": 200_00}),
        ("bets", {"wagers": [{"seat": 3, "spot": "player", "amount": 200_00}]}),
        ("withdraw", {"seat": 3}),
        ("no-more-bets", {}),
        ("draw", {"card": "9C"}),
        ("settle", {}),
        ("open", {}),
        ("table.lock-up", {"reason": "once more"}),
    ],
)
def test_while_it_is_locked_up_nothing_is_bet_drawn_or_paid(table, command, fields):
    due = locked(table)["due"]
    refused = table.ask(command, **fields).body

    assert due == {"action": "table.unlock", "rule": "R-IRR-6"}
    assert (refused["error"], refused["rule"]) == ("TableLockedUp", "R-IRR-6")
    assert table.balance(3) == BALANCE - 100_00
    table.require_books()


def test_every_stake_is_returned_whatever_was_drawn(table):
    dealt(table, "9C 5S")
    locked(table)
    answer = unlocked(table, "return")

    assert answer.ok
    assert "Unlocked" in [each["type"] for each in answer.body["events"]]
    assert table.balance(3) == BALANCE
    table.require_books()
    assert table.ask("open").ok


def test_the_cards_that_were_drawn_decide_if_they_do(table):
    dealt(table)
    locked(table)

    assert unlocked(table, "settle").ok
    assert table.balance(3) == BALANCE + 100_00
    table.require_books()


def test_cards_that_decide_nothing_settle_nothing(table):
    dealt(table, "9C 5S")
    locked(table)
    refused = unlocked(table, "settle").body

    assert (refused["error"], refused["rule"]) == ("BadValue", "R-IRR-6")
    assert table.balance(3) == BALANCE - 100_00
    assert table.ask("open").body["error"] == "TableLockedUp"


def test_there_is_no_third_way(table):
    locked(table)

    assert unlocked(table, "void").body["error"] == "BadValue"


def test_it_takes_two(table):
    locked(table)
    alone = table.ask("table.unlock", how="return", reason="it was dark").body
    same = unlocked(table, "return", **{"with": "D-204"}).body

    assert {"SecondPersonNeeded"} == {alone["error"], same["error"]}


def test_a_table_without_a_coup_goes_on_too(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, BALANCE))
    locked(table)

    assert unlocked(table, "return").ok
    assert table.ask("bet", seat=3, spot="player", amount=100_00).ok


def test_what_is_not_locked_up_is_not_unlocked(table):
    assert unlocked(table, "return").body["rule"] == "R-IRR-6"
