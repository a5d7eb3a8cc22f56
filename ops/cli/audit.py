"""`sabot audit`: checks of the record."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from domain.rules.wording import plain
from ops.cli.audit_adjudicate import adjudicate
from ops.cli.audit_key import key
from ops.cli.audit_program import program
from ops.cli.audit_proof import NotAsSigned, checkpoint, export, prove
from ops.cli.session import json_option, with_database
from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.ledger.recorder import flush
from ops.verify import verification
from ops.verify.faults import Fault, Verified
from ops.verify.verification import SMALL, Leaves


@click.group()
def audit() -> None:
    """Check the record: its chain of events, the cards of a shoe, every coup."""


for _each in (adjudicate, key, checkpoint, prove, export, program):
    audit.add_command(_each)


@audit.command()
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
    "--projections", is_flag=True, help="Also build the reports' tables again and compare them."
)
@json_option
@with_database
def verify(
    database: Database,
    jobs: int | None,
    against: tuple[Path, ...],
    key: str | None,
    projections: bool,
    as_json: bool,
) -> None:
    """Check every event and every answer again, and compare the record with its checkpoints.

    PINs and sealed orders, which are beside the record, are compared with their digests in it. Exit
    status 1 if anything was changed, removed, inserted, moved, cut off or rewritten; shows what and
    where, and what it could not check. Exit status 3 if a paper or the key is not what was signed,
    as when it was typed with a slip: the record may be whole.

    \b
    Example: sabot audit verify --against /media/usb/checkpoint
    """
    from ops.proof.by_hand import Mistyped
    from ops.verify.whole import verify_whole

    try:
        result = verify_whole(
            database, lambda leaves: walk(database, jobs=jobs, leaves=leaves), against, key
        )
        _check_projections(database, result, wanted=projections)
    except Mistyped as error:
        raise NotAsSigned(str(error)) from error
    if as_json:
        click.echo(json.dumps(_as_json(result)))
    else:
        for line in _lines(result):
            click.echo(line)
    sys.exit(_status(result))


def _status(result: Verified) -> int:
    """The exit status: what is wrong with the record comes before what is wrong with a paper."""
    if not result.ok:
        return 1
    return NotAsSigned.exit_code if result.not_comparable else 0


def _check_projections(database: Database, result: Verified, *, wanted: bool) -> None:
    """Compares the reports' tables with the events, or says that nobody did."""
    if not wanted:
        result.not_checked.append("Whether the reports' tables are as the events: --projections.")
        return
    from ops.cli.projections import checked_again
    from projections import PROJECTIONS

    result.add(
        [
            Fault(each.position, "projection", f"The rows of {each.projection} are other ones.")
            for each in checked_again(database, list(PROJECTIONS.values()))
            if not each.equal
        ]
    )


def _as_json(result: Verified) -> dict[str, Any]:
    return {
        "ok": result.ok,
        "events": result.events,
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
        "not_comparable": result.not_comparable,
        "not_checked": result.not_checked,
    }


def _lines(result: Verified) -> Iterator[str]:
    """The result in sentences."""
    if result.ok:
        yield (
            f"The chain is intact: {result.events:,} events without a gap, and the answers to "
            f"{result.commands:,} commands. Head {result.head.hex()}"
        )
        if result.checkpoint:
            yield f"It is the record that was signed, up to event #{result.checkpoint.size:,}."
    elif result.is_tampered:
        yield f"The record was tampered with: the first fault is at position {result.first_bad}."
    else:
        yield "The record is whole, but not that of the key. Ask the regulator which key is right."
    for each in result.faults:
        yield f"  {each.position:>10,}  {each.fault}: {each.words}"
    for words in result.not_comparable:
        yield f"Not compared: {words}"
    for words in result.not_checked:
        yield f"Not checked: {words}"


@audit.command()
@click.argument("shoe")
@json_option
@with_database
def shoe(database: Database, shoe: str, as_json: bool) -> None:
    """Check the record of SHOE: no card too often, every card counted, dealt in its order.

    SHOE is an address as in B01/2026-11-21/1. Exit status 1 if a check fails.
    """
    from domain.rules import addresses
    from ops.replay.shoe_audit import audited

    with database.session("sabot_auditor") as connection:
        audit = audited(connection, addresses.Shoe.parse(shoe))
        flush(connection)
    if as_json:
        click.echo(json.dumps(to_builtins(audit, enc_hook=plain)))
    else:
        for check in audit.checks:
            click.echo(f"{'good' if check.ok else 'BAD '}  {check.check}: {check.result}")
    sys.exit(0 if audit.ok else 1)


def walk(database: Database, *, jobs: int | None = None, leaves: Leaves | None = None) -> Verified:
    """Verifies the whole record; shows progress when it takes long."""
    from ops.cli.progress import reading

    with database.session("sabot_auditor") as connection:
        last = head_of(connection)
    with reading(transient=True) as progress:
        task = progress.add_task("verify", total=last, visible=last > SMALL, at="")

        def watch(position: int) -> None:
            progress.update(task, completed=position, at=f"{position:,}/{last:,}")

        return verification.walk(database, jobs=jobs, leaves=leaves, watch=watch)
