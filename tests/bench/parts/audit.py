"""Verifying the chain, compared with only SHA-256 of the same bytes, on a small and a large ledger.

Microseconds for each event: a ledger ten times as large should take the same.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial

from ops.cli.audit import walk
from ops.ledger.chain import GENESIS, canonical
from ops.ledger.database import Database
from ops.ledger.reading import read_events
from tests.bench.figures import OURS, Figure, Work, in_turn, timed
from tests.bench.parts.read_side import LARGE, SMALL
from tests.bench.setting import Setting

PART = "audit"
VERIFY, GROWTH = "audit verify", "audit verify, small and large"
BARE = "SHA-256 alone"
MOST = 100_000  # events whose bytes are held in memory


def measure(setting: Setting) -> Iterator[Figure]:
    """Microseconds per event: the small ledger compared with bare hashing, then both ledgers."""
    setting.say("audit verify, and hashing alone")
    repeats = 3 if setting.quick else 5
    (events, small), *rest = setting.ledgers
    content = _content(small)
    ways = {
        OURS: _each(partial(walk, small), events),
        BARE: _each(partial(_hashed, content), len(content)),
    }
    yield Figure(PART, VERIFY, "µs an event", in_turn(ways, repeats))
    del content
    if rest:
        many, large = rest[-1]
        sizes = {
            SMALL: _each(partial(walk, small), events),
            LARGE: _each(partial(walk, large), many),
        }
        yield Figure(PART, GROWTH, "µs an event", in_turn(sizes, repeats), base=SMALL)


def _each(work: Callable[[], object], events: int) -> Work:
    return partial(lambda took: took() * 1000 / events, timed(work))


def _content(database: Database) -> list[bytes]:
    """The bytes that are hashed for each event."""
    with database.session("sabot_auditor") as connection:
        return [canonical(each) for each in read_events(connection, 0, limit=MOST)]


def _hashed(content: list[bytes]) -> bytes:
    head = GENESIS
    for each in content:
        head = hashlib.sha256(b"\x02" + head + each).digest()
    return head
