"""What the home that was lost knew to be signed and acknowledged: a restored home takes it over.

Without it a ledger that lacks what was acknowledged cannot know that it does.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from shutil import copy2

import msgspec

from ops.backup.encrypted import BackupFailed
from ops.backup.home import KEYS, OF_A_HOUSE
from ops.door.acknowledged import newest_in, of_house
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.proof import seen
from ops.proof.checkpoint import Checkpoint, epoch_in
from ops.proof.epochs import Known, accepted_loss, restores
from ops.proof.note import NotGood

Newer = tuple[int | datetime, ...]


def require_memory(old: Path) -> None:
    """Requires a home of a house. Raises BackupFailed."""
    if not any((old / name).exists() for name in OF_A_HOUSE):
        raise BackupFailed(
            f"{old} is no home of a house: it has none of {', '.join(OF_A_HOUSE)}. Give the "
            "directory that was SABOT_HOME before."
        )


def take_over(old: Path, home: Path) -> None:
    """Brings to a home what the old one knows, and keys that it lacks; who knows more is kept.

    Raises OSError.
    """
    for file in _files(old / KEYS):
        newer: Callable[[Path], Newer] = _signed if file.suffix == ".checkpoint" else _nothing
        _take(file, home / KEYS / file.name, newer)
    before, now = (of_house(str(Embedded(each).data)) for each in (old, home))
    names = dict(zip(before, now, strict=True))
    for file in _files(old / seen.MARKS):
        marks = file.suffix == ".json"
        target = home / seen.MARKS / names.get(file.name, file.name)
        _take(file, target, _acknowledged if marks else _line)


def acknowledged(database: Database, home: Path) -> int:
    """The newest event that a home knows as acknowledged, and nobody went on without; else 0."""
    with database.session("sabot_auditor") as connection:
        mark = seen.mark_of(connection, home / seen.MARKS)
        if not mark or accepted_loss(restores(connection), mark.epoch, mark.until):
            return 0
        return mark.until


def _files(directory: Path) -> list[Path]:
    if not directory.is_dir():
        return []
    return sorted(each for each in directory.iterdir() if each.is_file())


def _take(file: Path, target: Path, newer: Callable[[Path], Newer]) -> None:
    """Copies a file, unless what is there knows as much."""
    if target.exists() and newer(file) <= newer(target):
        return
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy2(file, target)


def _nothing(_: Path) -> Newer:
    return ()


def _signed(file: Path) -> Newer:
    with suppress(OSError, NotGood, ValueError):
        checkpoint = Checkpoint.of(file.read_text())
        return epoch_in(checkpoint.origin), checkpoint.size
    return ()


def _acknowledged(file: Path) -> Newer:
    with suppress(OSError, msgspec.MsgspecError):
        mark = msgspec.json.decode(file.read_bytes(), type=Known)
        return mark.epoch, mark.until
    return ()


def _line(file: Path) -> Newer:
    newest = newest_in(file)
    return (newest.at,) if newest else ()
