"""pgBackRest keeps the bases and the log, in its own repository, encrypted or not as it is set.

Its configuration is its administrator's: where the repository is, for how long backups are kept,
the passphrase. Sabot names the stanza, and gives on its variables, PGBACKREST_….
"""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, STDOUT, CompletedProcess, run
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ops.backup.archive import Archive, Base, Copied, House
from ops.backup.encrypted import BackupFailed
from ops.backup.reached import written
from ops.ledger.database import Database
from ops.ledger.embedded.programs import ENVIRONMENT

if TYPE_CHECKING:
    import psycopg
    from pyrage.x25519 import Identity

    from ops.ledger.embedded.programs import Programs

NAME = "pgbackrest"
_NOT_THERE = 1  # the exit status of archive-get for a file that was never archived
_NOTE = "sabot"  # the annotation of a backup that has the base's name
# What it says, and what to do then.
_ADVICE = {
    (*("cipher-pass", "CryptoError", "Salted__", "key/value found outside of section"),): (
        "Its repository is encrypted, and the passphrase is missing or is another one: it is "
        "repo1-cipher-pass in its configuration, or the variable PGBACKREST_REPO1_CIPHER_PASS."
    ),
    ("was not archived", "must contain pgbackrest", "archive_mode"): (
        "PostgreSQL does not bring its log there: see archive_command, and the server's log."
    ),
    ("pg1-path", "stanza-create", "missing stanza path", "missing stanza data"): (
        "There is no such stanza: `pgbackrest info` lists those that there are, and "
        "`pgbackrest stanza-create` makes one."
    ),
    ("unable to connect", "no database found"): (
        "Run this as the account that may run pgBackRest on this machine, mostly `postgres`."
    ),
}


class Account(Struct, frozen=True):
    """Another account of this machine, under which root calls it."""

    uid: int
    gid: int


class _Stored(Struct):
    delta: int  # bytes of this backup alone


class _Sizes(Struct):
    delta: int
    repository: _Stored


class _Named(Struct):
    """A backup in the repository."""

    label: str
    archive: dict[str, str]  # the first and the last file of the log that it needs
    info: _Sizes
    annotation: dict[str, str] = {}


class _Status(Struct):
    code: int
    message: str = ""


class _Repository(Struct):
    status: _Status


class _Server(Struct, rename="kebab"):
    system_id: int


class Stanza(Struct):
    """What the repositories have of a server."""

    backup: list[_Named]
    db: list[_Server]
    repo: list[_Repository] = []


