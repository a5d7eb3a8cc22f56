"""Brings the log into the archive as the server writes it.

pg_receivewal streams it into the home, by a replication slot, so that nothing is skipped while
nobody follows. Every few seconds what is new is encrypted into the archive, also the last file,
which is not full yet; and the archive gets the moment up to which everything is in it.
"""

import subprocess
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ops.backup.archive import Archive
from ops.backup.base import not_written, prepare
from ops.backup.encrypted import of_bytes, write_encrypted
from ops.backup.own import SLOT, make_slot, passwords, slot_is_lost
from ops.backup.reached import written
from ops.backup.setting import Setting, home_of
from ops.ledger.database import Database, LedgerLost, NotFit
from ops.ledger.embedded.follower import PLACE
from ops.ledger.embedded.programs import ENVIRONMENT, programs_here
from ops.ledger.files import write_whole
from ops.words.failure import Failure

if TYPE_CHECKING:
    import psycopg

BEAT = 5.0  # seconds between two times that the archive is brought up to now
STEP = 0.1  # seconds between two looks whether somebody is in a hurry
PATIENCE = 10.0  # seconds for pg_receivewal to get what the server has written
AGAIN = 2.0  # seconds before a new try
_RECEIVER = "pg_receivewal"
HURRY = "now"  # a file that asks to bring the archive up to now at once
_FAILING = "failing.json"
# In PostgreSQL's own words.
_REMOVED = "has already been removed"
_STOPPED = "terminated before stop point"  # the server was stopped, which is no failure
GAP = (
    "The server has removed a part of the log that nobody followed in time. Run `sabot db backup`: "
    "it begins again, with a new base, and what is recorded until then is not in the backup."
)


class Failing(Struct, frozen=True):
    """Since when nothing came into the archive, and why."""

    since: datetime
    why: str


def read_failing(database: Database) -> Failing | None:
    """Since when the follower fails, and why; None if it does not."""
    try:
        content = (home_of(database) / PLACE / _FAILING).read_bytes()
        return msgspec.json.decode(content, type=Failing)
    except (OSError, msgspec.MsgspecError):
        return None


def hurry(database: Database) -> None:
    """Asks the follower to bring the archive up to now at once."""
    place = home_of(database) / PLACE
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    (place / HURRY).touch()


def begin_again(database: Database, setting: Setting) -> bool:
    """Begins again if a part of the log is gone before it was followed; False if none is.

    A new base must be made after it.
    """
    failing = read_failing(database)
    with closing(database.connect_as_is()) as connection:
        if not slot_is_lost(connection) and not (failing and failing.why == GAP):
            return False
        Follower(database, setting, lambda _: None).leave_behind()
        connection.execute("SELECT pg_drop_replication_slot(%s)", (SLOT,))
        make_slot(connection)
    return True


