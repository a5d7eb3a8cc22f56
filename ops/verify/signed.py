"""Compares the record with what was signed of it: its own checkpoints, and copies from outside."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.events import checkpoint as events
from domain.rules.destinations import DIRECTORY, parse_destinations
from ops.commands.house_events import house
from ops.ledger.chain import Fields
from ops.ledger.reading import UnreadableEvent, head_of, read_house
from ops.proof import keys, on_record, stored
from ops.proof.by_hand import Mistyped, note_of, text_of
from ops.proof.checkpoint import Checkpoint, epoch_of, origin_of
from ops.proof.epochs import accepted_loss, epoch_now, restores
from ops.proof.note import NotGood, Unsigned, Verifier, open_note
from ops.proof.sending import LATEST
from ops.proof.tree import HASH, Growing, NotProven, consistency, verify_consistency
from ops.verify.bookmark import Bookmark
from ops.verify.faults import ANOTHER_KEY, Fault, Verified
from ops.words.record_events import key_id

if TYPE_CHECKING:
    import psycopg

NOBODY_SIGNED = (
    "Whether the record was rewritten as a whole, or its end was cut off: nobody signed it. Make a "
    "key with `sabot audit key new`."
)
_UNKNOWN_KEY = (
    "No key of this record signed this paper: it is of another record, or the key was replaced. "
    "Give the house's key, as you have it from outside, with --key."
)
ONLY_OUTSIDE = (
    "Whether the house itself rewrote the record and signed it anew: only a witness finds that, or "
    "an older checkpoint. Give one with --against."
)


class Claim(Struct, frozen=True):
    """A checkpoint that the record is compared with."""

    where: str  # in words, as in `the checkpoint at #412`
    position: int  # of its event; 0: it is not from the record
    checkpoint: Checkpoint
    note: str
    commands: int = 0
    commands_head: str = ""
    given: bool = False  # somebody asks about it

    @property
    def size(self) -> int:
        """How many events it covers."""
        return self.checkpoint.size


class Signatures:
    """The checkpoints to compare with, and the roots of the record at their sizes.

    `leaves` takes the hashes of the events while they are read, piece by piece.
    """

    def __init__(
        self, connection: "psycopg.Connection[Any]", against: Sequence[Path], key: str | None
    ) -> None:
        self.key = key and _spelled_key(key)
        self.faults: list[Fault] = []
        self.not_comparable: list[str] = []
        self.not_checked: list[str] = []
        self.restored: list[str] = []
        self.known = self._keys(connection)
        self.restores = restores(connection)
        self.own = list(self._on_record(connection))
        outside = (*self._given(against), *self._in_places(connection))
        self.outside = [each for each in outside if not self._is_accepted(each)]
        self.accepted = list(self._accepted())
        self.roots = {each.size: b"" for each in self._every}
        self.tree = Growing()

    @property
    def _every(self) -> list[Claim]:
        return [*self.own, *self.outside, *self.accepted]

    @property
    def wanted(self) -> bool:
        """Whether there is anything to compare with, now or soon."""
        return bool(self.roots or self.known)

    def given(self, file: Path | None) -> Claim | None:
        """The checkpoint that was given as this file, if a known key signed it."""
        where = f"{file}" if file else None
        return next((each for each in self.outside if each.where == where), None)

    def go_on(self, connection: "psycopg.Connection[Any]", bookmark: Bookmark) -> bool:
        """Goes on with the tree of events that were verified before; False if that cannot be done.

        The record's own checkpoints of then were compared then. All others of this size or smaller
        are compared by a proof from the stored tiles to the tree of then.
        """
        if not self.wanted:
            return True
        if bookmark.edge is None:
            return False
        size, edge = bookmark.ends.events, bookmark.edge
        tree = Growing.resumed(size, lambda level, _index, _width: edge[level])
        try:
            for each in self._every:
                if each.size > size:
                    continue
                if not 0 < each.position <= size:
                    proof = consistency(each.size, size, stored.tiles_of(connection))
                    root = each.checkpoint.root
                    verify_consistency(each.size, size, proof, root, tree.root())
                self.roots[each.size] = each.checkpoint.root
        except NotProven:
            return False
        self.tree = tree
        return True

    def leaves(self, hashes: bytes) -> None:
        """Takes the next events' hashes; nobody needs a tree where nothing was signed."""
        if not self.wanted:
            return
        tree, at = self.tree, 0
        until = tree.size + len(hashes) // HASH
        for size in sorted(each for each in self.roots if tree.size < each <= until):
            tree.add(hashes[at : (at := at + (size - tree.size) * HASH)])
            self.roots[size] = tree.root()
        tree.add(hashes[at:])

    # Reading
    def _accepted(self) -> Iterable[Claim]:
        """What each restore says about the events with which the record went on."""
        for each in self.restores:
            if each.continues:
                base = self.known[-1].origin if self.known else ""
                with suppress(ValueError):  # a root that somebody garbled
                    continued = Checkpoint(base, each.continues, bytes.fromhex(each.root))
                    yield Claim(f"the restore at #{each.position:,}", each.position, continued, "")

    def _is_accepted(self, claim: Claim) -> bool:
        """Whether two people accepted that what a checkpoint from outside covers is missing."""
        base = self.known[0].origin if self.known else ""
        epoch = epoch_of(claim.checkpoint.origin, base)
        if epoch is None or not (lost := accepted_loss(self.restores, epoch, claim.size)):
            return False
        words = f"{claim.where} covers {claim.size:,} events. {lost.words}"
        (self.not_comparable if claim.given else self.restored).append(words)
        return True

    def _keys(self, connection: "psycopg.Connection[Any]") -> list[on_record.KeyOnRecord]:
        """The keys of the record whose statements are good; the others are faults."""
        good: list[on_record.KeyOnRecord] = []
        with suppress(UnreadableEvent, msgspec.MsgspecError, LookupError, TypeError):
            for each in on_record.keys(connection):
                before = good[-1].key if good else ""
                if words := _wrong_statement(each, before):
                    self.faults.append(Fault(each.position, "key", words))
                else:
                    good.append(each)
        return good

    def _on_record(self, connection: "psycopg.Connection[Any]") -> Iterable[Claim]:
        """The record's own checkpoints whose signatures are good; the others are faults."""
        topics = (events.Signed.TOPIC,)
        try:
            signed = read_house(connection, topics, date.min, head_of(connection))
        except UnreadableEvent as error:
            self.faults.append(
                Fault(error.position, "signature", "A checkpoint in the record cannot be read.")
            )
            return
        for event in signed:
            try:
                fields = msgspec.json.decode(event.state, type=Fields)
                checkpoint = Checkpoint.of(fields["note"])
                then = [each for each in self.known if each.position < event.position][-1:]
                epoch = epoch_now(self.restores, event.position)
                require_signed(fields["note"], checkpoint, then, epoch)
                if (checkpoint.size, checkpoint.root.hex()) != (fields["size"], fields["root"]):
                    raise NotGood("Its size or its root is not that of its note.")
                yield Claim(
                    f"the checkpoint at #{event.position:,}",
                    event.position,
                    checkpoint,
                    fields["note"],
                    fields["commands"],
                    fields["commands_head"],
                )
            except (NotGood, msgspec.MsgspecError, LookupError, TypeError) as error:
                words = (
                    f"The checkpoint at #{event.position:,} is not signed as it should be: {error}"
                )
                self.faults.append(Fault(event.position, "signature", words))

    def _given(self, files: Iterable[Path]) -> Iterable[Claim]:
        """The checkpoints in files that were given, which a known key signed. Raises Mistyped."""
        for file in files:
            try:
                note = note_of(text_of(file), self._verifiers())
            except Mistyped as error:
                raise Mistyped(f"{file}: {error}") from error
            except Unsigned:
                self.not_comparable.append(f"{file}: {_UNKNOWN_KEY}")
            else:
                yield Claim(f"{file}", 0, Checkpoint.of(note), note, given=True)

    def _verifiers(self) -> list[Verifier]:
        """Every key of the record, and the one that was given."""
        given = [Verifier.parse(self.key)] if self.key else []
        return [*on_record.verifiers_of(self.known), *given]

    def _in_places(self, connection: "psycopg.Connection[Any]") -> Iterable[Claim]:
        """The newest checkpoint in each directory that the house sends them to."""
        for place in parse_destinations(house(connection).checkpoint_to):
            file = Path(place.address) / LATEST
            if place.kind != DIRECTORY:
                continue
            try:
                note = text_of(file)
                open_note(note, self._verifiers())
                yield Claim(f"{file}", 0, Checkpoint.of(note), note)
            except Unsigned:
                words = (
                    f"{file} is signed by a key that this record does not have: the key was "
                    "replaced, or it is of another record."
                )
                self.faults.append(Fault(_key_position(self.known), ANOTHER_KEY, words))
            except (OSError, NotGood):
                words = f"The checkpoint in {place.address}, which is not what was signed."
                self.not_checked.append(words)

    # Comparing
    def check(self, connection: "psycopg.Connection[Any]", result: Verified) -> None:
        """Adds what is wrong to the faults, and what could not be checked."""
        if self.key and self.key not in {each.key for each in self.known}:
            words = f"{key_id(self.key)} is not a key of this record: the key was replaced."
            self.faults.append(Fault(_key_position(self.known), ANOTHER_KEY, words))
        every = sorted([*self.own, *self.outside], key=lambda each: each.size)
        changed = sorted(each.position for each in result.faults if each.fault == "changed")
        for each in self.accepted:
            if fault := self._against_root(each, set(), result.events, changed):
                self.faults.append(fault)
        good = {each.size for each in every if self.roots[each.size] == each.checkpoint.root}
        for each in every:
            if fault := self._against_root(each, good, result.events, changed):
                self.faults.append(fault)
        for each in self.own:
            if fault := _against_commands(connection, each):
                self.faults.append(fault)
        self._forks(every)
        result.add(self.faults)
        newest = max((each for each in every if each.size in good), key=_size, default=None)
        result.checkpoint = newest.checkpoint if newest else None
        if self.key and not newest and result.ok:
            result.add([Fault(1, "unsigned", _nothing_signed(self.key))])
        result.not_comparable += self.not_comparable
        result.restored += [*(each.words for each in self.restores), *self.restored]
        result.not_checked += [*self.not_checked, *self._unchecked(result)]

    def _against_root(
        self, claim: Claim, good: set[int], many: int, changed: Sequence[int]
    ) -> Fault | None:
        """What is wrong with the events that a checkpoint signs; `changed`: where some are."""
        if self.roots[claim.size] == claim.checkpoint.root:
            return None
        until = max((size for size in good if size < claim.size), default=0)
        if claim.size > many:
            words = (
                f"The record has {many:,} events, and {claim.where} covers {claim.size:,}: it was "
                "rolled back, or its end was cut off."
            )
            return Fault(many + 1, "rolled back", words)
        if at := next((each for each in changed if until < each <= claim.size), None):
            words = (
                f"The event at {at:,} is not as {claim.where} signs it, of {claim.size:,} events."
            )
            return Fault(at, "changed", words)
        since = f"after event #{until:,}" if until else "from its beginning on"
        words = (
            f"The record is another one than {claim.where} signs, of {claim.size:,} events: it was "
            f"rewritten {since}."
        )
        return Fault(until + 1, "rewritten", words)

    def _forks(self, every: Sequence[Claim]) -> None:
        """Adds a fault for two signed checkpoints of one size with different roots."""
        seen: dict[int, Claim] = {}
        for each in every:
            other = seen.setdefault(each.size, each)
            if other.checkpoint.root != each.checkpoint.root:
                words = (
                    f"{other.where} and {each.where} are of {each.size:,} events, with different "
                    "roots: the record was forked."
                )
                self.faults.append(Fault(each.size, "forked", words))

    def _unchecked(self, result: Verified) -> Iterable[str]:
        if not self.own and not self.outside:
            yield NOBODY_SIGNED
            return
        signed = result.checkpoint.size if result.checkpoint else 0
        if result.events > signed:
            yield (
                f"Whether somebody rewrote the last {result.events - signed:,} events: no "
                "checkpoint covers them yet."
            )
        if not self.outside:
            yield ONLY_OUTSIDE


