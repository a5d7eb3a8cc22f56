"""How often a PIN is typed, by number and by place: counted before anybody knows if it is right.

So that guesses which are typed at the same time all count, and one place that guesses has to wait
long before it locks a number for everybody. Times are the server's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from domain.rules.pins import seconds_to_wait
from ops.ledger import machine as place
from ops.ledger.recorder import Ledger

if TYPE_CHECKING:
    import psycopg

FORGOTTEN = timedelta(hours=1)  # after which what was typed wrong at a place counts no more

_LOCKED = """
SELECT wrong, until, clock_timestamp() FROM people.pin_places WHERE place = %s FOR UPDATE
"""
_SET = "UPDATE people.pin_places SET wrong = %s, until = %s WHERE place = %s"
_COUNTED = "UPDATE people.staff SET tries = tries + 1 WHERE staff = %s RETURNING tries"


class Try(Struct, frozen=True):
    """One PIN that is typed now: it waits so many seconds, or it is a number's so-manyth."""

    waits: int = 0
    tries: int = 0


def count(ledger: Ledger, staff: str) -> Try:
    """Counts a PIN as wrong, until `forgive`; while the place has to wait, it is not judged."""
    with _place(ledger) as (connection, wrong, until, now):
        if until > now:
            return Try(waits=ceil((until - now).total_seconds()))
        kept = [] if now - until > FORGOTTEN else wrong
        counted = [*kept, _short(staff)]
        waits = timedelta(seconds=seconds_to_wait(len(counted)))
        connection.execute(_SET, (counted, now + waits, place.here().mark))
        row = connection.execute(_COUNTED, (staff,)).fetchone()
    return Try(tries=row[0] if row else 0)


def forgive(ledger: Ledger, staff: str) -> None:
    """The PIN was right: what was wrong with this number before counts no more.

    What was wrong here with other numbers does: nobody's own PIN buys them more guesses.
    """
    with _place(ledger) as (connection, wrong, _, now):
        rest = [each for each in wrong if each != _short(staff)]
        connection.execute(_SET, (rest, now, place.here().mark))
        connection.execute("UPDATE people.staff SET tries = 0 WHERE staff = %s", (staff,))


def _short(staff: str) -> str:
    """Anybody types anything, and it is kept."""
    return staff[:64]


@contextmanager
def _place(
    ledger: Ledger,
) -> Iterator[tuple["psycopg.Connection", list[str], datetime, datetime]]:
    """This place's row, which nobody else counts in meanwhile; and the moment."""
    mark = place.here().mark
    with ledger.connection() as connection, connection.transaction():
        new = "INSERT INTO people.pin_places (place) VALUES (%s) ON CONFLICT DO NOTHING"
        connection.execute(new, (mark,))
        row = connection.execute(_LOCKED, (mark,)).fetchone()
        assert row is not None
        yield connection, *row
