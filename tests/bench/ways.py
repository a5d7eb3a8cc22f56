"""The ways in which a writer saves, by name: each opens a connection and returns the save."""

from functools import partial

from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from tests.bench import batching, thin
from tests.bench.ours import save_locked, save_one
from tests.bench.payload import Payload, Save, decided
from tests.bench.rivals import limit as bare
from tests.bench.rivals import message_db, stock

eventsourcing = stock.saver
eventsourcing_functions = partial(stock.saver, functions=True)
messagedb = message_db.saver
limit = bare.saver
rows = bare.row_saver
batched = batching.batched
batched_limit = batching.batched_limit
thin_feed = tls_feed = two_feeds = thin.thin_feed
four_thin_feeds = thin.four_thin_feeds
posting_feed = thin.posting_feed


def sabot(url: str) -> Save:
    """Sabot's ledger, one command at a time."""
    ledger = Ledger(Database(url))

    def save(payload: Payload) -> None:
        save_one(ledger, decided(payload))

    return save


def locked(url: str) -> Save:
    """Sabot's ledger, with its lock held until the flush is done."""
    ledger = Ledger(Database(url))

    def save(payload: Payload) -> None:
        save_locked(ledger, decided(payload))

    return save
