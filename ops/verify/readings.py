"""Checks the chain of readings: who read what, one row after the other."""

import hashlib
from typing import TYPE_CHECKING, Any

from ops.ledger.chain import GENESIS
from ops.ledger.reading import head_of
from ops.verify.faults import Fault

if TYPE_CHECKING:
    import psycopg

PIECE = 5_000  # rows
_ROWS = """
    SELECT n, ledger.canonical_reading(r), hash FROM ledger.readings AS r
     WHERE n > %s ORDER BY n LIMIT %s
"""
# The last row of the chain as the last whole round found it.
_SEEN = """
    SELECT readings, readings_head, r.hash FROM projections.rounds
      LEFT JOIN ledger.readings AS r ON r.n = readings WHERE readings > 0
"""


def check_readings(connection: "psycopg.Connection[Any]") -> list[Fault]:
    """A fault for the first row that does not fit, and one if the end was cut off."""
    position, at, before = head_of(connection), 0, GENESIS
    below = connection.execute("SELECT FROM ledger.readings WHERE n < 1 LIMIT 1").fetchone()
    if below is not None:
        return [Fault(position, "reading", "A reading was put before the first one.")]
    while rows := connection.execute(_ROWS, (at, PIECE)).fetchall():
        for n, form, stored in rows:
            if n != at + 1:
                return [Fault(position, "reading", f"Reading number {at + 1:,} was deleted.")]
            if hashlib.sha256(b"\x04" + before + form.encode()).digest() != bytes(stored):
                words = f"Reading number {n:,} is not as it was noted: somebody changed it."
                return [Fault(position, "reading", words)]
            at, before = n, bytes(stored)
    seen = connection.execute(_SEEN).fetchone()
    if seen and (seen[2] is None or seen[1] != seen[2]):
        words = f"The readings were cut off: there were {seen[0]:,} when they were last verified."
        return [Fault(position, "reading", words)]
    return []
