"""Counts a house's verified log: event by event into the house's own rows, and so into facts.

First the facts are written, then the rows with the position up to which both count. A count that is
killed before that is done again from the position before, and replaces what it had written.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from typing import Any

from msgspec.structs import replace

from domain.aggregates.property import PROPERTY_STREAM
from ops.group import barrings, parquet
from ops.group.facts import KINDS, Differences, Fact, Kind
from ops.group.folded import Counted, Folded, counting, reading
from ops.group.members import Member
from ops.ledger.chain import Recorded, leaf, read_canonical
from ops.proof.tree import NotProven
from ops.reports.batch import STILL_HELD, TOGETHER, Changes
from projections import PROJECTIONS, Page, Rows
from projections.rows import Row, Table, Value, Wanted

COMMITTED = 40_000  # events whose rows and facts are written together
_NAMES = ("table_win", "commission_owed", "ratings", "cash", "patrons")
_PROJECTIONS = [*(PROJECTIONS[name] for name in _NAMES), barrings.PROJECTION]

Progress = Callable[[int], object]


class _Stopped(Exception):
    """An event cannot be counted."""

    def __init__(self, position: int, why: Exception) -> None:
        super().__init__(f"event #{position:,} cannot be counted: {str(why) or repr(why)}")
        self.position = position


def count(of: Member, progress: Progress = lambda _: None) -> Counted:
    """Counts what is held of a house and was not counted yet. Raises WithoutParquet.

    At an event that cannot be counted it ends, and says why. `progress` gets each position that is
    reached.
    """
    size = of.held.size if of.held else 0
    try:
        return _count(of, size, "", progress)
    except _Stopped as error:
        return _count(of, error.position - 1, str(error), progress)
    except NotProven as error:
        why = f"{error} Move {of.log} elsewhere as evidence, and pull {of.name} again."
        return replace(counted(of), stopped=why)


def counted(of: Member) -> Counted:
    """How far a house is counted."""
    with reading(of.folded) as folded:
        return folded.counted


def is_far(of: Member, at_most: int) -> bool:
    """Whether there is more to count than so many events, in a house that is counted as now."""
    before = counted(of)
    behind = (of.held.size if of.held else 0) - before.position
    return behind > at_most and (before.position == 0 or before.shape == _shape())


def _count(of: Member, size: int, stopped: str, progress: Progress) -> Counted:
    with counting(of.folded) as folded:
        before = folded.counted
        if not _continues(of, before):
            folded.clear()
            folded.commit()
            before = Counted(shape=_shape())
        if before.position == 0:
            for kind in KINDS.values():
                parquet.clear(kind.name, of.name)
        if before.position < size or before.stopped != stopped:
            _Count(of, folded, before, progress).until(size, stopped)
        return folded.counted


def _continues(of: Member, before: Counted) -> bool:
    """Whether what is held continues what was counted, and rows are as they were then."""
    held = of.held.size if of.held else 0
    if before.shape != _shape() or held < before.position:
        return False
    entries = of.entries(before.position - 1, before.position) if before.position else ()
    return all(leaf(each).hex() == before.hash for each in entries)


def _shape() -> str:
    """A fingerprint of the rows and the facts; when it differs, all is counted again."""
    shapes = [each.shape for each in _PROJECTIONS]
    shapes += [f"{each.name} {[*each.columns]} {each.dated}" for each in KINDS.values()]
    return sha256(" ".join(shapes).encode()).hexdigest()[:16]


class _Count:
    """One count of a house."""

    def __init__(self, of: Member, folded: Folded, at: Counted, progress: Progress) -> None:
        self._of, self._folded, self._at, self._progress = of, folded, at, progress
        self._changes = Changes(_PROJECTIONS)
        self._written: dict[Table[Any], dict[Value, Row | None]] = defaultdict(dict)
        self._facts: dict[str, tuple[Kind, list[Fact]]] = {}
        self._begin()

    def _begin(self) -> None:
        """Holds no rows, so that those that are needed are loaded."""
        self._rows = Rows(self._load if self._at.position else None)
        self._differences = Differences()

    def until(self, size: int, stopped: str) -> None:
        """Counts up to an event. Raises _Stopped."""
        entries = self._of.entries(self._at.position, size)
        while batch := [read_canonical(each)[0] for each in islice(entries, TOGETHER)]:
            self._take(batch)
            last = batch[-1]
            self._at = Counted(last.position, last.hash.hex(), self._at.shape)
            self._progress(last.position)
            if len(self._rows) > STILL_HELD or last.position % COMMITTED < TOGETHER:
                self._write()
        self._at = replace(self._at, stopped=stopped)
        self._write()

    def _take(self, batch: list[Recorded]) -> None:
        """Makes the changes of these events, and notes the facts of each."""
        at = batch[0].position

        def note(event: Recorded) -> None:
            nonlocal at
            at = event.position
            if event.originator_id == PROPERTY_STREAM:
                self._folded.add_setting(event.position, event.topic, event.state)

        try:
            events, needed = self._changes.read(batch, note, self._rows)
            self._rows.load(needed)
            for each in events:
                at = each[0].position
                self._changes.make([each], self._rows, lambda _: None)
                self._note(each[0])
        except Exception as error:
            raise _Stopped(at, error) from error

    def _note(self, event: Recorded) -> None:
        """Notes the facts of an event, and which rows it changed."""
        changes = [*self._rows.changed()]
        for kind, fact in self._differences.of(event, changes):
            self._facts.setdefault(kind.name, (kind, []))[1].append(fact)
        for changed in changes:
            written, key_of = self._written[changed.table], changed.table.key_of
            written.update(dict.fromkeys(changed.gone))
            written.update((key_of(row), row) for row in (*changed.new, *changed.other))
        self._rows.written()

    def _load(self, wanted: Wanted) -> Iterator[tuple[Page[Any], list[Any]]]:
        """The rows of pages, but those that changed since they were written."""
        for page, rows in self._folded.load(wanted):
            changed, key_of = self._written[page.table], page.table.key_of
            stored = [each for each in rows if key_of(each) not in changed]
            for row in stored:
                self._differences.loaded(page.table, row)
            yield page, stored

    def _write(self) -> None:
        """Puts facts, rows and the position on disk, in this order."""
        after = self._folded.counted.position
        for kind, facts in self._facts.values():
            parquet.add(kind, self._of.name, after, facts)
        for table, rows in self._written.items():
            self._folded.write(table, rows)
        self._folded.note(self._at)
        self._folded.commit()
        self._facts, self._written = {}, defaultdict(dict)
        if len(self._rows) > STILL_HELD:
            self._begin()
