"""The names of patrons on record that look the same as a name that somebody typed.

The rows of the projection are read as they are, and the ledger from there on: so a decision never
waits for a projection, and never misses a name.
"""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.rules.likeness import looks
from ops.ledger.reading import read_naming
from ops.ledger.schema.declared import changed
from ops.reports.aliases import identity_of
from ops.reports.batch import event_of
from ops.reports.readable import readable
from projections import PROJECTIONS
from projections.people.patrons import names_in

if TYPE_CHECKING:
    import psycopg

_PATRONS, _STAYS = PROJECTIONS["patrons"], PROJECTIONS["ratings"]
_KNOWN = """
    SELECT reached.position, name, table_code, gaming_day
      FROM (SELECT coalesce(max(position), 0) AS position FROM projections.progress
             WHERE projection = %s) AS reached
      LEFT JOIN projections.patron_looks ON look = ANY(%s)
"""
_WITH = """
    SELECT reached.position, named.* FROM (SELECT coalesce(max(position), 0) AS position
      FROM projections.progress WHERE projection = %s) AS reached
      LEFT JOIN (SELECT DISTINCT ON (name) name, table_code, gaming_day
                   FROM projections.patron_looks
                  WHERE position(lower(%s) IN lower(name)) > 0 ORDER BY name LIMIT %s) AS named
        ON true
"""
_IDENTITIES = "SELECT alias, patron FROM projections.patron_identities WHERE alias = ANY(%s)"
_ALIASES = """
    SELECT reached.position, alias
      FROM (SELECT coalesce(max(position), 0) AS position FROM projections.progress
             WHERE projection = %s) AS reached
      LEFT JOIN projections.patron_identities ON patron = %s
"""
_HERE = """
    SELECT reached.position, gaming_day
      FROM (SELECT coalesce(max(position), 0) AS position FROM projections.progress
             WHERE projection = %s) AS reached
      LEFT JOIN projections.stays ON patron = %s
"""
_SHORTEST = 3  # a part of a name that is looked for


class KnownName(Struct, frozen=True):
    """A name on record, and the table and gaming day where it was seated last, if ever."""

    name: str
    table: str
    day: date | None


def names_like(connection: "psycopg.Connection[Any]", *names: str) -> dict[str, KnownName]:
    """The names on record that look the same as one of these, which may be among them."""
    shapes = frozenset[str]().union(*map(looks, names))
    alike, after = dict[str, KnownName](), 0
    if not changed(connection, [_PATRONS]):
        with readable():
            rows = connection.execute(_KNOWN, ("patrons", list(shapes))).fetchall()
        for position, known, table, day in rows:
            after = position
            if known is not None:
                alike[known] = KnownName(known, table, day)
    for event in map(event_of, read_naming(connection, after)):
        for each in (name for name in names_in(event) if not looks(name).isdisjoint(shapes)):
            if event.table or each not in alike:
                day = event.gaming_day if event.table else None
                alike[each] = KnownName(each, event.table, day)
    return dict(sorted(alike.items()))


def patrons_of(connection: "psycopg.Connection[Any]", names: Iterable[str]) -> dict[str, str]:
    """The patron that each of these names stands for, as the rows have it; else the name itself."""
    patrons = {name: name for name in names}
    if not changed(connection, [_PATRONS]):
        patrons.update(connection.execute(_IDENTITIES, (list(patrons),)).fetchall())
    return patrons


def aliases_of(connection: "psycopg.Connection[Any]", patron: str) -> list[str]:
    """The names that were identified as a patron, straight or through another alias.

    A name that was separated since the rows were computed may still be among them.
    """
    aliases, after = {patron}, 0
    if not changed(connection, [_PATRONS]):
        rows = connection.execute(_ALIASES, ("patrons", patron)).fetchall()
        after = max(position for position, _ in rows)
        aliases |= {alias for _, alias in rows if alias}
    newer = {
        event.fields["patron"]: event.fields["patron_is"]
        for event in map(event_of, read_naming(connection, after))
        if "patron_is" in event.fields
    }
    while more := {alias for alias, who in newer.items() if who in aliases} - aliases:
        aliases |= more
    return sorted(aliases - {patron})


def days_here(connection: "psycopg.Connection[Any]", name: str) -> list[date]:
    """The gaming days on which somebody sat down under exactly this name."""
    days, after = set[date](), 0
    if not changed(connection, [_STAYS]):
        with readable():
            rows = connection.execute(_HERE, (_STAYS.name, name)).fetchall()
        after = max(position for position, _ in rows)
        days = {day for _, day in rows if day}
    for event in map(event_of, read_naming(connection, after)):
        if event.table and name in names_in(event):
            days.add(event.gaming_day)
    return sorted(days)


def names_with(connection: "psycopg.Connection[Any]", part: str, most: int) -> dict[str, KnownName]:
    """At most `most` names on record with this text in them."""
    if len(part) < _SHORTEST:
        return {}
    named, after = dict[str, KnownName](), 0
    if not changed(connection, [_PATRONS]):
        with readable():
            rows = connection.execute(_WITH, ("patrons", part, most)).fetchall()
        after = max((row[0] for row in rows), default=0)
        named = {name: KnownName(name, table, day) for _, name, table, day in rows if name}
    for event in map(event_of, read_naming(connection, after)):
        for each in names_in(event):
            if part.lower() in each.lower() and each not in named:
                named[each] = KnownName(each, event.table, event.gaming_day)
    return dict(sorted(named.items())[:most])


def meant_by(connection: "psycopg.Connection[Any]", name: str) -> str:
    """The name on record that somebody means: as typed, or else the only one that looks the same.

    Several aliases of one patron are one. Otherwise the name stays as it was typed.
    """
    known = names_like(connection, name)
    if name in known:
        return name
    patrons = {identity_of(connection, each) for each in known}
    return patrons.pop() if len(patrons) == 1 else name
