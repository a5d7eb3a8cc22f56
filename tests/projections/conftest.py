"""What the tests of projections and reports share."""

import pytest

from tests.worlds.gaming_table import GamingTable, evening, mouth_on, trouble


@pytest.fixture(scope="module")
def played(server):
    """An evening that nobody adds to."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
        yield database


@pytest.fixture(scope="module")
def troubled(server):
    """Trouble at one table, that nobody adds to."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            trouble(GamingTable(dispatcher).open().prepare())
        yield database
