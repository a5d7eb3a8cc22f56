"""All of a restore: to a moment or a position, verified, and what is lost by it."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.backup.archive import HOME, Archive, Base
from ops.backup.beyond import remember
from ops.backup.encrypted import BackupFailed, read_encrypted
from ops.backup.home import KEYS, OF_A_HOUSE, PEPPER, put_back
from ops.backup.recovery import put_away, recover
from ops.backup.remembered import acknowledged, require_memory, take_over
from ops.backup.ways import way_of
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded, EmbeddedError
from ops.ledger.growth import added_at_tables, last_event, recorded_next
from ops.ledger.pepper import fault_in
from ops.proof import on_record
from ops.proof.checkpoint import Checkpoint, epoch_of
from ops.proof.epochs import accepted_loss, restores
from ops.proof.note import NotGood

if TYPE_CHECKING:
    from pyrage.x25519 import Identity

Say = Callable[[str], object]


class Target(Struct, frozen=True):
    """To which moment or event: both None for everything that the archive has."""

    moment: datetime | None = None
    position: int | None = None


class AtTable(Struct, frozen=True):
    """How many events are lost at a table ('' for the house's own), and which come first and last.

    The moments are those of their recording.
    """

    table: str
    events: int
    first: int
    since: datetime
    until: datetime


class Restored(Struct, frozen=True):
    """What a restore brought back, and what it did not."""

    position: int
    recorded_at: datetime | None
    base: str
    lost: list[AtTable]
    signed: int  # the size of the newest checkpoint that is known, 0 without any
    acknowledged: int  # the newest event that is known to be acknowledged, 0 without any
    faults: list[str]
    pepper: str = ""  # that the home which came back has not the ledger's pepper, in a sentence

    @property
    def ok(self) -> bool:
        """Whether what was brought back is verified, and can be gone on with."""
        return not self.faults and not self.pepper

    @property
    def missing(self) -> bool:
        """Whether it lacks what is known to be signed or acknowledged."""
        return max(self.signed, self.acknowledged) > self.position


class Restore:
    """One backup's archive, its key, and what is heard of the work.

    `config`: the configuration of the program that keeps it, if it is another file here. `old`: the
    home that was lost, which knows what was signed and acknowledged.
    """

    def __init__(
        self,
        archive: Archive,
        key: "Identity",
        say: Say,
        count: Callable[[int], object] = lambda _: None,
        config: str = "",
        old: Path | None = None,
    ) -> None:
        self._archive, self._key, self._say, self._count = archive, key, say, count
        self._config, self._old = config, old

    def into(self, home: Path, target: Target, checkpoints: list[Path]) -> Restored:
        """Makes the home's ledger and verifies it. Raises BackupFailed."""
        place = Embedded(home)
        _require_new(home, place)
        if self._old:
            require_memory(self._old)
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.mark.begin_restore()  # also one that is refused: what was meant is no empty ledger
        if target == Target():
            return self._make(place, home, None, None, checkpoints)
        self._require_reached(target)
        with self._everything() as later:
            until = target.moment or _moment_after(later, target.position or 0)
            return self._make(place, home, until, later, checkpoints)

    def _require_reached(self, target: Target) -> None:
        self._archive.base_for(target.moment)
        followed = self._archive.followed
        if target.moment and followed and target.moment > followed.at:
            raise BackupFailed(
                f"The archive has everything until {followed.at.isoformat()} (event "
                f"#{followed.position:,}), not until then. Without --to all of it is restored."
            )

    @contextmanager
    def _everything(self) -> Iterator[Database]:
        """A temporary ledger with all that the archive has, to see what will be lost."""
        with tempfile.TemporaryDirectory(prefix="sabot-all-") as directory:
            place = Embedded(Path(directory) / "home")
            self._say("Looking at what the archive has")
            try:
                self._recover(place, self._archive.base_for(None), None)
                yield Database(home=place)
            finally:
                put_away(place)

    def _recover(self, place: Embedded, base: Base, until: datetime | None) -> None:
        try:
            way = way_of(self._archive, self._archive.house, self._config)
            recover(place, way, self._key, base, until, self._count)
            place.adopt()
        except EmbeddedError as error:
            raise BackupFailed(f"The backup cannot be restored: {error}") from error

    def _make(
        self,
        place: Embedded,
        home: Path,
        until: datetime | None,
        later: Database | None,
        checkpoints: list[Path],
    ) -> Restored:
        base = self._archive.base_for(until)
        self._say(f"Restoring from the base of {base.name}")
        file = self._archive.bases_dir / base.name / HOME
        put_back(read_encrypted(file, self._key), home)
        self._recover(place, base, until)
        place.mark.unfinished.unlink()
        position, recorded_at = _head(Database(home=place))
        if later:
            remember(home, later)
        if self._old:
            take_over(self._old, home)
        self._say("Verifying the record and the projections")
        known = [*checkpoints, *sorted((home / KEYS).glob("*.checkpoint"))]
        signed = _expected(Database(home=place), known)
        fitting = [file for file, size in signed.items() if size <= position]
        return Restored(
            position=position,
            recorded_at=recorded_at,
            base=base.name,
            lost=_lost(later, position) if later else [],
            signed=max(signed.values(), default=0),
            acknowledged=acknowledged(Database(home=place), home),
            faults=verified(home, fitting),
            pepper=_pepper_fault(home),
        )


def _pepper_fault(home: Path) -> str:
    """Why nothing can be recorded with the pepper of a home that came back, or ''."""
    with Database(home=Embedded(home)).session("sabot_auditor") as connection:
        return fault_in(connection, home / PEPPER)


def _require_new(home: Path, place: Embedded) -> None:
    """Requires a home of no house, or one whose restore did not end. Raises BackupFailed."""
    if place.begun:
        raise BackupFailed(
            f"There is a ledger in {home} already. Restore into a new home: --into DIRECTORY."
        )
    if place.mark.unfinished.exists():
        return
    if there := next((name for name in OF_A_HOUSE if (home / name).exists()), ""):
        raise BackupFailed(
            f"{home} is the home of a house, whose ledger may be on another server: it has "
            f"{there}. Restore into a new home: --into DIRECTORY."
        )


def _expected(database: Database, files: list[Path]) -> dict[Path, int]:
    """How many events each checkpoint is over, unless two people went on without some of them.

    Raises BackupFailed.
    """
    with database.session("sabot_auditor") as connection:
        accepted = restores(connection)
        origin = next((each.origin for each in on_record.keys(connection)), "")
    sizes = {}
    for file in files:
        try:
            checkpoint = Checkpoint.of(file.read_text())
        except (OSError, NotGood, ValueError) as error:
            raise BackupFailed(f"{file} is no checkpoint that can be read: {error}") from error
        if not accepted_loss(accepted, epoch_of(checkpoint.origin, origin) or 1, checkpoint.size):
            sizes[file] = checkpoint.size
    return sizes


def verified(home: Path, checkpoints: list[Path]) -> list[str]:
    """What is wrong with the ledger of a home: its chain, checkpoints and projections; or nothing.

    Another process does it, with nothing but this home.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("SABOT_") or name.startswith("SABOT_TEST")
    }
    command = [sys.executable, "-m", "ops.cli", "audit", "verify", "--projections", "--json"]
    against = [word for file in checkpoints for word in ("--against", str(file))]
    done = subprocess.run(
        [*command, *against],
        check=False,
        capture_output=True,
        text=True,
        env={**environment, "SABOT_HOME": str(home)},
    )
    try:
        answer: Any = json.loads(done.stdout)
    except ValueError:
        return [f"The record could not be verified: {done.stderr.strip()}"]
    faults = [f"#{each['position']:,} {each['words']}" for each in answer["faults"]]
    return faults or answer["not_comparable"]  # what is missing is not wrong with it


def _head(database: Database) -> tuple[int, datetime | None]:
    with database.session("sabot_auditor") as connection:
        last = last_event(connection)
    return (last.position, last.recorded_at) if last else (0, None)


def _moment_after(later: Database, position: int) -> datetime | None:
    """The moment to restore to so that this event is there; None: nothing came after it.

    What was recorded together with it comes along. An event is recorded after whatever came before
    was committed, and before it is itself.
    """
    with later.session("sabot_auditor") as connection:
        after = recorded_next(connection, position)
    if not after:
        head, _ = _head(later)
        raise BackupFailed(f"The archive has events up to #{head:,}: #{position:,} is not in it.")
    return after[0]


def _lost(later: Database, position: int) -> list[AtTable]:
    """What the archive has after a position, table by table."""
    with later.session("sabot_auditor") as connection:
        return [AtTable(*row) for row in added_at_tables(connection, position)]
