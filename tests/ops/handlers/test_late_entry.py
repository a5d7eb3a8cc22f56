"""When something happened, as it is typed at a shell: by the house's clock, and never in JSON."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.acceptance.channels import feed, shell
from tests.worlds.gaming_table import DAY

pytestmark = pytest.mark.usefixtures("held")

OPENED = (
    *("table", "open", "B01", "dragon-bonus@1", "--day", DAY, "--opener", "100=5"),
    *("--by", "D-204", "--with", "S-11"),
)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)  # 13:00 in Vienna


@pytest.fixture
def vienna(database, monkeypatch):
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: NOW)
    for said in (("property", "set", "zone", "Europe/Vienna"), OPENED):
        assert shell(database, *said).exit_code == 0
    return database


def moment(database, *at):
    """When the house has it that a drop was counted, which was typed with this `--at`."""
    said = shell(database, "table", "drop", "B01", "5", "--by", "D-204", *at, "--json")
    assert said.exit_code == 0, said.output
    position = json.loads(said.stdout)["position"]
    with database.connect("sabot_auditor") as connection:
        ((at,),) = connection.execute(
            "SELECT convert_from(state, 'UTF8')::json ->> 'at' FROM ledger.events "
            "WHERE position = %s",
            (position,),
        ).fetchall()
    return datetime.fromisoformat(at).astimezone(UTC).strftime("%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    ("typed", "happened"),
    [
        ("13:02",                     "11-21 12:02:00"),
        ("13:01:07",                  "11-21 12:01:07"),
        ("2026-11-21T13:03",          "11-21 12:03:00"),
        ("2026-11-21 13:03:30",       "11-21 12:03:30"),
        ("2026-11-21T12:04+00:00",    "11-21 12:04:00"),
        ("2026-11-21T12:04:05+00:00", "11-21 12:04:05"),
    ],
)  # fmt: skip
def test_a_moment_may_be_typed_as_a_time_of_day(vienna, typed, happened):
    assert happened == moment(vienna, "--at", typed)


@pytest.mark.parametrize(
    ("now", "typed", "happened"),
    [
        ("2026-11-22T05:59+01:00", "20:14", "11-21 19:14:00"),
        ("2026-11-22T05:59+01:00", "02:10", "11-22 01:10:00"),  # before the day's start
        ("2026-11-22T06:01+01:00", "06:00", "11-22 05:00:00"),
    ],
)
def test_a_time_of_day_is_that_of_today_s_gaming_day(vienna, monkeypatch, now, typed, happened):
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: datetime.fromisoformat(now))
    late = ("--at", typed, "--late", "--with", "S-11")

    assert moment(vienna, *late) == happened


def test_a_time_of_day_that_is_still_to_come_is_refused(vienna, monkeypatch):
    """Nobody can mean yesterday by it: that has a date."""
    monkeypatch.setattr("ops.commands.machine_time.FURTHEST_AHEAD", timedelta(minutes=5))
    said = ("table", "drop", "B01", "5", "--by", "D-204", "--late", "--json", "--at")
    answer = json.loads(shell(vienna, *said, "20:14").stdout)

    assert answer["error"] == "BadValue"
    assert "7 hours 14 minutes in the future" in answer["message"]
    assert "with its date if that was another day" in answer["message"]
    assert shell(vienna, *said, "2026-11-20T20:14").exit_code == 0


def test_a_feed_may_be_late_as_a_whole(vienna):
    line = {"command": "table.drop", "table": "B01", "by": "D-204", "confirmed": True}
    lines = [
        {**line, "amount": 5, "at": "2026-11-21T11:30+00:00"},
        {**line, "amount": 6},
        {**line, "amount": 7, "at": "2026-11-21T10:30+00:00"},
    ]
    status, answers = feed(vienna, lines, "--late")
    late = shell(vienna, "report", "exceptions", "--json")

    assert (status, [each.get("error") for each in answers]) == (1, [None, "MissingField", None])
    assert answers[1]["message"].startswith("An entry with `late` needs `at`")
    assert {row["kind"] for row in json.loads(late.stdout)["rows"]} == {"late entry"}


def test_a_feed_without_late_refuses_what_happened_before(vienna):
    line = {"command": "table.drop", "table": "B01", "amount": 7, "by": "D-204"}
    status, (answer,) = feed(vienna, [{**line, "at": "2026-11-21T10:30+00:00"}])

    assert (status, "add `late`" in answer["message"]) == (1, True)


@pytest.mark.parametrize("typed", ["soon", "25:00", "2026-11-21", "7", ""])
def test_an_invalid_moment_is_refused_in_words(vienna, typed):
    said = shell(vienna, "table", "drop", "B01", "5", "--by", "D-204", "--at", typed)

    assert said.exit_code == 1
    assert "type the time by the house's clock, as in 20:14 or 20:14:07" in said.stderr
    assert "{" not in said.stderr


def test_on_the_feed_a_moment_to_the_minute_is_its_first_second(vienna):
    line = {"command": "table.drop", "table": "B01", "amount": 5, "by": "D-204"}
    status, (answer,) = feed(vienna, [{**line, "at": "2026-11-21T12:04+00:00"}])

    assert (status, answer["ok"]) == (0, True)


def test_a_replay_is_found_by_date_and_time_too(settled):
    by_time = shell(settled, "replay", "B01", "--at", "20:14", "--json")
    by_both = shell(settled, "replay", "B01", "--at", f"{DAY} 20:14", "--json")

    assert (by_time.exit_code, by_both.exit_code) == (0, 0)
    assert json.loads(by_time.stdout)["coup"] == json.loads(by_both.stdout)["coup"]


@pytest.mark.parametrize(
    "words",
    [
        ("table", "close", "B01", "--closer", "0=5"),
        ("table", "close", "B01", "--closer", "100=999999999"),
        ("settle", "B01", "--paid", "12345=5"),
    ],
)
def test_no_refusal_at_a_shell_mentions_json(vienna, words):
    said = shell(vienna, *words, "--by", "D-204", "--with", "S-11")

    assert said.exit_code == 1
    assert "{" not in said.stderr, said.stderr
    assert "as in" in said.stderr
