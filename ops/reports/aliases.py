"""The names under which a patron is known, read from the record alone."""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Any

from domain.aggregates.patron import Patron
from domain.events import patron as patron_events
from ops.ledger.mapper import event_of
from ops.ledger.reading import head_of, read_house
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


def every_name_of(connection: "psycopg.Connection[Any]", patron: str) -> list[str]:
    """The name, the patron that it stands for, and every alias of that patron."""
    who, topics = identity_of(connection, patron), [patron_events.Identified.TOPIC]
    events = map(event_of, read_house(connection, topics, date.min, head_of(connection)))
    aliases = {event.patron for event in events if isinstance(event, patron_events.Identified)}
    return sorted({patron, who, *names_of(connection, patron, aliases)})


def identity_of(connection: "psycopg.Connection[Any]", patron: str) -> str:
    """The patron that a name stands for, through any number of aliases."""
    seen: set[str] = set()
    while patron not in seen:
        seen.add(patron)
        named = patron
        for line in read_lines(connection, Patron.stream(patron)):
            if isinstance(line.event, patron_events.Identified):
                named = line.event.patron_is
            elif isinstance(line.event, patron_events.Separated):
                named = patron
        patron = named
    return patron
