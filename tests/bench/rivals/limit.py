"""The limit: what PostgreSQL does if all that counts is that the rows are on disk.

One prepared INSERT of all events: no lock, no order, no chain, no check of versions.
"""

from collections.abc import Callable, Sequence
from uuid import uuid4

import psycopg

from tests.bench.payload import Payload, Save

_TABLE = """
    CREATE TABLE bare (stream uuid NOT NULL, version bigint NOT NULL, topic text NOT NULL,
                       state bytea NOT NULL, PRIMARY KEY (stream, version))
"""
_SEVERAL = """
    INSERT INTO bare SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::text[], %b::bytea[])
"""
_ONE = "INSERT INTO bare VALUES (%s, %s, %s, %b)"


def install(url: str) -> None:
    """Makes a table with a primary key and nothing else."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_TABLE)


def several_saver(url: str) -> Callable[[Sequence[Payload]], None]:
    """Saves several commands' events in one statement, each in a stream of its own."""
    connection = psycopg.connect(url, autocommit=True, prepare_threshold=0)

    def save(payloads: Sequence[Payload]) -> None:
        rows = [
            (stream, n, *each)
            for stream, payload in ((uuid4(), payload) for payload in payloads)
            for n, each in enumerate(payload, 1)
        ]
        connection.execute(_SEVERAL, [list(column) for column in zip(*rows, strict=True)])

    return save


def saver(url: str) -> Save:
    """Saves events in a stream of their own; they are on disk when it returns."""
    several = several_saver(url)
    return lambda payload: several([payload])


def row_saver(url: str) -> Save:
    """Saves a payload's one event by a plain INSERT of one row."""
    connection = psycopg.connect(url, autocommit=True, prepare_threshold=0)

    def save(payload: Payload) -> None:
        ((topic, state),) = payload
        connection.execute(_ONE, (uuid4(), 1, topic, state))

    return save
