"""Moments that no calendar has, which somebody put into a row: read as ones far off.

A row that has one is another row than was recorded, and is named so; reading it is no mistake.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from psycopg import DataError
from psycopg.types.datetime import TimestamptzLoader

if TYPE_CHECKING:
    import psycopg
    from psycopg.abc import Buffer

LONG_AGO, FAR_AHEAD = datetime(2, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


class _Loader(TimestamptzLoader):
    def load(self, data: "Buffer") -> datetime:
        """The moment, or one far off for infinity and what is too early or too late."""
        try:
            return super().load(data)
        except DataError:
            text = bytes(data)
            return LONG_AGO if text.startswith(b"-") or text.endswith(b"BC") else FAR_AHEAD


def read_all_moments(connection: "psycopg.Connection[Any]") -> None:
    """Reads every moment of this connection from now on, whatever it is."""
    connection.adapters.register_loader("timestamptz", _Loader)
