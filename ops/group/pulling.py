"""Pulls a house's record: nothing is stored under a checkpoint before it is verified.

The newest checkpoint must have the house's signatures. The entries after the last full tile that
is held are read, each must follow the one before it, and the tree over all must have the root that
was signed. So what is held is always what the house signed, and each larger record continues it.

Of a house that is `only_seen`, its checkpoints are held and no event. Each continues the one before
it, and all that others have of it.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime

from msgspec import Struct
from msgspec.structs import asdict, replace

from ops.group.members import Member, Standing
from ops.group.sources import Away, Read, source_of
from ops.ledger.chain import GENESIS, NotCanonical, leaf, read_canonical
from ops.proof.checkpoint import Checkpoint, epoch_of
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
from ops.proof.tree import HASH, WIDTH, NotProven, consistency, verify_consistency


class Distrusted(Exception):
    """A house's record is not to be trusted; the words say why. Nothing of it is taken."""


class NotWitnessed(Exception):
    """A witness that is required has not signed the newest checkpoint yet."""


class Pulled(Struct, frozen=True):
    """How many events of a house are held, how many of them came now, and how it is.

    `at`: of its last pull. `stopped`, `away` and `unwitnessed`: as its standing has them.
    """

    name: str
    events: int
    new: int
    at: datetime | None = None
    stopped: str = ""
    away: str = ""
    unwitnessed: str = ""

    @property
    def waits(self) -> str:
        """Why what is new of it is not held yet, though nobody distrusts it; '' if it is."""
        return self.away or self.unwitnessed


def held_of(of: Member, before: int | None = None) -> Pulled:
    """How a house is; `before`: so many events were held before a pull."""
    held, how = of.held, of.standing
    events = held.size if held else 0
    pulled = Pulled(of.name, events, 0 if before is None else events - before)
    return replace(pulled, **asdict(how)) if how else pulled


def pull(of: Member, now: datetime, heard: Iterable[bytes] = ()) -> Pulled:
    """Brings what is new; a house that is not to be trusted stops until somebody accepts it.

    `heard`: checkpoints of it that others have. Those that it signed it has to continue.
    """
    before = held_of(of)
    if before.stopped:
        return before
    standing = Standing(now)
    try:
        with source_of(of) as read:
            (_Watch if of.only_seen else _Pull)(of, of.held, read).bring(heard)
    except Away as error:
        standing = Standing(now, away=str(error))
    except NotWitnessed as error:
        standing = Standing(now, unwitnessed=str(error))
    except Distrusted as error:
        standing = Standing(now, stopped=str(error))
    of.note(standing)
    return held_of(of, before.events)


