"""The shoes of a range of coups: of a table, of gaming days, one shoe, or all."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.events import coup as coup_events
from domain.events import shoe as shoe_events
from domain.rules import addresses
from domain.rules.refusals import SENSELESS
from ops.ledger.facts import Fact, Narrowed, bounds, facts_between

if TYPE_CHECKING:
    import psycopg


WINDOW = 100_000  # positions in one search for shoes
_NUMBER = re.compile(r"[1-9][0-9]{0,5}")
# Each names its shoe; a coup is overlooked only if two of them are missing.
_TELL_OF_SHOES = (shoe_events.Loaded.TOPIC, shoe_events.CoupBegun.TOPIC, coup_events.Opened.TOPIC)


class Range(Struct, frozen=True):
    """The coups asked for: of a table, of gaming days (both ends included), of a shoe; or all.

    A shoe that was dealt on two gaming days, over a roll-over, is done whole for either.
    """

    table: str | None = None
    first: date | None = None
    last: date | None = None
    shoe: addresses.Shoe | None = None


class ShoeToWalk(Struct, frozen=True):
    """A shoe, with its coups that are named in other streams."""

    address: addresses.Shoe
    coups: frozenset[int] = frozenset()


def shoes_of(connection: "psycopg.Connection[Any]", asked: Range, head: int) -> list[ShoeToWalk]:
    """Every shoe of the range, by gaming day, table and number."""
    named: dict[str, set[str]] = {}  # numbers of coups, as written
    for _, _, topic, state in _tell_of_shoes(connection, asked, head):
        with suppress(*SENSELESS):
            event = msgspec.json.decode(state)
            if topic == coup_events.Opened.TOPIC:
                shoe, _, number = event["coup"].rpartition("/")
                named.setdefault(shoe, set()).add(number)
            else:
                named.setdefault(event["shoe"], set())
    shoes = {asked.shoe: frozenset[int]()} if asked.shoe else {}
    for name, numbers in named.items():
        with suppress(*SENSELESS):
            address = addresses.Shoe.parse(name)
            if asked.shoe in (None, address):
                shoes[address] = frozenset(map(int, filter(_NUMBER.fullmatch, numbers)))
    return [
        ShoeToWalk(shoe, shoes[shoe])
        for shoe in sorted(shoes, key=lambda each: (*_table_day(each), each.number))
    ]


def _table_day(shoe: addresses.Shoe) -> tuple[date, str]:
    return shoe.table_day.day, shoe.table_day.table


def _tell_of_shoes(
    connection: "psycopg.Connection[Any]", asked: Range, head: int
) -> Iterator[Fact]:
    """Events that name a shoe, read in ranges so that no snapshot stays open."""
    narrowed = Narrowed(asked.table, asked.first, asked.last, _TELL_OF_SHOES)
    at, last = 0, head
    if asked.first or asked.last:
        first, last = bounds(connection, 0, head, narrowed)
        at = first - 1
    while at < last:
        until = min(at + WINDOW, last)
        yield from facts_between(connection, at, until, narrowed)
        at = until
