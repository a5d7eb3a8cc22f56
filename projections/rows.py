"""Rows that a batch of events changes: held in memory, and written once for each table.

A projection declares each of its tables: what a row is made of, its key, and by which columns rows
are found together (a page: all wagers of a coup). Its changes then get, put, change and drop rows;
what the database has of them is loaded page by page, all that a batch will look at in one go.

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
    """All columns of a row are given by their names."""

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


class Table(Generic[R]):
    """A table of a projection: its name, what its rows are made of, the columns of its key.

    When a row is asked for by its key, the page is loaded whose columns the key begins with; that
    row alone, if there is no such page.
    """

    def __init__(self, name: str, kind: type[R], *key: str) -> None:
        self.name = name
        self.kind = kind
        self.key = key
        self.columns = kind.__struct_fields__
        self.pages: list[Page[R]] = []  # by which rows are found
        self.key_of = _values_of(key)
        self.by_key = Page(self, key)

    def page(self, *columns: str) -> "Page[R]":
        """Rows that are found together: those with the same values of these columns."""
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
    """Of a row the values of these columns, as a tuple even if it is one."""
    values: Callable[[Any], Any] = attrgetter(*columns)
    return values if len(columns) > 1 else lambda row: (values(row),)


Wanted = Mapping[Page[Any], Collection[Value]]
Load = Callable[[Wanted], Iterable[tuple[Page[Any], Iterable[Any]]]]


class _Held:
    """What is in memory of one table."""

    __slots__ = ("changed", "indexes", "known", "rows", "stored", "table")

    def __init__(self, table: Table[Any]) -> None:
        self.table = table
        self.rows: dict[Value, Any] = {}
        self.stored: set[Value] = set()  # keys that the database has
        self.changed: dict[Value, None] = {}  # keys, in the order in which they changed first
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
    """What a table's rows came to in a batch: keys that went, rows that came, rows that changed."""

    def __init__(self, held: _Held) -> None:
        rows, stored = held.rows, held.stored
        self.table = held.table
        self.gone = [key for key in held.changed if key in stored and key not in rows]
        self.new = [rows[key] for key in held.changed if key in rows and key not in stored]
        self.other = [rows[key] for key in held.changed if key in rows and key in stored]


class Rows:
    """The rows of all tables that a batch of events looks at, until they are written.

    `load` reads pages from the database. Without it nothing is stored yet: what is not in memory
    is nowhere.
    """

    def __init__(self, load: Load | None = None) -> None:
        self._load = load
        self._held = _HeldTables()

    def get(self, table: Table[R], *key: object) -> R | None:
        """The row with this key, to be read; None if there is none."""
        held = self._held[table]
        row: R | None = held.rows.get(key)
        return self._stored(held, key) if row is None and self._load else row

    def change(self, table: Table[R], *key: object) -> R | None:
        """The row with this key, to be changed in place; None if there is none."""
        held = self._held[table]
        row: R | None = held.rows.get(key)
        if row is None and self._load:
            row = self._stored(held, key)
        if row is not None:
            held.changed[key] = None
        return row

    def put(self, table: Table[R], row: R) -> None:
        """A new row. Raises RowExists; or, as it is written, what the database says of another."""
        held = self._held[table]
        key = table.key_of(row)
        if key in held.rows:
            raise RowExists(f"{table.name} has a row {', '.join(map(str, key))} already")
        held.add(key, row)
        held.changed[key] = None

    def drop(self, table: Table[R], row: R) -> None:
        """The row goes."""
        held = self._held[table]
        key = table.key_of(row)
        held.remove(key)
        held.changed[key] = None

    def find(self, page: Page[R], *value: object) -> list[R]:
        """All rows with these values, to be read, or dropped, or changed as `mark` says.

        The columns of a page never change in a row: such a row is dropped, and another one put.
        """
        held = self._held[page.table]
        if self._load and value not in held.known[page]:
            self.load({page: [value]})
        return list(held.indexes[page].get(value, {}).values())

    def mark(self, table: Table[R], row: R) -> R:
        """A row that was found is changed: it is written with the others."""
        self._held[table].changed[table.key_of(row)] = None
        return row

    def load(self, wanted: Wanted) -> None:
        """Pages that are looked at later, all at once."""
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
        """What is to be written of each table that changed."""
        for held in self._held.values():
            if held.changed:
                yield Changed(held)

    def _stored(self, held: _Held, key: Value) -> Any:
        """The row as the database has it, when its page was not loaded yet."""
        page = held.table.by_key
        value = key[: len(page.columns)]
        if value in held.known[page]:
            return None
        self.load({page: [value]})
        return held.rows.get(key)
