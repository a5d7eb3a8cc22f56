"""The names under which a patron is known, read from the record alone."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec import Struct

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


class Known(Struct, frozen=True):
    """Who every alias was identified as, at one position of the record."""

    aliases: Mapping[str, str]  # an alias, and the name that it was identified as

    def who(self, name: str) -> str:
        """The patron that a name stands for, through any number of aliases."""
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            name = self.aliases.get(name, name)
        return name

    def names(self, *names: str) -> frozenset[str]:
        """These names, the patrons that they stand for, and every alias of those."""
        patrons = {self.who(name) for name in names}
        aliases = {alias for alias in self.aliases if self.who(alias) in patrons}
        return frozenset({*names, *patrons, *aliases})


def known_at(connection: "psycopg.Connection[Any]", until: int | None = None) -> Known:
    """Who every alias is now, or was as of a position. Raises UnreadableEvent."""
    aliases: dict[str, str] = {}
    topics = [patron_events.Identified.TOPIC, patron_events.Separated.TOPIC]
    last = head_of(connection) if until is None else until
    for event in map(event_of, read_house(connection, topics, date.min, last)):
        if isinstance(event, patron_events.Identified):
            aliases[event.patron] = event.patron_is
        elif isinstance(event, patron_events.Separated):
            aliases.pop(event.patron, None)
    return Known(aliases)


def every_name_of(connection: "psycopg.Connection[Any]", patron: str) -> list[str]:
    """The name, the patron that it stands for, and every alias of that patron."""
    return sorted(known_at(connection).names(patron))


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
