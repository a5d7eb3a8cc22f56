"""Reports on a screen: in the order of the paper, whole values, and nothing left out of a sum."""

import io
import re

import pytest
from pypdf import PdfReader

from domain.rules.money import major
from ops.words.columns import code_called
from ops.words.values import PERCENT
from projections import REPORTS
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, GamingTable


@pytest.fixture(scope="module")
def evening(tables):
    """What makes every summand: fills, cash paid out, commission rounded, waived and walked."""
    pit = GamingTable(tables.dispatcher, "B01").open("collected-up@1").prepare()
    two = {"with": "S-11"}
    pit.play(BANKER_WINS, (1, "banker", 110_00), (3, "banker", 130_00), (5, "banker", 50_00))
    pit.say("commission.waive", seat=3, amount=1_50, reason="for a long wait", **two)
    pit.say("commission.collect", seat=3, amount=5_50)
    pit.say("table.buy-in", seat=3, amount=1_000_00)
    pit.say("table.cash-out", seat=3, amount=200_00)
    people = {"requested_by": "S-11", "cashier": "C-7", "runner": "R-3"}
    pit.say("table.fill", chips={"10000": 5}, **people, **two)
    pit.play(PLAYER_WINS, (1, "banker", 20_00))
    pit.say("commission.walked", seat=1, reason="was seen to drive off", **two)
    return tables.database


@pytest.fixture(params=[80, 132])
def width(request, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(request.param))
    return request.param


def screen(database, name):
    result = shell(database, "report", name)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("name", REPORTS)
def test_no_line_is_longer_than_the_screen(evening, width, name):
    assert max(map(len, screen(evening, name).splitlines())) <= width


@pytest.mark.parametrize("name", REPORTS)
def test_no_name_is_broken_in_two(evening, width, name):
    report, rows = REPORTS[name], json_of(evening, "report", name)["rows"]
    text = screen(evening, name)
    otherwise = (
        *report.money,
        *PERCENT,
        "at",
        "from",
        "to",
        "card",
        "burn_card",
    )  # than in the JSON
    columns = [each for each in report.shown if each not in otherwise]
    left_out = re.search(r"No room for: ([^.]*)", text)
    no_room = re.sub(r"\s+", " ", left_out.group(1)).split(", ") if left_out else []
    for row in rows:
        for column in columns:
            value = row[column]
            if isinstance(value, str) and " " not in value and not column.endswith("_at"):
                called = code_called(column, value).partition(" ")[0]
                assert called in text or column.replace("_", " ") in no_room, (column, value)


@pytest.mark.parametrize("name", ["commission", "table-win", "commission-proof"])
def test_every_summand_that_is_not_nought_is_shown(evening, width, name):
    text = screen(evening, name)
    summands = [
        (column, row[column])
        for row in json_of(evening, "report", name)["rows"]
        for column in REPORTS[name].summands
        if row[column]
    ]

    assert {"commission": 3, "table-win": 2, "commission-proof": 3}[name] <= len(summands)
    for column, value in summands:
        assert major(value, "USD") in text, column


def test_rows_are_in_one_order_on_the_screen_and_on_paper(evening, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "132")
    spots = re.compile(r"B01/2026-11-21/1/(\d)")
    assert shell(evening, "report", "wagers", "--pdf", str(tmp_path / "w.pdf")).exit_code == 0
    pages = PdfReader(io.BytesIO((tmp_path / "w.pdf").read_bytes())).pages
    paper = spots.findall("".join(page.extract_text() for page in pages))

    assert ["2", "1", "1", "1"] == paper == spots.findall(screen(evening, "wagers"))
