"""The files of the home, packed for a backup and put back: pepper, keys, terminals, settings.

Without the pepper nobody can sign on and no seal can be checked, so a ledger without its home is
only half a ledger. They are encrypted like everything else in a backup.
"""

import io
import os
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from ops.backup.encrypted import BackupFailed
from ops.ledger.embedded.follower import PLACE, SETTING
from ops.ledger.embedded.mark import NAME, UNFINISHED
from ops.ledger.files import write_secret
from ops.ledger.pepper import pepper_file
from ops.proof import seen
from ops.proof.keys import keys_dir

# The ledger itself, other ledgers, who is signed on, and what belongs to one machine.
_LEFT_OUT = {
    *("postgres", "demo", "training", "play", "session"),
    *(PLACE, SETTING, NAME, UNFINISHED),
}
PEPPER, KEYS = "pepper", "audit-keys"
OF_A_HOUSE = (PEPPER, KEYS, seen.OWN, seen.MARKS, SETTING)  # what a home has that is in use


def packed(home: Path) -> bytes:
    """The home's files as a tar; the pepper and the signing keys wherever they are. Raises OSError.

    A house that lets another device sign has no keys here.
    """
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, file in sorted(_files(home).items()):
            tar.add(file, name, recursive=False)
    return content.getvalue()


def _files(home: Path) -> dict[str, Path]:
    files = {
        str(file.relative_to(home)): file
        for each in (sorted(home.iterdir()) if home.exists() else ())
        if each.name not in _LEFT_OUT
        for file in _below(each)
    }
    if pepper_file().exists():
        files[PEPPER] = pepper_file()
    for file in _below(keys_dir()):
        files[f"{KEYS}/{file.relative_to(keys_dir())}"] = file
    return files


def secrets_since() -> datetime | None:
    """Since when the pepper and the signing keys are as they are; None if none can be read."""
    every = (pepper_file(), *keys_dir().glob("*.pem"))
    written = [each.stat().st_mtime for each in every if each.is_file() and _is_own(each)]
    return datetime.fromtimestamp(max(written), UTC) if written else None


def _below(place: Path) -> Iterator[Path]:
    """The ordinary files in a directory, or the file itself; no halves of files."""
    every = place.rglob("*") if place.is_dir() else iter([place])
    yield from (
        each for each in every if each.is_file() and ".part" not in each.suffixes and _is_own(each)
    )


def _is_own(file: Path) -> bool:
    return not file.is_symlink() and os.access(file, os.R_OK)


def put_back(content: bytes, home: Path) -> list[str]:
    """Puts the files of a packed home into another one; returns their names.

    Nothing is overwritten. Raises BackupFailed if the home has another pepper; OSError.
    """
    with tarfile.open(fileobj=io.BytesIO(content), mode="r") as tar:
        files = {each.name: tar.extractfile(each) for each in tar if each.isfile()}
        whole = {name: file.read() for name, file in files.items() if file}
    pepper = home / PEPPER
    if pepper.exists() and pepper.read_bytes() != whole.get(PEPPER):
        raise BackupFailed(
            f"{pepper} is the pepper of another ledger. Restore into a new, empty home."
        )
    for name, each in whole.items():
        place = PurePosixPath(name)
        if place.is_absolute() or ".." in place.parts:
            raise BackupFailed(
                f"The backup's home has a file named {name!r}, which is not Sabot's."
            )
        write_secret(home / place, each)
    return sorted(whole)
