"""Rows that a batch of events changes: held in memory, and written once for each table.

A projection declares each of its tables: the columns of a row, its key, and by which columns rows
are loaded together (a page: all wagers of a coup). Its changes then get, put, change and drop rows.
Rows in the database are loaded page by page, for a whole batch in one query.

>>> class Chip(Row):
...     number: int
...     tray: str
...     worth: int = 5_00
>>> CHIPS = Table("chips", Chip, "number")
>>> IN_A_TRAY = CHIPS.page("tray")
>>> rows = Rows()
>>> rows.put(CHIPS, Chip(number=7, tray="B01"))
>>> rows.change(CHIPS, 7).worth += 20_00
>>> [chip.worth for chip in rows.find(IN_A_TRAY, "B01")], rows.get(CHIPS, 8)
([2500], None)
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar, dataclass_transform

from msgspec import Struct, StructMeta, field

Value = tuple[object, ...]  # of the columns of a key or a page


class _Kind(StructMeta):
    """Makes all columns of a row keyword-only."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any
    ) -> "_Kind":
        return super().__new__(
            mcs, name, bases, namespace, **{"kw_only": True, "gc": False} | config
        )


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class Row(Struct, metaclass=_Kind):
    """One row of a table: a field for each column, under its name."""


R = TypeVar("R", bound=Row)
N = TypeVar("N")


class Table(Generic[R]):
    """A table of a projection: its name, the class of its rows, the columns of its key.

    A row asked for by its key is loaded with the page whose columns the key begins with; alone, if
    there is no such page.
    """

    def __init__(self, name: str, kind: type[R], *key: str) -> None:
        self.name = name
        self.kind = kind
        self.key = key
        self.columns = kind.__struct_fields__
        self.pages: list[Page[R]] = []  # the sets of columns by which rows are loaded
        self.key_of = _values_of(key)
        self.by_key = Page(self, key)

    def page(self, *columns: str) -> "Page[R]":
        """Declares that rows with the same values of these columns are loaded together."""
        page = Page(self, columns)
        self.pages.append(page)
        if columns == self.key[: len(columns)]:
            self.by_key = page
        return page

    def __repr__(self) -> str:
        return f"Table({self.name})"


class Page(Generic[R]):
    """Columns of a table by whose values rows are loaded together."""

    def __init__(self, table: Table[R], columns: tuple[str, ...]) -> None:
        self.table = table
        self.columns = columns
        self.value_of = _values_of(columns)

    def __repr__(self) -> str:
        return f"{self.table}.page{self.columns}"


def _values_of(columns: Sequence[str]) -> Callable[[Any], Value]:
    """Returns a function from a row to the values of these columns, always as a tuple."""
    values: Callable[[Any], Any] = attrgetter(*columns)
    return values if len(columns) > 1 else lambda row: (values(row),)


class Noted(Generic[N]):
    """What the changes of a batch note, to be looked at when it ends: nothing at first."""

    def __init__(self, nothing: Callable[[], N]) -> None:
        self.nothing = nothing


Wanted = Mapping[Page[Any], Collection[Value]]
Load = Callable[[Wanted], Iterable[tuple[Page[Any], Iterable[Any]]]]


class _Held:
    """One table's rows in memory."""

    __slots__ = ("changed", "indexes", "known", "rows", "stored", "table")

    def __init__(self, table: Table[Any]) -> None:
        self.table = table
        self.rows: dict[Value, Any] = {}
        self.stored: set[Value] = set()  # keys in the database
        self.changed: dict[Value, None] = {}  # keys, in the order of their first change
        self.known: dict[Page[Any], set[Value]] = {each: set() for each in table.pages}
        self.known.setdefault(table.by_key, set())
        self.indexes: dict[Page[Any], dict[Value, dict[Value, Any]]] = {
            each: {} for each in table.pages
        }

    def add(self, key: Value, row: Any) -> None:
        self.rows[key] = row
        for page, index in self.indexes.items():
            value = page.value_of(row)
            if value in index:
                index[value][key] = row
            else:
                index[value] = {key: row}

    def remove(self, key: Value) -> None:
        row = self.rows.pop(key)
        for page, index in self.indexes.items():
            del index[page.value_of(row)][key]


class _HeldTables(dict[Table[Any], _Held]):
    def __missing__(self, table: Table[Any]) -> _Held:
        self[table] = held = _Held(table)
        return held


class RowExists(Exception):
    """There is such a row already."""


