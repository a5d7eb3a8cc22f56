"""Makes checkpoints: signs the size and the root of the record, records that, and sends it away.

The private key signs here and nowhere else; whoever has no key makes no checkpoint.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from domain.rules.destinations import DIRECTORY, WITNESS, Destination, parse_destinations
from domain.rules.refusals import Refusal
from domain.rules.wording import Words
from ops.commands.casino import Casino
from ops.commands.house_events import house
from ops.handlers.continued import (
    NotContinued,
    known_outside,
    note_missing,
    of_witnesses,
    require_continued,
    undecided_words,
)
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.growth import first_not_about
from ops.ledger.recorder import Ledger, flush
from ops.proof import keys, on_record, seen, sending, stored, tree, witness
from ops.proof.checkpoint import Checkpoint, origin_of
from ops.proof.epochs import Known, epoch_now, restores
from ops.proof.note import NotGood, Verifier, open_note, require_lines, sign
from ops.reports.rebuild import bring_up
from ops.reports.runner import reading_session, require_caught_up
from ops.words.failure import Failure
from projections import PROJECTIONS

if TYPE_CHECKING:
    import psycopg

READ = (PROJECTIONS["tree"], PROJECTIONS["checkpoints"])
# Events of these streams need no checkpoint of their own.


ALARMING = (409, 422)  # by a witness: it knows a longer record, or another one
MOST_TURNS = 4  # in which a witness is asked from another size than before


class NotRecorded(Failure):
    """A checkpoint was signed, and not recorded; the words say why."""


class Record(Struct, frozen=True):
    """The record as it is to be signed, and what was signed of it before."""

    size: int
    root: bytes
    commands: int
    commands_head: str
    news: int  # events since the newest checkpoint, without those about checkpoints
    closed: bool  # whether a table closed since then
    signed_day: date | None  # the gaming day of the newest checkpoint
    origin: str  # '' without a key
    key: str
    second: str
    keys: tuple[str, ...]  # all that signed this record, the present one too


class Made(Struct, frozen=True):
    """A signed checkpoint, with what became of it."""

    checkpoint: Checkpoint
    note: str
    anew: bool  # False: nothing happened since, and it is the one of before
    cosignatures: tuple[str, ...] = ()
    sent: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()  # places that did not take it, in words
    refused: tuple[str, ...] = ()  # witnesses that hold the record to be another


def read_record(database: Database) -> Record:
    """The record now, with the tree grown to its end. Raises LedgerLost, NotFit."""
    with reading_session(database) as (connection, catches_up):
        if catches_up:
            bring_up(connection, *READ)
        else:
            require_caught_up(connection, READ)
        with connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            record = _record(connection)
        flush(connection)
    return record


def _record(connection: "psycopg.Connection[Any]") -> Record:
    size = stored.grown(connection)
    row = connection.execute(
        """
        SELECT coalesce(newest.size, 0), newest.gaming_day, coalesce(key.origin, ''),
               coalesce(key.key, ''), coalesce(key.second, ''),
               coalesce((SELECT closed_at FROM to_sign), 0),
               coalesce(command.number, 0), coalesce(encode(command.hash, 'hex'), repeat('0', 64))
          FROM (VALUES (1)) AS one
          LEFT JOIN (SELECT * FROM checkpoints ORDER BY size DESC LIMIT 1) AS newest ON true
          LEFT JOIN (SELECT * FROM signing_keys ORDER BY position DESC LIMIT 1) AS key ON true
          LEFT JOIN (SELECT * FROM ledger.commands ORDER BY number DESC LIMIT 1) AS command ON true
        """
    ).fetchone()
    assert row is not None
    signed, day, origin, key, second, closed_at, commands, head = row
    return Record(
        size=size,
        root=tree.root(size, stored.tiles_of(connection)),
        commands=commands,
        commands_head=head,
        news=first_not_about(connection, ["checkpoint"], signed, size) is not None,
        closed=closed_at > signed,
        signed_day=day,
        origin=origin_of(origin, epoch_now(restores(connection))) if origin else "",
        key=key,
        second=second,
        keys=tuple(each.key for each in on_record.keys(connection)),
    )


def make(
    dispatcher: Dispatcher, database: Database, more: Sequence[Destination] = ()
) -> Made | None:
    """Signs the record as it is and sends it to the house's places and these; None without a key.

    If nothing happened since the newest checkpoint, that one goes where it is not yet. Raises NoKey
    if the private key is not here; NotContinued if the record was rewritten since that one.
    """
    dispatcher.casino.ledger.require_leader()
    record = read_record(database)
    if not record.key:
        return None
    return _make(dispatcher.for_own_commands(), database, record, more)


def _make(
    dispatcher: Dispatcher, database: Database, record: Record, more: Sequence[Destination]
) -> Made:
    with database.session("sabot_auditor") as connection:
        places = (*parse_destinations(house(connection).checkpoint_to), *more)
    _require_own_checkpoint(dispatcher, database, record)
    require_continued(dispatcher, database, places, anew=bool(record.news))
    if record.news:
        _sign(dispatcher, record)
    with reading_session(database) as (connection, _):
        bring_up(connection, *READ)
        newest = on_record.newest(connection)
        assert newest is not None
        checkpoint, note = Checkpoint.of(newest.note), newest.note
        done = _Done()
        for place in dict.fromkeys(places):
            _send(dispatcher, connection, checkpoint, note, place, done)
    return Made(
        checkpoint,
        note,
        bool(record.news),
        *map(tuple, (done.cosignatures, done.sent, done.problems, done.refused)),
    )


def look(database: Database, more: Iterable[Known] = ()) -> Words | None:
    """What is missing from the record, in words, or None; it is recorded, and the board rings.

    `more`: what else is known of the record. Raises LedgerLost, NotFit.
    """
    read_record(database)
    with (
        database.session("sabot_auditor") as connection,
        closing(Casino(Ledger(database))) as casino,
    ):
        places = parse_destinations(house(connection).checkpoint_to)
        known = [*more, *known_outside(connection, places), *of_witnesses(connection, places)]
        missed = note_missing(Dispatcher(casino, "program"), connection, known)
        return missed or undecided_words(connection)


def _require_own_checkpoint(dispatcher: Dispatcher, database: Database, record: Record) -> None:
    """Checks that the record continues its own newest checkpoint. Raises NotContinued.

    It does not if it was rewritten. Then the board rings until two people have looked at it.
    """
    with database.session("sabot_auditor") as connection:
        newest = on_record.newest(connection)
        before = Checkpoint.of(newest.note) if newest else None
        tiles = stored.tiles_of(connection)
        if not before or tree.root(before.size, tiles) == before.root:
            return
    words = (
        f"The checkpoint of {before.size:,} events on record is not that of these events: the "
        "record was rewritten, and nothing is signed. Run `sabot audit verify`, and call the "
        "regulator."
    )
    named = {"at_event": before.size, "words": words, "since": before.root.hex()}
    _record_line(dispatcher, "audit.failed", fault="not continued", **named)
    raise NotContinued(words)


def _sign(dispatcher: Dispatcher, record: Record) -> None:
    signed = Checkpoint(record.origin, record.size, record.root)
    note = sign(signed.text, *keys.signers(record.key, record.second))
    try:
        seen.keep(record.keys, note)
    except OSError as error:
        raise NotRecorded(
            f"The checkpoint cannot be kept in {error.filename}: {error.strerror}. Nothing is "
            "recorded. Let this account write there, and try again."
        ) from error
    _record_line(
        dispatcher,
        "audit.checkpoint",
        note=note,
        commands=record.commands,
        commands_head=record.commands_head,
    )


def _record_line(dispatcher: Dispatcher, command: str, **fields: object) -> None:
    """Records what became of a checkpoint. Raises NotRecorded."""
    answer = dispatcher.dispatch({"command": command, **fields})
    if not answer.ok:
        raise NotRecorded(answer.reason)


class _Done(Struct):
    """What became of a checkpoint, place by place."""

    cosignatures: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def _send(
    dispatcher: Dispatcher,
    connection: "psycopg.Connection[Any]",
    checkpoint: Checkpoint,
    note: str,
    place: Destination,
    done: _Done,
) -> None:
    """Sends a checkpoint to a place, and records that it is there."""
    size = checkpoint.size
    if place.kind == WITNESS:
        _ask_witness(dispatcher, connection, checkpoint, note, place, done)
        return
    try:
        if place.kind == DIRECTORY:
            sending.put_into(Path(place.address), checkpoint.origin, size, note)
        elif not _has(connection, size, place, "sent"):
            sending.mail(place.address, checkpoint.origin, size, note)
    except sending.NotSent as error:
        done.problems.append(f"{place}: {error}.")
        return
    done.sent.append(str(place))
    if not _has(connection, size, place, "sent"):
        _record_line(dispatcher, "audit.sent", note=note, place=str(place))


def _has(
    connection: "psycopg.Connection[Any]", size: int, place: Destination, what: str
) -> tuple[str] | None:
    """The cosignature of a copy that is on record ('' for none), or None."""
    row: tuple[str] | None = connection.execute(
        "SELECT cosignature FROM checkpoint_copies WHERE (size, place, what) = (%s, %s, %s)",
        (size, place.address, what),
    ).fetchone()
    return row


def _ask_witness(
    dispatcher: Dispatcher,
    connection: "psycopg.Connection[Any]",
    checkpoint: Checkpoint,
    note: str,
    place: Destination,
    done: _Done,
) -> None:
    """Asks a witness to cosign, from the last size that it cosigned on."""
    known = _has(connection, checkpoint.size, place, "cosigned")
    if known:
        done.cosignatures.append(known[0])
        return
    try:
        cosignature = _cosigned(connection, place, note, checkpoint)
    except (witness.WitnessBehind, witness.WitnessRefuses) as error:
        done.refused.append(f"{place}: {error}")
        if error.status in ALARMING:
            _record_line(
                dispatcher,
                "audit.refused",
                note=note,
                witness=place.address,
                status=error.status,
                answer=str(error),
            )
        return
    except (witness.WitnessAway, NotGood, tree.NotProven) as error:
        done.problems.append(f"{place}: {error}")
        return
    done.cosignatures.append(cosignature)
    _record_line(
        dispatcher, "audit.cosigned", note=note, witness=place.address, cosignature=cosignature
    )


def _cosigned(
    connection: "psycopg.Connection[Any]", place: Destination, note: str, checkpoint: Checkpoint
) -> str:
    """The lines by which a witness cosigned, asked again from where it says that it is.

    A witness that looks at the house itself may be further on each time.
    """
    row = connection.execute(
        "SELECT coalesce(max(size), 0) FROM checkpoint_copies JOIN checkpoints USING (size) "
        "WHERE place = %s AND what = 'cosigned' AND starts_with(note, %s)",
        (place.address, f"{checkpoint.origin}\n"),
    ).fetchone()
    assert row is not None
    old, tiles = row[0], stored.tiles_of(connection)
    for _ in range(MOST_TURNS):
        try:
            return _cosigned_from(old, place, note, checkpoint, tiles)
        except witness.WitnessBehind as behind:
            if behind.size == old or behind.size > checkpoint.size:
                raise
            old = behind.size
    return _cosigned_from(old, place, note, checkpoint, tiles)


def _cosigned_from(
    old: int, place: Destination, note: str, checkpoint: Checkpoint, tiles: tree.Tiles
) -> str:
    """The lines by which a witness cosigned, checked if its key is known."""
    proof = tree.consistency(old, checkpoint.size, tiles) if old else []
    cosignature = witness.ask(place.address, old, proof, note)
    require_lines(note + cosignature)
    if place.key:
        opened = open_note(note + cosignature, [Verifier.parse(place.key)])
        if not opened.verified:
            raise NotGood("The signature of the witness is not by its key.")
    return cosignature


def sign_if_due(dispatcher: Dispatcher, database: Database, now: datetime) -> Made | None:
    """Makes a checkpoint if a table closed, or a gaming day ended by `now`, since the newest one.

    None if it is not due, or the key is not here. It hinders nobody: what fails now is tried again
    at the next closing, and by the process that follows the ledger.
    """
    import psycopg

    with suppress(Failure, Refusal, NotGood, tree.NotProven, psycopg.Error, OSError):
        with database.session("sabot_auditor") as connection:
            known = on_record.keys(connection)
            today = house(connection).clock.day_of(now)
        if known and keys.may_sign(known[-1].key):
            record = read_record(database)
            if record.news and (record.closed or _day_is_over(record, today)):
                return make(dispatcher, database)
    return None


def cover(dispatcher: Dispatcher, database: Database, position: int) -> None:
    """Makes a checkpoint if none covers the event at this position, for a proof or a pack.

    Nothing where the house has no key, or its key is not on this machine, or this login may only
    read: what the caller does then says that nothing covers it.
    """
    import psycopg

    with suppress(Failure, Refusal, NotGood, tree.NotProven, psycopg.Error, OSError):
        with database.session("sabot_auditor") as connection:
            known = on_record.keys(connection)
            covered = on_record.covering(connection, position)
        if known and not covered and keys.may_sign(known[-1].key):
            make(dispatcher, database)


def _day_is_over(record: Record, today: date) -> bool:
    """Whether a gaming day ended since the newest checkpoint."""
    return record.signed_day is None or record.signed_day < today
