"""What the tests of who may say what share."""

import pytest

from tests.worlds.closed_house import DealerAtWork


@pytest.fixture(scope="session")
def dealer_at_work(server):
    """A ledger in which D-204 is at work and who stands by is not, and everybody's token."""
    with server.database() as database:
        house = DealerAtWork(database)
        house.close()
        yield database, house.tokens


@pytest.fixture
def database(request, server):
    """An empty ledger; a copy of that one for a test that asks for its `house`."""
    if "dealer_at_work" in request.fixturenames:
        with server.database(like=request.getfixturevalue("dealer_at_work")[0]) as database:
            yield database
    else:
        yield request.getfixturevalue("database")


@pytest.fixture
def house(dealer_at_work, database):
    _, tokens = dealer_at_work
    house = DealerAtWork.found(database, tokens)
    yield house
    house.close()
