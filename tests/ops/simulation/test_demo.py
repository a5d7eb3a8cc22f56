"""A newcomer's first minute: the demo, twice in one home, and the commands that it offers."""

import json
import os
import re
import subprocess

import psycopg
import pytest

from ops.cli.demo import _evening
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.recorder import Ledger
from tests.acceptance.channels import recorded
from tests.worlds.closed_house import OPEN
from tests.worlds.programs import run

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("SABOT_")}


def demo(home, **env):
    return run(["demo", "--home", str(home)], env={**PLAIN, **env})


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A place with a space in its name."""
    home = tmp_path_factory.mktemp("demo") / "a newcomer's home"
    yield home
    Embedded(home).destroy()


@pytest.fixture(scope="module")
def own(server):
    """The house's own ledger, in which nothing is yet."""
    with server.database() as database:
        yield database


@pytest.fixture(scope="module")
def evenings(home, own):
    """What two demos in one home print; at the second one the house has a ledger of its own."""
    return [demo(home), demo(home, SABOT_DATABASE_URL=own.url)]


def offered(evening):
    """The three commands that the demo ends with, as they are pasted."""
    return [line.strip() for line in evening.stdout.splitlines()[-3:]]


def pasted(command, **env):
    return subprocess.run(
        command,
        shell=True,
        env={**PLAIN, **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_it_ends_well_both_times(evenings):
    assert [(0, ""), (0, "")] == [(each.returncode, each.stderr) for each in evenings]


def test_a_ledger_that_this_version_cannot_read_is_set_aside(tmp_path):
    """As one that another version wrote."""
    before = Embedded(tmp_path / "home")
    Dispatcher(Casino(Ledger(Database(home=before))), "test").dispatch(OPEN)
    with psycopg.connect(before.url(database="sabot"), autocommit=True) as superuser:
        superuser.execute("UPDATE public.schema_version SET digest = 'other'")
    played = demo(tmp_path / "home")
    before.destroy()

    assert (played.returncode, played.stderr) == (0, "")
    assert "The earlier one is in" in " ".join(played.stdout.split())
    assert "B01 open for 2026-11-21 under" in played.stdout


def test_no_deck_is_loaded_twice_however_often_it_runs():
    loads = [
        next(line for line in _evening(played, {}).lines() if line["command"] == "shoe.load")
        for played in range(81)
    ]

    assert len({load["serials"][0] for load in loads}) == len(loads)


def test_each_time_is_another_gaming_day(evenings):
    opened = [re.findall(r"B01 open for (\S+) under", each.stdout) for each in evenings]

    assert [["2026-11-21"], ["2026-11-22"]] == opened


def test_every_stage_and_every_coup_is_told(evenings):
    for evening in evenings:
        coups = re.findall(r"^ *(\d+)  .* owed +[\d,.]+$", evening.stdout, re.MULTILINE)

        assert list(map(str, range(1, len(coups) + 1))) == coups
        assert len(coups) > 70
        for stage in ("database up", "shoe loaded", "inspected", "shuffled", "cut by", "burned"):
            assert f"✓ {stage}" in evening.stdout
        assert "✓ the cut card shows: one more coup" in evening.stdout
        assert "✓ commission collected from everybody, shoe ended, table closed" in evening.stdout
        assert re.search(r"✓ chain verified: [\d,]+ events, head [0-9a-f]{16}…", evening.stdout)


def test_the_commission_report_leaves_nothing_outstanding(evenings):
    for evening in evenings:
        report = evening.stdout.partition("Commission  Sabot  ")[2].partition("No room")[0]
        rows = [line.split() for line in report.splitlines()[2:] if line.strip()]
        *patrons, (_, charged, collected, outstanding) = rows

        assert {row[-2] for row in patrons} == {"0.00"} == {outstanding}
        assert all(row[-4] == row[-3] for row in patrons)
        assert charged == collected != "0.00"


def test_the_replay_of_a_coup_agrees(evenings):
    for evening in evenings:
        assert "Adjudicated again today: agrees, line by line. Record #" in evening.stdout
        assert "chain good." in evening.stdout
        assert "\x1b" not in evening.stdout


def test_the_commands_that_it_offers_ask_its_own_ledger_whatever_is_set(evenings, own):
    for evening, day, env in zip(
        evenings, ("2026-11-21", "2026-11-22"), ({}, {"SABOT_DATABASE_URL": own.url}), strict=True
    ):
        report, replay, odds = (pasted(each, **env) for each in offered(evening))

        assert [(0, "")] * 3 == [(each.returncode, each.stderr) for each in (report, replay, odds)]
        assert report.stdout.startswith(f"Coups  Sabot  Gaming day {day}")
        assert f"B01/{day}/1/" in report.stdout
        assert f"B01/{day}/1/" in replay.stdout
        assert "Adjudicated again today: agrees" in replay.stdout
        assert "4,998,398,275,503,360 deals" in odds.stdout


def test_its_ledger_is_whole_and_may_be_asked_like_any_other(evenings, home):
    sabot = offered(evenings[0])[0].partition(" report ")[0]
    verified = json.loads(pasted(f"{sabot} audit verify --json").stdout)
    report = json.loads(pasted(f"{sabot} report commission --json").stdout)
    status = json.loads(pasted(f"{sabot} db status --json").stdout)

    assert (True, True, None) == tuple(verified[name] for name in ("ok", "gapless", "first_bad"))
    assert verified["events"] == report["position"]
    assert {"2026-11-21", "2026-11-22"} == {row["day"] for row in report["rows"]}
    assert {0} == {row["outstanding"] for row in report["rows"]}
    assert (True, True, "head", []) == tuple(
        status[name] for name in ("ok", "embedded", "schema", "advice")
    )
    assert status["url"].startswith("postgresql://postgres@/sabot?host=")
    assert Embedded(home).running()


def test_it_never_touches_the_house_s_own_ledger(evenings, own):
    assert [] == recorded(own)
