"""Verifies everything at once: both chains, what is beside them, and what was signed."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ops.ledger.database import Database
from ops.ledger.recorder import flush
from ops.verify.faults import Verified
from ops.verify.signed import Signatures
from ops.verify.verification import Leaves


def verify_whole(
    database: Database,
    walk: Callable[[Leaves], Verified],
    against: Sequence[Path] = (),
    key: str | None = None,
) -> Verified:
    """Verifies the record with `walk`, and compares it with its checkpoints and these.

    `key`: the house's public key, from outside. Raises NotGood, for a checkpoint or a key that
    cannot be read; LedgerLost.
    """
    with database.session("sabot_auditor") as connection:
        signatures = Signatures(connection, against, key)
    result = walk(signatures.leaves)
    with database.session("sabot_auditor") as connection:
        signatures.check(connection, result)
        flush(connection)
    return result
