"""Waits for the standby are cancelled and ended, then it is promoted: what was told is there."""

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from ops.cli.audit.verify import walk
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database, LedgerLost
from ops.ledger.embedded.processes import wait
from ops.ledger.recorder import Ledger
from ops.reports.rebuild import rebuild
from ops.reports.runner import catch_up
from ops.simulation.run import Plan
from projections import PROJECTIONS
from tests.faults import SEED, times
from tests.waiting import until
from tests.worlds.house_server import Terminal, house_server
from tests.worlds.two_servers import TwoServers

WRITERS = 8
LONG = 3600.0


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[TwoServers]:
    with closing(TwoServers(tmp_path)) as servers:
        yield servers


class Writers:
    """Each deals a table of its own, sends what may be lost again, and notes what it was told."""

    def __init__(self, database: Database) -> None:
        self.told: list[str] = []
        self.ending = threading.Event()
        plan = Plan(tables=WRITERS, coups=1000, seed=SEED)
        self._threads = [
            threading.Thread(target=self._deals, args=(database, plan, table + 1))
            for table in range(WRITERS)
        ]
        for each in self._threads:
            each.start()

    def _deals(self, database: Database, plan: Plan, table: int) -> None:
        with closing(Casino(Ledger(database))) as casino:
            dispatcher = Dispatcher(casino, "test", patience=0.0)
            for line in plan.lines([table]):
                while not self.ending.is_set() and not self._is_told(dispatcher, line):
                    pass

    def _is_told(self, dispatcher: Dispatcher, line: dict[str, object]) -> bool:
        try:
            dispatcher.dispatch(line)
        except LedgerLost:
            return False
        self.told.append(str(line["id"]))
        return True

    def end(self) -> None:
        self.ending.set()
        for each in self._threads:
            each.join()


def test_what_was_told_is_there_after_cancels_ends_and_a_promotion(
    servers: TwoServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ops.ledger.confirmed.FOR_STANDBY", LONG)
    random, most = Random(SEED), times(12, 100)
    cancels, ends = 0, 0
    writers = Writers(servers.database)
    while cancels < most or ends < most:
        told = len(writers.told) + random.randrange(40)
        assert wait(lambda told=told: len(writers.told) >= told, 60)
        servers.away()
        for _ in range(random.randrange(1, 6)):
            assert wait(servers.waiting, 60)
            if (random.random() < 0.5 and cancels < most) or ends >= most:
                cancels += servers.cancels()
            else:
                ends += servers.terminates()
        if cancels < most or ends < most:
            servers.back()
    writers.ending.set()
    second = servers.promote()
    writers.end()
    print(f"seed {SEED}: {cancels} cancels, {ends} ends, {len(writers.told)} told")

    with closing(Ledger(second)) as ledger:
        assert ledger.used_ids(writers.told) == set(writers.told)
    assert walk(second).ok


def health(terminal: Terminal) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(terminal.get("/health")[2])
    return answer


def test_a_house_server_whose_standby_is_away_says_so_and_ends_when_it_is_told_to(
    servers: TwoServers, tmp_path: Path
) -> None:
    seat = ("table", "seat", "B01", "3", "P-3")
    with house_server(servers.database, tmp_path / "house") as house:
        terminal = house.terminal()
        assert (
            terminal.run("table", "open", "B01", "classic@1", "--opener", "100=90").exit_code == 0
        )
        servers.away()
        until(lambda: "the synchronous standby has not answered" in health(terminal).get("why", ""))
        began = monotonic()
        said = terminal.run(*seat)
        assert (said.exit_code, monotonic() - began < 5) == (3, True)
        assert "the synchronous standby has not answered since" in said.stderr
        until(lambda: "the synchronous standby has not answered" in health(terminal).get("why", ""))
        assert "standby away" in terminal.run("board", "--json").stdout
        began = monotonic()
        assert house.stop() == 0
        assert monotonic() - began < 30
        servers.back()
        house.start()

        assert terminal.run(*seat[:3], "4", "P-4").exit_code == 0
        assert health(terminal)["ok"]


def test_rows_are_rebuilt_and_caught_up_while_the_standby_is_away(servers: TwoServers) -> None:
    """They are computed again after a loss: nobody waits for the standby with a lock on them."""
    with closing(Casino(Ledger(servers.database))) as casino:
        for line in Plan(tables=1, coups=2, seed=SEED).lines([1]):
            Dispatcher(casino, "test").dispatch(line)
    with servers.database.connect("sabot_projector") as connection:
        catch_up(connection, *PROJECTIONS.values())
        servers.away()
        rebuilding = threading.Thread(
            target=rebuild, args=(connection, PROJECTIONS["wagers"]), daemon=True
        )
        rebuilding.start()
        rebuilding.join(20)
        done = not rebuilding.is_alive()
        servers.back()

    assert done
