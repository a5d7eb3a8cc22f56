"""What the tests of projections and reports share."""

import pytest

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from tests.worlds.gaming_table import GamingTable, evening, trouble


@pytest.fixture(scope="module")
def played(server):
    """An evening that nobody adds to."""
    with server.database() as database:
        casino = Casino(Ledger(database))
        evening(Dispatcher(casino, "test"))
        casino.close()
        yield database


@pytest.fixture(scope="module")
def troubled(server):
    """Trouble at one table, that nobody adds to."""
    with server.database() as database:
        casino = Casino(Ledger(database))
        trouble(GamingTable(Dispatcher(casino, "test")).open().prepare())
        casino.close()
        yield database


@pytest.fixture
def projector(database):
    """Whoever grows rows."""
    with database.connect("sabot_projector") as connection:
        yield connection
