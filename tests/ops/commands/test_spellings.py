"""What other programs and keyboards write is read as well: cards, byte order marks."""

import json

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.commands import rule_files
from ops.commands.read import decode, read
from tests.ops.commands.riverside import RIVERSIDE
from tests.worlds.gaming_table import GamingTable

BOM = "\ufeff"
TEN = ("TH", "10H", "10h", "H10", "10♥", "♥10", "ht", "♡10")


@pytest.mark.parametrize("card", TEN)
def test_a_card_on_the_feed_is_read_in_every_spelling(dispatcher, card):
    table = GamingTable(dispatcher).open().prepare()
    table.say("bet", seat=1, spot="banker", amount=100_00)
    (drawn,) = [
        each for each in table.say("draw", card=card).body["events"] if each["type"] == "CardDrawn"
    ]

    assert "TH" == drawn["card"]


def test_a_line_after_a_byte_order_mark_is_read():
    line = '{"command": "settle", "table": "B01"}'

    assert read(decode(f"{BOM}{line}".encode(), 1)) == read(decode(line, 1))
    assert read(decode(f"{BOM}{line}", 1)) == read(decode(line, 1))


def test_a_rule_file_after_a_byte_order_mark_is_read():
    text = RIVERSIDE.encode()
    rules = rule_files.read(BOM.encode() + text, rule_files.RULE_SETS.__getitem__)

    assert rules == rule_files.read(text, rule_files.RULE_SETS.__getitem__)


@pytest.mark.parametrize("cards", ["9♣ 5S, 7c,Q♦ s9", "C9, S5, c7, dQ, 9♠", "9C 5S 7C QD 9S"])
def test_adjudicate_reads_a_file_of_another_program(tmp_path, cards):
    file = tmp_path / "coups.txt"
    file.write_text(f"{BOM}{cards}\n{BOM}957090\n", encoding="utf-8")
    answer = CliRunner().invoke(cli, ["adjudicate", str(file), "--json"])

    assert answer.exit_code == 0, answer.output
    assert ["5S", "QD", "9S"] == json.loads(answer.output.splitlines()[0])["banker"]


def test_a_wrong_word_of_many_is_answered_with_the_nearest():
    text = RIVERSIDE.replace('{"tie" = ', '{"ties" = ')
    with pytest.raises(rule_files.BadValue) as refused:
        rule_files.read(text.encode(), rule_files.RULE_SETS.__getitem__)

    assert str(refused.value) == (
        "spots.tie.pays cannot be 'ties': begin with tie, the or at least, not with 'ties'; "
        "`sabot manual rule-sets` lists all."
    )


def test_no_refusal_of_a_word_lists_more_than_a_dozen():
    sheet = RIVERSIDE.replace("tie.pays", "panda8.pays")
    with pytest.raises(rule_files.BadValue) as refused:
        rule_files.read(sheet.encode(), rule_files.RULE_SETS.__getitem__)

    assert str(refused.value) == (
        'There is no spot "panda8"; write one of 14 words; the nearest are panda-8, pair-player '
        "and pair-banker; `sabot manual rule-sets` lists all. If it is a bet of your own, state "
        "its key too: what a dealer types for it."
    )
