"""Pulls a house's record: nothing is stored under a checkpoint before it is verified.

The newest checkpoint must have the house's signatures. The entries after the last full tile that
is held are read, each must follow the one before it, and the tree over all must have the root that
was signed. So what is held is always what the house signed, and each larger record continues it.
"""

import hashlib
from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from ops.group.members import Member, Standing
from ops.group.sources import Away, Read, source_of
from ops.ledger.chain import GENESIS, NotCanonical, leaf, read_canonical
from ops.ledger.files import write_whole
from ops.proof.checkpoint import Checkpoint, epoch_of, opened
from ops.proof.note import NotGood
from ops.proof.tiles import (
    CHECKPOINT,
    ENTRIES,
    EntryTooLong,
    OtherLog,
    entries_of,
    tile_path,
    tiles_in,
    write_log,
)
from ops.proof.tree import HASH, WIDTH, NotProven


class Distrusted(Exception):
    """A house's record is not to be trusted; the words say why. Nothing of it is taken."""


class Pulled(Struct, frozen=True):
    """How many events of a house are held, how many of them came now, and how it is.

    `at`: of its last pull. `stopped` and `away`: as its standing has them.
    """

    name: str
    events: int
    new: int
    at: datetime | None = None
    stopped: str = ""
    away: str = ""


def held_of(of: Member, before: int | None = None) -> Pulled:
    """How a house is; `before`: so many events were held before a pull."""
    held, how = of.held, of.standing
    events = held.size if held else 0
    pulled = Pulled(of.name, events, 0 if before is None else events - before)
    return replace(pulled, at=how.at, stopped=how.stopped, away=how.away) if how else pulled


def pull(of: Member, now: datetime) -> Pulled:
    """Brings what is new; a house that is not to be trusted stops until somebody accepts it."""
    before = held_of(of)
    if before.stopped:
        return before
    standing = Standing(now)
    try:
        with source_of(of) as read:
            _Pull(of, of.held, read).bring()
    except Away as error:
        standing = Standing(now, away=str(error))
    except Distrusted as error:
        standing = Standing(now, stopped=str(error))
    of.note(standing)
    return held_of(of, before.events)


class _Pull:
    """One pull of a house."""

    def __init__(self, of: Member, held: Checkpoint | None, read: Read) -> None:
        self._of, self._held, self._read = of, held, read

    def bring(self) -> None:
        """Brings and verifies what is new. Raises Away, Distrusted."""
        note = self._read(CHECKPOINT)
        if note is None:
            raise Away("it has signed nothing yet")
        try:
            signed = self._opened(note)
            self._require_later(signed)
            if signed != self._held:
                self._store(signed, note)
        except Distrusted:
            self._keep(note)
            raise

    def _opened(self, note: bytes) -> Checkpoint:
        """The checkpoint in a note that the house signed."""
        try:
            text = note.decode()
            origin = Checkpoint.of(text).origin
            if epoch_of(origin, self._of.origin) is None:
                raise NotGood(f"The checkpoint is of {origin}, not of {self._of.origin}.")
            return opened(text, origin, *self._of.keys)
        except (NotGood, UnicodeDecodeError) as error:
            raise Distrusted(
                f"The newest checkpoint is not signed as this group knows the house: {error} If "
                "the house has another key now, ask for it by another way than this one."
            ) from error

    def _require_later(self, signed: Checkpoint) -> None:
        """Requires that a checkpoint does not take back what is held."""
        held = self._held
        if held is None or signed == held:
            return
        if signed.origin != held.origin:
            raise Distrusted(
                f"The record goes on as {signed.origin}, and {held.origin} is held up to event "
                f"#{held.size:,}: the house was restored from a backup, or says so. Ask what was "
                "lost."
            )
        if signed.size < held.size:
            raise Distrusted(
                f"The record went back: {held.size:,} events were signed, and now {signed.size:,} "
                "are."
            )
        if signed.size == held.size:
            raise Distrusted(f"Two records of {held.size:,} events are signed: it has forked.")

    def _store(self, signed: Checkpoint, note: bytes) -> None:
        """Stores the entries and tiles up to a checkpoint, and then the checkpoint."""
        self._of.log.mkdir(parents=True, exist_ok=True)
        entries = lambda after: self._entries(after, signed.size)  # noqa: E731
        try:
            write_log(self._of.log, entries, signed.size, signed.root, note)
        except OtherLog as error:
            raise self._forked(signed.size) from error
        except EntryTooLong as error:
            raise Distrusted(str(error)) from error
        except NotProven as error:
            raise Distrusted(f"The events are not those that were signed. {error}") from error

    def _entries(self, after: int, size: int) -> Iterator[bytes]:
        """The entries after a position, each checked to follow the one before it."""
        before = self._hash_at(after)
        for index in range(after // WIDTH, (size + WIDTH - 1) // WIDTH):
            for n, entry in enumerate(self._bundle(index, min(WIDTH, size - index * WIDTH)), 1):
                position = index * WIDTH + n
                try:
                    event, previous = read_canonical(entry)
                except NotCanonical as error:
                    raise Distrusted(f"Event #{position:,} cannot be read: {error}") from error
                if self._held and position == after + 1 and previous != before:
                    raise self._forked(size)
                if (event.position, previous) != (position, before):
                    raise Distrusted(f"Event #{position:,} does not follow the one before it.")
                before = leaf(entry)
                yield entry

    def _forked(self, size: int) -> Distrusted:
        held = self._held.size if self._held else 0
        return Distrusted(
            f"The record of {size:,} events that is signed now does not begin with the {held:,} "
            "that are held: it has forked."
        )

    def _hash_at(self, position: int) -> bytes:
        """The hash of the last event of a full tile that is held."""
        if position == 0:
            return GENESIS
        return tiles_in(self._of.log)(0, position // WIDTH - 1, WIDTH)[-HASH:]

    def _bundle(self, index: int, width: int) -> list[bytes]:
        """The first entries of a bundle; a full one may be there where a part of it was."""
        for held in dict.fromkeys((width, WIDTH)):
            if content := self._read(tile_path(ENTRIES, index, held)):
                try:
                    entries = entries_of(content)[:width]
                except NotProven as error:
                    raise Distrusted(str(error)) from error
                if len(entries) == width:
                    return entries
        raise Distrusted(
            f"Events #{index * WIDTH + 1:,} to #{index * WIDTH + width:,} were signed and are not "
            "there."
        )

    def _keep(self, note: bytes) -> None:
        """Keeps a checkpoint that is not to be trusted, beside the one that is held."""
        place = self._of.place / "refused"
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / f"{hashlib.sha256(note).hexdigest()[:16]}.txt", note)
