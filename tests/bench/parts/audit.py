"""Verifying the record on one core, over only SHA-256 of the same bytes; on two cores; and again.

Microseconds for each event. What a run takes on any ledger counts little on the large one, so that
is compared with hashing. One ten times as large as another should take the same, and two cores less
where the ledger is large enough to start another process; the server works on the same cores.
Verified again, only what came since is read, and what is beside the record: the time of all of it.
And a checkpoint: on a ledger a hundred times as large it should take the same, too.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from tempfile import TemporaryDirectory

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.cli.audit.verify import walk
from ops.handlers.checkpoints import read_record
from ops.ledger.chain import GENESIS, canonical
from ops.ledger.database import Database
from ops.ledger.reading import read_events
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import Signer, Verifier, sign
from ops.verify.whole import verify_record
from tests.bench.figures import OURS, Figure, Work, in_turn, timed
from tests.bench.parts.read_side import LARGE, SMALL
from tests.bench.setting import Setting

PART = "audit"
VERIFY, GROWTH = "audit verify", "audit verify, small and large"
AGAIN = "audit verify again, small and large"
CHECKPOINT = "signed checkpoint, small and large"
TWO = "the large ledger, on two cores"
BARE = "SHA-256 alone"
ORIGIN = "casino.example/bench"
_key = Ed25519PrivateKey.generate()
SIGNER = Signer(Verifier.ed25519(ORIGIN, _key.public_key().public_bytes_raw()), _key.sign)
MOST = 100_000  # events whose bytes are held in memory


def measure(setting: Setting) -> Iterator[Figure]:
    """Microseconds per event: the large ledger compared with bare hashing, then both ledgers."""
    setting.say("audit verify, and hashing alone")
    repeats = 3 if setting.quick else 5
    (events, small), *rest = setting.ledgers
    many, large = setting.ledgers[-1]
    content = _content(large)
    ways = {
        OURS: _each(partial(_verified, large, jobs=1), many),
        BARE: _each(partial(_hashed, content), len(content)),
    }
    yield Figure(PART, VERIFY, "µs an event", in_turn(ways, repeats))
    del content
    if rest:
        sizes = {
            SMALL: _each(partial(_verified, small, jobs=1), events),
            LARGE: _each(partial(_verified, large, jobs=1), many),
            TWO: _each(partial(_verified, large, jobs=2), many),
        }
        yield Figure(PART, GROWTH, "µs an event", in_turn(sizes, repeats), base=SMALL)
        with _verified_before(small) as first, _verified_before(large) as second:
            again = {SMALL: timed(first), LARGE: timed(second)}
            yield Figure(PART, AGAIN, "ms", in_turn(again, repeats), base=SMALL)
    (_, small), *rest = setting.grown
    if rest:
        signed = {
            SMALL: timed(partial(_signed, small)),
            LARGE: timed(partial(_signed, rest[-1][1])),
        }
        yield Figure(PART, CHECKPOINT, "ms", in_turn(signed, repeats * 3), base=SMALL)


def _each(work: Callable[[], object], events: int) -> Work:
    return partial(lambda took: took() * 1000 / events, timed(work))


def _verified(database: Database, jobs: int) -> None:
    """The whole record, as the command verifies it; how far that was is not kept."""
    with _bookmark_in(os.devnull):
        verify_record(database, partial(walk, database, jobs))


@contextmanager
def _verified_before(database: Database) -> Iterator[Callable[[], None]]:
    """Gives what verifies the record again, from where it was verified before."""

    def again() -> None:
        with _bookmark_in(directory):
            assert verify_record(database, work, new=True).since

    work = partial(walk, database, 1)
    with TemporaryDirectory(prefix="sabot-bench-") as directory:
        with _bookmark_in(directory):
            verify_record(database, work)
        yield again


@contextmanager
def _bookmark_in(directory: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SABOT_VERIFIED", directory)
        yield


def _signed(database: Database) -> str:
    """A checkpoint of the record as it is, whose tree was grown before, signed."""
    record = read_record(database)
    return sign(Checkpoint(ORIGIN, record.size, record.root).text, SIGNER)


def _content(database: Database) -> list[bytes]:
    """The bytes that are hashed for each event."""
    with database.session("sabot_auditor") as connection:
        events = read_events(connection, 0, limit=MOST)
    before = [GENESIS, *(each.hash for each in events)]
    return [b"\x00" + canonical(*each) for each in zip(events, before, strict=False)]


def _hashed(content: list[bytes]) -> list[bytes]:
    return [sha256(each).digest() for each in content]
