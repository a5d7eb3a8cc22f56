"""What is in an archive's directory: files of whole pieces of the record, and one that lists them.

The list is written last: a file that it does not have belongs to a run that was ended.
"""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from ops.archive.files import COMMANDS, EVENTS, Kind
from ops.ledger.files import write_whole
from ops.words.failure import Failure

PIECE = 65_536  # rows in a file: the events of a file have a root in the tree over the record
NAME = "archive.json"
CHECKPOINT = "checkpoint"  # the signed note by itself, for other programs
_FORMAT = 1


class ArchiveFailed(Failure):
    """An archive cannot be written, read or opened; the message says why, and what to do."""


class Piece(Struct, frozen=True):
    """A file: its rows from the first to the last place, and the hash of the last."""

    file: str
    first: int
    last: int
    head: str
    bytes: int
    sha256: str

    @property
    def is_full(self) -> bool:
        """Whether nothing will be added to it."""
        return self.last % PIECE == 0


class Manifest(Struct, frozen=True):
    """The files of an archive, and the checkpoint that signs what is in them."""

    sabot: str
    origin: str
    keys: tuple[str, ...]  # the house's public keys, as the record has them
    checkpoint: str  # a signed note, with its cosignatures
    events: tuple[Piece, ...]
    commands: tuple[Piece, ...]
    format: int = _FORMAT

    def of(self, kind: Kind) -> tuple[Piece, ...]:
        """The files of events, or of commands."""
        return self.events if kind is EVENTS else self.commands

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All files."""
        return (*self.events, *self.commands)


def read_manifest(directory: Path) -> Manifest | None:
    """What is in a directory; None if it is no archive yet. Raises ArchiveFailed."""
    file = directory / NAME
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ArchiveFailed(f"{file} cannot be read: {error.strerror}.") from error
    except msgspec.MsgspecError as error:
        raise ArchiveFailed(f"{file} is damaged: take it from a copy of the archive.") from error
    if manifest.format > _FORMAT:
        raise ArchiveFailed(
            f"{directory} was written by Sabot {manifest.sabot}: use that, or newer."
        )
    return manifest


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Lists the files, and removes those that are in none of them any more. Raises OSError."""
    write_whole(directory / CHECKPOINT, manifest.checkpoint.encode())
    write_whole(directory / NAME, msgspec.json.format(msgspec.json.encode(manifest)))
    listed = {each.file for each in manifest.pieces}
    for file in _written_in(directory):
        if str(file.relative_to(directory)) not in listed:
            file.unlink()


def name_of(kind: Kind, first: int, last: int) -> str:
    """The file of these rows, in the archive's directory."""
    return f"{kind.name}/{first:012}-{last:012}.parquet"


def end_of_piece(at: int) -> int:
    """The last place in the file that has the row after `at`, once it is full."""
    return (at // PIECE + 1) * PIECE


def digest_of(file: Path) -> str:
    """The SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _written_in(directory: Path) -> Iterator[Path]:
    for kind in (EVENTS, COMMANDS):
        with suppress(FileNotFoundError):
            yield from (directory / kind.name).glob("*-*.parquet*")
