"""Checkpoints that lie outside of the database: a record without their events is not signed.

A database that was restored, or promoted too early, does not know what was signed after that. The
machine that signs keeps its newest checkpoint for each key, and so does every directory to which
checkpoints go.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from ops.ledger.files import write_whole
from ops.proof import keys
from ops.proof.checkpoint import Checkpoint, opened
from ops.proof.note import NotGood
from ops.proof.sending import LATEST


def keep(vkeys: Iterable[str], note: str) -> None:
    """Keeps a checkpoint on this machine, as the newest of a record with these keys.

    Raises OSError.
    """
    for vkey in vkeys:
        file = _file_of(vkey)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, note.encode())


def seen(vkeys: Iterable[str], directories: Iterable[Path]) -> Iterator[tuple[str, Checkpoint]]:
    """The checkpoints of these keys that this machine and the directories hold, each with where."""
    known = list(vkeys)
    for vkey in known:
        with suppress(OSError, NotGood):
            yield "on this machine", Checkpoint.of(_file_of(vkey).read_text())
    for directory in directories:
        with suppress(OSError, ValueError):
            note = (directory / LATEST).read_text()
            yield from ((f"in {directory}", each) for each in _signed_by(known, note))


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
