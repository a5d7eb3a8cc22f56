"""What a projection and a report are made of."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from functools import cached_property
from hashlib import sha256
from typing import Any

from msgspec import Struct, field

from domain.rules.permissions import Reading
from projections.rows import Page, Rows, Value


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """One event of the ledger as projections read it; `fields` are its own."""

    position: int
    topic: str
    name: str  # as an answer calls it
    at: datetime
    recorded_at: datetime
    gaming_day: date
    table: str
    actor: str  # who did it; '' when no name was given
    fields: Mapping[str, Any]
    command_id: str  # whose event it is
    metadata: Mapping[str, Any]  # what else is known of that command


Change = Callable[[Event, Rows], object]
Looks = Callable[[Event], Iterable[tuple[Page[Any], Value]]]


def _looks_at_nothing(_: Event) -> Iterable[tuple[Page[Any], Value]]:
    return ()


class View(Struct, frozen=True, dict=True):
    """A view that analysts read: what it is of, and what each of its columns means.

    `sql` selects the columns from `projections.…`, by full names.
    """

    name: str
    what: str
    sql: str
    columns: Mapping[str, str]

    @cached_property
    def made(self) -> str:
        """The SQL that makes it, or replaces it by columns of the same names."""
        it = f"analysis.{self.name}"
        meanings = (
            f"COMMENT ON COLUMN {it}.{name} IS {_literal(meaning)}"
            for name, meaning in self.columns.items()
        )
        comment = f"COMMENT ON VIEW {it} IS {_literal(self.what)}"
        return ";\n".join((f"CREATE OR REPLACE VIEW {it} AS{self.sql}", comment, *meanings))


class Projection(Struct, frozen=True, dict=True):
    """Rows grown from events: which topics change them, and how.

    `schema`: the SQL that makes its tables and their indexes. `marks`: which words of a command's
    metadata change rows too, whatever its events are. `looks`: at which pages an event's changes
    look; a batch loads them together, and one that is not named here by itself, which takes
    longer. `over`: SQL that is run once over each piece of the ledger, the positions behind
    `after` up to `last`, for what is reckoned of the events' own bytes. `views`: what analysts
    read of it. `version`: of its changes; a higher one has its rows grown anew, as another schema
    does.
    """

    name: str
    schema: str
    changes: Mapping[str, Change]
    marks: Mapping[str, Change] = field(default_factory=dict)
    looks: Looks = _looks_at_nothing
    over: str | None = None
    views: tuple[View, ...] = ()
    version: int = 1

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables."""
        return tuple(re.findall(r"^CREATE TABLE (\w+)", self.schema, re.MULTILINE))

    @cached_property
    def shape(self) -> str:
        """A fingerprint of its tables, its views and its changes' version, but for remarks."""
        schema = re.sub(r"--.*", "", self.schema)
        fields = "\n".join((schema, *(each.made for each in self.views), str(self.version)))
        return sha256(" ".join(fields.split()).encode()).hexdigest()[:16]


class Report(Struct, frozen=True):
    """A question that rows answer. `sql` names every narrowing; one not asked for is null."""

    name: str
    title: str
    read_by: Reading | None  # in a closed house; None: it names nobody, and takes no sign-on
    projections: tuple[str, ...]
    columns: tuple[str, ...]  # the fields of a row, letter by letter
    sql: str
    money: tuple[str, ...]  # the columns that are minor units
    narrowings: tuple[str, ...]  # which of table, day, shoe and patron it knows; `day`: days too
    shown: tuple[str, ...]  # the columns that a terminal has room for
    by_spot: tuple[str, ...] = ()  # the columns that are minor units under the name of each spot
    may_lack: tuple[str, ...] = ()  # the columns of money that a complete row may do without
    adds_up: bool = True  # whether the sum of a column of money says anything
    days_alone: bool = True  # whether a gaming day's rows come of its own events and the house's
    newest_first: bool = True  # whether people read the last row first
    summands: tuple[str, ...] = ()  # columns of money that what a terminal shows is made of
    spare: tuple[str, ...] = ()  # columns of a terminal that a narrow one leaves out first


def narrowed(
    *, table: str | None = "table_code", day: str = "gaming_day", shoe: str | None = None
) -> str:
    """The condition by which a report's rows are narrowed to what was asked for.

    The columns of the table, the gaming day and the shoe are the report's own to name; a range
    of days is both ends included.
    """
    asked = [
        f"(%(from)s::date IS NULL OR {day} >= %(from)s)",
        f"(%(to)s::date IS NULL OR {day} <= %(to)s)",
    ]
    if table:
        asked.append(f"(%(table)s::text IS NULL OR {table} = %(table)s)")
    if shoe:
        asked.append(f"(%(shoe)s::text IS NULL OR {shoe} = %(shoe)s)")
    return "\n   AND ".join(asked)


def _literal(text: str) -> str:
    """The text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