def require_signed(
    note: str, checkpoint: Checkpoint, known: Sequence[on_record.KeyOnRecord], epoch: int
) -> None:
    """Checks the signatures of a checkpoint by the house's key of then. Raises NotGood."""
    if not known:
        raise NotGood("The house had no key then.")
    (key,) = known
    verifiers = [Verifier.parse(each) for each in (key.key, key.second) if each]
    origin = origin_of(key.origin, epoch)
    if len(open_note(note, verifiers).verified) < len(verifiers) or checkpoint.origin != origin:
        raise NotGood(f"{key_id(key.key)} did not sign it.")


def _spelled_key(vkey: str) -> str:
    """The key as it was given. Raises Mistyped for one that cannot be a key."""
    spelled = "".join(vkey.split())
    try:
        Verifier.parse(spelled)
    except NotGood as error:
        raise Mistyped(f"This key is not as it was printed: type it again. {error}") from error
    return spelled


def _wrong_statement(key: on_record.KeyOnRecord, before: str) -> str:
    """What is wrong with the statement that introduces a key, or ''."""
    try:
        statement = keys.Statement.read(key.statement)
    except NotGood as error:
        return f"The key at #{key.position:,} is not introduced as it should be: {error}"
    same = (statement.origin, statement.key, statement.second, statement.before)
    if same != (key.origin, key.key, key.second, before):
        return f"The statement of the key at #{key.position:,} is about another key."
    if before and not key.lost and not statement.signed_by(before):
        return f"The key at #{key.position:,} is not signed by the one before."
    return ""


def _nothing_signed(key: str) -> str:
    return (
        f"Nothing in this record is signed by {key_id(key)}, so the key proves nothing: no "
        "checkpoint was ever made, or all were removed. Ask the house for one, and give it with "
        "--against."
    )


def _key_position(known: Sequence[on_record.KeyOnRecord]) -> int:
    return known[-1].position if known else 1


def _against_commands(connection: "psycopg.Connection[Any]", claim: Claim) -> Fault | None:
    """The fault if the answers up to a checkpoint are not those that it names."""
    if not claim.commands:
        return None
    row = connection.execute(
        "SELECT encode(hash, 'hex') FROM ledger.commands WHERE number = %s", (claim.commands,)
    ).fetchone()
    if row and row[0] == claim.commands_head:
        return None
    words = (
        f"The answers to the first {claim.commands:,} commands are not those of {claim.where}: "
        "they were rewritten, or cut off."
    )
    return Fault(claim.position, "answers rewritten", words)


def _size(claim: Claim) -> int:
    return claim.size
