"""Feeds one batch of the ledger: reads its events once, changes rows in memory, writes the rows.

Each event is decoded once for all projections that are fed together. The rows that their changes
need are loaded by one SELECT for each kind of page. The result is written by one DELETE, one INSERT
and one upsert for each table. Rows travel as JSON, which the server turns into rows of the table's
own type, so that no column's type is written twice. Values computed from the stored bytes, such as
the chain of hashes, are made by SQL on the server for the whole batch (`Projection.over`).

The search path decides which rows these are: the live ones, or a copy.
"""

import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from functools import cache, lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from domain.events.base import event_name
from domain.rules.wording import plain
from ops.ledger.chain import Recorded
from ops.ledger.mapper import UnknownEvent, decoded
from ops.ledger.narrow import Narrow, read_narrow
from ops.ledger.reading import UnreadableEvent, read_events
from ops.ledger.reading import Wanted as WantedEvents
from ops.words.failure import Failure
from projections import Change, Event, Page, Projection, Rows, Table
from projections.rows import Value, Wanted

if TYPE_CHECKING:
    import psycopg

TOGETHER = 2_000  # events that are read and decoded at a time
HELD = 20_000  # events whose rows are held until they are written together
STILL_HELD = 20_000  # rows that are still held once they are written, for the next events
Days = tuple[date | None, date | None]  # the days whose events are enough, both ends included
EVERY_DAY: Days = (None, None)


class ProjectionStopped(Failure):
    """The projection {name} stopped at position {position}: {why}. Its rows stay as they were. If `sabot audit verify` finds nothing, `sabot projections rebuild {name}` makes them anew."""  # noqa: E501

    def __init__(self, name: str, position: int, why: object) -> None:
        words = (type(self).__doc__ or "").format(name=name, position=position, why=why)
        super().__init__(words)
        self.name = name
        self.position = position
        self.why = str(why)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.position, self.why)  # to cross processes


def event_of(event: Recorded | Narrow) -> Event:
    """The event as projections read it. Raises UnknownEvent.

    A kind that only a newer program knows is as it was stored: no projection reads its fields.
    """
    try:
        _, fields = decoded(event.topic, event.state)
    except UnknownEvent as error:
        if error.topic != event.topic:  # a newer version of a known kind
            raise
        fields = msgspec.json.decode(event.state)
    return Event(
        position=event.position,
        topic=event.topic,
        name=_name_of(event.topic, event.originator_version == 1),
        at=datetime.fromisoformat(fields.pop("at")),
        recorded_at=event.recorded_at,
        gaming_day=event.gaming_day,
        table=event.table_code,
        actor=event.actor,
        fields=fields,
        command_id=event.command_id,
        metadata=_metadata_of(event.metadata),
    )


@cache
def _name_of(topic: str, first: bool) -> str:
    return event_name(topic, first=first)


@lru_cache(256)
def _metadata_of(text: str) -> Mapping[str, Any]:
    """The metadata of a command, shared by all its events; nothing if it was not read."""
    known: Mapping[str, Any] = msgspec.json.decode(text) if text else {}
    return known


class Piece(msgspec.Struct, frozen=True):
    """A range of events for projections that have all read up to its beginning."""

    projections: Sequence[Projection]
    after: int
    last: int
    days: Days = EVERY_DAY
    is_last: bool = False  # whether nothing is left to be read after it, of what was asked for


