"""Houses of a group are pulled: killed at any moment, and beside houses that are not trusted."""

import json
import os
import shutil
import subprocess
import threading
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from ops.group import members
from ops.group.members import Member
from ops.proof.tiles import CHECKPOINT
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


def written(log: Path) -> set[tuple[str, int]]:
    """The files of a log, each with the moment at which it was written."""
    there = set()
    for each in log.rglob("*"):
        with suppress(FileNotFoundError):  # one that was on its way to its place
            there.add((str(each), each.stat().st_mtime_ns))
    return {each for each in there if Path(each[0]).suffix != ".p"}


def test_a_pull_killed_at_any_moment_leaves_what_was_signed_and_is_finished(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    kills, size, random = times(4, 50), times(2_000, 50_000), Random(SEED)
    house, killed = added(tmp_path, "riverside"), []
    of = members.named("riverside")
    house.grow(size // 2)
    while len(killed) < kills:
        if len(killed) == kills // 2 and not of.held:
            run(["group", "pull"], env=environment)  # from here on something is held
        held = of.held.size if of.held else 0
        if held == len(house.entries):
            house.grow(held + random.randrange(1, size // 16))
        before, most = written(of.log), 2 * (len(house.entries) - held) // 256 + 6
        stops = random.randrange(most)
        with Program(["group", "pull"], env=environment, stdout=subprocess.DEVNULL) as pulling:
            until(
                lambda b=before, n=stops: len(written(of.log) - b) > n or pulling.poll() is not None
            )
            pulling.kill()
        if pulling.wait() < 0:
            killed.append((of.held.size if of.held else 0, len(written(of.log) - before)))
    house.grow(max(size, len(house.entries)))
    pulled = run(["group", "pull", "--json"], env=environment)
    print(f"seed {SEED}: killed {kills} times, with events held and files written: {killed}")

    assert (pulled.returncode, json.loads(pulled.stdout)["events"]) == (0, len(house.entries))
    served, there = files_of(house.place), files_of(of.log)
    assert served == {path: there[path] for path in served}
    assert [*of.entries()] == house.entries


def fork(house: OtherHouse) -> None:
    house.grow(10).grow(400, "!")


def go_back(house: OtherHouse) -> None:
    house.grow(250)


def lose(house: OtherHouse, part: str) -> None:
    """Signs more, and lacks these tiles as soon as anybody sees the new checkpoint."""
    there, house.place = house.place, house.place.with_name(f"{house.place.name}-grown")
    house.grow(400)
    shutil.rmtree(house.place / "tile" / part)
    there.rename(there.with_name(f"{there.name}-before"))
    house.place = house.place.rename(there)


def lose_events(house: OtherHouse) -> None:
    lose(house, "entries")


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
    lose(house, "0")


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


def signed_ahead(house: OtherHouse, size: int) -> list[bytes]:
    """The checkpoints of each size, whose tiles are all there; the first one is shown."""
    notes = []
    for number in range(1, size + 1):
        notes.append((house.grow_on(number).place / CHECKPOINT).read_bytes())
    show(house, notes[0])
    return notes


def show(house: OtherHouse, note: bytes) -> None:
    """Gives this checkpoint from now on."""
    beside = house.place / "next"
    beside.write_bytes(note)
    beside.replace(house.place / CHECKPOINT)


def test_what_houses_sign_is_held_by_the_group_soon_after_and_once(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    """Each house signs each of its events, five a second; the group is woken by their servers."""
    count, size = times(3, 20), times(20, 240)
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
            houses.append((house, signed_ahead(house, size)))
        words = ["group", "pull", "--every", "5", "--json"]
        with Program(words, env=environment, stdout=subprocess.PIPE, text=True) as following:
            reading = threading.Thread(target=read, args=(following.stdout,))
            reading.start()
            try:
                until(lambda: len(held_at) == count)
                began = time.monotonic()
                for number in range(2, size + 1):
                    ends = time.monotonic() + 0.2
                    for house, notes in houses:
                        show(house, notes[number - 1])
                        signed_at[house.place.name, number] = time.monotonic()
                        served.wake(house.place.name)
                    time.sleep(max(0.0, ends - time.monotonic()))
                seconds = time.monotonic() - began
                until(lambda: len(held_at) == count * size)
            finally:
                following.kill()
                reading.join()
    lags = sorted(held_at[each] - at for each, at in signed_at.items())
    print(
        f"lag of {len(lags):,} events of {count} houses, {len(lags) / seconds / count:.1f} a "
        f"second each: median {lags[len(lags) // 2]:.2f} s, p99 {lags[len(lags) * 99 // 100]:.2f} "
        f"s, most {lags[-1]:.2f} s"
    )
    assert held_at.keys() >= signed_at.keys()
