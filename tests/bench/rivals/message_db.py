"""Message DB: the SQL functions of its npm package, called prepared by psycopg as Sabot's are.

Several events are one statement that calls `write_message` for each in order, in the one
transaction that its documentation asks for. Streams of coups are one category, as it advises, and
writers to one category wait for one another, because only then are its positions in commit order.
"""

from pathlib import Path
from uuid import uuid4

import psycopg

from tests.bench.payload import Payload, Save

# In the order of its install.sh. Its extension pgcrypto is left out: it gives gen_random_uuid(),
# which PostgreSQL has had by itself since 13, and embedded servers come without it.
_FILES = (
    *("schema/message-store", "tables/messages", "types/message"),
    *(
        f"functions/{name}"
        for name in (
            *("message-store-version", "hash-64", "acquire-lock", "category", "is-category", "id"),
            *("cardinal-id", "stream-version", "write-message", "get-stream-messages"),
            *("get-category-messages", "get-last-stream-message"),
        )
    ),
    *("indexes/messages-id", "indexes/messages-category", "indexes/messages-stream"),
)
_PATH = "SET search_path = message_store, public"
_WRITE = """
    SELECT message_store.write_message(
        gen_random_uuid()::varchar, %s::varchar, topic::varchar, data::jsonb, NULL, n - 2)
      FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS events (topic, data, n)
"""


def install(url: str, packages: Path) -> None:
    """Makes its schema, from the package's own files."""
    database = packages / "@eventide" / "message-db" / "database"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_PATH)
        for name in _FILES:
            connection.execute((database / f"{name}.sql").read_bytes())


def saver(url: str) -> Save:
    """Saves events in a stream of their own; they are on disk when it returns."""
    connection = psycopg.connect(url, autocommit=True, prepare_threshold=0)
    connection.execute(_PATH)

    def save(payload: Payload) -> None:
        topics = [topic for topic, _ in payload]
        data = [state.decode() for _, state in payload]
        connection.execute(_WRITE, (f"coup-{uuid4()}", topics, data)).fetchall()

    return save
