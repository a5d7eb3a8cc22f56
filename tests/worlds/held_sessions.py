"""Sessions of the server that are held between tests, as the house server holds them."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from ops.ledger.database import Database
from ops.ledger.held import Sessions


@contextmanager
def held_in(sessions: Sessions) -> Iterator[None]:
    """What connects in the block does it by a session that is there, if one is."""
    with patch.object(Database, "sessions", sessions):
        yield


@contextmanager
def sessions_held() -> Iterator[None]:
    """The same, with sessions of the block's own."""
    sessions = every_session()
    with held_in(sessions):
        yield
    sessions.close()


def every_session() -> Sessions:
    """For as many as there are, however long they wait."""
    return Sessions(math.inf, math.inf)
