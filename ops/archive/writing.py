"""Adds to an archive what a checkpoint has signed, and reads back what was written."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops import VERSION
from ops.archive.chains import Chain
from ops.archive.checking import Count, fault_in
from ops.archive.files import COMMANDS, EVENTS, Kind, writing
from ops.archive.manifest import (
    ArchiveFailed,
    Manifest,
    Piece,
    digest_of,
    end_of_piece,
    name_of,
    read_manifest,
    write_manifest,
)
from ops.ledger.answers import answer_hash, read_answers
from ops.ledger.files import to_disk
from ops.ledger.growth import command_over
from ops.ledger.reading import AlteredEvent, hashes_at, hashes_before, read_events
from ops.proof import on_record, stored
from ops.proof.checkpoint import Checkpoint
from ops.proof.tree import Growing, NotProven
from ops.words.failure import Failure

if TYPE_CHECKING:
    import psycopg

_AT_ONCE = 4_096  # rows that are read together


class Plan(Struct, frozen=True):
    """What an archive has already, what a checkpoint has signed, and so what is to be written."""

    signed: on_record.SignedOnRecord
    commands: int  # the number of the last command
    there: dict[str, list[Piece]]  # by kind

    @property
    def events(self) -> int:
        """The position of the last event."""
        return self.signed.size

    @property
    def is_done(self) -> bool:
        """Whether the archive has all of it."""
        return not any(True for kind in (EVENTS, COMMANDS) for _ in self.missing(kind))

    def missing(self, kind: Kind) -> Iterator[range]:
        """The places of each file that is to be written."""
        end = self.events if kind is EVENTS else self.commands
        at = max((each.last for each in self.there[kind.name]), default=0)
        while at < end:
            upto = min(end_of_piece(at), end)
            yield range(at + 1, upto + 1)
            at = upto


def plan(connection: "psycopg.Connection[Any]", directory: Path, until: int | None = None) -> Plan:
    """What the newest checkpoint has signed, or the newest over events up to a position.

    Raises ArchiveFailed, also where the record does not continue what was archived.
    """
    signed = on_record.newest(connection, until)
    if signed is None:
        so_far = "There is no checkpoint yet" if until is None else "No checkpoint is so old"
        raise ArchiveFailed(
            f"{so_far}, and what nobody signed is not archived: run `sabot audit checkpoint`."
        )
    over = command_over(connection, signed.size)
    if over is None or over[0] != signed.size:
        raise AlteredEvent(signed.size)
    manifest = read_manifest(directory)
    if manifest:
        require_continued(connection, directory, manifest)
    there = {kind.name: _full_files(directory, manifest, kind) for kind in (EVENTS, COMMANDS)}
    longer = manifest and max(each.last for each in manifest.events) >= signed.size
    if manifest and longer:
        there = {EVENTS.name: list(manifest.events), COMMANDS.name: list(manifest.commands)}
    return Plan(signed, over[1], there)


def _full_files(directory: Path, manifest: Manifest | None, kind: Kind) -> list[Piece]:
    """The full files at the beginning, as far as they are there."""
    full: list[Piece] = []
    for each in manifest.of(kind) if manifest else ():
        is_there = (directory / each.file).is_file()
        if not (each.is_full and is_there and (directory / each.file).stat().st_size == each.bytes):
            break
        full.append(each)
    return full


def require_continued(
    connection: "psycopg.Connection[Any]", directory: Path, manifest: Manifest
) -> None:
    """Requires that the record has what was archived. Raises ArchiveFailed."""
    there = hashes_at(connection, [each.last for each in manifest.events])
    answers = {each.last: answer_hash(connection, each.last) for each in manifest.commands}
    for pieces, hashes in ((manifest.events, there), (manifest.commands, answers)):
        for each in pieces:
            if hashes.get(each.last, b"").hex() != each.head:
                raise ArchiveFailed(
                    f"The record does not continue what is in {directory}: it differs by "
                    f"#{each.last:,}. Keep that directory as evidence, run `sabot audit verify`, "
                    "and archive to another one."
                )


def write(
    connection: "psycopg.Connection[Any]",
    directory: Path,
    planned: Plan,
    count: Count = lambda _: None,
) -> Manifest:
    """Writes what is missing; `count` gets the number of rows that were written.

    Until the last file was read back the archive stays as it was. Raises ArchiveFailed,
    AlteredEvent.
    """
    try:
        manifest = _written(connection, directory, planned, count)
        write_manifest(directory, manifest)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise ArchiveFailed(
            f"The archive cannot be written in {directory}: {why}. What it had is as it was; free "
            "space there or mount its disk, and archive again."
        ) from error
    return manifest


def _written(
    connection: "psycopg.Connection[Any]", directory: Path, planned: Plan, count: Count
) -> Manifest:
    """The list of the files, once all of them are written and have the root that was signed."""
    tree = _tree(connection, planned)
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    made: dict[str, list[Piece]] = {}
    for kind in (EVENTS, COMMANDS):
        (directory / kind.name).mkdir(mode=0o700, exist_ok=True)
        written = [
            _write(connection, directory, kind, places, tree if kind is EVENTS else None, count)
            for places in planned.missing(kind)
        ]
        made[kind.name] = [*planned.there[kind.name], *written]
    checkpoint = Checkpoint.of(planned.signed.note)
    if (tree.size, tree.root()) != (checkpoint.size, checkpoint.root):
        raise ArchiveFailed(
            "The events do not have the root of the checkpoint: run `sabot audit verify`."
        )
    return Manifest(
        sabot=VERSION,
        origin=checkpoint.origin,
        keys=tuple(each.key for each in on_record.keys(connection)),
        checkpoint=planned.signed.whole,
        events=tuple(made[EVENTS.name]),
        commands=tuple(made[COMMANDS.name]),
    )


def _tree(connection: "psycopg.Connection[Any]", planned: Plan) -> Growing:
    """The tree over the events that the archive has already."""
    full = planned.there[EVENTS.name]
    try:
        return Growing.resumed(full[-1].last if full else 0, stored.tiles_of(connection))
    except NotProven as error:
        raise ArchiveFailed(f"{error}: run `sabot projections rebuild tree`.") from error


def _write(
    connection: "psycopg.Connection[Any]",
    directory: Path,
    kind: Kind,
    places: range,
    tree: Growing | None,
    count: Count,
) -> Piece:
    """Writes one file, and reads it back."""
    before = _before(connection, kind, places.start)
    name = name_of(kind, places.start, places[-1])
    part = directory / f"{name}.part"
    chain = Chain(kind, places.start - 1, before)
    try:
        with writing(part, kind) as add:
            for rows in _followed(connection, kind, chain, places):
                add(rows)
                count(len(rows))
        to_disk(part)
        part.replace(directory / name)
        to_disk((directory / name).parent)
    finally:
        part.unlink(missing_ok=True)
    file = directory / name
    piece = Piece(
        file=name,
        first=places.start,
        last=places[-1],
        head=chain.head.hex(),
        bytes=file.stat().st_size,
        sha256=digest_of(file),
    )
    read_back = Chain(kind, places.start - 1, before)
    if fault := fault_in(directory, piece, kind, read_back, tree):
        raise ArchiveFailed(f"What was written cannot be read back, so it does not count. {fault}")
    return piece


def _followed(
    connection: "psycopg.Connection[Any]", kind: Kind, chain: Chain, places: range
) -> Iterator[list[Any]]:
    """The rows of these places, as long as each follows on the one before."""
    for at in range(places.start - 1, places[-1], _AT_ONCE):
        rows = _rows(connection, kind, at, min(at + _AT_ONCE, places[-1]))
        if not chain.take(rows) or not rows:
            raise _altered(kind, chain.at + 1)
        yield rows


def _rows(connection: "psycopg.Connection[Any]", kind: Kind, after: int, until: int) -> list[Any]:
    import psycopg

    if kind is EVENTS:
        return list(read_events(connection, after, until - after, until))
    try:
        return list(read_answers(connection, after, until))
    except psycopg.DataError as error:
        raise _altered(kind, after + 1) from error


def _altered(kind: Kind, place: int) -> Failure:
    """Why nothing is archived: a row is not as it was recorded."""
    if kind is EVENTS:
        return AlteredEvent(place)
    return ArchiveFailed(
        f"The answers to commands, from number {place:,} on, are not as they were recorded: run "
        "`sabot audit verify`. Nothing was archived."
    )


def _before(connection: "psycopg.Connection[Any]", kind: Kind, place: int) -> bytes:
    if kind is EVENTS:
        return hashes_before(connection, [place])[place]
    return answer_hash(connection, place - 1)
