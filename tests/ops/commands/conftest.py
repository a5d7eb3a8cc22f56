"""What the tests of who may say what share."""

import pytest

from tests.worlds.closed_house import DealerAtWork


@pytest.fixture
def house(database):
    """D-204 is at work, and who stands by is not."""
    house = DealerAtWork(database)
    yield house
    house.close()
