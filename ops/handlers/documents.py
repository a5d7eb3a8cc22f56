"""Whether an identity document belongs into a patron's file, and why one is taken out again."""

from collections.abc import Iterator
from datetime import date

from domain.rules.patron_files import Document, read_stored
from domain.rules.refusals import BadValue, MissingField
from domain.rules.wording import Words
from ops.commands import patron_files as commands
from ops.handlers.desk import Desk
from ops.ledger.patron_files import files_with_digits
from ops.words.terms import barring_called


def why_withdrawn(command: commands.PatronDocument) -> str:
    """Why a document is taken out of a file; '' if none is. Refuses: MissingField, BadValue."""
    if command.withdrawn and not command.reason:
        raise MissingField(message=Words("Say why the document is taken out, as `reason`."))
    if command.reason and not command.withdrawn:
        raise BadValue(
            message=Words(
                "`reason` is why a document is taken out. Leave it out, or add `withdrawn`."
            )
        )
    return command.reason or ""


def doubts_about(desk: Desk, patron: str, document: Document, day: date) -> Iterator[Words]:
    """What somebody has to confirm before a document is on a patron's file."""
    if document.seen_on and not document.holds_on(day):
        yield Words(
            "The document of {patron} has expired, so that it is no ID for cash", patron=patron
        )
    for other in holders_of(desk, document):
        known = desk.names.record(other)
        if other != patron and known and known.barring:
            yield Words(
                "The same document is on the file of {other}, who may not play ({kind})",
                other=other,
                kind=barring_called(known.barring),
            )
        elif other != patron:
            yield Words(
                "The same document is on the file of {other}; if that is one person, do not "
                "confirm it, but identify one as the other: `patron identify`",
                other=other,
            )


def holders_of(desk: Desk, document: Document) -> list[str]:
    """The patrons on whose files a document is, however it is spelled there, by their numbers."""
    with desk.casino.ledger.connection() as connection:
        files = files_with_digits(connection, document.number)
    return sorted(
        {
            desk.names.identity(patron)
            for patron, text in files.items()
            if document.as_read in {each.as_read for each in read_stored(text).documents}
        }
    )
