"""Events of some kinds as projections read them: without their stream, metadata and hash.

The server takes several times as long to make an event whole, of its form and of what it alone
says, as to find it. So they come as they are stored (`forms.py`), and are made whole here, many at
a time: character by character what the view `ledger.events` has, whatever somebody altered.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, LiteralString

from msgspec import Struct

from ops.ledger.archived import require_here
from ops.ledger.forms import long, whole
from ops.ledger.reading import UnreadableEvent, unreadable

if TYPE_CHECKING:
    import psycopg

_WHICH: LiteralString = "position > %s AND position <= %s AND topic = ANY(%s)"
_READ: LiteralString = f"""
    SELECT state, brief, event.form, shape.form, places, gaming_day, table_code,
           topic, position, recorded_at, actor, command_id, originator_version
      FROM ledger.event_rows AS event LEFT JOIN ledger.forms AS shape ON shape.number = event.form
     WHERE {_WHICH} ORDER BY position LIMIT %s
"""  # noqa: S608


class Narrow(Struct, frozen=True, gc=False):
    """One event, as far as projections need it that read no metadata."""

    state: str | bytes
    gaming_day: date
    table_code: str
    topic: str
    position: int
    recorded_at: datetime
    actor: str
    command_id: str
    originator_version: int
    metadata: str = ""


def read_narrow(
    connection: "psycopg.Connection[Any]",
    after: int,
    limit: int,
    until: int,
    topics: Sequence[str],
) -> list[Narrow]:
    """At most `limit` events of these topics, after a position and up to another.

    Raises UnreadableEvent, Archived.
    """
    import psycopg

    require_here(connection, after, topics)
    asked = after, until, [*topics]
    try:
        rows = connection.execute(_READ, (*asked, limit), binary=True).fetchall()
        return [_narrow(*row) for row in rows]
    except (psycopg.DataError, OverflowError) as error:  # a date that Python cannot represent
        position = unreadable(connection, _WHICH, asked)
        if position is None:
            raise
        raise UnreadableEvent(position) from error


def _narrow(
    stored: bytes,
    brief: str | None,
    number: int | None,
    form: str | None,
    places: int | None,
    day: date,
    table: str,
    *others: Any,
) -> Narrow:
    """One event of what its row has, and of the form with that number, if there is one."""
    if number is None:
        alone = brief or ""
    elif brief is None or form is None or places is None:
        alone = ""
    else:
        alone = whole(form, places, long(brief, table, day))
    state = stored + alone.encode() if stored else alone
    return Narrow(state, day, table, *others)
