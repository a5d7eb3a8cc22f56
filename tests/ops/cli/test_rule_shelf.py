"""`sabot rules shelf`: sheets are listed, printed, checked and approved by their names."""

import json
import tomllib

import pytest

from ops.manual.shelf import shelf
from tests.acceptance.channels import json_of, shell


def test_all_sheets_are_listed_with_their_bets_and_where_they_come_from(database):
    listed = json_of(database, "rules", "shelf")["sheets"]
    quik = next(each for each in listed if each["name"] == "quik@1")

    assert [each["name"] for each in listed] == list(shelf())
    assert {"name": "quik@1", "bets": ["quik"], "source": "wizardofodds.com, Quik Baccarat"} == quik
    assert "quik-misprint@1" in shell(database, "rules", "shelf").stdout


def test_a_sheet_that_is_printed_begins_one_s_own(database, tmp_path):
    said = shell(database, "rules", "shelf", "quik@1").stdout
    mine = tmp_path / "mine.toml"
    mine.write_text(said.replace('"quik@1"', '"mine@1"').replace('"50:1"', '"51:1"'))
    spots = json_of(database, "rules", "check", str(mine))["spots"]

    assert tomllib.loads(said)["name"] == "quik@1"
    assert said == json_of(database, "rules", "shelf", "quik@1")["text"]
    assert {"quik": 7.5753} == {
        each["spot"]: each["edge_percent"] for each in spots if each["spot"] == "quik"
    }


def test_a_sheet_is_checked_and_compared_by_its_name(database):
    checked = json_of(database, "rules", "check", "quik@1")
    said = shell(database, "rules", "diff", "quik@1", "quik-misprint@1").stdout

    assert ("quik@1", []) == (checked["name"], checked["favours_patron"])
    assert "Quik: house edge 8.1550% → -10.3234%" in said


def test_a_sheet_is_approved_by_its_name_and_tables_open_under_it(database):
    approve = ("rules", "approve", "quik@1", "--by", "A-1", "--with", "S-11")

    assert shell(database, *approve).exit_code == 0
    assert ["A-1", "S-11"] == json_of(database, "rules", "show", "quik@1")["approved_by"]
    opened = shell(
        database, "table", "open", "B01", "quik@1", "--by", "D-204", "--with", "S-11",
        "--opener", "100=200",
    )  # fmt: skip
    assert opened.exit_code == 0


def test_a_sheet_that_favours_the_patron_is_approved_only_when_that_is_confirmed(database):
    approve = ("rules", "approve", "quik-misprint@1", "--by", "A-1", "--with", "S-11")
    refused = shell(database, *approve)

    assert (1, True) == (refused.exit_code, "10.3234%" in refused.stderr), refused.stderr
    assert shell(database, *approve, "--confirmed").exit_code == 0


def test_a_file_comes_before_a_sheet_of_its_name(database, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = shell(database, "rules", "shelf", "quik@1").stdout
    (tmp_path / "quik@1").write_text(text.replace('"50:1"', '"51:1"'))
    spots = json_of(database, "rules", "check", "quik@1")["spots"]

    assert [7.5753] == [each["edge_percent"] for each in spots if each["spot"] == "quik"]


@pytest.mark.parametrize("command", ["shelf", "check"])
def test_a_name_that_is_none_is_refused_with_the_nearest(database, command):
    refused = shell(database, "rules", command, "quick@1", "--json")

    assert (1, "BadValue") == (refused.exit_code, json.loads(refused.stdout)["error"])
    for words in ("quik@1", "`sabot rules shelf` lists all"):
        assert words in json.loads(refused.stdout)["message"]
