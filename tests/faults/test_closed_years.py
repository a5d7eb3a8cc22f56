"""Coups of closed years leave the disk at full size while tables deal and a standby follows.

Everything that stays is answered as before, here and on the standby, and nothing waits long.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ops.archive.leaving import plan_leaving
from ops.archive.manifest import PIECE
from ops.cli import cli
from ops.commands.casino import Casino
from ops.handlers.checkpoints import make
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.processes import wait
from ops.ledger.reading import head_of
from ops.ledger.recorder import Ledger
from ops.reports.follow import follow
from ops.reports.rebuild import bring_up
from ops.simulation.run import FIRST_DAY, Plan
from projections import PROJECTIONS
from tests.bench.multiplied import Evening, multiply
from tests.faults import FULL, SEED
from tests.worlds.signing import new_key
from tests.worlds.two_servers import TwoServers

EVENTS = 120_000  # that may leave
PLAN = Plan(tables=4, coups=40, seed=SEED)
NEXT_YEAR = PLAN.day.replace(year=2028)
DISPUTED, ANOTHER = f"S01/{FIRST_DAY}/1/1", f"S01/{FIRST_DAY}/1/2"
REPORTS = ("coup", "wagers", "master", "commission", "table-win", "shoe-log", "exceptions")
NOW = datetime(2029, 2, 1, 12, tzinfo=UTC)
CASE = "C-2029-0001"
LONG = 600.0
# The events that are there, one by one.
THERE = """
    SELECT count(*), min(position), max(position),
           md5(string_agg(encode(hash, 'hex'), '' ORDER BY position)) FROM ledger.events
     WHERE position <= {}
