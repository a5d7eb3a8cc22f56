"""Epochs of the record: what is known of it outside of the database, and what of that is missing.

A record that was restored goes on without its newest events. Two people accept that, and a new
epoch begins: a log of its own, with its own name in every checkpoint. So no two checkpoints of one
log contradict one another.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.aggregates.property import PROPERTY_STREAM
from domain.events import property as events
from ops.ledger.chain import Fields
from ops.ledger.facts import facts_of
from ops.ledger.reading import hash_at, head_of
from ops.proof import stored, tree
from ops.proof.checkpoint import Checkpoint, epoch_of

if TYPE_CHECKING:
    import psycopg


class Known(Struct, frozen=True):
    """What something outside of the database knows: the record once had these events."""

    where: str  # in words, as in `on this machine`
    epoch: int
    until: int  # the position of the last of them
    mark: str  # the root over them if they are signed, else the hash of the last; '': unknown
    signed: bool = True
    at: datetime | None = None  # when it was known, at the latest

    @classmethod
    def of(
        cls, where: str, checkpoint: Checkpoint, base: str, at: datetime | None = None
    ) -> "Known | None":
        """What a checkpoint knows; None if it is of another record."""
        epoch = epoch_of(checkpoint.origin, base)
        if epoch is None:
            return None
        return cls(where, epoch, checkpoint.size, checkpoint.root.hex(), at=at)


class Restored(Struct, frozen=True):
    """A restore that two people accepted."""

    position: int
    at: datetime
    epoch: int  # that begins with it
    continues: int  # up to this event the record is that of the epoch before
    root: str
    until: int
    signed: int
    signed_root: str
    reason: str
    requested_by: str
    approved_by: str

    @property
    def missing(self) -> int:
        """How many events are known to be missing."""
        return self.until - self.continues

    @property
    def words(self) -> str:
        """What happened, for whoever has a checkpoint of before."""
        signed = f"; {self.signed:,} events had been signed" if self.signed else ""
        return (
            f"The record was restored to #{self.continues:,}: {self.missing:,} events up to "
            f"#{self.until:,} are missing{signed}. {self.requested_by} and {self.approved_by} "
            f"accepted that on {self.at:%Y-%m-%d %H:%M} UTC, at #{self.position:,}, with which "
            f"epoch {self.epoch} begins: {self.reason}"
        )


def restores(connection: "psycopg.Connection[Any]") -> list[Restored]:
    """Every restore that was accepted, in order, as far as they can be read."""
    accepted: list[Restored] = []
    for position, topic, fields in _about_restores(connection):
        if topic == events.RecordRestored.TOPIC:
            with suppress(msgspec.MsgspecError):
                accepted.append(msgspec.convert({**fields, "position": position}, Restored))
    return accepted


def undecided(connection: "psycopg.Connection[Any]") -> list[Fields]:
    """What is on record as missing, and nobody decided about yet."""
    waiting: list[Fields] = []
    for _, topic, fields in _about_restores(connection):
        if topic == events.RecordRestored.TOPIC:
            waiting = []
        elif fields.get("line_id"):
            continue  # about which two people decide by itself
        elif {"continues", "until", "signed", "known"} <= fields.keys():
            waiting.append(fields)
    return waiting


def _about_restores(connection: "psycopg.Connection[Any]") -> Iterator[tuple[int, str, Fields]]:
    """Position, topic and fields of each event about one; `audit verify` finds unreadable ones."""
    topics = events.RecordRestored.TOPIC, events.EventsMissing.TOPIC
    for _, position, topic, state in facts_of(connection, PROPERTY_STREAM, topics=topics):
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):
            yield position, topic, msgspec.json.decode(state, type=Fields)


def epoch_now(accepted: Sequence[Restored], position: int | None = None) -> int:
    """The epoch, now or at a position."""
    begun = [each for each in accepted if position is None or each.position < position]
    return begun[-1].epoch if begun else 1


def accepted_loss(accepted: Iterable[Restored], epoch: int, until: int) -> Restored | None:
    """The restore by which events of an epoch are missing, as two people accepted; or None."""
    later = (each for each in accepted if each.epoch > epoch and each.continues < until)
    return next(later, None)


def missing(
    connection: "psycopg.Connection[Any]", known: Iterable[Known], tiles: tree.Tiles
) -> list[Known]:
    """What is known and not in the record, without what two people accepted. Raises NotGrown.

    An event that was changed is not missing: the hash that was recorded with it is still there.
    """
    accepted, head = restores(connection), head_of(connection)
    return [
        each
        for each in known
        if not accepted_loss(accepted, each.epoch, each.until)
        and (each.epoch > epoch_now(accepted) or not _has(connection, each, head, tiles))
    ]


def _has(connection: "psycopg.Connection[Any]", known: Known, head: int, tiles: tree.Tiles) -> bool:
    """Whether the record has what is known."""
    if known.until > head:
        return False
    if not known.mark:  # a witness that saw a checkpoint which is not on record
        return False
    if not known.signed:
        return hash_at(connection, known.until) == known.mark
    as_recorded = stored.tiles_of(connection, recorded=True)
    return any(tree.root(known.until, each).hex() == known.mark for each in (tiles, as_recorded))
