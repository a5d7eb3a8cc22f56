"""Failures that are no mistake in the program: their words and their exit status."""

import errno
from typing import ClassVar

from domain.rules.refusals import Refusal
from domain.rules.wording import N_, Words
from ops.words.language import shown

REFUSED = 1
LOST = 3  # the ledger could not be reached
FOR_STANDBY = 3.0  # seconds for the synchronous standby, before somebody looks why it takes so long
MAY_BE_LOST = N_(
    "The synchronous standby has not answered since {since}: nothing can be recorded safely, and "
    "the newest of what is shown may be lost with the database's server."
)


class Failure(Exception):
    """Something outside went wrong; the message says what, and what to do."""

    status: ClassVar[int] = REFUSED
    sent_as = ""  # the id of a command of the shell that may be recorded, to repeat it


class Unconfirmed(Exception):
    """Something is committed that the synchronous standby does not have; `since` when it is away.

    The time is of this machine's clock, as in 20:14:05.
    """

    since: str


def exit_status(error: Exception) -> int | None:
    """The exit status for an error, or None if it is a mistake in the program."""
    if isinstance(error, Failure):
        return error.status
    full = getattr(error, "errno", None) == errno.ENOSPC
    return REFUSED if full or isinstance(error, Refusal) else None


def in_words(error: Exception) -> str:
    """A refusal with its name and its rule; the message of any other error."""
    if not isinstance(error, Refusal):
        return plain_words(error)
    return f"{error.error}{f' ({error.rule})' if error.rule else ''}: {plain_words(error)}"


def plain_words(error: Exception) -> str:
    """Why something was refused or failed, in the reader's language."""
    if isinstance(error, Refusal):
        return shown(error.words)
    words = error.args[0] if error.args else ""
    return shown(words) if isinstance(words, Words) else str(error)