"""
SIZES = "SELECT pg_table_size('ledger.event_rows'), pg_indexes_size('ledger.event_rows')"

pytestmark = pytest.mark.skipif(not FULL, reason="scripts/faults; tests/ops/archive is quick")


class Dealing:
    """A table that deals on, how long each of its lines waited, and who keeps the reports."""

    def __init__(self, database: Database) -> None:
        self.waited: list[float] = []
        self._database, self._ending = database, threading.Event()
        self._threads = [threading.Thread(target=each) for each in (self._deals, self._follows)]
        for each in self._threads:
            each.start()

    def _follows(self) -> None:
        follow(self._database, list(PROJECTIONS.values()), self._ending)

    def _deals(self) -> None:
        plan = Plan(tables=PLAN.tables + 1, coups=100_000, seed=SEED, day=NEXT_YEAR)
        with closing(Casino(Ledger(self._database), made_up=True)) as casino:
            dispatcher = Dispatcher(casino, "faults", patience=60.0)
            for line in plan.lines([plan.tables]):
                if self._ending.wait(0.02):
                    return
                began = time.monotonic()
                dispatcher.dispatch(line)
                self.waited.append(time.monotonic() - began)

    def during(self, work: Callable[[], object]) -> str:
        """Does something meanwhile: how long it took, and how long lines waited until after it."""
        before, began = len(self.waited), time.monotonic()
        work()
        took, done = time.monotonic() - began, len(self.waited)
        assert wait(lambda: len(self.waited) > done + 1, LONG)
        lines = sorted(self.waited[before:])
        return (
            f"{took:.1f} s; {len(lines)} lines meanwhile, half within "
            f"{lines[len(lines) // 2] * 1e3:.0f} ms, the slowest {lines[-1] * 1e3:.0f} ms"
        )

    def end(self) -> None:
        self._ending.set()
        for each in self._threads:
            each.join()


@contextmanager
def dealing(database: Database) -> Iterator[Dealing]:
    table = Dealing(database)
    try:
        yield table
    finally:
        table.end()


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoServers]:
    """A year that is closed and signed, on a leader and its synchronous standby."""
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: NOW)
    with closing(TwoServers(tmp_path)) as servers:
        with closing(Casino(Ledger(servers.database), made_up=True)) as casino:
            dispatcher = Dispatcher(casino, "faults")
            for line in PLAN.lines(range(1, PLAN.tables + 1)):
                dispatcher.dispatch(line)
            evening = Evening.of(servers.database)
            new_key(dispatcher)
            for events in (EVENTS, EVENTS + PIECE):  # what leaves is signed, and in full files
                multiply(servers.database, evening, events, lambda _: None)
                make(dispatcher, servers.database)
        with servers.database.session("sabot_projector") as connection:
            bring_up(connection, *PROJECTIONS.values())
        yield servers


def run(database: Database, *words: object, status: int = 0) -> str:
    """What a command prints. On standard error a standby says how old what it reads is."""
    result = CliRunner().invoke(cli, ["--database", database.url, *map(str, words)])
    assert result.exit_code == status, (words, result.output)
    return result.stdout if status == 0 else result.output


def replay(database: Database) -> object:
    return json.loads(run(database, "replay", ANOTHER, "--json"))


def remove(database: Database, place: Path, status: int = 0) -> str:
    before = ("--before", NEXT_YEAR, "--by", "A-1", "--with", "S-11")
    return run(database, "db", "remove-archived", place, "the disk fills", *before, status=status)


def read(database: Database) -> dict[str, Any]:
    """What the reports say of the days that are closed."""
    until = str(NEXT_YEAR - timedelta(days=1))
    words = ("--to", until, "--json")
    return {each: json.loads(run(database, "report", each, *words))["rows"] for each in REPORTS}


def size(servers: TwoServers) -> str:
    """Megabytes of the events: their table, and its indexes."""
    [(table, indexes)] = servers.run(SIZES)
    return f"{table / 1e6:,.1f} + {indexes / 1e6:,.1f} MB"


def refused_while_a_case_is_open(database: Database, place: Path) -> None:
    """And the case is closed."""
    patron = next(each["patron"] for each in read(database)["wagers"] if each["coup"] == DISPUTED)
    run(database, "dispute", "open", DISPUTED, patron, "it was a tie", "--by", "S-11")
    assert f"Not finished (1): case open {CASE}" in remove(database, place, status=1)
    run(
        database,
        "dispute",
        "decide",
        CASE,
        "stand",
        "it was none",
        "--by",
        "S-11",
        "--with",
        "PB-1",
    )
    run(database, "dispute", "tell", CASE, "--by", "S-11")
    run(database, "dispute", "close", CASE, "--by", "S-11")


def test_a_closed_year_leaves_the_disk_while_tables_deal(
    servers: TwoServers, tmp_path: Path
) -> None:
    database, standby, place = servers.database, servers.standby, tmp_path / "archive"
    with dealing(database) as table:
        print("archived:", table.during(lambda: run(database, "db", "archive", place)))
        print("checked:", table.during(lambda: run(database, "db", "archive", place, "--check")))
        refused_while_a_case_is_open(database, place)
        with database.session("sabot_auditor") as connection:
            until = plan_leaving(connection, place, head_of(connection)).until
        before, coup = read(database), replay(database)
        whole = servers.run(THERE.format(until))
        print(f"{until:,} events to the end of the year, all events take {size(servers)}")

        print("removed:", table.during(lambda: remove(database, place)))
        assert wait(servers.caught_up, LONG)
        stayed = servers.run(THERE.format(until))
        assert servers.on_second(THERE.format(until)) == stayed
        print(f"{stayed[0][0]:,} of them stayed")
        print("VACUUM:", table.during(lambda: servers.run("VACUUM ANALYZE ledger.events")))
        print(f"then they take {size(servers)}")
        print("VACUUM FULL:", table.during(lambda: servers.run("VACUUM FULL ledger.event_rows")))
        print(f"then they take {size(servers)}")
        for each in (database, standby):
            assert read(each) == before
            assert f"up to event #{until:,}" in run(each, "audit", "verify")
            assert f"are in the archive {place}" in run(each, "replay", ANOTHER, status=1)
        run(database, "db", "open-archive", place, "--into", tmp_path / "opened")
        opened = Embedded(tmp_path / "opened")
        try:
            assert coup == replay(Database(home=opened))
        finally:
            opened.destroy()

        print(
            "brought back:",
            table.during(lambda: run(database, "db", "bring-back", place, "--by", "A-1")),
        )
    assert wait(servers.caught_up, LONG)
    assert whole == servers.run(THERE.format(until)) == servers.on_second(THERE.format(until))
    for each in (database, standby):
        assert before == read(each)
        assert coup == replay(each)
        assert "coups and shoes up to" not in run(each, "audit", "verify")
