"""How Sabot saves, for every part that measures it: the one place to change when the API does."""

from collections.abc import Sequence

from ops.ledger.appending import Decided
from ops.ledger.recorder import Ledger


def save_one(ledger: Ledger, decided: Decided) -> None:
    """One decided command, on disk when this comes back."""
    ledger.append(decided.events, decided.decision)


def save_several(ledger: Ledger, decided: Sequence[Decided]) -> None:
    """Several decided commands, all on disk when this comes back."""
    ledger.append_several(decided, each=True)


def save_locked(ledger: Ledger, decided: Decided) -> None:
    """As `save_one`, but the ledger's lock is held until the disk has it: to compare with."""
    with ledger.connection() as connection, connection.transaction():
        ledger.append(decided.events, decided.decision, flush=False)
        connection.execute("SET LOCAL synchronous_commit = on")  # the commit waits, locked
    ledger.unflushed = False


def save_unflushed(ledger: Ledger, decided: Decided) -> int:
    """One decided command, not on disk before the ledger is flushed; its last position."""
    return ledger.append(decided.events, decided.decision, flush=False)[-1]
