"""The two servers of a night, which change places, and the line before them that breaks."""

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.place import SOCKET
from ops.ledger.embedded.processes import wait
from tests.faults.proxy import Cut, Proxy
from tests.worlds.power_cut import kill_postgresql
from tests.worlds.two_servers import LONG, NAME, TwoServers

MB = 1 << 20
ROOM = 400 * MB  # of a disk that can be full
APPENDS = b"append_and_flush"


class Servers(TwoServers):
    """Two servers of which `first` takes what is written; which of them that is, changes.

    `through`: the ledger as every actor has it, by a line that `cut` breaks once.
    """

    def __init__(self, place: Path) -> None:
        self.disks = Disks(*(Embedded(place / name).cluster for name in ("first", NAME)))
        super().__init__(place)
        self._keep_log()
        self.place = place
        self._cut: Cut = None
        self._lock = threading.Lock()
        (place / "line").mkdir()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(place / "line" / SOCKET))
        listener.listen()
        self._line = Proxy(listener, self._connected, self._asked)
        self.through = Database(f"postgresql://postgres@/sabot?host={place}/line&port=5432")

    @property
    def first_database(self) -> Database:
        """The ledger at the server that takes what is written now."""
        return Database(self.first.url(database="sabot"))

    def _connected(self) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(str(self.first.socket_dir / SOCKET))
        except OSError:
            line.close()
            raise
        return line

    def _asked(self, heard: bytes) -> Cut:
        """Cuts the next append, if one is to be cut."""
        if self._cut and APPENDS in heard:
            with self._lock:
                cut, self._cut = self._cut, None
            return cut
        return None

    def cut(self, where: Cut) -> bool:
        """The next append is cut off, before it or after it; whether one was."""
        self._cut = where
        cut = wait(lambda: self._cut is None, 5)
        self._cut = None
        return cut

    def kill(self, *, first: bool) -> None:
        """A server and all its processes at once, as when the power goes."""
        server = self.first if first else self.second
        killed = kill_postgresql(server.data)
        wait(lambda: not psutil.pid_exists(killed.pid), LONG)

    def up(self) -> None:
        """Both run, and the second one has all that the first one has."""
        self.first.ensure_running()
        if not self._second_answers():
            self.second.ensure_running()
        assert wait(self._in_step, LONG), "the standby does not come back"

    def _in_step(self) -> bool:
        with suppress(psycopg.OperationalError):
            return self.in_step()
        return False

    def change_places(self) -> None:
        """The first one is lost, the second one takes over, and a new standby is made."""
        super().promote()
        self.first, self.second = self.second, self.first
        self.second_anew()

    def _keep_log(self) -> None:
        """The first one keeps so much of its log for the second one, as a slot would."""
        self.run("ALTER SYSTEM SET wal_keep_size = '96MB'")
        self.run("SELECT pg_reload_conf()")

    def second_anew(self) -> None:
        """A new standby of the first one, and nothing is committed that it has not."""
        self.second.stop("immediate")
        shutil.rmtree(self.second.data)
        self._keep_log()
        self._copy()
        self.second.ensure_running()
        self.run(f"ALTER SYSTEM SET synchronous_standby_names = '{NAME}'")
        self.run("SELECT pg_reload_conf()")
        assert wait(self._in_step, LONG)

    def _copy(self) -> None:
        self.second.cluster.mkdir(parents=True, exist_ok=True)
        self.copy_to(self.second.data, "-R")

    def copy_to(self, data: Path, *options: str) -> None:
        """A copy of the first server's files as they are now."""
        self._programs.own(data.parent)
        of = f"{self.first.url()}&application_name={NAME}"
        self._programs.run("pg_basebackup", "-D", str(data), "-d", of, "-c", "fast", *options)

    def copy_disk(self) -> None:
        """A copy of all, beside the first server's files."""
        shutil.rmtree(self._kept, ignore_errors=True)
        self.copy_to(self._kept)

    @property
    def _kept(self) -> Path:
        return self.first.cluster.parent / f"{self.place.name}-kept" / "data"

    def restore(self, data: Path | None = None) -> None:
        """Both begin again with what was copied, or with these files of a cluster."""
        for each in (self.first, self.second):
            each.stop("immediate")
        kept = data or self._kept
        shutil.rmtree(self.first.data)
        shutil.copytree(kept, self.first.data, copy_function=shutil.copy)
        self._programs.own(self.first.data)
        self._own_all(self.first.data)
        self.first.ensure_running()
        self.run("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.run("SELECT pg_reload_conf()")
        self.second_anew()

    def _own_all(self, data: Path) -> None:
        for each in data.rglob("*"):
            os.chown(each, self._programs.uid, self._programs.gid)

    @contextmanager
    def slow_disk(self, milliseconds: int) -> Iterator[None]:
        """Each commit waits for the disk so much longer."""
        self._set(commit_delay=milliseconds * 1000, commit_siblings=0)
        try:
            yield
        finally:
            self._set(commit_delay=0, commit_siblings=5)

    def _set(self, **settings: int) -> None:
        for name, value in settings.items():
            self.run(f"ALTER SYSTEM SET {name} = {value}")
        self.run("SELECT pg_reload_conf()")

    @contextmanager
    def full_disk(self, left: int) -> Iterator[None]:
        """No more room than `left` bytes for the first server, or none."""
        ballast = self.first.cluster / "ballast"
        room = os.statvfs(self.first.cluster)
        with suppress(OSError):  # the server took it first
            ballast.write_bytes(bytes(max(room.f_bavail * room.f_frsize - left, 0)))
        try:
            yield
        finally:
            ballast.unlink(missing_ok=True)

    def close(self) -> None:
        self._line.close()
        shutil.rmtree(self._kept.parent, ignore_errors=True)
        for each in (self.second, self.first):
            each.stop("immediate")
        self.disks.close()
        super().close()


class Disks:
    """Small disks for the clusters of a night, where this account may mount."""

    def __init__(self, *clusters: Path) -> None:
        self.mounted = [each for each in clusters if self._mount(each)]

    def _mount(self, cluster: Path) -> bool:
        if os.geteuid():
            return False
        cluster.mkdir(parents=True, exist_ok=True)
        words = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(cluster)]
        return not subprocess.run(words, capture_output=True, check=False).returncode

    def close(self) -> None:
        for each in self.mounted:
            subprocess.run(["umount", "--lazy", str(each)], check=True)