class PgBackRest:
    """A stanza of pgBackRest."""

    def __init__(self, archive: Archive, house: House, config: str) -> None:
        assert house.by is not None
        self._archive, self._house = archive, house
        self.stanza = house.by.server
        self._options = [f"--stanza={self.stanza}", *([f"--config={config}"] if config else [])]

    def begin(self, connection: "psycopg.Connection[Any]") -> None:
        """Requires that the server archives its log, and that the stanza is of this server."""
        row = connection.execute(
            "SELECT current_setting('archive_mode') <> 'off', EXISTS (SELECT FROM pg_tablespace "
            "WHERE spcname NOT IN ('pg_default', 'pg_global'))"
        ).fetchone()
        assert row is not None
        if not row[0]:
            raise BackupFailed(
                "This PostgreSQL archives no log. Set archive_mode = on, archive_timeout = 60 and "
                f"archive_command = 'pgbackrest --stanza={self.stanza} archive-push %p', and "
                "restart it; Sabot's own PostgreSQL is backed up without --pgbackrest."
            )
        if row[1]:
            raise BackupFailed(
                "This server has tablespaces of its own, which Sabot does not bring back. Move "
                "what is in them to pg_default, and drop them."
            )
        there = self.info()
        if there.db and there.db[-1].system_id != int(self._house.system):
            raise BackupFailed(
                f"The stanza {self.stanza} is of another server. Give the one of the server that "
                "has the ledger; after an upgrade of PostgreSQL run `pgbackrest stanza-upgrade`."
            )

    def copy(self, database: Database, place: Path, count: Callable[[int], object]) -> Copied:
        """Has it make a backup, of the kind that its configuration says; nothing is in the place.

        Its log is there when this returns, and so is all that was recorded before.
        """
        name, account = place.stem, _server_account(database)
        self._run("backup", f"--annotation={_NOTE}={name}", account=account)
        self._note(database, account)
        made = next(e for e in reversed(self.info().backup) if e.annotation.get(_NOTE) == name)
        size = made.info.repository.delta
        count(made.info.delta)
        return Copied(made.archive["start"], made.archive["stop"], size, made.label)

    def _note(self, database: Database, account: Account | None) -> None:
        """Everything up to now is in the repository: `check` has the last file of it archived."""
        with database.connect_as_is() as connection:
            now = written(connection)
        self._run("check", account=account)
        self._archive.write("followed.json", now)

    def drop_old(self, keep: int) -> list[str]:
        """Removes the bases whose backup has expired, as its configuration says."""
        there = {each.label for each in self.info().backup}
        return self._archive.drop([e for e in self._archive.bases() if e.label not in there])

    def require_there(self, base: Base) -> None:
        """Requires that the backup has not expired."""
        if base.label not in {each.label for each in self.info().backup}:
            raise BackupFailed(
                f"The repository of pgBackRest no longer has {base.label}, which is the base of "
                f"{base.name}: it expired, or this is another repository. Give a later moment, or "
                "the configuration of the right one: --config FILE."
            )

    def unpack(
        self,
        base: Base,
        key: "Identity",
        data: Path,
        programs: "Programs",
        count: Callable[[int], object],
    ) -> None:
        """Has it restore a backup there, and gives the files to the server's account."""
        programs.own(data)
        with tempfile.TemporaryDirectory(prefix="sabot-locks-") as locks:
            how = (f"--set={base.label}", "--type=none", f"--tablespace-map-all={data}/pg_tblspc")
            self._run("restore", *how, f"--lock-path={locks}", *_here(data))
        for each in (data, *data.rglob("*")):
            os.chown(each, programs.uid, programs.gid, follow_symlinks=False)
        count(base.bytes)

    def log(self, key: "Identity", data: Path) -> Callable[[str], bytes]:
        """What has it bring a file of the log, for the cluster there."""

        def read(name: str) -> bytes:
            with tempfile.TemporaryDirectory(prefix="sabot-log-") as directory:
                file = Path(directory, name)
                words = ("archive-get", "--no-archive-async", *_here(data), name, str(file))
                done = self._called(words, None)
                if done.returncode == _NOT_THERE:
                    raise KeyError(name)
                self._require_done("archive-get", done)
                return file.read_bytes()

        return read

    def info(self) -> Stanza:
        """What there is of this stanza. Raises BackupFailed if there is none, or none readable."""
        text = self._run("info", "--output=json")
        try:
            stanza = msgspec.json.decode(text.encode(errors="replace"), type=list[Stanza])[0]
        except (msgspec.MsgspecError, IndexError) as error:
            raise BackupFailed(f"What `pgbackrest info` says cannot be read: {error}.") from error
        bad = next((e.status.message for e in stanza.repo if e.status.code not in (0, 2)), None)
        if bad:  # 2 is that there is no backup yet
            raise BackupFailed(self._refused(bad))
        return stanza

    def _run(self, *words: str, account: Account | None = None) -> str:
        done = self._called(words, account)
        self._require_done(words[0], done)
        return done.stdout

    def _called(self, words: tuple[str, ...], account: Account | None) -> CompletedProcess[str]:
        more = {k: v for k, v in os.environ.items() if k.startswith("PGBACKREST_") or k == "HOME"}
        quiet = ("--log-level-console=off", "--log-level-stderr=error", "--log-level-file=off")
        try:
            return run(
                [NAME, *self._options, *quiet, *words],
                check=False,
                stdout=PIPE,
                stderr=PIPE if words[0] == "info" else STDOUT,
                text=True,
                errors="replace",
                cwd="/",
                env=ENVIRONMENT | more,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
            )
        except FileNotFoundError as error:
            raise BackupFailed(
                "There is no pgBackRest on this machine, and it keeps the log of this backup: "
                "install it, as with `apt-get install pgbackrest`, with its configuration."
            ) from error

    def _require_done(self, command: str, done: CompletedProcess[str]) -> None:
        if done.returncode != 0:
            raise BackupFailed(self._refused((done.stderr or done.stdout).strip(), command))

    def _refused(self, output: str, command: str = "info") -> str:
        """Why it did not do what it was asked for, and what to do."""
        advice = next(
            (text for signs, text in _ADVICE.items() if any(each in output for each in signs)),
            "See its log.",
        )
        errors = [each for each in output.splitlines() if "ERROR" in each] or output.splitlines()
        first = "".join(c for c in (errors or ["no reason given"])[0] if c.isprintable())
        return f"`pgbackrest --stanza={self.stanza} {command}` failed: {first[:300]}. {advice}"


def _here(data: Path) -> tuple[str, ...]:
    """That it works on this directory, of this machine."""
    return f"--pg1-path={data}", "--reset-pg1-host"


def _server_account(database: Database) -> Account | None:
    """For root: the account of the server, to which the repository belongs on its machine."""
    if os.geteuid() != 0:
        return None
    import psycopg

    with suppress(psycopg.Error, OSError), database.connect_as_is() as connection:
        row = connection.execute("SELECT current_setting('data_directory')").fetchone()
        status = Path(row[0]).stat() if row else None
        if status:
            return Account(status.st_uid, status.st_gid)
    return None
