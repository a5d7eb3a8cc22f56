"""Houses of a group are pulled: killed at any moment, and beside houses that are not trusted."""

import json
import os
import shutil
import subprocess
import threading
import time
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from ops.group import members
from ops.group.members import Member
from ops.reports.ask import ask
from projections import REPORTS
from tests.faults import SEED, times
from tests.waiting import until
from tests.worlds.files import files_of
from tests.worlds.house_server import house_server
from tests.worlds.log_server import log_server
from tests.worlds.other_house import OtherHouse
from tests.worlds.programs import Program, run


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "group"))
    return {**os.environ}


def added(place: Path, name: str, *, only_seen: bool = False) -> OtherHouse:
    """A house of the group, which has signed nothing yet."""
    house = OtherHouse(place / name, f"{name}.example/baccarat")
    members.add(Member(name, str(house.place), (house.key,), only_seen=only_seen))
    return house


def count_of(log: Path) -> int:
    return sum(1 for _ in log.rglob("*"))


def test_a_pull_killed_at_any_moment_leaves_what_was_signed_and_is_finished(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    kills, random = times(2, 50), Random(SEED)
    house, held = added(tmp_path, "riverside"), []
    log = members.named("riverside").log
    for n in range(1, kills + 1):
        house.grow(times(2_000, 50_000) * n // kills)
        before = count_of(log)
        with Program(["group", "pull"], env=environment, stdout=subprocess.DEVNULL) as pulling:
            until(lambda b=before: count_of(log) > b or pulling.poll() is not None)
            time.sleep(random.uniform(0.0, 0.05))
            pulling.kill()
        checkpoint = members.named("riverside").held
        held.append((checkpoint.size if checkpoint else 0, count_of(log) - before))
    pulled = run(["group", "pull", "--json"], env=environment)
    print(f"seed {SEED}: killed {kills} times, with events held and new files: {held}")

    assert (pulled.returncode, json.loads(pulled.stdout)["events"]) == (0, len(house.entries))
    served, there = files_of(house.place), files_of(log)
    assert served == {path: there[path] for path in served}


def fork(house: OtherHouse) -> None:
    house.grow(10).grow(400, "!")


def go_back(house: OtherHouse) -> None:
    house.grow(250)


def lose_events(house: OtherHouse) -> None:
    house.grow(400)
    for each in (house.place / "tile/entries").iterdir():
        each.unlink() if each.is_file() else [file.unlink() for file in each.iterdir()]


def sign_with_another_key(house: OtherHouse) -> None:
    house.seed = 2
    house.grow(400)


def be_restored(house: OtherHouse) -> None:
    house.grow(250).sign(f"{house.name}/epoch-2")


BAD = (fork, go_back, lose_events, sign_with_another_key, be_restored)


def test_each_bad_house_stops_alone_while_the_others_go_on(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    houses = [added(tmp_path, f"house-{n}") for n in range(times(7, 20))]
    for each in houses:
        each.grow(300)
    last: dict[str, dict[str, object]] = {}
    at: dict[str, float] = {}

    def read(lines: object) -> None:
        for line in lines:  # type: ignore[attr-defined]
            pulled = json.loads(line)
            last[pulled["name"]], at[pulled["name"]] = pulled, time.monotonic()

    words = ["group", "pull", "--every", "0.1", "--json"]
    with Program(words, env=environment, stdout=subprocess.PIPE, text=True) as following:
        reading = threading.Thread(target=read, args=(following.stdout,))
        reading.start()
        try:
            until(lambda: len(last) == len(houses))
            began = time.monotonic()
            bad = {f"house-{n}" for n in range(len(BAD))}
            for turns, house in zip(BAD, houses, strict=False):
                turns(house)
            for house in houses[len(BAD) :]:
                house.grow(400)
            until(lambda: all(last[each]["stopped"] for each in bad))
            until(lambda: all(last[each]["events"] == 400 for each in last.keys() - bad))
        finally:
            following.kill()
            reading.join()
    print(f"stopped after {[round(at[each] - began, 2) for each in sorted(bad)]} seconds")

    assert {each for each in last if last[each]["stopped"]} == bad
    assert {last[each]["events"] for each in bad} == {300}


def lose_hashes(house: OtherHouse) -> None:
    house.grow(400)
    shutil.rmtree(house.place / "tile/0")


def test_each_bad_house_rings_at_the_board_of_its_witness_while_the_others_go_on(
    server: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A witness holds no event: what it sees are the checkpoints of every other house."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "house"))
    houses = [added(tmp_path, f"house-{n}", only_seen=True) for n in range(times(7, 20))]
    for each in houses:
        each.grow(300)
    seen = [members.named(each.place.name) for each in houses]
    turns = (fork, go_back, lose_hashes, sign_with_another_key, be_restored)
    bad = {f"house-{n}" for n in range(len(turns))}

    def rung(database: object) -> dict[str, object]:
        rows = ask(database, REPORTS["alerts"]).rows  # type: ignore[arg-type]
        return {
            row["detail"]["house"]: row["at"] for row in rows if row["kind"] == "house distrusted"
        }

    with server.database() as database, house_server(database, tmp_path / "house"):  # type: ignore[attr-defined]
        until(lambda: all(each.held for each in seen))
        began = time.time()
        for turn, house in zip(turns, houses, strict=False):
            turn(house)
        for house in houses[len(turns) :]:
            house.grow(400)
        until(lambda: rung(database).keys() == bad)
        until(lambda: all(each.held.size == 400 for each in seen[len(turns) :]))
        at = [datetime.fromisoformat(str(each)).timestamp() for each in rung(database).values()]
        print(f"rung after {[round(each - began, 2) for each in at]} seconds")
        assert {each.name for each in seen if each.standing.stopped} == bad


def test_what_houses_sign_is_held_by_the_group_soon_after_and_once(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    """Each house signs each of its events, five a second; the group is woken by their servers."""
    count, size = times(3, 20), times(20, 60)
    signed_at: dict[tuple[str, int], float] = {}
    held_at: dict[tuple[str, int], float] = {}

    def read(lines: object) -> None:
        before: dict[str, int] = {}
        for line in lines:  # type: ignore[attr-defined]
            pulled = json.loads(line)
            name, now = pulled["name"], time.monotonic()
            assert not pulled["stopped"], pulled
            for each in range(before.get(name, 0) + 1, pulled["events"] + 1):
                held_at[name, each] = now
            before[name] = pulled["events"]

    with log_server(tmp_path) as served:
        houses = []
        for n in range(count):
            house = OtherHouse(tmp_path / f"house-{n}", f"house-{n}.example/baccarat")
            address = f"{served.address}/house-{n}/log"
            members.add(Member(f"house-{n}", address, (house.key,)))
            houses.append(house.grow(1))
        words = ["group", "pull", "--every", "5", "--json"]
        with Program(words, env=environment, stdout=subprocess.PIPE, text=True) as following:
            reading = threading.Thread(target=read, args=(following.stdout,))
            reading.start()
            try:
                until(lambda: len(held_at) == count)
                for number in range(2, size + 1):
                    ends = time.monotonic() + 0.2
                    for house in houses:
                        house.grow_on(number)
                        signed_at[house.place.name, number] = time.monotonic()
                        served.wake()
                    time.sleep(max(0.0, ends - time.monotonic()))
                until(lambda: len(held_at) == count * size)
            finally:
                following.kill()
                reading.join()
    lags = sorted(held_at[each] - at for each, at in signed_at.items())
    print(f"lag of {len(lags):,} events: median {lags[len(lags) // 2]:.2f} s, "
          f"p99 {lags[len(lags) * 99 // 100]:.2f} s, most {lags[-1]:.2f} s")  # fmt: skip
    assert held_at.keys() >= signed_at.keys()
