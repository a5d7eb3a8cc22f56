"""The names under which a patron is known, read from the record alone."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from domain.aggregates.patron import Patron
from domain.events import patron as patron_events
from ops.ledger.streams import read_lines

if TYPE_CHECKING:
    import psycopg


def names_of(
    connection: "psycopg.Connection[Any]", patron: str, among: Iterable[str]
) -> frozenset[str]:
    """The patron's names among these; an alias counts once it was identified."""
    who = identity_of(connection, patron)
    return frozenset(
        name for name in sorted(among) if name == patron or identity_of(connection, name) == who
    )


def identity_of(connection: "psycopg.Connection[Any]", patron: str) -> str:
    """The patron that a name stands for, through any number of aliases."""
    seen: set[str] = set()
    while patron not in seen:
        seen.add(patron)
        events = (line.event for line in read_lines(connection, Patron.stream(patron)))
        identified = [
            event.patron_is for event in events if isinstance(event, patron_events.Identified)
        ]
        patron = identified[-1] if identified else patron
    return patron
