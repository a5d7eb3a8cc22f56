"""`sabot group`: what a person reads, and what a program does."""

import json

import pytest
from click.testing import CliRunner

from ops.cli import cli
from tests.worlds.other_house import OtherHouse


def said(*words):
    return CliRunner().invoke(cli, ["group", *map(str, words)])


@pytest.fixture
def houses(tmp_path, monkeypatch):
    """Two houses of a group, neither of which was pulled yet."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    houses = [
        OtherHouse(tmp_path / name, f"{name}.example/baccarat").grow(300)
        for name in ("harbour", "riverside")
    ]
    for each in houses:
        name = each.place.name
        assert said("add", name, each.place, "--key", each.key).exit_code == 0
    return houses


def told(*words):
    answer = said(*words, "--json")
    return answer.exit_code, [json.loads(each) for each in answer.stdout.splitlines()]


def test_every_house_is_pulled_and_listed(houses):
    assert "harbour: 0 events held and verified; nothing was pulled yet." in said("list").stdout
    pulled = said("pull")
    assert pulled.exit_code == 0
    assert "riverside: 300 events held and verified, 300 of them new, at " in pulled.stdout
    houses[0].grow(400)

    status, rows = told("pull")
    assert status == 0
    assert [(each["name"], each["events"], each["new"]) for each in rows] == [
        ("harbour", 400, 100),
        ("riverside", 300, 0),
    ]
    assert [each["events"] for each in told("list")[1]] == [400, 300]
    assert told("pull", "riverside")[1][0]["name"] == "riverside"


def test_a_house_that_went_back_stops_with_status_1_until_somebody_accepts_it(houses, tmp_path):
    said("pull")
    houses[1].grow(200)
    houses[0].grow(310)

    stopped = said("pull")
    assert stopped.exit_code == 1
    assert "harbour: 310 events" in stopped.stdout
    assert "STOPPED at" in stopped.stdout
    assert "300 events were signed, and now 200 are" in stopped.stdout
    assert "sabot group accept riverside REASON" in stopped.stdout
    assert said("pull", "riverside").exit_code == 1
    assert said("accept", "riverside", "restored, letter of 4 March").exit_code == 0
    assert said("pull", "riverside").exit_code == 1  # it is as it was, and what is held, too
    assert said("accept", "riverside", "restored, letter of 4 March", "--anew").exit_code == 0
    assert told("pull", "riverside")[1][0]["events"] == 200
    kept = [each.name for each in (tmp_path / "home/group/riverside").iterdir()]
    assert any(each.startswith("log-until-") for each in kept)
    decisions = (tmp_path / "home/group/riverside/accepted.jsonl").read_text().splitlines()
    assert [json.loads(each)["anew"] for each in decisions] == [False, True]


def test_a_house_that_signs_with_another_key_is_accepted_with_that_key(houses):
    said("pull")
    houses[1].seed = 2
    houses[1].grow(350)
    assert said("pull").exit_code == 1
    accepted = said("accept", "riverside", "their letter", "--key", houses[1].key)

    assert accepted.exit_code == 0, accepted.output
    assert told("pull", "riverside")[1][0]["events"] == 350
    assert houses[0].key != houses[1].key


def test_a_house_that_is_away_gives_status_3_and_the_others_go_on(houses, tmp_path):
    (tmp_path / "riverside").rename(tmp_path / "elsewhere")
    away = said("pull")

    assert away.exit_code == 3
    assert "harbour: 300 events" in away.stdout
    assert "riverside: 0 events held and verified; away at" in away.stdout


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (("pull", "nowhere"), 1, "There is no house 'nowhere' in this group. There are: harbour"),
        (("add", "x", "/log"), 2, "Give the key of the house with --key"),
        (("add", "x", "/log", "--key", "x"), 2, "The key of x is of no kind"),
        (("add", "X y", "/log", "--key", OtherHouse(None, "x").key), 1, "'X y' cannot be a name"),
        (("add", "harbour", "/log", "--key", OtherHouse(None, "x").key), 1, "a house harbour"),
        (("add", "x", "/log", "--key", OtherHouse(None).key), 1, "riverside has this record"),
        (("accept", "riverside", "x"), 1, "riverside was not stopped"),
        (("pull", "--every", "0"), 2, "--every"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(houses, words, status, why):
    answer = said(*words)
    assert (answer.exit_code, why in answer.stderr) == (status, True), answer.stderr
