"""The parts of a projection and of a report."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from hashlib import sha256
from typing import Any

from msgspec import Struct, field

from domain.rules.permissions import Reading
from projections.rows import Page, Rows, Value


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """One event of the ledger as projections read it; `fields` are those of its own class."""

    position: int
    topic: str
    name: str  # as in an answer
    at: datetime
    recorded_at: datetime
    gaming_day: date
    table: str
    actor: str  # who did it; '' when no name was given
    fields: Mapping[str, Any]
    command_id: str  # the command that caused the event
    metadata: Mapping[str, Any]  # what else is recorded of that command


Change = Callable[[Event, Rows], object]
Loads = Callable[[Event], Iterable[tuple[Page[Any], Value]]]
Finish = Callable[[Rows], None]


def _loads_nothing(_: Event) -> Iterable[tuple[Page[Any], Value]]:
    return ()


def nothing(_: Rows) -> None:
    """Nothing is left to be done."""


class View(Struct, frozen=True, dict=True):
    """A view for analysts, with the meaning of the view and of each of its columns.

    `sql` selects the columns from `projections.…`, by full names.
    """

    name: str
    what: str
    sql: str
    columns: Mapping[str, str]

    @cached_property
    def made(self) -> str:
        """The SQL that creates the view, or replaces one with the same columns."""
        it = f"analysis.{self.name}"
        meanings = (
            f"COMMENT ON COLUMN {it}.{name} IS {_literal(meaning)}"
            for name, meaning in self.columns.items()
        )
        comment = f"COMMENT ON VIEW {it} IS {_literal(self.what)}"
        return ";\n".join((f"CREATE OR REPLACE VIEW {it} AS{self.sql}", comment, *meanings))


def squeezed(sql: str) -> str:
    """The SQL without its comments and line breaks."""
    return " ".join(re.sub(r"--.*", "", sql).split())


class Projection(Struct, frozen=True, dict=True):
    """Rows computed from events: which topics change them, and how.

    `schema`: the SQL that makes the tables and their indexes. `marks`: changes by a word of a
    command's metadata, whatever its events are. `loads`: which rows an event will need, so that a
    batch loads them in one query. Other rows are loaded one by one, which is slower. `finish`: what
    is left to be done with what the changes of a batch noted (`Rows.noted`), before its rows are
    written; they are the same however events are cut into batches. `metadata`: whether the changes
    read that of an event's command; otherwise it may be empty, which is read sooner. `over`: SQL
    run once for each batch of events, with positions above `after` and up to `last`, for values
    that SQL computes from the stored bytes. `views`: what analysts read. `version`: raise it when
    the changes differ, to have all rows computed again; a changed schema does so too.
    """

    name: str
    schema: str
    changes: Mapping[str, Change]
    marks: Mapping[str, Change] = field(default_factory=dict)
    loads: Loads = _loads_nothing
    finish: Finish = nothing
    metadata: bool = True
    over: str | None = None
    views: tuple[View, ...] = ()
    version: int = 1

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The names of the projection's tables."""
        return tuple(re.findall(r"^CREATE TABLE (\w+)", self.schema, re.MULTILINE))

    @cached_property
    def shape(self) -> str:
        """A fingerprint of tables, views and version; SQL comments do not count."""
        views = squeezed("\n".join(each.made for each in self.views))
        fields = squeezed(self.schema), views, str(self.version)
        return sha256(" ".join(fields).encode()).hexdigest()[:16]


class Report(Struct, frozen=True):
    """A question that rows answer. `sql` names every narrowing; one not asked for is null.

    `about`: what it shows, for the list of reports. `words`: the heading and the meaning of its own
    columns; those that several reports have are in `projections/columns.py`. `rows`: its rows, from
    FROM on, without what else their columns need; by these they are counted, and the days of a page
    known. Only for a report without totals, of which a row needs nothing of other days.
    """

    name: str
    title: str
    read_by: Reading | None  # in a closed house; None: the report names nobody and needs no sign-on
    projections: tuple[str, ...]
    columns: tuple[str, ...]  # the fields of a row, by their exact names
    sql: str
    money: tuple[str, ...]  # the columns that are minor units
    narrowings: tuple[str, ...]  # as `ops.reports.narrowings` lists them; day: also days
    shown: tuple[str, ...]  # the columns for a terminal
    about: str = ""
    rows: str = ""  # SQL
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by column, in words
    exact: tuple[str, ...] = ()  # money columns that may have a fraction of a minor unit
    by_spot: tuple[str, ...] = ()  # columns of minor units by spot
    terms: tuple[str, ...] = ()  # columns with the end of a term: shown with its last day
    may_lack: tuple[str, ...] = ()  # money columns that a complete row may leave empty
    no_total: str = ""  # why the sum of its money columns means nothing; '': it has a total
    days_independent: bool = True  # whether a day's rows need only events of that day and the house
    newest_first: bool = True  # whether people read the last row first
    summands: tuple[str, ...] = ()  # money columns that a shown column is the sum of
    signatures: tuple[str, ...] = ()  # on paper: what each person who signs it did
    dropped_first: tuple[str, ...] = ()  # shown columns that a narrow terminal drops first
    named_in: str = ""  # the column that names some of those who are compared: they come first
    warns_of_trays: bool = False  # whether trays that hold less than nothing are named beside it

    @property
    def summed(self) -> tuple[str, ...]:
        """The columns that its total adds up; none for a report without one."""
        return () if self.no_total else self.money


def narrowed(
    *,
    table: str | None = "table_code",
    day: str = "gaming_day",
    shoe: str | None = None,
    at: Sequence[str] = (),
    during: tuple[str, str] | None = None,
    staff: str | None = None,
) -> str:
    """The SQL condition that narrows a report's rows to what was asked for.

    The arguments name the report's own columns of the table, the gaming day, the shoe, the moments
    at which something happened, of which one has to be in the span, or those between which
    something lasted. A range of days includes both ends, and so does a span of moments. `staff`:
    an array of the people who did it.
    """
    asked = [
        f"(%(from)s::date IS NULL OR {day} >= %(from)s)",
        f"(%(to)s::date IS NULL OR {day} <= %(to)s)",
    ]
    if table:
        asked.append(f"(%(table)s::text IS NULL OR {table} = %(table)s)")
    if shoe:
        asked.append(f"(%(shoe)s::text IS NULL OR {shoe} = %(shoe)s)")
    if staff:
        asked.append(f"(%(staff)s::text IS NULL OR %(staff)s = ANY ({staff}))")
    spans = [(each, each) for each in at]
    if during:
        begun, ended = during
        spans.append((begun, f"coalesce({ended}, 'infinity')"))
    if spans:
        asked.append(f"({' OR '.join(_within(*each) for each in spans)})")
    return "\n   AND ".join(asked)


def _within(begun: str, ended: str) -> str:
    """The SQL condition that something of what lasted so long was in the span asked for."""
    return (
        f"((%(since)s::timestamptz IS NULL OR {ended} >= %(since)s)"
        f" AND (%(until)s::timestamptz IS NULL OR {begun} <= %(until)s))"
    )


def _literal(text: str) -> str:
    """The text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