class _Pull:
    """One pull of a house."""

    def __init__(self, of: Member, held: Checkpoint | None, read: Read) -> None:
        self._of, self._held, self._read = of, held, read

    def bring(self, heard: Iterable[bytes]) -> None:
        """Brings and verifies what is new. Raises Away, NotWitnessed, Distrusted."""
        claims = {file: file.read_bytes() for file in self._of.claims}
        others = dict(self._signed_among((*heard, *claims.values())))
        for theirs, other in others.items():
            with self._evidence(theirs):
                self._require_same(other)
        note = self._read(CHECKPOINT)
        if note is None:
            raise Away("it has signed nothing yet")
        with self._evidence(note):
            signed = self._bring(note)
        for theirs, other in others.items():
            with self._evidence(theirs):
                self._require_heard(other, signed)
        for file, theirs in claims.items():
            if theirs not in others or others[theirs].size <= signed.size:
                file.unlink(missing_ok=True)

    @contextmanager
    def _evidence(self, note: bytes) -> Iterator[None]:
        """Keeps a checkpoint that shows why a house is not to be trusted. Raises Distrusted."""
        try:
            yield
        except Distrusted:
            self._of.keep_in("refused", note)
            raise

    def _bring(self, note: bytes) -> Checkpoint:
        """Stores what the newest checkpoint signs. Raises NotWitnessed, Distrusted."""
        signed = self._opened(note)
        self._require_later(self._held, signed)
        if signed != self._held:
            self._require_witnessed(signed, note)
            self._store(signed, note)
        return signed

    def _require_witnessed(self, signed: Checkpoint, note: bytes) -> None:
        """Requires the cosignatures that the group wants. Raises NotWitnessed, Distrusted.

        A witness may be away: then nothing is taken until it has signed, and nobody is distrusted.
        """
        try:
            lacking = self._of.not_witnessed(note)
        except NotGood as error:
            raise Distrusted(
                f"A cosignature of the newest checkpoint is not good: {error}"
            ) from error
        if lacking:
            raise NotWitnessed(
                f"its newest checkpoint, of {signed.size:,} events, is not signed by "
                f"{' and '.join(lacking)}, and nothing is taken before it is"
            )

    def _signed_among(self, notes: Iterable[bytes]) -> Iterator[tuple[bytes, Checkpoint]]:
        """The checkpoints in notes that the house signed; others are no evidence."""
        for note in notes:
            with suppress(NotGood):
                signed = self._of.signed(note)
                if signed.size > self._of.begun_anew:
                    yield note, signed

    def _require_same(self, other: Checkpoint) -> None:
        """Requires that there is no other record of the size that is held; asks nobody."""
        held = self._held
        if held and (other.origin, other.size) == (held.origin, held.size) and other != held:
            raise _two_records(held.size)

    def _require_heard(self, other: Checkpoint, signed: Checkpoint) -> None:
        """Requires that what is signed now continues what somebody else has. Raises Distrusted.

        What is served as files may be behind; then it has to continue that later.
        """
        epochs = [epoch_of(each.origin, self._of.origin) or 0 for each in (other, signed)]
        if epochs[0] < epochs[1]:
            return  # the house was restored since, and for that it has stopped already
        if other.size > signed.size and not self._of.only_seen:
            return
        self._require_later(other, signed)
        self._require_begins_with(other, signed)

    def _require_begins_with(self, other: Checkpoint, signed: Checkpoint) -> None:
        """Requires that a record begins with that of an earlier checkpoint. Raises Distrusted."""
        try:
            proof = consistency(other.size, signed.size, self._tile) if other.size else []
            verify_consistency(other.size, signed.size, proof, other.root, signed.root)
        except NotProven as error:
            raise _forked(signed.size, other.size) from error

    def _tile(self, level: int, index: int, width: int) -> bytes:
        """The hashes of a tile of the verified log."""
        return tiles_in(self._of.log)(level, index, width)

    def _opened(self, note: bytes) -> Checkpoint:
        """The checkpoint in a note that the house signed."""
        try:
            return self._of.signed(note)
        except NotGood as error:
            raise Distrusted(
                f"The newest checkpoint is not signed as this group knows the house: {error} If "
                "the house has another key now, ask for it by another way than this one."
            ) from error

    def _require_later(self, before: Checkpoint | None, signed: Checkpoint) -> None:
        """Requires that a checkpoint does not take back an earlier one. Raises Distrusted."""
        if before is None or signed == before:
            return
        if signed.origin != before.origin:
            raise Distrusted(
                f"The record goes on as {signed.origin}, and {before.origin} is held up to event "
                f"#{before.size:,}: the house was restored from a backup, or says so. Ask what was "
                "lost."
            )
        if signed.size < before.size:
            raise Distrusted(
                f"The record went back: {before.size:,} events were signed, and now "
                f"{signed.size:,} are."
            )
        if signed.size == before.size:
            raise _two_records(before.size)

    def _store(self, signed: Checkpoint, note: bytes) -> None:
        """Stores the entries and tiles up to a checkpoint, and then the checkpoint."""
        self._of.log.mkdir(parents=True, exist_ok=True)
        entries = lambda after: self._entries(after, signed.size)  # noqa: E731
        try:
            write_log(self._of.log, entries, signed.size, signed.root, note)
        except OtherLog as error:
            raise _forked(signed.size, self._size) from error
        except EntryTooLong as error:
            raise Distrusted(str(error)) from error
        except NotProven as error:
            raise Distrusted(f"The events are not those that were signed. {error}") from error

    def _entries(self, after: int, size: int) -> Iterator[bytes]:
        """The entries after a position, each checked to follow the one before it.

        Those that are held were checked when they came.
        """
        before, held = self._hash_at(after), []
        with suppress(NotProven):  # a file that is lost here is brought again
            held = [*self._of.entries(after)]
        for index in range(after // WIDTH, (size + WIDTH - 1) // WIDTH):
            for n, entry in enumerate(self._bundle(index, min(WIDTH, size - index * WIDTH)), 1):
                position = index * WIDTH + n
                if held[position - after - 1 : position - after] == [entry]:
                    before = leaf(entry)
                    yield entry
                    continue
                try:
                    event, previous = read_canonical(entry)
                except NotCanonical as error:
                    raise Distrusted(f"Event #{position:,} cannot be read: {error}") from error
                if self._held and position == after + 1 and previous != before:
                    raise _forked(size, self._size)
                if (event.position, previous) != (position, before):
                    raise Distrusted(f"Event #{position:,} does not follow the one before it.")
                before = leaf(entry)
                yield entry

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

    @property
    def _size(self) -> int:
        return self._held.size if self._held else 0


class _Watch(_Pull):
    """One look at a house of which only checkpoints are held: no event is read."""

    def _store(self, signed: Checkpoint, note: bytes) -> None:
        """Holds a checkpoint that continues the one that is held.

        The house may have sent a later one meanwhile: then that is held.
        """
        with self._of.alone():
            held = self._of.held
            if held and held.size >= signed.size:
                return
            if held:
                self._require_begins_with(held, signed)
            self._of.hold(note)

    def _tile(self, level: int, index: int, width: int) -> bytes:
        """The hashes of a tile as the house serves it; what is proven by them is checked."""
        for held in dict.fromkeys((width, WIDTH)):
            if content := self._read(tile_path(level, index, held)):
                return content[: width * HASH]
        raise Distrusted(f"{tile_path(level, index, width)} was signed and is not there.")


def _two_records(size: int) -> Distrusted:
    return Distrusted(f"Two records of {size:,} events are signed: it has forked.")


def _forked(size: int, before: int) -> Distrusted:
    return Distrusted(
        f"The record of {size:,} events that is signed now does not begin with the {before:,} "
        "that are held: it has forked."
    )
