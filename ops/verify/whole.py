"""Verifies everything at once: both chains, what is beside them, and what was signed.

Or from where this machine verified it before, or from a checkpoint that somebody trusts: what is
after that place, and everything beside.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from ops.ledger import clock
from ops.ledger.archived import what_left
from ops.ledger.database import Database
from ops.ledger.recorder import flush
from ops.verify.bookmark import Bookmark, read_bookmark, write_bookmark
from ops.verify.faults import Fault, Verified
from ops.verify.left import go_past, not_read
from ops.verify.pieces import Ends
from ops.verify.signed import Signatures
from ops.verify.trusted import place_after
from ops.verify.verification import Leaves

Walk = Callable[[Leaves, Bookmark | None], Verified]


def verify_record(
    database: Database,
    walk: Walk,
    against: Sequence[Path] = (),
    key: str | None = None,
    *,
    new: bool = False,
    trusted: Path | None = None,
) -> Verified:
    """Verifies the record with `walk`, and compares it with its checkpoints and these.

    `key`: the house's public key, from outside. With `new` it goes on from this machine's bookmark,
    and reads everything where there is none. If the record no longer has what was verified up to
    there, that is a fault, and everything is read too. `trusted`: a checkpoint after which it goes
    on instead, if the record has what it signs. Raises NotGood, for a checkpoint or a key that
    cannot be read; LedgerLost.
    """
    with database.session("sabot_auditor") as connection:
        given = [*against, trusted] if trusted else against
        signatures, begun = Signatures(connection, given, key), clock.wall_clock()
        bookmark = read_bookmark(connection) if new and not trusted else None
        if claim := signatures.given(trusted):
            bookmark = place_after(connection, claim.checkpoint, begun)
        moved = bookmark is not None and not bookmark.is_unchanged(connection)
        left, since, faults = what_left(connection), None, list[Fault]()
        if bookmark and not moved and not (left and bookmark.ends.events < left.events):
            since = bookmark if signatures.go_on(connection, bookmark) else None
        whole = since is None
        if left and since is None:
            since, faults = go_past(connection, left, begun, signatures.leaves)
    result = _verified(database, walk, signatures, since, begun, whole=whole, trusted=trusted)
    result.add(faults)
    if left:
        result.not_checked.append(not_read(left))
    if bookmark and moved:
        result.add([_moved(bookmark)])
    return result


def _verified(
    database: Database,
    walk: Walk,
    signatures: Signatures,
    since: Bookmark | None,
    begun: datetime,
    *,
    whole: bool,
    trusted: Path | None,
) -> Verified:
    """`whole`: everything that is in the database is verified, and not only what is new."""
    result = walk(signatures.leaves, since)
    if since and not whole:
        result.since = since.ends.events
        result.whole_at = None if trusted else since.whole_at
    with database.session("sabot_auditor") as connection:
        signatures.check(connection, result)
        by_this_machine = whole or not trusted  # it verified all of it, now or before
        if result.ok and result.first_sealed and by_this_machine:
            with suppress(OSError):  # then the next run begins where this one did
                write_bookmark(
                    connection,
                    Bookmark(
                        ends=Ends(result.events, result.commands),
                        head=result.head,
                        command_head=result.command_head,
                        first_sealed=result.first_sealed,
                        edge=signatures.tree.edge if signatures.wanted else None,
                        whole_at=since.whole_at if since else begun,
                    ),
                )
        flush(connection)
    return result


def _moved(bookmark: Bookmark) -> Fault:
    words = (
        f"This machine verified {bookmark.ends.events:,} events, and the record no longer has them "
        "as they were: it was rolled back, or rewritten. If a backup was put back, verify without "
        "--new."
    )
    return Fault(bookmark.ends.events, "not as verified", words)
