"""How Sabot saves, for every part that measures it: the one place to change when the API does."""

from collections.abc import Sequence

from eventsourcing.persistence import StoredEvent

from ops.ledger.recorder import Decision, Ledger

Decided = tuple[Sequence[StoredEvent], Decision]


def save_one(ledger: Ledger, events: Sequence[StoredEvent], decision: Decision) -> None:
    """One decided command, on disk when this comes back."""
    ledger.append(events, decision)
    ledger.flush()


def save_several(ledger: Ledger, decided: Sequence[Decided]) -> None:
    """Several decided commands, all on disk when this comes back."""
    for events, decision in decided:
        ledger.append(events, decision)
    ledger.flush()


def save_locked(ledger: Ledger, events: Sequence[StoredEvent], decision: Decision) -> None:
    """As `save_one`, but the ledger's lock is held until the disk has it: to compare with."""
    with ledger.connection() as connection, connection.transaction():
        ledger.append(events, decision)
        connection.execute("SET LOCAL synchronous_commit = on")  # the commit waits, locked
    ledger.unflushed = False
