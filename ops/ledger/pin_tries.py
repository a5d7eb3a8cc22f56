"""Counts the PINs that are typed, for each number and each machine, before they are checked.

Counting first makes guesses at the same time all count. A machine that guesses has to wait long
before the number is locked for everybody. Times are the server's.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from domain.rules.pins import seconds_to_wait
from ops.ledger import machine as place
from ops.ledger.recorder import Ledger
from ops.ledger.row_seals import PLACE, TRIES, seal_of

if TYPE_CHECKING:
    import psycopg

_1970 = datetime(1970, 1, 1, tzinfo=UTC)
FORGOTTEN = timedelta(hours=1)  # after this, a machine's wrong PINs count no more

# Somebody may have put any moment or name into a row: a wait is read as a day at most.
_LOCKED = """
SELECT ARRAY(SELECT each FROM unnest(wrong) AS each WHERE each IS NOT NULL),
       least(greatest(until, clock_timestamp() - interval '1 day'),
             clock_timestamp() + interval '1 day'),
       clock_timestamp()
  FROM people.pin_places WHERE place = %s FOR UPDATE
"""
_SET = "UPDATE people.pin_places SET wrong = %s, until = %s, seal = %s WHERE place = %s"
_COUNTED = """
UPDATE people.staff SET tries = least(tries, 1000000) + 1 WHERE staff = %s RETURNING tries
"""
_SEAL_TRIES = "UPDATE people.staff SET tries = %s, tries_seal = %s WHERE staff = %s"


_TURNS = [threading.Lock() for _ in range(64)]


def turn() -> threading.Lock:
    """Held while a PIN of this machine is checked: the next one waits to see whether it was right.

    Otherwise a form that is sent twice at once would be told to wait because of its own right PIN.
    """
    return _TURNS[hash(place.here().mark) % len(_TURNS)]


class Try(Struct, frozen=True):
    """A PIN that is typed now: how long it must wait, or its place among the number's tries."""

    waits: int = 0  # seconds
    tries: int = 0  # since the number's last right PIN, with this one


def count(ledger: Ledger, staff: str) -> Try:
    """Counts a PIN as wrong, until `forgive`; while the machine must wait, it is not counted."""
    with _place(ledger) as (connection, wrong, until, now):
        if until > now:
            return Try(waits=ceil((until - now).total_seconds()))
        earlier = [] if now - until > FORGOTTEN else wrong
        counted = [*earlier, _short(staff)]
        waits = timedelta(seconds=seconds_to_wait(len(counted)))
        _set(connection, counted, now + waits)
        row = connection.execute(_COUNTED, (staff,)).fetchone()
        if row:
            _set_tries(connection, staff, row[0])
    return Try(tries=row[0] if row else 0)


def forgive(ledger: Ledger, staff: str) -> None:
    """Sets a number's wrong PINs back to 0, because the PIN was right.

    Wrong PINs for other numbers still count: a person's own PIN buys no more guesses.
    """
    with _place(ledger) as (connection, wrong, _, now):
        rest = [each for each in wrong if each != _short(staff)]
        _set(connection, rest, now)
        _set_tries(connection, staff, 0)


def _set(connection: "psycopg.Connection", wrong: list[str], until: datetime) -> None:
    """Sets this machine's wrong PINs, and until when it waits."""
    mark = place.here().mark
    seal = seal_of(PLACE, mark, "\n".join(wrong), (until - _1970) // timedelta(microseconds=1))
    connection.execute(_SET, (wrong, until, seal, mark))


def _set_tries(connection: "psycopg.Connection", staff: str, tries: int) -> None:
    connection.execute(_SEAL_TRIES, (tries, seal_of(TRIES, staff, tries), staff))


def _short(staff: str) -> str:
    """A number that somebody typed, at most 64 characters, because it is stored."""
    return staff[:64]


@contextmanager
def _place(
    ledger: Ledger,
) -> Iterator[tuple["psycopg.Connection", list[str], datetime, datetime]]:
    """This machine's row, locked: the connection, its wrong PINs, until when it waits, and now."""
    mark = place.here().mark
    with ledger.connection() as connection, connection.transaction():
        new = "INSERT INTO people.pin_places (place) VALUES (%s) ON CONFLICT DO NOTHING"
        connection.execute(new, (mark,))
        row = connection.execute(_LOCKED, (mark,)).fetchone()
        assert row is not None
        yield connection, *row
