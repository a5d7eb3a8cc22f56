"""Feeds and terminals compare: a restored record that lacks their newest line is noticed."""

import io
import json
from contextlib import closing

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.door.acknowledged import LinesHere
from ops.door.connection import Connection, WiredConnection
from ops.door.feed import Feed
from ops.handlers.compared import compare_with
from ops.handlers.questions import Send, WhoIsHere
from ops.ledger.database import NewestMissing
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.house_there import HouseThere
from tests.worlds.gaming_table import GamingTable, mouth_on
from tests.worlds.restores import BET, OTHER, alerts, decide, fed, restored_house


@pytest.fixture
def two(server, database, tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_ACKNOWLEDGED", str(tmp_path / "acknowledged"))
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "pit-1"))
    with restored_house(server, database, tmp_path) as house:
        yield house


def test_a_feed_sends_nothing_to_a_restored_record_until_two_people_decide(two, capsys):
    before, after = two
    assert fed(before, BET)[1][0]["ok"]
    held = fed(after, OTHER)
    said, rung = capsys.readouterr().err, alerts(after.database)
    decide(after)
    goes_on, (answer,) = fed(after, OTHER)

    assert held == (3, [])
    assert "The house's record was restored: the newest line this terminal had ack" in said
    assert "bet B01 3 banker 10000 at " in said
    assert "Nothing more is sent until two people have decided: sabot audit restored." in said
    assert sorted(rung) == ["line missing", "record restored"]
    assert (goes_on, answer["ok"]) == (0, True)
    assert alerts(after.database) == ["line missing"]


def test_a_dealer_through_the_door_sends_nothing_either(two):
    before, after = two
    acknowledged = LinesHere("house")
    with closing(HouseThere(before.address)) as there:
        there._connection._acknowledged = there._acknowledged = acknowledged
        there._connection._compared = False
        assert there.ask(Send([{**BET, "id": "mine"}]))[0].ok
    with closing(HouseThere(after.address)) as there:
        there._connection._acknowledged = there._acknowledged = acknowledged
        there._connection._compared = False
        with pytest.raises(NewestMissing, match="bet B01 3 banker 10000 at"):
            there.ask(Send([{**OTHER, "id": "next"}]))
        decide(after)
        assert there.ask(Send([{**OTHER, "id": "next"}]))[0].ok


def test_a_dealer_with_the_database_sends_nothing_either(two, monkeypatch):
    before, after = two
    monkeypatch.setattr("ops.terminal.dealer.house.lines_of", lambda _: LinesHere("house"))
    with closing(HouseHere(before.database, compares=True)) as here:
        assert not here.ask(WhoIsHere()).closed
        assert here.ask(Send([{**BET, "id": "mine"}]))[0].ok
    with closing(HouseHere(after.database, compares=True)) as here:
        here.dispatcher.patience = 0.1
        with pytest.raises(NewestMissing, match="two people have decided"):
            here.ask(Send([{**OTHER, "id": "next"}]))
        decide(after)
        assert here.ask(Send([{**OTHER, "id": "next"}]))[0].ok
    assert LinesHere("house").newest.id == "next"


def test_a_connection_is_compared_once_and_nothing_is_missing_from_a_whole_record(two, monkeypatch):
    before, _ = two
    asked = []
    by_itself = Connection._by_itself

    def counted(self, target, *more):
        asked.append(target.partition("?")[0])
        return by_itself(self, target, *more)

    monkeypatch.setattr(Connection, "_by_itself", counted)
    for n in range(2):
        _, answers = fed(before, *[{**BET, "id": f"{n}-{each}"} for each in range(3)])
        assert all(each["ok"] for each in answers)

    assert asked == ["/api/questions", "/api/commands"] * 2
    assert alerts(before.database) == []


def test_another_house_at_the_same_address_is_no_restored_one(server, two):
    before, _ = two
    fed(before, BET)
    with server.database() as fresh, mouth_on(fresh) as house:
        GamingTable(house).open().prepare()
        compare_with(LinesHere("house"), house)
        house.casino.ledger.close()
        assert house.dispatch({**BET, "id": "x"}).ok


def missing(server):
    """What `sabot feed --missing` prints at a terminal of this house, and says."""
    mine, out = LinesHere("house"), io.StringIO()
    with closing(WiredConnection(server.address, 1.0)) as connection:
        feed = Feed(connection, None, mine, late=False, until_refused=False)
        assert feed.show_missing(out) == 0
    return out.getvalue()


def test_lines_that_a_restored_record_lacks_are_printed_late_and_recorded_by_two_people_only(
    two, capsys
):
    before, after = two
    answers = fed(before, BET, {**OTHER, "id": "five"})[1]
    assert missing(before) == ""
    assert "Every line that was acknowledged here is on record." in capsys.readouterr().err
    lines = [json.loads(each) for each in missing(after).splitlines()]
    assert "Not on record, though acknowledged here: 2." in capsys.readouterr().err
    decide(after)
    status, refused = fed(after, *lines)

    assert [each["id"] for each in lines] == [each["id"] for each in answers]
    assert [(each["seat"], each["late"]) for each in lines] == [(3, True), (5, True)]
    assert (status, [each["ok"] for each in refused]) == (1, [False, False])
    assert "Two people decide about it" in refused[0]["message"]
    assert missing(after) != ""


def test_a_feed_with_the_database_prints_the_same(two, monkeypatch):
    before, after = two
    monkeypatch.setattr("ops.cli.feed.lines_of", lambda _: LinesHere("house"))
    fed(before, {**OTHER, "id": "five"})
    on_its_machine = {"SABOT_DATABASE_URL": after.database.url}
    printed = CliRunner().invoke(cli, ["feed", "--missing"], env=on_its_machine)

    assert printed.exit_code == 0, printed.output
    assert printed.stdout == missing(after) != ""
