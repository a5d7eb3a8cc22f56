"""Another house, whose record is made up: events in the canonical form, signed as it grows."""

import json
from datetime import UTC, date, datetime
from uuid import UUID

from msgspec.structs import replace

from domain.aggregates.property import PROPERTY_STREAM
from domain.events.property import SettingChanged
from ops.ledger.chain import GENESIS, Recorded, canonical, leaf
from ops.proof.tiles import write_log
from ops.proof.tree import Growing, leaf_hash
from tests.worlds.signing import signed, signer_of

AT = datetime(2026, 11, 21, 20, tzinfo=UTC)


def event(position: int, salt: str = "") -> Recorded:
    """An event with its own actor; `salt`: of a record that says something else."""
    return Recorded(
        originator_id=UUID(int=position % 7),
        originator_version=position // 7 + 1,
        topic="coup.card-drawn",
        state=b'{"card":"9S%s"}' % salt.encode(),
        position=position,
        recorded_at=AT,
        gaming_day=date(2026, 11, 21),
        table_code="B01",
        actor="D-204",
        command_id=f"k-{position}",
        metadata="{}",
        hash=b"",
    )


class OtherHouse:
    """Writes its log to a directory, as `sabot audit export` does."""

    def __init__(self, place, name="riverside.example/baccarat", seed=1):
        self.place, self.name, self.seed = place, name, seed
        self.entries: list[bytes] = []
        self._tree = Growing()  # of `grow_on`

    @property
    def key(self) -> str:
        return signer_of(self.name, self.seed).verifier.vkey

    def grow(self, size: int, salt: str = "") -> "OtherHouse":
        """Records events until there are so many, and signs them; fewer: it was set back."""
        del self.entries[size:]
        before = leaf(self.entries[-1]) if self.entries else GENESIS
        while len(self.entries) < size:
            self.entries.append(canonical(event(len(self.entries) + 1, salt), before))
            before = leaf(self.entries[-1])
        return self.sign()

    def grow_on(self, size: int) -> "OtherHouse":
        """As `grow`, while somebody reads: what is there already stays where it is."""
        before = leaf(self.entries[-1]) if self.entries else GENESIS
        if self._tree.size != len(self.entries):
            for each in self.entries[self._tree.size :]:
                self._tree.add(leaf_hash(each))
        while len(self.entries) < size:
            self.entries.append(canonical(event(len(self.entries) + 1), before))
            before = leaf(self.entries[-1])
            self._tree.add(leaf_hash(self.entries[-1]))
        note = signed(size, self._tree.root(), name=self.name, seed=self.seed)
        write_log(self.place, lambda n: self.entries[n:], size, self._tree.root(), note.encode())
        return self

    def settle(self, name: str, value: str) -> "OtherHouse":
        """Changes a setting, and signs that."""
        before = leaf(self.entries[-1]) if self.entries else GENESIS
        changed = replace(
            event(len(self.entries) + 1),
            originator_id=PROPERTY_STREAM,
            topic=SettingChanged.TOPIC,
            state=json.dumps({"at": AT.isoformat(), "name": name, "value": value}).encode(),
        )
        self.entries.append(canonical(changed, before))
        return self.sign()

    def sign(self, origin: str = "") -> "OtherHouse":
        """Writes all that there is, under a new checkpoint."""
        tree = Growing()
        for each in self.entries:
            tree.add(leaf_hash(each))
        note = signed(tree.size, tree.root(), name=self.name, seed=self.seed)
        if origin:
            note = _of_epoch(tree, origin, self.name, self.seed)
        for old in self.place.rglob("*"):
            if old.is_file():
                old.unlink()
        write_log(self.place, lambda n: self.entries[n:], tree.size, tree.root(), note.encode())
        return self


def _of_epoch(tree: Growing, origin: str, name: str, seed: int) -> str:
    """A checkpoint under another name than that of the key."""
    from ops.proof.checkpoint import Checkpoint
    from ops.proof.note import sign

    return sign(Checkpoint(origin, tree.size, tree.root()).text, signer_of(name, seed))
