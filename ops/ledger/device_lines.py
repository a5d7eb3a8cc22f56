"""The last number of each device's lines, beside the record; the record has it too.

The number is noted before the lines are decided, so that it is on disk with them. A server that
ended in between gets the same lines again, and decides them then. A row that is missing begins with
the highest number of the device's key in the record, so that no number comes back.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.ledger.recorder import Ledger
from ops.ledger.row_seals import DEVICE_LINES, seal_of
from ops.ledger.secrets import digest

if TYPE_CHECKING:
    import psycopg

_SHORT = 16  # letters of the digest of a key
_NEW = """
INSERT INTO people.device_lines (device, key) VALUES (%s, %s) ON CONFLICT DO NOTHING
"""
_LOCKED = """
SELECT last, lines, since FROM people.device_lines WHERE (device, key) = (%s, %s) FOR UPDATE
"""
_SET = """
UPDATE people.device_lines SET last = %s, lines = %s, since = %s, seal = %s
 WHERE (device, key) = (%s, %s)
"""
# A line that named no id of its own has its number in its id. Events have it in their metadata,
# between the moment when the device's key was registered and that of the next.
_RECORDED = """
WITH keyed AS (
    SELECT position, decoded ->> 'staff' AS device, decoded ->> 'key' AS key
      FROM ledger.events, LATERAL (SELECT convert_from(state, 'UTF8')::jsonb AS decoded) AS d
     WHERE topic = 'staff-member.key-registered' AND table_code = ''
), valid AS (
    SELECT device, key, position AS after, lead(position) OVER in_order AS before,
           left(encode(sha256(convert_to(key, 'UTF8')), 'hex'), 16) AS short
      FROM keyed WHERE %(device)s::text IS NULL OR device = %(device)s
    WINDOW in_order AS (PARTITION BY device ORDER BY position)
), of_events AS (
    SELECT position, substring(metadata FROM '"device":"([^"]*)"') AS device,
           substring(metadata FROM '"device_n":([0-9]{1,16})')::bigint AS n
      FROM ledger.events WHERE metadata LIKE '%%"device_n":%%'
), of_commands AS (
    SELECT split_part(command_id, '/', 1) AS device, split_part(command_id, '/', 2) AS short,
           split_part(command_id, '/', 3)::bigint AS n
      FROM ledger.commands WHERE command_id ~ '^[^/]+/[0-9a-f]{16}/[0-9]{1,16}$'
)
SELECT device, key, max(n) FROM (
    SELECT device, key, n FROM valid JOIN of_events USING (device)
     WHERE position > after AND (before IS NULL OR position < before)
     UNION ALL
    SELECT device, key, n FROM valid JOIN of_commands USING (device, short)) AS recorded
 GROUP BY device, key
"""


class Noted(Struct, frozen=True):
    """The number of the last line before these; `again`: the same lines came last time."""

    last: int
    again: bool


def line_id(device: str, key: str, n: int) -> str:
    """The id of a device's line that has none of its own."""
    return f"{device}/{digest(key)[:_SHORT]}/{n}"


def note(ledger: Ledger, device: str, key: str, highest: int, lines: str) -> Noted:
    """Notes the highest number of several lines; `lines`: their digest. Raises LedgerLost."""
    with ledger.connection() as connection, connection.transaction():
        is_new = connection.execute(_NEW, (device, key)).rowcount == 1
        row = connection.execute(_LOCKED, (device, key)).fetchone()
        assert row is not None
        last, before, since = row
        if is_new:
            last = highest_recorded(connection, device).get((device, key), 0)
        if highest > last:
            seal = seal_of(DEVICE_LINES, device, key, highest, last, lines)
            connection.execute(_SET, (highest, lines, last, seal, device, key))
        elif is_new:
            seal = seal_of(DEVICE_LINES, device, key, last, last, "")
            connection.execute(_SET, (last, "", last, seal, device, key))
        elif lines == before:
            return Noted(since, again=True)
    return Noted(last, again=False)


def highest_recorded(
    connection: "psycopg.Connection[Any]", device: str | None = None
) -> dict[tuple[str, str], int]:
    """The highest number that the record has of each device and key; None: of every device."""
    rows = connection.execute(_RECORDED, {"device": device}).fetchall()
    return {(device, key): n for device, key, n in rows}
