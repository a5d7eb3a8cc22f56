"""No two spellings of a number, a code or a name are two things."""

import re
import sys
import unicodedata

import pytest

from domain.rules.refusals import BadValue
from ops.commands.command import Code, Reason, StaffNumber, Text
from ops.commands.read import read
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.for_two import answer_for_two
from ops.handlers.sign_on import sign_off, sign_on
from tests.worlds.closed_house import PIN, ClosedHouse
from tests.worlds.gaming_table import DAY, GamingTable

TWO = {"by": "S-11", "with": "S-12"}
UNSEEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")  # Unicode's classes of what shows nothing


def say(dispatcher, command, **fields):
    return dispatcher.dispatch({"command": command, "by": "S-11", **fields}).body


def takes(kind, text):
    (meta,) = kind.__metadata__
    return re.search(meta.pattern, text) is not None


def test_no_letter_that_shows_nothing_is_in_a_name_or_a_reason():
    unseen = [
        chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in UNSEEN
    ]

    assert [] == [ascii(each) for each in unseen if takes(Text, f"P{each}9")]
    assert [] == [ascii(each) for each in unseen if takes(Reason, f"a{each}b")]


@pytest.mark.parametrize("name", [" P-9", "P-9 ", "P-9\t", "P  9", "P\xa09", "P-9\u3000"])
def test_no_blank_is_hidden_in_a_name(name):
    with pytest.raises(BadValue):
        read({"command": "table.seat", "table": "B01", "seat": 3, "patron": name})


@pytest.mark.parametrize("number", ["Ѕ-11", "Ｓ-11", "S‑11", "S-１１", "S-11\u200b", "Ѕ"])
def test_a_number_has_no_letter_of_another_script(number):
    assert not takes(Code, number)
    assert not takes(StaffNumber, number)


def test_a_table_in_other_capitals_is_the_table(dispatcher):
    GamingTable(dispatcher).open()
    opened = say(
        dispatcher, "table.open", table="b01", rules="classic@1", opener={}, day=DAY, **TWO
    )
    bet = say(dispatcher, "bet", table="b01", seat=1, spot="banker", amount=100_00)

    assert ["There is a table B01, and b01 looks the same. Write B01."] * 2 == [
        opened["message"],
        bet["message"],
    ]


@pytest.mark.parametrize("code", ["BO1", "B0l", "BOI", "B-01"])
def test_a_table_that_looks_like_another_is_not_opened(dispatcher, code):
    GamingTable(dispatcher).open()
    line = {"table": code, "rules": "classic@1", "opener": {}, "day": DAY, **TWO}

    assert say(dispatcher, "table.open", **line)["message"] == (
        f"There is a table B01, and {code} looks the same. Write B01."
    )


@pytest.mark.parametrize("name", ["e01/3", "EO1/3", "E01/03", "Е01/3"])  # the last one Cyrillic
def test_a_position_in_another_spelling_is_the_position(dispatcher, name):
    keys = ("98BB-CEFA-88A6-387D", "98BB-CEFA-88A6-387E")
    for key in keys:
        named = {"terminal": key, "name": "E01/3" if key == keys[0] else name}
        answer = say(dispatcher, "staff.approve-terminal", **named)

    assert not answer["ok"]
    assert answer["message"].startswith("E01/3 is the place of 98BB-CEFA-88A6-387D, which")


def test_a_position_is_named_as_its_table_is(dispatcher):
    GamingTable(dispatcher, "E01").open()
    named = {"terminal": "98BB-CEFA-88A6-387D", "name": "e01/3"}
    answer = say(dispatcher, "staff.approve-terminal", **named)

    assert answer["message"] == "There is a table E01, and e01 looks the same. Write E01."


def test_a_deck_in_other_capitals_is_the_deck(dispatcher):
    table = GamingTable(dispatcher).open()
    table.say("shoe.load", decks=8, serials=["K-1"])
    other = GamingTable(dispatcher, "B02")
    other.say("table.open", rules="dragon-bonus@1", opener={"10000": 20}, day=DAY, **TWO)

    assert other.ask("shoe.load", decks=8, serials=["k-1"]).body["ok"] is False


def test_one_person_is_not_two_in_other_capitals(dispatcher):
    table = GamingTable(dispatcher).open().prepare()
    table.say("bet", seat=1, spot="banker", amount=100_00)
    line = {"coup": f"B01/{DAY}/1/1", "reason": "torn card", "by": "S-11"}
    refused = say(dispatcher, "void", **line, **{"with": "s-11"})

    assert "SecondPersonNeeded" == refused["error"]


def test_a_staff_number_that_looks_like_another_is_not_enrolled(database):
    house = ClosedHouse(database, {"A-1": "administrator", "S-11": "supervisor"})
    refused = [house.enrol(each, "dealer")["message"] for each in ("s-11", "S-1l")]

    assert [
        f"S-11 is a staff number, and {each} looks the same. Choose another number."
        for each in ("s-11", "S-1l")
    ] == refused


def test_a_staff_number_in_small_letters_is_the_one_that_is_enrolled(database):
    house = ClosedHouse(
        database, {"A-1": "administrator", "S-11": "supervisor", "PB-1": "pit-boss"}
    )
    answer, token = sign_on(Dispatcher(house.casino, "test"), "s-11", PIN)
    dispatcher = Dispatcher(house.casino, "test", token=token)
    asked = []

    def pin_of(second, shown):
        asked.append(second)
        return PIN

    line = {"command": "table.open", "table": "B01", "rules": "classic@1", "opener": {"10000": 20}}
    opened = answer_for_two(dispatcher, {**line, "with": "pb-1", "by": "s-11"}, pin_of)
    left = sign_off(dispatcher, "s-11", PIN)

    assert (answer.ok, token.staff) == (True, "S-11"), answer.reason
    assert (opened.ok, asked) == (True, ["PB-1"]), opened.reason
    assert left.ok, left.reason


def test_who_signs_on_again_in_small_letters_is_not_somebody_else_beside_themselves(database):
    house = ClosedHouse(database, {"A-1": "administrator", "S-11": "supervisor"})
    line = {"table": "B01", "rules": "classic@1", "opener": {"10000": 20}, "with": "s-11"}

    assert house.ask("S-11", "table.open", **line)["error"] == "SecondPersonNeeded"
