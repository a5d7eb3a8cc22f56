"""What was acknowledged and is gone after a restore: two people decide about each line, once."""

import json

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.handlers.compared import take_offer
from ops.handlers.for_two import answer_for_two
from ops.handlers.lost_lines import again
from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.closed_house import LIMITS, PIN, DealerAtWork
from tests.worlds.gaming_table import mouth_on
from tests.worlds.restores import BET, OTHER, alerts, decide, fed, restored_house

NOW = "2026-11-27T20:14:07+00:00"
PEOPLE = ("--by", "A-1", "--with", "S-11")
FIRST, SECOND = {**BET, "id": "first"}, {**OTHER, "id": "second"}


@pytest.fixture
def after(server, database, tmp_path, monkeypatch):
    """A restored house, to which a terminal offers two lines."""
    monkeypatch.setenv("SABOT_ACKNOWLEDGED", str(tmp_path / "acknowledged"))
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "pit-1"))
    with restored_house(server, database, tmp_path) as (before, after):
        assert all(each["ok"] for each in fed(before, FIRST, SECOND)[1])
        assert fed(after, {**BET, "seat": 7, "id": "third"})[0] == 3
        yield after


def typed(house, *words, status=0):
    env = {"SABOT_DATABASE_URL": house.database.url}
    answer = CliRunner().invoke(cli, [*words], env=env)
    assert answer.exit_code == status, answer.output
    return answer.output


def lines_of(house):
    """The alerts of missing lines, by the words of each line's id."""
    rows = ask(house.database, REPORTS["alerts"]).rows
    lines = [each for each in rows if each["kind"] == "line missing"]
    return {each["detail"]["line_id"]: each for each in lines}


def taken_again(house):
    """The events of the lines that were taken again: topic, actor and metadata."""
    with house.database.session("sabot_auditor") as connection:
        return connection.execute(
            "SELECT topic, actor, metadata::jsonb FROM ledger.events"
            " WHERE metadata::jsonb ? 'again' ORDER BY position"
        ).fetchall()


def test_each_line_is_offered_once_and_rings_until_two_people_decided(after):
    rung = sorted(alerts(after.database))
    decide(after)
    assert fed(after)[0] == 0  # connected again: everything is offered again
    known = lines_of(after)

    assert rung == ["line missing", "line missing", "record restored"]
    assert sorted(alerts(after.database)) == ["line missing", "line missing"]
    assert list(known) == ["first", "second"]
    assert {each["rank"] for each in known.values()} == {1}
    board = typed(after, "board", "--once")
    assert "Lost by the restore: bet B01 5 player 10000." in board


def test_a_line_is_taken_again_as_it_was_and_counts_once(after):
    decide(after)
    was = json.loads(json.dumps(lines_of(after)["first"]["detail"]))
    name = lines_of(after)["first"]["alert"]
    alone = typed(after, "audit", "again", name, "the backup was of 20:00", *PEOPLE[:2], status=1)
    assert "SecondPersonNeeded" in alone
    said = typed(after, "audit", "again", name, "the backup was of 20:00", *PEOPLE)
    (bet, *_), *_, (acknowledged, actor, metadata) = taken_again(after)

    assert "seat 3" in said.lower()
    assert (bet, acknowledged, actor) == ("shoe.coup-begun", "alert.acknowledged", "A-1")
    assert (metadata["again"], metadata["again_at"]) == (was["until"], was["acknowledged_at"])
    assert metadata["again_id"] == "first"
    assert (metadata["with"], metadata["late"]) == ("S-11", True)
    assert alerts(after.database) == ["line missing"]
    twice = typed(after, "audit", "again", name, "the backup was of 20:00", *PEOPLE, status=2)
    assert "names no line that is missing" in twice
    (refused,) = fed(after, FIRST)[1]
    assert "Two people decide about it" in refused["message"]


def test_all_are_taken_again_in_their_order_and_the_alert_ends(after):
    decide(after)
    said = typed(after, "audit", "again", "all", "the disk failed", *PEOPLE)

    assert "Taken again: 2. No acknowledged line is missing." in said
    assert alerts(after.database) == []
    assert {each["text"] for each in lines_of(after).values()} == {"taken again: the disk failed"}


def test_a_line_is_left_out_by_two_people_with_a_reason(after):
    decide(after)
    name = lines_of(after)["first"]["alert"]
    leave = ("alert", "acknowledge", name)

    assert "SecondPersonNeeded" in typed(after, *leave, "x", "--by", "A-1", status=1)
    assert "Say why the line is left out" in typed(after, *leave, *PEOPLE, status=1)
    typed(after, *leave, "the patron took the bet back", *PEOPLE)
    assert lines_of(after)["first"]["text"] == "the patron took the bet back"
    assert alerts(after.database) == ["line missing"]


def test_a_line_that_cannot_be_taken_again_says_why_and_waits(after):
    decide(after)
    with mouth_on(after.database) as house:
        assert house.dispatch({"command": "table.leave", "table": "B01", "seat": 3}).ok
    name = lines_of(after)["first"]["alert"]
    said = typed(after, "audit", "again", name, "the disk failed", *PEOPLE, status=1)

    assert "The line cannot be taken again now:" in said
    assert len(alerts(after.database)) == 2


def test_nothing_is_offered_of_another_record(after):
    with mouth_on(after.database) as house:
        take_offer(house, [], 0)
    assert len(alerts(after.database)) == 3


def test_in_a_closed_house_an_administrator_and_a_second_person_sign_it_and_nobody_else(database):
    house = DealerAtWork(database)
    missing = {"continues": 1, "until": 9, "signed": False, "mark": "", "known": "at pit-1"}
    missing |= {"epoch": 1, "server": "7, timeline 1", "line_id": "lost-1"}
    fields = {"line": json.dumps({**LIMITS, "by": "D-204"}), "acknowledged_at": NOW}
    own = house.boss.for_own_commands()
    offered = own.dispatch({"command": "audit.missing", **missing, **fields})
    name = f"line-missing/{offered.body['position']}"
    line = again(name, "the disk failed", fields)
    line |= {"command": "audit.again", "with": "P-1"}
    seen = []

    def pin(_, shown):
        seen.append(shown)
        return PIN

    alone = own.dispatch({**line, "id": "alone", "with": None})
    by_dealer = answer_for_two(house.dealer.for_own_commands(), {**line, "id": "x"}, pin)
    seen.clear()
    done = answer_for_two(own, line, pin)
    twice = answer_for_two(own, {**line, "id": "again"}, pin)

    assert offered.ok, str(offered)
    assert [each.body["error"] for each in (alone, by_dealer)] == [
        "SecondPersonNeeded",
        "NotPermitted",
    ]
    assert done.ok, str(done)
    assert [each["type"] for each in done.body["events"]] == [
        "LimitsChanged",
        "AlertAcknowledged",
    ]
    assert "Until now: Player and Banker 10" in str(seen[0].words[0])
    assert not twice.ok
    house.close()
