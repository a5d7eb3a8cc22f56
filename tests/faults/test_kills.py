"""kill -9 of writers and of the server: acknowledged is there once, and nothing is half there."""

import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from ops.simulation.run import Plan
from tests.conftest import Server
from tests.faults import SEED, times
from tests.faults.harness import Recorded, Stand, comparable, undisturbed

Undisturbed = Callable[[Plan], Recorded]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture(scope="module")
def undisturbed_by(server: Server) -> Undisturbed:
    """What was recorded of a plan when nobody was killed."""

    @cache
    def events(plan: Plan) -> Recorded:
        with server.database() as database:
            return undisturbed(database, plan)

    return events


def stand_with(place: Path, tables: int, coups: int, mode: str = "sound") -> Iterator[Stand]:
    stand = Stand(place, tables, coups, SEED, mode)
    try:
        yield stand
    finally:
        stand.close()


@pytest.mark.parametrize("mode", ["sound", "bulk"])
def test_a_killed_writer_loses_and_duplicates_nothing(
    place: Path, undisturbed_by: Undisturbed, mode: str
) -> None:
    for stand in stand_with(place, tables=1, coups=times(6, 80), mode=mode):
        kills = times(4, 50)
        while stand.kills < kills:
            before = len(stand.told(1))
            stand.start(1)
            stand.wait_for_lines(before + stand.random.randrange(1, 12))
            time.sleep(stand.random.random() * 0.004)
            stand.kill_writer(1)
            if "done" in stand.told(1):
                break
        stand.finish()
        print(f"seed {SEED}: {stand.kills} kills, {stand.acknowledged()} acknowledged")

        assert stand.lost() == []
        assert stand.whole()
        assert undisturbed_by(stand.plan) == comparable(stand.database)


def run_with_server_kills(stand: Stand, kills: int) -> None:
    """The server is killed under all writers again and again, until they are done."""
    for table in range(1, stand.tables + 1):
        stand.start(table)
    noted = 0
    for _ in range(kills):
        noted += stand.random.randrange(times(25, 150), times(75, 400))
        stand.wait_for_lines(noted)
        stand.kill_server()
        noted = stand.noted()
    stand.finish()


@pytest.mark.parametrize("mode", ["sound", "bulk"])
def test_a_killed_server_loses_and_duplicates_nothing(
    place: Path, undisturbed_by: Undisturbed, mode: str
) -> None:
    for stand in stand_with(place, tables=times(3, 8), coups=times(6, 60), mode=mode):
        run_with_server_kills(stand, times(2, 10))
        print(f"seed {SEED}: {stand.kills} kills, {stand.acknowledged()} acknowledged")

        assert stand.lost() == []
        assert stand.whole()
        assert undisturbed_by(stand.plan) == comparable(stand.database)


@pytest.mark.parametrize("mode", ["never", "elsewhere"])
def test_the_same_test_detects_a_flush_that_does_not_flush(place: Path, mode: str) -> None:
    """Left out, or retried alone on a new connection: acknowledged commands are gone."""
    lost = 0
    for attempt in range(times(12, 20)):  # it ends with the first that is lost
        for stand in stand_with(place / f"{mode}-{attempt}", 8, 15, mode):
            for table in range(1, 9):
                stand.start(table)
            stand.wait_for_lines(stand.random.randrange(times(50, 200), times(200, 600)))
            stand.kill_server()
            time.sleep(1.0)
            lost += len(stand.lost())
        if lost:
            break

    assert lost > 0
