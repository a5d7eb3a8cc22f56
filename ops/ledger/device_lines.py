"""The last number of each device's lines, beside the record; the record has it in its metadata.

The number is noted before the lines are decided, so that it is on disk with them. A server that
ended in between gets the same lines again, and decides them then.
"""

from msgspec import Struct

from ops.ledger.recorder import Ledger

_NEW = "INSERT INTO people.device_lines (device, key) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_LOCKED = """
SELECT last, lines, since FROM people.device_lines WHERE (device, key) = (%s, %s) FOR UPDATE
"""
_SET = """
UPDATE people.device_lines SET last = %s, lines = %s, since = last WHERE (device, key) = (%s, %s)
"""


class Noted(Struct, frozen=True):
    """The number of the last line before these; `again`: the same lines came last time."""

    last: int
    again: bool


def note(ledger: Ledger, device: str, key: str, highest: int, lines: str) -> Noted:
    """Notes the highest number of several lines; `lines`: their digest. Raises LedgerLost."""
    with ledger.connection() as connection, connection.transaction():
        connection.execute(_NEW, (device, key))
        row = connection.execute(_LOCKED, (device, key)).fetchone()
        assert row is not None
        last, before, since = row
        if highest > last:
            connection.execute(_SET, (highest, lines, device, key))
        elif lines == before:
            return Noted(since, again=True)
    return Noted(last, again=False)
