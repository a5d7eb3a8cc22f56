"""`sabot audit verify`: every event and every answer, checked again."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
from msgspec import to_builtins

from ops.cli.audit.papers import NotAsSigned
from ops.cli.progress import reading
from ops.cli.projections import checked_again
from ops.cli.restores import missing_from
from ops.cli.session import json_option, with_database
from ops.ledger.archived import what_left
from ops.ledger.database import Database
from ops.ledger.standby import is_standby
from ops.proof.by_hand import Mistyped
from ops.reports.rebuild import is_of_what_stays
from ops.verify import verification
from ops.verify.bookmark import Bookmark
from ops.verify.faults import Fault, Verified
from ops.verify.verification import SMALL, Leaves, nowhere
from ops.verify.whole import verify_record
from projections import PROJECTIONS


@click.command()
@click.option(
    "--jobs", type=click.IntRange(1, 64), help="Processes; without it, one for each core."
)
@click.option(
    "--against",
    multiple=True,
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="A checkpoint from outside: of a witness, a regulator, or typed off paper; repeat it.",
)
@click.option(
    "--key", metavar="NAME+ID+KEY", help="The house's public key, as you have it from outside."
)
@click.option(
    "--new", is_flag=True, help="Read only what came since this machine last verified the record."
)
@click.option(
    "--trusted",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="Read only what came after this checkpoint, which you trust.",
)
@click.option(
    "--projections", is_flag=True, help="Also build the reports' tables again and compare them."
)
@json_option
@with_database
def verify(
    database: Database,
    jobs: int | None,
    against: tuple[Path, ...],
    key: str | None,
    new: bool,
    trusted: Path | None,
    projections: bool,
    as_json: bool,
) -> None:
    """Check every event and every answer again, and compare the record with its checkpoints.

    PINs and sealed orders, which are beside the record, are compared with their digests in it. Exit
    status 1 if anything was changed, removed, inserted, moved, cut off or rewritten, if a restored
    record lacks what was acknowledged and nobody decided yet, or if this home has another pepper
    than the ledger; shows what and where, and what it could not check. Exit status 3 if a paper or
    the key is not what was signed, as when it was typed with a slip: the record may be whole.

    With --new it goes on from where this machine verified the record before, and says so: the
    machine keeps how far that was, under a seal made with the pepper. It does not find an event
    before that place which somebody altered after it was verified: verify without --new for that.

    With --trusted, on any machine, it goes on after a checkpoint that a key of the house signed and
    that you trust, as one that was verified on the day it was made. The tree of hashes beside the
    record must have its root; the events before are not read.

    \b
    Example: sabot audit verify --against /media/usb/checkpoint
    """
    if new and trusted:
        raise click.UsageError("Give --new or --trusted, not both.")
    try:
        walked = partial(walk, database, jobs)
        result = verify_record(database, walked, against, key, new=new, trusted=trusted)
        _check_projections(database, result, wanted=projections)
        missing = missing_from(database)
    except Mistyped as error:
        raise NotAsSigned(str(error)) from error
    if as_json:
        click.echo(json.dumps(_as_json(result) | ({"missing": missing} if missing else {})))
    else:
        for line in _lines(result, missing):
            click.echo(line)
    sys.exit(_status(result, missing))


def _status(result: Verified, missing: str | None) -> int:
    """The exit status: what is wrong with the record comes before what is wrong with a paper."""
    if not result.ok or missing or result.foreign_pepper:
        return 1
    return NotAsSigned.exit_code if result.not_comparable else 0


def _check_projections(database: Database, result: Verified, *, wanted: bool) -> None:
    """Compares the reports' tables with the events, or says that nobody did."""
    if not wanted:
        result.not_checked.append("Whether the reports' tables are as the events: --projections.")
        return
    with database.session("sabot_auditor") as connection:
        left, follows = what_left(connection), is_standby(connection)
    if follows:
        result.not_checked.append(
            "Whether the reports' tables are as the events: that takes tables of their own, which "
            "a standby cannot make. Give --projections at the leader."
        )
        return
    chosen = [each for each in PROJECTIONS.values() if not left or is_of_what_stays(each)]
    if left:
        result.not_checked.append("The reports' tables that take coups and shoes that left.")
    result.add(
        [
            Fault(each.position, "projection", f"The rows of {each.projection} are other ones.")
            for each in checked_again(database, chosen)
            if not each.equal
        ]
    )


def _as_json(result: Verified) -> dict[str, object]:
    return {
        "ok": result.ok,
        "events": result.events,
        "since": result.since,
        "head": result.head.hex(),
        "gapless": result.gapless,
        "first_bad": result.first_bad,
        "checkpoint": result.checkpoint
        and {
            "origin": result.checkpoint.origin,
            "size": result.checkpoint.size,
            "root": result.checkpoint.root.hex(),
        },
        "faults": to_builtins(result.faults),
        "foreign_pepper": result.foreign_pepper or None,
        "restored": result.restored,
        "not_comparable": result.not_comparable,
        "not_checked": result.not_checked,
    }


def _lines(result: Verified, missing: str | None) -> Iterator[str]:
    """The result in sentences; `missing`: what the record lacks after a restore."""
    if result.ok:
        since = f" from event #{result.since:,} on" if result.since else ""
        yield (
            f"The chain is intact{since}: {result.events:,} events without a gap, and the answers "
            f"to {result.commands:,} commands. Head {result.head.hex()}"
        )
        if result.checkpoint:
            yield f"It is the record that was signed, up to event #{result.checkpoint.size:,}."
    elif result.is_tampered:
        yield f"The record was tampered with: the first fault is at position {result.first_bad}."
    else:
        yield "The record is whole, but not that of the key. Ask the regulator which key is right."
    for each in result.faults:
        yield f"  {each.position:>10,}  {each.fault}: {each.words}"
    yield from result.restored
    for words in filter(None, (missing, result.foreign_pepper)):
        yield f"! {words}"
    if result.since:
        yield _not_read(result)
    for words in result.not_comparable:
        yield f"Not compared: {words}"
    for words in result.not_checked:
        yield f"Not checked: {words}"


def _not_read(result: Verified) -> str:
    """What a run that did not begin with the first event relies on."""
    if result.whole_at is None:
        return (
            f"Not read: the {result.since:,} events before, and their answers. The tree of their "
            "hashes has the root that the trusted checkpoint signs. To see whether somebody "
            "altered them, verify without --trusted."
        )
    return (
        f"Not read again: the {result.since:,} events before, and their answers. This machine "
        "verified them earlier, and noted that under its own seal; it last read the whole record "
        f"on {result.whole_at:%Y-%m-%d %H:%M} UTC. To see whether somebody altered them since, "
        "verify without --new."
    )


def walk(
    database: Database,
    jobs: int | None = None,
    leaves: Leaves = nowhere,
    since: Bookmark | None = None,
) -> Verified:
    """Verifies the record, all of it or since a place; shows progress when it takes long."""
    first = since.ends.events if since else 0
    with reading(transient=True) as progress:
        task = progress.add_task("verify", visible=False, at="")

        def watch(position: int, last: int) -> None:
            at, long = f"{position:,}/{last:,}", last - first > SMALL
            progress.update(task, total=last, completed=position, at=at, visible=long)

        return verification.walk(database, jobs=jobs, leaves=leaves, since=since, watch=watch)