class Changed:
    """A batch's changes to one table: keys removed, rows added, rows changed."""

    def __init__(self, held: _Held) -> None:
        rows, stored = held.rows, held.stored
        self.table = held.table
        self.gone = [key for key in held.changed if key in stored and key not in rows]
        self.new = [rows[key] for key in held.changed if key in rows and key not in stored]
        self.other = [rows[key] for key in held.changed if key in rows and key in stored]


class Rows:
    """The rows of all tables that a batch of events needs, until they are written.

    `load` reads pages from the database. Without it, rows exist in memory only.
    """

    def __init__(self, load: Load | None = None) -> None:
        self._load = load
        self._held = _HeldTables()
        self._noted: dict[Noted[Any], Any] = {}

    @property
    def loads(self) -> bool:
        """Whether rows may be in the database that are not in memory."""
        return self._load is not None

    def get(self, table: Table[R], *key: object) -> R | None:
        """Returns the row with this key, for reading, or None if there is none."""
        held = self._held[table]
        row: R | None = held.rows.get(key)
        return self._stored(held, key) if row is None and self._load else row

    def change(self, table: Table[R], *key: object) -> R | None:
        """Returns the row with this key, for changing in place, or None if there is none."""
        held = self._held[table]
        row: R | None = held.rows.get(key)
        if row is None and self._load:
            row = self._stored(held, key)
        if row is not None:
            held.changed[key] = None
        return row

    def put(self, table: Table[R], row: R) -> None:
        """Adds a row.

        Raises RowExists for a key in memory; for one in the database, PostgreSQL refuses at
        writing.
        """
        held = self._held[table]
        key = table.key_of(row)
        if key in held.rows:
            raise RowExists(f"{table.name} has a row {', '.join(map(str, key))} already")
        held.add(key, row)
        held.changed[key] = None

    def drop(self, table: Table[R], row: R) -> None:
        """Removes the row."""
        held = self._held[table]
        key = table.key_of(row)
        held.remove(key)
        held.changed[key] = None

    def find(self, page: Page[R], *value: object) -> list[R]:
        """Returns all rows with these values, to be read or dropped, or changed after `mark`.

        Never change the columns of a page: drop the row and put another.
        """
        held = self._held[page.table]
        if self._load and value not in held.known[page]:
            self.load({page: [value]})
        return list(held.indexes[page].get(value, {}).values())

    def mark(self, table: Table[R], row: R) -> R:
        """Marks a row as changed, so that it is written, and returns it."""
        self._held[table].changed[table.key_of(row)] = None
        return row

    def noted(self, what: Noted[N]) -> N:
        """What was noted since it was taken last, to be changed."""
        if what not in self._noted:
            self._noted[what] = what.nothing()
        noted: N = self._noted[what]
        return noted

    def take(self, what: Noted[N]) -> N:
        """What was noted, of which from now on nothing is noted."""
        noted: N = self._noted.pop(what) if what in self._noted else what.nothing()
        return noted

    def load(self, wanted: Wanted) -> None:
        """Loads the pages that will be needed, in one go."""
        if not self._load:
            return
        known = {page: self._held[page.table].known[page] for page in wanted}
        missing = {page: set(values) - known[page] for page, values in wanted.items()}
        for page, loaded in self._load(
            {page: values for page, values in missing.items() if values}
        ):
            held = self._held[page.table]
            known[page] |= missing[page]
            key_of = page.table.key_of
            for row in loaded:
                key = key_of(row)
                if key not in held.rows and key not in held.changed:
                    held.add(key, row)
                    held.stored.add(key)

    def changed(self) -> Iterator[Changed]:
        """The changes to be written, for each table that changed."""
        for held in self._held.values():
            if held.changed:
                yield Changed(held)

    def written(self) -> None:
        """The database has all changes now, and the rows are what it has."""
        for held in self._held.values():
            for key in held.changed:
                if key in held.rows:
                    held.stored.add(key)
                else:
                    held.stored.discard(key)
            held.changed = {}

    def __len__(self) -> int:
        """How many rows are held, and pages that are known."""
        return sum(
            len(held.rows) + sum(map(len, held.known.values())) for held in self._held.values()
        )

    def _stored(self, held: _Held, key: Value) -> Any:
        """The row from the database, or None; loads its page if it was not loaded yet."""
        page = held.table.by_key
        value = key[: len(page.columns)]
        if value in held.known[page]:
            return None
        self.load({page: [value]})
        return held.rows.get(key)
