"""The recorder of the library `eventsourcing`: its own module, its own connection pool.

Its table lock lasts through the commit, which waits for the disk. `functions`: with its database
functions switched on, which its documentation offers for speed; they take no lock, so readers of
its notifications may miss events. Full runs measure both.
"""

from uuid import uuid4

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict

from tests.bench.payload import Payload, Save


def recorder(url: str, *, functions: bool = False) -> PostgresApplicationRecorder:
    """A recorder with a pool of one connection, which is all that a writer needs."""
    address = conninfo_to_dict(url)
    datastore = PostgresDatastore(
        *(str(address[name]) for name in ("dbname", "host", "port", "user")),
        password="",
        enable_db_functions=functions,
    )
    return PostgresApplicationRecorder(datastore)


def install(url: str) -> None:
    """Makes its tables."""
    made = recorder(url)
    made.create_table()
    made.datastore.close()


def saver(url: str, *, functions: bool = False) -> Save:
    """Saves events in a stream of their own; they are on disk when it returns."""
    ours = recorder(url, functions=functions)
    ours.datastore.register_type_adapters()

    def save(payload: Payload) -> None:
        stream = uuid4()
        ours.insert_events([StoredEvent(stream, n, *each) for n, each in enumerate(payload, 1)])

    return save
