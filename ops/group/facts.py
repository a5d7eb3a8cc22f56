"""What each event changes in a house's own rows: the facts that a group's reports add up.

A fact is the difference that one event makes in one row of a projection. So the facts up to an
event add up to the row as the house has it there, and no rule about money is written twice.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from ops.group.barrings import BARRINGS
from ops.ledger.chain import Recorded
from projections.commission.owed import COMMISSION
from projections.money.cash_log import CASH_MOVED
from projections.money.table_wins import TABLE_WINS
from projections.people.patrons import IDENTITIES
from projections.people.ratings import STAYS
from projections.rows import Changed, Row, Table, Value

DAY = "gaming_day"  # of every row
POSITION, RECORDED = "position", "recorded_at"  # of a fact's event


class Kind(Struct, frozen=True):
    """The facts about the rows of a table: what names a row, and what of it is added up.

    `may_lack`: those that are unknown in some rows. A fact says of each how many more rows know it.
    `dated`: whether a row is of one gaming day; otherwise a fact has that of its event.
    """

    table: Table[Any]
    names: tuple[str, ...]
    sums: tuple[str, ...]
    may_lack: tuple[str, ...] = ()
    dated: bool = True

    @property
    def name(self) -> str:
        """That of the table."""
        return self.table.name

    @property
    def columns(self) -> Mapping[str, str]:
        """The columns of a fact, and what each holds."""
        return {
            POSITION: "number",
            RECORDED: "moment",
            DAY: "day",
            **dict.fromkeys(self.names, "text"),
            **dict.fromkeys(self.numbers, "number"),
        }

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns that are added up: how many rows, what is in them, how many know it."""
        return ("rows", *self.sums, *map(known, self.may_lack))

    def labels(self, row: Row) -> Value:
        """The gaming day of a row, None for one without; and what names it."""
        day = getattr(row, DAY) if self.dated else None
        return (day, *(getattr(row, each) for each in self.names))

    def measured(self, row: Row | None) -> tuple[int, ...]:
        """What a row adds to each sum, first to the number of rows; no row adds nothing."""
        if row is None:
            return (0,) * (1 + len(self.sums) + len(self.may_lack))
        values = [getattr(row, each) for each in self.sums]
        lacking = [getattr(row, each) is not None for each in self.may_lack]
        return (1, *(each or 0 for each in values), *map(int, lacking))


def known(column: str) -> str:
    """The column that says how many rows know a sum."""
    return f"{column}_known"


WINS = Kind(
    TABLE_WINS,
    ("table_code",),
    (
        *("opener", "fills", "credits", "closer", "drop_counted", "cash_out"),
        *("win_by_wagers", "commission", "promotions"),
    ),
    ("closer", "drop_counted"),
)
OWED = Kind(
    COMMISSION,
    ("table_code", "stay", "shoe", "patron"),
    ("brought_forward", "charged", "corrections", "collected", "waived", "walked"),
)
SEATED = Kind(STAYS, ("table_code", "stay", "patron"), ("buy_in",))
CASH = Kind(CASH_MOVED, ("table_code", "patron", "direction"), ("amount",))
IDENTIFIED = Kind(IDENTITIES, ("alias", "patron"), (), dated=False)
BARRED = Kind(BARRINGS, ("patron", "kind"), (), dated=False)
KINDS = {each.table: each for each in (WINS, OWED, SEATED, CASH, IDENTIFIED, BARRED)}

Fact = tuple[Any, ...]  # one value for each of `Kind.columns`


class Differences:
    """The rows as they were after the event before, so far as they add up to anything."""

    def __init__(self) -> None:
        self._before: dict[tuple[str, Value], tuple[Value, tuple[int, ...]]] = {}

    def loaded(self, table: Table[Any], row: Row) -> None:
        """Notes a row as it was stored."""
        if kind := KINDS.get(table):
            before = kind.labels(row), kind.measured(row)
            self._before.setdefault((table.name, table.key_of(row)), before)

    def of(self, event: Recorded, changes: Iterable[Changed]) -> Iterator[tuple[Kind, Fact]]:
        """The facts of an event, after its changes."""
        for changed in changes:
            if kind := KINDS.get(changed.table):
                for key in changed.gone:
                    was, before = self._before.pop((kind.name, key))
                    yield kind, _fact(event, was, kind.measured(None), before)
                for row in (*changed.new, *changed.other):
                    yield from ((kind, fact) for fact in self._of_row(kind, event, row))

    def _of_row(self, kind: Kind, event: Recorded, row: Row) -> Iterator[Fact]:
        """The facts of a row that is new, or has changed; two, if it has another name now."""
        key, nothing = (kind.name, kind.table.key_of(row)), kind.measured(None)
        labels, after = kind.labels(row), kind.measured(row)
        was, before = self._before.get(key, (labels, nothing))
        self._before[key] = labels, after
        if was != labels:
            yield _fact(event, was, nothing, before)
            before = nothing
        if after != before:
            yield _fact(event, labels, after, before)


def _fact(event: Recorded, labels: Value, after: tuple[int, ...], before: tuple[int, ...]) -> Fact:
    more = (now - then for now, then in zip(after, before, strict=True))
    day, *names = labels
    return (event.position, event.recorded_at, day or event.gaming_day, *names, *more)
