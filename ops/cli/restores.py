"""What is missing from a record that was restored, wherever a command notices it."""

from collections.abc import Callable
from contextlib import suppress

from domain.rules.refusals import Refusal
from ops.handlers.checkpoints import look
from ops.handlers.continued import UNREADABLE, missed_now, note_missing
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database, NewestMissing
from ops.ledger.reading import hash_at
from ops.ledger.standby import only_reads
from ops.proof import seen
from ops.words.language import shown

_DECIDING = ("staff.", "alert.", "audit.")  # commands by which two people decide


def note_restore(database: Database, report: Callable[[str], None]) -> None:
    """Reports what is missing from a record that was restored, and records it, or does nothing."""
    import psycopg

    with suppress(*UNREADABLE, Refusal, psycopg.Error, OSError):
        if missed := look(database):
            report(shown(missed))


def require_remembered(dispatcher: Dispatcher, command: str) -> None:
    """Requires that the record has what this home saw acknowledged, for all but what decides on it.

    What is missing is recorded, and the board rings. Raises NewestMissing, LedgerLost.
    """
    if command.startswith(_DECIDING):
        return
    with dispatcher.casino.ledger.connection() as connection:
        known = seen.mark_of(connection)
        if not known or only_reads(connection) or hash_at(connection, known.until) == known.mark:
            return
    database, missed = dispatcher.casino.ledger.database, None
    with suppress(*UNREADABLE), database.session("sabot_auditor") as connection:
        missed = note_missing(dispatcher, connection, [known])
    if missed:
        raise NewestMissing(shown(missed))


def missing_from(database: Database) -> str | None:
    """What was signed or acknowledged and is missing from the record, in words, or None."""
    with suppress(*UNREADABLE):
        missed = missed_now(database)
        return shown(missed) if missed else None
    return None
