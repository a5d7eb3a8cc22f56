"""Whether an archive is what was signed: its files, hash by hash, without a database."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from ops.archive.chains import Chain
from ops.archive.files import COMMANDS, EVENTS, Kind, Unreadable, rows_in
from ops.archive.manifest import ArchiveFailed, Manifest, Piece, digest_of, read_manifest
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import NotGood, Verifier, open_note
from ops.proof.tree import Growing

Count = Callable[[int], object]
_OWN_KEY = "Whether the key is the house's: give the one that you have from outside with --key."


class Checked(Struct, frozen=True):
    """What is in an archive, and what is wrong with it."""

    events: int
    commands: int
    files: int
    bytes: int
    origin: str
    faults: list[str]
    not_checked: list[str]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def require_archive(directory: Path) -> Manifest:
    """What is in an archive. Raises ArchiveFailed if the directory has no archive."""
    manifest = read_manifest(directory)
    if manifest is None:
        raise ArchiveFailed(f"{directory} is no archive: `sabot db archive {directory}` makes one.")
    return manifest


def check(directory: Path, key: str | None = None, count: Count = lambda _: None) -> Checked:
    """Checks every file of an archive; `key`: the house's, from outside.

    `count` gets the number of rows that were read. Raises ArchiveFailed, NotGood for a key.
    """
    manifest = require_archive(directory)
    tree = Growing()
    faults = [
        *_chain_faults(directory, manifest, EVENTS, tree, count),
        *_chain_faults(directory, manifest, COMMANDS, None, count),
    ]
    keys = [Verifier.parse(key)] if key else [Verifier.parse(each) for each in manifest.keys]
    faults += signature_faults(manifest, keys, None if faults else tree)
    return Checked(
        events=max((each.last for each in manifest.events), default=0),
        commands=max((each.last for each in manifest.commands), default=0),
        files=len(manifest.pieces),
        bytes=sum(each.bytes for each in manifest.pieces),
        origin=manifest.origin,
        faults=faults,
        not_checked=[] if key else [_OWN_KEY],
    )


def _chain_faults(
    directory: Path, manifest: Manifest, kind: Kind, tree: Growing | None, count: Count
) -> list[str]:
    """What is wrong with the files of one chain. What follows a bad file is checked, too."""
    faults, chain = [], Chain(kind)
    for piece in manifest.of(kind):
        if fault := fault_in(directory, piece, kind, chain, tree, count):
            faults.append(fault)
            chain = Chain(kind, piece.last, bytes.fromhex(piece.head))
    return faults


def fault_in(
    directory: Path,
    piece: Piece,
    kind: Kind,
    chain: Chain,
    tree: Growing | None = None,
    count: Count = lambda _: None,
) -> str:
    """What is wrong with a file that continues a chain, in a sentence; '' for nothing.

    The leaves of its events are added to the tree.
    """
    try:
        for rows in good_rows(directory, piece, kind, chain):
            if tree:
                tree.add(b"".join(row.hash for row in rows))
            count(len(rows))
    except ArchiveFailed as error:
        return str(error)
    return ""


def good_rows(directory: Path, piece: Piece, kind: Kind, chain: Chain) -> Iterator[list[Any]]:
    """The rows of a file that continues a chain, group by group.

    Raises ArchiveFailed if it is not the file that was written, or if its chain breaks.
    """
    file = directory / piece.file
    try:
        if digest_of(file) != piece.sha256:
            raise ArchiveFailed(
                f"{file} is not the file that was written: take it from a copy of the archive."
            )
        for rows in rows_in(file, kind):
            if not chain.take(rows):
                break
            yield rows
    except FileNotFoundError as error:
        raise ArchiveFailed(f"{file} is missing: take it from a copy of the archive.") from error
    except OSError as error:
        raise ArchiveFailed(f"{file} cannot be read: {error.strerror}.") from error
    except Unreadable as error:
        raise ArchiveFailed(str(error)) from error
    if (chain.at, chain.head.hex()) != (piece.last, piece.head):
        raise ArchiveFailed(f"{file}: the chain of hashes breaks after #{chain.at:,}.")


def signature_faults(manifest: Manifest, keys: list[Verifier], tree: Growing | None) -> list[str]:
    """What is wrong with the checkpoint; `tree`: over the events, if their hashes are right."""
    try:
        open_note(manifest.checkpoint, keys)
        signed = Checkpoint.of(manifest.checkpoint)
    except NotGood as error:
        return [f"The checkpoint of the archive is not good: {error}"]
    if tree and (tree.size, tree.root()) != (signed.size, signed.root):
        return [f"The events are not those that were signed for {signed.origin}."]
    return []
