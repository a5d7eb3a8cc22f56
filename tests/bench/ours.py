"""How Sabot saves, for every part that measures it: the one place to change if the API changes."""

from collections.abc import Sequence

from ops.ledger.appending import Decided
from ops.ledger.recorder import Ledger


def save_one(ledger: Ledger, decided: Decided) -> None:
    """Saves one decided command; it is on disk when this returns."""
    ledger.append(decided.events, decided.decision)


def save_several(ledger: Ledger, decided: Sequence[Decided]) -> None:
    """Saves several decided commands; all are on disk when this returns."""
    ledger.append_several(decided, each=True)


def save_locked(ledger: Ledger, decided: Decided) -> None:
    """Saves like `save_one`, but holds the lock until the flush is done, for comparison."""
    with ledger.connection() as connection, connection.transaction():
        ledger.append(decided.events, decided.decision, flush=False)
        connection.execute("SET LOCAL synchronous_commit = on")  # the commit waits, locked
    ledger.unflushed = False


def save_unflushed(ledger: Ledger, decided: Decided) -> int:
    """Saves one decided command without a flush; its last position."""
    return ledger.append(decided.events, decided.decision, flush=False)[-1]
