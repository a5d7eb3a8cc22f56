"""Meters and the bets after the first four cards, on every page that shows a table."""

import re

import pytest

from tests.acceptance.channels import json_of, shell
from tests.worlds.browsers import PlainBrowser
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.house_server import house_server
from tests.worlds.progressive_sheets import sheet
from tests.worlds.terms_of_sheets import TWO

INSURANCE = """
[spots.insured]
key = "bi"
labels = {en = "Insured"}
pays = {"player wins" = "3:1"}

[terms.insured]
beside = ["banker"]
after_four = "first two banker cards make 6"

[limits.insured]
minimum = "5.00"
maximum = "1000.00"
"""


@pytest.fixture
def pit(dispatcher):
    file = sheet() + INSURANCE
    line = {"command": "rules.approve", "file": file, "by": "A-1", "confirmed": True, **TWO}
    assert dispatcher.dispatch(line).ok
    return GamingTable(dispatcher).open("riverside@1").prepare()


def texts(database, tmp_path):
    """What each page reads, without its marks."""
    with house_server(database, tmp_path / "house") as house:
        browser = PlainBrowser(house.address)
        pages = {path: browser.get(path)[1] for path in ("/", "/tables/B01", "/wall/B01", "/wall")}
    return {path: " ".join(re.sub("<[^>]+>", " ", text).split()) for path, text in pages.items()}


def test_pages_and_the_board_show_what_is_in_a_meter(pit, database, tmp_path):
    pit.play(PLAYER_WINS, (3, "fortune", 100_00))

    for path, text in texts(database, tmp_path).items():
        assert "meter Fortune 1,015.00" in text, path
    assert "meters Fortune, house: 1,015.00" in " ".join(shell(database, "board").stdout.split())
    assert [{"meter": "fortune/house/USD", "amount": 1_015_00}] == json_of(
        database, "board", "--json"
    )["meters"]


def test_a_meter_is_shown_at_its_seed_before_the_first_bet(pit, database):
    assert pit.table == "B01"
    assert [1_000_00] == [each["amount"] for each in json_of(database, "board", "--json")["meters"]]


def test_pages_show_the_bets_that_four_cards_offer(pit, database, tmp_path):
    pit.bet(3, "banker", 100_00)
    pit.deal("5C 2D KS 4H")

    for path, text in texts(database, tmp_path).items():
        assert "bets after four cards" in text, path
        assert "Insured pays 3 to 1" in text, path
