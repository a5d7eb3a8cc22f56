"""Verifying the record on one core and on two, compared with only SHA-256 of the same bytes.

Microseconds for each event: a ledger ten times as large should take the same. And a checkpoint: on
a ledger a hundred times as large it should take the same, too.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.cli.audit.verify import walk
from ops.handlers.checkpoints import read_record
from ops.ledger.chain import GENESIS, canonical
from ops.ledger.database import Database
from ops.ledger.reading import read_events
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import Signer, Verifier, sign
from tests.bench.figures import OURS, Figure, Work, in_turn, timed
from tests.bench.parts.read_side import LARGE, SMALL
from tests.bench.setting import Setting

PART = "audit"
VERIFY, GROWTH = "audit verify", "audit verify, small and large"
CHECKPOINT = "signed checkpoint, small and large"
TWO = "Sabot, on two cores"
BARE = "SHA-256 alone"
ORIGIN = "casino.example/bench"
_key = Ed25519PrivateKey.generate()
SIGNER = Signer(Verifier.ed25519(ORIGIN, _key.public_key().public_bytes_raw()), _key.sign)
MOST = 100_000  # events whose bytes are held in memory


def measure(setting: Setting) -> Iterator[Figure]:
    """Microseconds per event: the small ledger compared with bare hashing, then both ledgers."""
    setting.say("audit verify, and hashing alone")
    repeats = 3 if setting.quick else 5
    (events, small), *rest = setting.ledgers
    content = _content(small)
    ways = {
        OURS: _each(partial(walk, small, jobs=1), events),
        TWO: _each(partial(walk, small, jobs=2), events),
        BARE: _each(partial(_hashed, content), len(content)),
    }
    yield Figure(PART, VERIFY, "µs an event", in_turn(ways, repeats))
    del content
    if rest:
        many, large = rest[-1]
        sizes = {
            SMALL: _each(partial(walk, small, jobs=1), events),
            LARGE: _each(partial(walk, large, jobs=1), many),
        }
        yield Figure(PART, GROWTH, "µs an event", in_turn(sizes, repeats), base=SMALL)
    (_, small), *rest = setting.grown
    if rest:
        signed = {
            SMALL: timed(partial(_signed, small)),
            LARGE: timed(partial(_signed, rest[-1][1])),
        }
        yield Figure(PART, CHECKPOINT, "ms", in_turn(signed, repeats * 3), base=SMALL)


def _each(work: Callable[[], object], events: int) -> Work:
    return partial(lambda took: took() * 1000 / events, timed(work))


def _signed(database: Database) -> str:
    """A checkpoint of the record as it is, whose tree was grown before, signed."""
    record = read_record(database)
    return sign(Checkpoint(ORIGIN, record.size, record.root).text, SIGNER)


def _content(database: Database) -> list[bytes]:
    """The bytes that are hashed for each event."""
    with database.session("sabot_auditor") as connection:
        return [canonical(each) for each in read_events(connection, 0, limit=MOST)]


def _hashed(content: list[bytes]) -> bytes:
    head = GENESIS
    for each in content:
        head = hashlib.sha256(b"\x02" + head + each).digest()
    return head