def feed(
    connection: "psycopg.Connection[Any]", piece: Piece, rows: Rows | None = None
) -> Rows | None:
    """Feeds a whole batch or nothing. Raises ProjectionStopped, for one of the projections.

    `rows`: those of the database at the beginning of the piece that are held already. Returns those
    at its end; None, if they became too many to be held.
    """
    import psycopg

    try:
        with connection.transaction(), _nothing_collected():
            return _fold(connection, piece, lambda _: None, rows)
    except psycopg.OperationalError:  # a deadlock or a full disk, which may pass
        raise
    except Exception:
        for each in piece.projections:
            _feed_alone(connection, msgspec.structs.replace(piece, projections=[each]))
        raise


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """No row is dropped before all are written: collecting would only go through them again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _feed_alone(connection: "psycopg.Connection[Any]", piece: Piece) -> None:
    """Feeds one event at a time to find the one that fails; raises it, and keeps nothing."""
    import psycopg

    [projection] = piece.projections
    position = piece.last

    def note(event: Recorded | Narrow) -> None:
        nonlocal position
        position = event.position

    try:
        with connection.transaction(force_rollback=True):
            _fold(connection, piece, note, None, one_by_one=True)
    except UnreadableEvent as error:
        raise ProjectionStopped(projection.name, error.position, error) from error
    except psycopg.OperationalError:
        raise
    except Exception as error:
        raise ProjectionStopped(projection.name, position, error) from error


def _fold(
    connection: "psycopg.Connection[Any]",
    piece: Piece,
    note: Callable[[Recorded | Narrow], None],
    rows: Rows | None,
    one_by_one: bool = False,
) -> Rows | None:
    """Changes the rows, batch by batch; `note` is called with each event before its changes."""
    together, held = (1, 1) if one_by_one else (TOGETHER, HELD)
    changes = Changes(piece.projections)
    at, changed = piece.after, 0
    while at < piece.last:
        rows = _rows(connection, at) if rows is None else rows
        recorded = _read(connection, piece, at, together) if changes else []
        last = recorded[-1].position if len(recorded) == together else piece.last
        events, needed = changes.read(recorded, note, rows)
        with connection.pipeline():
            rows.load(needed)
            for sql in (each.over for each in piece.projections if each.over):
                connection.execute(sql, {"after": at, "last": last})  # during the next steps
            changes.make(events, rows, note)
            at, changed = last, changed + len(recorded)
            if changed >= held or at == piece.last:
                _finish(connection, piece, rows)
                rows, changed = rows if len(rows) <= STILL_HELD else None, 0
    return rows


def _finish(connection: "psycopg.Connection[Any]", piece: Piece, rows: Rows) -> None:
    """What is left to be done for the events so far, and then the writing."""
    for each in piece.projections:
        each.finish(rows)
    write(connection, rows)
    rows.written()


def _rows(connection: "psycopg.Connection[Any]", after: int) -> Rows:
    """The rows at a position; before the first event nothing is stored."""
    return Rows(partial(load, connection)) if after else Rows()


E = TypeVar("E", bound=Recorded | Narrow)
_Read = tuple[E, Event, Sequence[tuple[Projection, Change]]]


class Changes:
    """The changes, by an event's topic and by the words of its command's metadata."""

    def __init__(self, projections: Sequence[Projection]) -> None:
        self._by_topic: dict[str, list[tuple[Projection, Change]]] = {}
        self._by_mark: list[tuple[str, str, Projection, Change]] = []
        for each in projections:
            for topic, change in each.changes.items():
                self._by_topic.setdefault(topic, []).append((each, change))
            for mark, change in each.marks.items():
                self._by_mark.append((f'"{mark}"', mark, each, change))

    def __bool__(self) -> bool:
        return bool(self._by_topic or self._by_mark)

    def read(
        self,
        recorded: Sequence[E],
        note: Callable[[E], None],
        rows: Rows,
    ) -> tuple[list[_Read[E]], dict[Page[Any], set[Value]]]:
        """Decodes each event that changes rows, once, and collects the pages to load."""
        events: list[_Read[E]] = []
        asked: dict[int, Iterable[tuple[Page[Any], Value]]] = {}  # what is asked twice, once
        for each_recorded in recorded:
            note(each_recorded)
            changes = self._of(each_recorded)
            if not changes:
                continue
            event = event_of(each_recorded)
            events.append((each_recorded, event, changes))
            if rows.loads:
                for each, _ in changes:
                    pages = each.loads(event)
                    asked[id(pages)] = pages
        needed: dict[Page[Any], set[Value]] = defaultdict(set)
        for page, value in chain.from_iterable(asked.values()):
            needed[page].add(value)
        return events, needed

    def make(self, events: Sequence[_Read[E]], rows: Rows, note: Callable[[E], None]) -> None:
        """Makes every change of these events, in their order."""
        for recorded, event, changes in events:
            note(recorded)
            for _, change in changes:
                change(event, rows)

    def _of(self, event: Recorded | Narrow) -> Sequence[tuple[Projection, Change]]:
        changes = self._by_topic.get(event.topic, ())
        for text, mark, each, change in self._by_mark:
            if text in event.metadata and mark in _metadata_of(event.metadata):
                changes = [*changes, (each, change)]
        return changes


def _read(
    connection: "psycopg.Connection[Any]", piece: Piece, after: int, limit: int
) -> Sequence[Recorded | Narrow]:
    """The next events with a topic or a word that these projections need."""
    asked = wanted(piece.projections, piece.days)
    if asked.metadata or asked.marks or asked.days != EVERY_DAY:
        return read_events(connection, after, limit, piece.last, asked)
    return read_narrow(connection, after, limit, piece.last, asked.topics)


def wanted(projections: Sequence[Projection], days: Days = EVERY_DAY) -> WantedEvents:
    """Which events these projections read, and what of them."""
    return WantedEvents(
        topics=sorted({topic for each in projections for topic in each.changes}),
        marks=sorted({mark for each in projections for mark in each.marks}),
        metadata=any(each.metadata for each in projections),
        days=days,
    )


def load(
    connection: "psycopg.Connection[Any]", wanted: Wanted
) -> Iterator[tuple[Page[Any], Iterable[Any]]]:
    """Loads the rows of these pages; sends all queries before it reads the first result."""
    asked = []
    for page, values in wanted.items():
        named = [dict(zip(page.columns, value, strict=True)) for value in values]
        asked.append((page, connection.execute(_loading(page), (_json(named),))))
    for page, cursor in asked:
        row = cursor.fetchone()
        assert row is not None
        yield page, _decoder(page.table).decode(row[0])


def write(connection: "psycopg.Connection[Any]", rows: Rows) -> None:
    """Writes the changes: deletions first, so that new rows can take their places."""
    changed = list(rows.changed())
    for each in changed:
        if each.gone:
            named = [dict(zip(each.table.key, key, strict=True)) for key in each.gone]
            connection.execute(_deleting(each.table), (_json(named),))
    for each in changed:
        if each.new:
            connection.execute(_inserting(each.table), (_json(each.new),))
        if each.other:
            connection.execute(_upserting(each.table), (_json(each.other),))


def _json(rows: Sequence[object]) -> str:
    return msgspec.json.encode(rows, enc_hook=plain).decode()


@cache
def _decoder(table: Table[Any]) -> msgspec.json.Decoder[list[Any]]:
    return msgspec.json.Decoder(list[table.kind])  # type: ignore[name-defined]


def _names(columns: Iterable[str], of: str = "") -> str:
    return ", ".join(f'{of}"{each}"' for each in columns)


@cache
def _loading(page: Page[Any]) -> str:
    name = page.table.name
    return f"""
        SELECT coalesce(json_agg(found), '[]')::text
          FROM json_populate_recordset(NULL::{name}, %s) AS asked
          JOIN {name} AS found USING ({_names(page.columns)})
    """  # noqa: S608


@cache
def _deleting(table: Table[Any]) -> str:
    return f"""
        DELETE FROM {table.name} AS it USING json_populate_recordset(NULL::{table.name}, %s) AS gone
         WHERE ({_names(table.key, "it.")}) = ({_names(table.key, "gone.")})
    """  # noqa: S608


@cache
def _inserting(table: Table[Any]) -> str:
    columns = _names(table.columns)
    return f"""
        INSERT INTO {table.name} ({columns})
        SELECT {columns} FROM json_populate_recordset(NULL::{table.name}, %s)
    """  # noqa: S608


@cache
def _upserting(table: Table[Any]) -> str:
    others = [each for each in table.columns if each not in table.key]
    change = f"UPDATE SET ({_names(others)}) = ROW ({_names(others, 'excluded.')})"
    return f"""
        {_inserting(table)}
        ON CONFLICT ({_names(table.key)}) DO {change if others else "NOTHING"}
    """
