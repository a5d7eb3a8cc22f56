"""What is missing from a record that was restored, wherever a command notices it."""

from collections.abc import Callable
from contextlib import suppress

from domain.rules.refusals import Refusal
from ops.handlers.checkpoints import look
from ops.handlers.continued import UNREADABLE, missed_now
from ops.ledger.database import Database
from ops.words.language import shown


def note_restore(database: Database, report: Callable[[str], None]) -> None:
    """Reports what is missing from a record that was restored, and records it, or does nothing."""
    import psycopg

    with suppress(*UNREADABLE, Refusal, psycopg.Error, OSError):
        if missed := look(database):
            report(shown(missed))


def missing_from(database: Database) -> str | None:
    """What was signed or acknowledged and is missing from the record, in words, or None."""
    with suppress(*UNREADABLE):
        missed = missed_now(database)
        return shown(missed) if missed else None
    return None
