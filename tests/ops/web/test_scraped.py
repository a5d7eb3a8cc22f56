"""What `/metrics` has; every rule and panel that ships rests on it, and every rule comes true."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from ops.backup.archive import Archive, Base, Checked, Followed, House
from ops.backup.setting import Setting
from ops.backup.standing import Backups, unread
from ops.ledger.embedded.processes import wait
from ops.ledger.files import write_whole
from ops.ledger.fit import machine_clock
from ops.reports.batch import ProjectionStopped
from ops.reports.locking import note_stopped
from ops.web.figures import read_figures
from ops.web.meters import Meters
from tests import ROOT
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import GamingTable, evening, mouth_on
from tests.worlds.house_server import HouseServer, house_server
from tests.worlds.programs import Program
from tests.worlds.promql import SPAN, Scrape, metrics_in
from tests.worlds.two_servers import TwoServers

EXAMPLES = ROOT / "ops" / "manual" / "examples"
RULES = EXAMPLES / "sabot-rules.yml"
BOARD = EXAMPLES / "sabot-board.json"
EXPR = re.compile(r"alert: (\w+)\n +expr: (.+)")
BACKED_UP = House("7", 1, 1 << 24, "age1x")
HOUR = 3600.0
SECONDS = 30.0
SOLD = {"command": "table.buy-in", "table": "B09", "seat": 3, "amount": 100_00, "by": "D-204"}


def rules() -> dict[str, str]:
    return dict(EXPR.findall(RULES.read_text()))


def scraped(house: HouseServer, after: float = 0.0, before: Scrape | None = None) -> Scrape:
    """The metrics as they are read, so many seconds from now."""
    status, _, content = house.terminal().get("/metrics")
    assert status == 200
    return Scrape(content.decode(), time.time() + after, before)


def firing(scrape: Scrape) -> set[str]:
    """The rules that fire; those that need two scrapes only where there are two."""
    asked = {name: rule for name, rule in rules().items() if scrape.before or "rate(" not in rule}
    return {name for name, rule in asked.items() if scrape.firing(rule)}


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoServers]:
    """A house that is signed and counted, with a synchronous standby."""
    with closing(TwoServers(tmp_path_factory.mktemp("two"))) as servers:
        keys = {"SABOT_AUDIT_KEYS": str(tmp_path_factory.mktemp("keys"))}
        for words in ("key new --by A-1", "checkpoint"):
            assert shell(servers.database, "audit", *words.split(), env=keys).exit_code == 0
        json_of(servers.database, "board")
        yield servers


@pytest.fixture(scope="module")
def house(servers: TwoServers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseServer]:
    with house_server(servers.database, tmp_path_factory.mktemp("house") / "house") as house:
        yield house


@contextmanager
def runner(servers: TwoServers, place: Path) -> Iterator[None]:
    """`sabot projections run`, in a process of its own."""
    of_it = {"SABOT_DATABASE_URL": servers.database.url, "SABOT_HOME": str(place)}
    env = os.environ | of_it  # with the pepper of the tests
    with (place / "runner.log").open("wb") as log:
        process = Program(["projections", "run"], env=env, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait(SECONDS)


def health(house: HouseServer) -> dict[str, Any]:
    answered: dict[str, Any] = json.loads(house.terminal().get("/health")[2])
    return answered


def write_base(archive: Archive, at: datetime) -> None:
    (archive.bases_dir / "base").mkdir()
    wal = BACKED_UP.file(1)
    archive.write("bases/base/about.json", Base("base", at, at, wal, wal, "18", 1, 1))


def figures_of(database, connection) -> Scrape:
    meters, no_base = Meters(), Backups(None, (unread("No base."),))
    meters.note_figures(read_figures(database, connection), {}, no_base)
    return Scrape(meters.text().decode(), time.time())


def test_a_house_in_order_fires_no_rule_and_one_without_a_runner_does(
    servers: TwoServers, house: HouseServer, tmp_path: Path
) -> None:
    with runner(servers, tmp_path):
        assert wait(lambda: not firing(scraped(house)), SECONDS), firing(scraped(house))

    assert wait(lambda: firing(scraped(house)) == {"SabotNoRunner"}, SECONDS)


def test_the_clock_alone_makes_a_checkpoint_and_a_round_too_old(
    servers: TwoServers, house: HouseServer
) -> None:
    with mouth_on(servers.database) as dispatcher:
        GamingTable(dispatcher, "B09").open()
    later = {hours: firing(scraped(house, hours * HOUR)) for hours in (25, 27, 49)}

    assert "SabotCheckpointOld" not in later[25]
    assert "SabotCheckpointOld" in later[27] - later[25]
    assert "SabotRoundOld" in later[49] - later[27]


def test_every_metric_of_a_rule_and_of_a_panel_is_scraped(
    servers: TwoServers, house: HouseServer
) -> None:
    board = json.loads(BOARD.read_text())
    shown = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    named = metrics_in(" ".join([*rules().values(), *shown]))
    house.terminal().post("/api/commands", json.dumps(SOLD).encode())
    house.terminal().get("/api/nothing.json")
    with servers.standby.connect("sabot_auditor") as connection:
        of_a_standby = figures_of(servers.standby, connection)
    scrape = scraped(house)

    assert named - {*scrape.values, *of_a_standby.values} == set()
    assert len(named) > 25
    assert {"sabot_build_info", "sabot_disk_free_bytes", "process_resident_memory_bytes"} <= {
        *scrape.values
    }
    assert scrape.values["sabot_standby_required"] == {frozenset(): 1.0}


def test_a_standby_that_has_had_nothing_for_an_hour_is_told(
    servers: TwoServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    with servers.standby.connect("sabot_auditor") as connection:
        before = firing(figures_of(servers.standby, connection))
        later = machine_clock() + timedelta(hours=2)
        monkeypatch.setattr("ops.web.scraped.machine_clock", lambda: later)
        after = firing(figures_of(servers.standby, connection))

    assert after - before == {"SabotStandbyLags"}


def test_a_disk_that_is_nearly_full_is_told(
    servers: TwoServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nearly_full(_: object) -> tuple[int, int, int]:
        return 100, 95, 5

    with servers.database.connect("sabot_auditor") as connection:
        assert "SabotDiskNearlyFull" not in firing(figures_of(servers.database, connection))
        monkeypatch.setattr("ops.web.figures.shutil.disk_usage", nearly_full)
        assert "SabotDiskNearlyFull" in firing(figures_of(servers.database, connection))


def test_a_projection_that_stops_and_an_alert_of_rank_one_are_told(
    servers: TwoServers, house: HouseServer
) -> None:
    with servers.database.connect("sabot_projector") as connection:
        note_stopped(connection, ProjectionStopped("wagers", 3, "why"))
    both = {"SabotProjectionStopped", "SabotRankOne"}
    assert wait(lambda: both <= firing(scraped(house)), SECONDS)
    servers.run("UPDATE projections.progress SET stopped_at = NULL")
    assert wait(lambda: "SabotRankOne" not in firing(scraped(house)), SECONDS)
    with mouth_on(servers.database) as dispatcher:
        evening(dispatcher)
    assert wait(lambda: "SabotRankOne" in firing(scraped(house)), SECONDS)


def test_a_record_that_was_altered_and_reports_that_are_late_are_told(
    servers: TwoServers, house: HouseServer, tmp_path: Path
) -> None:
    with psycopg.connect(servers.first.url(database="sabot"), autocommit=True) as superuser:
        superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
        superuser.execute("UPDATE ledger.events SET recorded_at = recorded_at - interval '1 hour'")
    assert "SabotProjectionLate" in firing(scraped(house))
    with runner(servers, tmp_path):
        assert wait(lambda: "SabotRecordFaults" in firing(scraped(house)), SECONDS)


def test_a_backup_that_stands_still_or_that_nobody_checks_is_told_here_and_at_health(
    servers: TwoServers, house: HouseServer, tmp_path: Path
) -> None:
    assert "sabot_backup_failing" not in scraped(house).values  # never turned on
    archive = Archive(tmp_path / "archive")
    archive.begin(BACKED_UP)
    write_whole(
        house.home / "backup.json", msgspec.json.encode(Setting(str(archive.directory), "age1x"))
    )
    both = {"SabotBackupFailing", "SabotBackupUnchecked"}
    assert wait(lambda: both <= firing(scraped(house)), SECONDS)
    assert "The backup has no base: run `sabot db backup`." in health(house)["backup"]

    now = machine_clock()
    write_base(archive, now)
    archive.write("followed.json", Followed(now, "0/1", 1))
    archive.write("checked.json", Checked(now, now, 1, True))
    assert wait(lambda: not both & firing(scraped(house)), SECONDS)
    assert "backup" not in health(house)
    assert scraped(house).values["sabot_backup_checked_timestamp_seconds"] == {
        frozenset(): pytest.approx(now.timestamp())
    }
    (house.home / "backup.json").unlink()


def test_a_standby_that_is_away_makes_lines_slow_and_a_leader_that_is_away_loses_the_ledger(
    servers: TwoServers, house: HouseServer
) -> None:
    before = scraped(house)
    servers.away()
    house.terminal().post("/api/commands", json.dumps(SOLD).encode())
    fired = firing(scraped(house, SPAN, before))
    servers.first.stop("immediate")
    assert wait(lambda: "SabotLedgerLost" in firing(scraped(house)), SECONDS)

    assert {"SabotStandbyAway", "SabotLinesSlow"} <= fired


def test_prometheus_reads_the_rules(tmp_path: Path) -> None:
    if not (promtool := shutil.which("promtool")):
        pytest.skip("There is no promtool on this machine.")
    checked = subprocess.run([promtool, "check", "rules", RULES], capture_output=True, check=False)

    assert checked.returncode == 0, checked.stdout
