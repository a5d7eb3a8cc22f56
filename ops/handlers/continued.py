"""Whether the record has everything that was signed or acknowledged; else the board rings.

A database that was restored, or promoted too early, does not know what came after that. This
machine does, and so do the directories and witnesses to which checkpoints go.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from domain.rules.destinations import DIRECTORY, WITNESS, Destination, parse_destinations
from domain.rules.wording import Words
from ops.commands.house_events import house
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.cluster import server_of
from ops.ledger.database import Database
from ops.ledger.growth import position_at
from ops.ledger.reading import head_of
from ops.proof import epochs, on_record, seen, stored, witness
from ops.proof.checkpoint import Checkpoint, epoch_of
from ops.proof.epochs import Known
from ops.proof.note import NotGood
from ops.proof.tree import NotProven
from ops.words.failure import Failure
from ops.words.language import shown
from ops.words.record_events import missing_words

if TYPE_CHECKING:
    import psycopg


# What comes of a record that somebody altered, or that nobody can reach; `audit verify` names it.
UNREADABLE = (Failure, NotProven, NotGood, msgspec.MsgspecError, LookupError, TypeError)


class NotContinued(Failure):
    """The record is not the one that was signed before, so nothing is signed."""


def require_continued(
    dispatcher: Dispatcher, database: Database, places: Sequence[Destination], *, anew: bool
) -> None:
    """Checks that the record has all that is known of it, wherever that is, before it is signed.

    `anew`: something new is about to be signed, so that the witnesses are asked too.
    What is missing is recorded, and the board rings until two people decide. Raises NotContinued.
    """
    with database.session("sabot_auditor") as connection:
        asked = places if anew else ()
        known = [*known_outside(connection, places), *of_witnesses(connection, asked)]
        missed = note_missing(dispatcher, connection, known) or undecided_words(connection)
    if missed:
        raise NotContinued(f"{shown(missed)} Nothing is signed until then.")


def missed_now(database: Database) -> Words | None:
    """What is missing from the record, in words, or None; only looks. Raises LedgerLost."""
    with database.session("sabot_auditor") as connection:
        known = list(known_outside(connection, ()))
        with suppress(NotProven):  # the reports have not caught up
            if lost := _missing(connection, known):
                return missing_words(_fields(connection, lost[-1], known))
        return undecided_words(connection)


def undecided_words(connection: "psycopg.Connection[Any]") -> Words | None:
    """What is on record as missing while nobody decided, in words, or None."""
    waiting = epochs.undecided(connection)
    return missing_words(waiting[-1]) if waiting else None


def known_outside(
    connection: "psycopg.Connection[Any]", places: Iterable[Destination]
) -> Iterable[Known]:
    """What this machine, the house's directories and these know of the record."""
    known = on_record.keys(connection)
    every = (*parse_destinations(house(connection).checkpoint_to), *places)
    directories = [Path(each.address) for each in every if each.kind == DIRECTORY]
    if known:
        vkeys = [each.key for each in known]
        yield from seen.seen(vkeys, known[-1].origin, dict.fromkeys(directories))
    if mark := seen.mark_of(connection):
        yield mark


def of_witnesses(
    connection: "psycopg.Connection[Any]", places: Iterable[Destination]
) -> Iterable[Known]:
    """What the witnesses know: each is asked with the newest checkpoint that was signed before."""
    newest, known = on_record.newest(connection), on_record.keys(connection)
    if not newest:
        return
    checkpoint = Checkpoint.of(newest.note)
    epoch = epoch_of(checkpoint.origin, known[-1].origin) or 1
    for place in places:
        size = _size_at(place.address, newest) if place.kind == WITNESS else 0
        if size > checkpoint.size:
            yield Known(f"at {place.address}", epoch, size, "")


def _size_at(address: str, newest: on_record.SignedOnRecord) -> int:
    """How many events a witness knows, if it names another number than ours; else 0."""
    try:
        witness.ask(address, newest.size, (), newest.note)
    except witness.WitnessBehind as other:
        return other.size
    except (witness.WitnessRefuses, witness.WitnessAway):
        return 0
    return 0


def note_missing(
    dispatcher: Dispatcher, connection: "psycopg.Connection[Any]", known: Sequence[Known]
) -> Words | None:
    """Records what is missing, and says it; None if nothing is. Raises LedgerLost."""
    fields = None
    for lost in _missing(connection, known):
        fields = _fields(connection, lost, known)
        dispatcher.for_own_commands().dispatch({"command": "audit.missing", **fields})
    return missing_words(fields) if fields else None


def _missing(connection: "psycopg.Connection[Any]", known: Sequence[Known]) -> list[Known]:
    """What is missing, the longest last."""
    lost = epochs.missing(connection, known, stored.tiles_of(connection))
    return sorted(lost, key=lambda each: (each.until, each.signed))


def _fields(
    connection: "psycopg.Connection[Any]", lost: Known, known: Iterable[Known]
) -> dict[str, object]:
    """The fields of the command and the event that say it."""
    moments = [each.at for each in (lost, *known) if each.at and each.until >= lost.until]
    return {
        "continues": _continues(connection, lost, moments),
        "until": lost.until,
        "signed": lost.signed,
        "mark": lost.mark,
        "known": lost.where,
        "epoch": lost.epoch,
        "server": server_of(connection),
    }


def _continues(
    connection: "psycopg.Connection[Any]", lost: Known, moments: Sequence[datetime]
) -> int:
    """Up to which event the record is as it was: what came after that is not yet known then.

    What was recorded after something knew of the missing events came after the restore.
    """
    if moments:
        return min(position_at(connection, min(moments)), lost.until - 1)
    head, newest = head_of(connection), on_record.newest(connection)
    return head if head < lost.until else newest.size if newest else 0
