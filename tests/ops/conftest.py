"""What the tests of paper, exports and SQL share."""

import pytest

from ops.casino import Casino
from ops.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from tests.projections import Pit, evening, trouble


@pytest.fixture(scope="module")
def night(server):
    """An evening, trouble at one table and somebody who is enrolled; nobody adds to it."""
    with server.database() as database:
        casino = Casino(Ledger(database))
        dispatcher = Dispatcher(casino, "test")
        evening(dispatcher)
        trouble(Pit(dispatcher, "B04").open().prepare())
        enrol = {"command": "staff.enrol", "staff": "D-9", "name": "Dan", "role": "dealer"}
        assert dispatcher.dispatch(enrol).ok
        casino.close()
        yield database
