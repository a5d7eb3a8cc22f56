"""A ledger of its own from an archive, to be read: nothing is recorded in it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.archive.chains import Chain
from ops.archive.checking import Count, good_rows, require_archive, signature_faults
from ops.archive.files import COMMANDS, EVENTS, Kind
from ops.archive.manifest import ArchiveFailed, Manifest
from ops.backup.recovery import put_away
from ops.ledger.copying import copied_answers, copied_events
from ops.ledger.database import Database, one_line
from ops.ledger.embedded import Embedded
from ops.ledger.pepper import give_to_nobody
from ops.proof.note import Verifier
from ops.proof.tree import Growing

if TYPE_CHECKING:
    import psycopg

READER = "reader"  # the login that reads as an auditor; nobody can sign on there


class Opened(Struct, frozen=True):
    """The ledger that was made: its events and answers, and the address at which it is read."""

    events: int
    commands: int
    home: str
    url: str


def open_archive(
    directory: Path,
    home: Path,
    key: str | None = None,
    say: Callable[[str], None] = lambda _: None,
    count: Count = lambda _: None,
) -> Opened:
    """Makes the ledger in a new home, from files whose every hash is right; all of it or nothing.

    `key`: the house's, from outside. `count` gets the number of rows. Raises ArchiveFailed,
    NotGood, EmbeddedError.
    """
    manifest = require_archive(directory)
    keys = [Verifier.parse(each) for each in ([key] if key else manifest.keys)]
    place = Embedded(home)
    if place.begun:
        raise ArchiveFailed(f"There is a ledger in {home} already. Name a new directory.")
    import psycopg

    try:
        database = Database(home=place)
        database.upgrade(say)
        with closing(database.connect_as_is()) as connection, connection.transaction():
            _fill(connection, directory, manifest, keys, count)
            give_to_nobody(connection)
            connection.execute(f"CREATE ROLE {READER} LOGIN IN ROLE sabot_auditor, sabot_projector")
    except BaseException as error:
        put_away(place)
        if isinstance(error, psycopg.Error):
            why = one_line(error)
            raise ArchiveFailed(f"The ledger cannot be made in {home}: {why}") from error
        raise
    events, commands = (max(each.last for each in manifest.of(kind)) for kind in (EVENTS, COMMANDS))
    return Opened(events, commands, str(home), place.url(READER, "sabot"))


def _fill(
    connection: "psycopg.Connection[Any]",
    directory: Path,
    manifest: Manifest,
    keys: list[Verifier],
    count: Count,
) -> None:
    tree = Growing()
    for rows in copied_events(connection, _rows_of(directory, manifest, EVENTS)):
        tree.add(b"".join(row.hash for row in rows))
        count(len(rows))
    for rows in copied_answers(connection, _rows_of(directory, manifest, COMMANDS)):
        count(len(rows))
    if faults := signature_faults(manifest, keys, tree):
        raise ArchiveFailed(faults[0])


def _rows_of(directory: Path, manifest: Manifest, kind: Kind) -> Iterator[list[Any]]:
    """All rows of a chain, hash by hash. Raises ArchiveFailed."""
    chain = Chain(kind)
    for piece in manifest.of(kind):
        yield from good_rows(directory, piece, kind, chain)
