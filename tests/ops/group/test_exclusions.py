"""Who may not play at one house is handed to another one, by number and without names."""

import csv
import json
import re
from contextlib import closing

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.group import members
from ops.group.pulling import pull
from ops.ledger import clock
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import mouth_on
from tests.worlds.group_of_houses import added, log_of

NAME = "Ann Archer"
# By house: who was seated there, and of those who is barred, and how.
HOUSES = {
    "harbour": (("P-1", "P-2", "P-3", "hat"), {"P-1": "barred", "P-2": "self-excluded"}),
    "island": (("P-1", "P-3", "P-4"), {"P-1": "barred", "P-3": "barred"}),
    "riverside": (("P-1", "P-2", "P-3", "red-hat"), {"P-3": "barred"}),
}


def patron(dispatcher, command, name, **more):
    line = {"command": f"patron.{command}", "patron": name, "by": "A-1", **more}
    answer = dispatcher.dispatch(line)
    assert answer.ok, str(answer)


def pulled(databases, place):
    for name, database in databases.items():
        log = log_of(database, place / name)
        known = {each.name for each in members.every()}
        house = members.named(name) if name in known else added(log)
        assert not pull(house, clock.wall_clock()).stopped


@pytest.fixture
def houses(server, tmp_path, monkeypatch):
    """Three houses with patrons in common, pulled by a group."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "group"))
    with server.database() as one, server.database() as two, server.database() as three:
        databases = dict(zip(HOUSES, (one, two, three), strict=True))
        for name, (known, barred) in HOUSES.items():
            with mouth_on(databases[name]) as dispatcher:
                for each in known:
                    patron(dispatcher, "file", each, languages="de")
                for each, kind in barred.items():
                    patron(dispatcher, "bar", each, reason="a letter", kind=kind, confirmed=True)
            with closing(Ledger(databases[name])) as ledger:
                People(ledger).name_patron("P-1", NAME)
        pulled(databases, tmp_path)
        yield databases


def group(*words):
    return CliRunner().invoke(cli, ["group", *words])


def rows(text):
    return [tuple(each) for each in csv.reader(text.splitlines())]


def test_a_bar_at_one_house_is_seen_at_the_group_and_bars_at_another_by_the_number(
    houses, tmp_path
):
    seen = json.loads(group("report", "exclusions", "--json").stdout)["rows"]
    assert {(e["property"], e["patron"], e["kind"]) for e in seen} == {
        (house, each, kind)
        for house, (_, barred) in HOUSES.items()
        for each, kind in barred.items()
    }  # fmt: skip
    listed = group("exclusions", "riverside", "--kind", "barred")
    assert rows(listed.stdout) == [("patron", "reference"), ("P-1", "harbour island")]
    wish = group("exclusions", "riverside", "--kind", "self-excluded")
    assert rows(wish.stdout) == [("patron", "reference"), ("P-2", "harbour")]
    assert group("exclusions", "island", "--kind", "self-excluded").stdout.endswith("P-2,harbour\n")
    assert NAME not in listed.output + wish.output + json.dumps(seen)

    file = tmp_path / "list.csv"
    file.write_text(listed.stdout + "P-77,harbour\n")
    words = ("patron", "exclude", str(file), "--list", "GROUP", "--kind", "barred")
    asked = shell(houses["riverside"], *words)
    assert (asked.exit_code, asked.stdout.splitlines()) == (1, [
        "Row 2: look whether it is P-1: the number is the same. `sabot patron bar` bars them.",
        "0 to bar, 0 barred already, 1 to be looked at, 1 not on file here, 0 wrong.",
    ])  # fmt: skip
    done = shell(houses["riverside"], *words, "--same-numbers", "--yes", "--by", "A-1")
    assert done.exit_code == 0, done.output
    assert re.search(r"1 by the list, .*\nWritten: 1 row, up to #\d+\.\n$", done.stdout)
    with mouth_on(houses["riverside"]) as dispatcher:
        record = dispatcher.casino.look(lambda: dispatcher.desk.names.record("P-1"))
        assert record.barring == "barred"
    events = shell(houses["riverside"], "report", "readings", "--json")
    assert "patron exclude" in events.stdout
    again = shell(houses["riverside"], *words, "--same-numbers")
    assert "0 to bar, 1 barred already" in again.stdout

    pulled(houses, tmp_path)
    assert rows(group("exclusions", "riverside", "--kind", "barred").stdout)[1:] == []
    seen = json.loads(group("report", "exclusions", "--json").stdout)["rows"]
    assert ("riverside", "P-1") in {(each["property"], each["patron"]) for each in seen}


def test_an_alias_that_was_identified_is_its_patron_in_the_list_and_at_the_house(houses, tmp_path):
    with mouth_on(houses["harbour"]) as dispatcher:
        patron(dispatcher, "bar", "hat", reason="a letter", confirmed=True)
        patron(dispatcher, "identify", "hat", **{"is": "P-9"})
    with mouth_on(houses["riverside"]) as dispatcher:
        patron(dispatcher, "identify", "red-hat", **{"is": "P-9"})
    pulled(houses, tmp_path)
    listed = rows(group("exclusions", "riverside", "--kind", "barred").stdout)
    assert ("P-9", "harbour") in listed

    file = tmp_path / "list.csv"
    file.write_text("patron,reference\nred-hat,harbour\n")
    words = ("patron", "exclude", str(file), "--list", "GROUP", "--same-numbers", "--json")
    [row] = json.loads(shell(houses["riverside"], *words).stdout)["rows"]
    assert (row["what"], row["patron"], row["why"]) == ("bar", "P-9", "number")


def test_a_list_of_no_other_house_or_of_one_that_is_not_here_is_refused_in_words(houses):
    assert (
        "no house 'nowhere' in this group"
        in group("exclusions", "nowhere", "--kind", "barred").output
    )
    assert group("exclusions", "harbour").exit_code == 2
    refused = group("report", "exclusions", "--day", "2026-11-21")
    assert refused.exit_code == 2  # it is of no day
