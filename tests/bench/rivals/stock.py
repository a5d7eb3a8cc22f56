"""The recorder that comes with the library `eventsourcing`: its own module, its own pool.

Its table lock lasts through the commit, which waits for the disk.
"""

from uuid import uuid4

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict

from tests.bench.payload import Payload, Save


def recorder(url: str) -> PostgresApplicationRecorder:
    """One with a pool of one connection, which a single writer needs."""
    found = conninfo_to_dict(url)
    datastore = PostgresDatastore(
        str(found["dbname"]), str(found["host"]), str(found["port"]), str(found["user"]), ""
    )
    return PostgresApplicationRecorder(datastore)


def install(url: str) -> None:
    """Its tables."""
    made = recorder(url)
    made.create_table()
    made.datastore.close()


def saver(url: str) -> Save:
    """Saves events in a stream of their own, durable when it comes back."""
    ours = recorder(url)
    ours.datastore.register_type_adapters()

    def save(payload: Payload) -> None:
        stream = uuid4()
        ours.insert_events([StoredEvent(stream, n, *each) for n, each in enumerate(payload, 1)])

    return save
