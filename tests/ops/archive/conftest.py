"""What is archived: a coup that was played, and signed."""

import pytest

from ops.archive import manifest
from ops.handlers.checkpoints import make
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.signing import new_key

PIECE = 16


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    """Files of a few rows; keys of the test's own."""
    monkeypatch.setattr(manifest, "PIECE", PIECE)
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))


@pytest.fixture
def table(dispatcher):
    return GamingTable(dispatcher).open().prepare()


@pytest.fixture
def key(table, dispatcher, database):
    """A coup was played, and what is on record is signed."""
    table.play(PLAYER_WINS, (3, "player", 100_00))
    made = new_key(dispatcher)
    make(dispatcher, database)
    return made[0]


@pytest.fixture
def place(tmp_path):
    return tmp_path / "archive"