class Follower:
    """Follows one server's log until stopped, or until the embedded server ends."""

    def __init__(self, database: Database, setting: Setting, report: Callable[[str], None]) -> None:
        self._database, self._setting, self._report = database, setting, report
        self._archive = Archive(Path(setting.directory))
        self._place = home_of(database) / PLACE
        self._wal = self._place / "wal"
        self._seen: dict[str, float] = {}  # when the last file of the log was changed, as encrypted

    def run(self, stop: threading.Event) -> None:
        """Follows; what fails is noted, for `sabot db status`, and tried again."""
        self._wal.mkdir(mode=0o700, parents=True, exist_ok=True)
        while not stop.is_set():
            try:
                self._follow(stop)
            except (Failure, LedgerLost, OSError) as error:
                if not self._is_down():
                    self._note(error)
            if self._is_down():
                break
            stop.wait(AGAIN)
        self._sweep_quietly()

    def _is_down(self) -> bool:
        """Whether the embedded server has ended, which ends the follower, too."""
        embedded = self._database.embedded
        return embedded is not None and not embedded.running()

    def leave_behind(self) -> None:
        """Brings what was received into the archive, and forgets where to go on."""
        if self._wal.is_dir():
            self._sweep()
            for each in self._wal.iterdir():
                each.unlink(missing_ok=True)
        (self._place / _FAILING).unlink(missing_ok=True)

    def _follow(self, stop: threading.Event) -> None:
        with closing(self._connected()) as connection:
            if slot_is_lost(connection):
                raise NotFit(GAP)
            with closing(self._receiver()) as receiver:
                self._bring(stop, connection, receiver)

    def _bring(
        self,
        stop: threading.Event,
        connection: "psycopg.Connection[Any]",
        receiver: "_Receiver",
    ) -> None:
        while self._wait(stop):
            if receiver.ended:
                why = receiver.words()
                if _STOPPED in why:
                    return
                raise NotFit(GAP if _REMOVED in why else f"The log cannot be followed: {why}.")
            self._beat(connection, receiver)

    def _wait(self, stop: threading.Event) -> bool:
        """Waits for the next time, or until somebody is in a hurry; False if it stops."""
        hurry = self._place / HURRY
        for _ in range(int(BEAT / STEP)):
            if stop.wait(STEP) or hurry.exists():
                break
        hurry.unlink(missing_ok=True)
        return not stop.is_set()

    def _connected(self) -> "psycopg.Connection[Any]":
        if self._is_down():
            raise LedgerLost("the server has ended")
        house = self._archive.house
        prepare(self._database, self._archive, house.key, house.by)
        return self._database.connect_as_is()

    def _receiver(self) -> "_Receiver":
        _end_orphans(self._wal)
        return _Receiver(self._database, self._wal)

    def _beat(self, connection: "psycopg.Connection[Any]", receiver: "_Receiver") -> None:
        """Brings the archive up to now. Raises LedgerLost, OSError, BackupFailed."""
        import psycopg

        try:
            followed = written(connection)
            if not receiver.has(connection, followed.lsn):
                return
        except psycopg.Error as error:
            raise LedgerLost(error) from error
        self._sweep()
        self._archive.write("followed.json", followed)
        self._is_good()

    def _is_good(self) -> None:
        """Nothing fails any longer."""
        (self._place / _FAILING).unlink(missing_ok=True)

    def _sweep(self) -> None:
        """Encrypts every file of the log that changed; what is full leaves the home."""
        while not all(self._archived(file) for file in sorted(self._wal.iterdir())):
            pass  # one has another name by now, as one that is full has

    def _archived(self, file: Path) -> bool:
        """Archives a file as it is; False: it is not there under that name any more."""
        try:
            changed = file.stat().st_mtime_ns
            if self._seen.get(file.name) == changed:
                return True
            content = file.read_bytes()
        except FileNotFoundError:
            return False
        target = self._archive.place_of(file.name, content)
        if not target.exists() or file.suffix:
            write_encrypted(of_bytes(content), target, self._setting.key)
        if file.suffix:
            self._seen[file.name] = changed
        else:
            self._archive.place_of(f"{file.name}.partial", b"").unlink(missing_ok=True)
            file.unlink()
            self._seen.pop(f"{file.name}.partial", None)
        return True

    def _sweep_quietly(self) -> None:
        try:
            self._sweep()
        except (OSError, Failure) as error:
            self._note(error)

    def _note(self, error: Exception) -> None:
        before = read_failing(self._database)
        directory = Path(self._setting.directory)
        why = str(not_written(directory, error) if isinstance(error, OSError) else error)
        failing = Failing(before.since if before else datetime.now(UTC), why)
        if before is None or before.why != why:
            self._report(why)
        write_whole(self._place / _FAILING, msgspec.json.encode(failing))


def _end_orphans(directory: Path) -> None:
    """Ends a pg_receivewal whose follower was killed: it still has the slot."""
    import psutil

    for process in psutil.process_iter(["name", "cmdline"]):
        words = process.info["cmdline"] or ()
        if process.info["name"] == _RECEIVER and f"--directory={directory}" in words:
            with suppress(psutil.Error):
                process.terminate()
                process.wait(PATIENCE)


class _Receiver:
    """A pg_receivewal at work."""

    def __init__(self, database: Database, directory: Path) -> None:
        options = (f"--directory={directory}", f"--slot={SLOT}", "--status-interval=1", "--no-loop")
        program = str(programs_here() / _RECEIVER)
        self._errors = (directory.parent / "pg_receivewal.log").open("w+b")
        self._process = subprocess.Popen(
            [program, *options, f"--dbname={database.url}"],
            stdin=subprocess.DEVNULL,
            stdout=self._errors,
            stderr=self._errors,
            env=ENVIRONMENT | passwords(),
        )

    @property
    def ended(self) -> bool:
        """Whether it stopped, because the server did or something failed."""
        return self._process.poll() is not None

    def words(self) -> str:
        """What it wrote last."""
        self._errors.seek(0)
        return " ".join(self._errors.read().decode(errors="replace").split()) or "no reason given"

    def has(self, connection: "psycopg.Connection[Any]", lsn: str) -> bool:
        """Waits until it has written the log up to there; False if that takes too long."""
        waiting = threading.Event()
        for _ in range(int(PATIENCE / 0.1)):
            row = connection.execute(
                "SELECT write_lsn >= %s::pg_lsn FROM pg_stat_replication JOIN pg_replication_slots "
                "ON active_pid = pid WHERE slot_name = %s",
                (lsn, SLOT),
            ).fetchone()
            if row and row[0]:
                return True
            if self.ended:
                return False
            waiting.wait(0.1)
        return False

    def close(self) -> None:
        """Ends it."""
        self._process.terminate()
        self._process.wait()
        self._errors.close()
