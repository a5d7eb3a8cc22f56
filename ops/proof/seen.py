"""Checkpoints that lie outside of the database: a record without their events is not signed.

A database that was restored, or promoted too early, does not know what was signed after that. The
machine that signs keeps its newest checkpoint for each key, and so does every directory to which
checkpoints go.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ops.ledger.database import NotFit
from ops.ledger.files import data_home, write_whole
from ops.ledger.reading import hash_at
from ops.proof import keys
from ops.proof.checkpoint import Checkpoint, opened
from ops.proof.epochs import Known
from ops.proof.note import NotGood
from ops.proof.sending import LATEST

if TYPE_CHECKING:
    import psycopg

MARKS = "acknowledged"  # the directory in a home
OWN = "record-of-this-house"  # the file in a home that names its record


def keep(vkeys: Iterable[str], note: str) -> None:
    """Keeps a checkpoint on this machine, as the newest of a record with these keys.

    Raises OSError.
    """
    for vkey in vkeys:
        file = _file_of(vkey)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, note.encode())


def seen(vkeys: Iterable[str], base: str, directories: Iterable[Path]) -> Iterator[Known]:
    """The checkpoints of these keys that this machine and the directories hold, each with where.

    `base`: the name of the record in its first epoch.
    """
    keys_known = list(vkeys)
    for vkey in keys_known:
        with suppress(OSError, NotGood):
            file = _file_of(vkey)
            newest = Checkpoint.of(file.read_text())
            yield from filter(None, [Known.of("on this machine", newest, base, _written(file))])
    for directory in directories:
        file = directory / LATEST
        with suppress(OSError, ValueError):
            for each in _signed_by(keys_known, file.read_text()):
                known = Known.of(f"in {directory}", each, base, _written(file))
                yield from filter(None, [known])


def keep_mark(
    connection: "psycopg.Connection[Any]", mark: Known, directory: Path | None = None
) -> None:
    """Keeps what is known as acknowledged, as the newest of this record. Raises OSError.

    `directory`: of another home than this one.
    """
    if file := _file_of_mark(connection, directory):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, msgspec.json.encode(mark))


def mark_of(connection: "psycopg.Connection[Any]", directory: Path | None = None) -> Known | None:
    """What this machine saw acknowledged of this record; None if it keeps nothing of it.

    `directory`: of another home than this one.
    """
    with suppress(OSError, msgspec.MsgspecError):
        if file := _file_of_mark(connection, directory):
            return msgspec.json.decode(file.read_bytes(), type=Known)
    return None


def require_own(connection: "psycopg.Connection[Any]") -> None:
    """Requires that this home is of the house with this ledger; a new home takes it as its own.

    Raises NotFit, OSError.
    """
    file, record = data_home() / OWN, record_of(connection)
    known = file.read_text().strip() if file.exists() else ""
    if known and record and known != record:
        raise NotFit(
            f"The home {data_home()} is of another house: its record began otherwise. Start with "
            f"the home of this ledger (SABOT_HOME); or, if this ledger takes its place for good, "
            f"remove {file}."
        )
    if record and not known:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, f"{record}\n".encode())


def record_of(connection: "psycopg.Connection[Any]") -> str:
    """What tells this record from others: of the hash of its first event; '' without one."""
    return (hash_at(connection, 1) or "")[:32]


def _file_of_mark(
    connection: "psycopg.Connection[Any]", directory: Path | None = None
) -> Path | None:
    """The file of this record; None without an event."""
    record = record_of(connection)
    directory = directory or Path(os.environ.get("SABOT_ACKNOWLEDGED") or data_home() / MARKS)
    return directory / f"{record}.json" if record else None


def _written(file: Path) -> datetime:
    return datetime.fromtimestamp(file.stat().st_mtime, UTC)


def _signed_by(vkeys: list[str], note: str) -> Iterator[Checkpoint]:
    """The checkpoint in a note, if one of the keys signed it."""
    for vkey in vkeys:
        with suppress(NotGood):
            checkpoint = Checkpoint.of(note)
            yield opened(note, checkpoint.origin, vkey)
            return


def _file_of(vkey: str) -> Path:
    """Beside the private key, or where it would be."""
    return keys.file_of(vkey).with_suffix(".checkpoint")
