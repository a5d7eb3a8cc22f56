"""`sabot audit`: checks of the record."""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from domain.rules.wording import plain
from ops.cli.audit_adjudicate import adjudicate
from ops.cli.audit_key import key
from ops.cli.audit_program import program
from ops.cli.audit_proof import checkpoint, export, prove
from ops.cli.session import json_option, with_database
from ops.ledger.chain import Recorded, Verification
from ops.ledger.database import Database
from ops.ledger.reading import UnreadableEvent, read_events
from ops.ledger.recorder import flush
from ops.words import show

if TYPE_CHECKING:
    import psycopg

PIECE = 5_000


@click.group()
def audit() -> None:
    """Check the record: its chain of events, the cards of a shoe, every coup."""


for _each in (adjudicate, key, checkpoint, prove, export, program):
    audit.add_command(_each)


@audit.command()
@json_option
@with_database
def verify(database: Database, as_json: bool) -> None:
    """Recompute the hash chain of all events.

    Exit status 1 if an event was altered, removed, inserted or moved; shows the first.
    """
    chain = walk(database)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "ok": chain.ok,
                    "events": chain.events,
                    "head": chain.head.hex(),
                    "gapless": chain.gapless,
                    "first_bad": chain.first_bad,
                    "checkpoint": None,
                }
            )
        )
    elif chain.ok:
        click.echo(
            f"The chain is intact: {chain.events:,} events without a gap. Head {chain.head.hex()}"
        )
    else:
        click.echo(f"The chain is broken: the first wrong event is at position {chain.first_bad}.")
    sys.exit(0 if chain.ok else 1)


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


def walk(database: Database) -> Verification:
    """Verifies the whole chain in batches; shows progress when it takes long."""
    from rich.progress import Progress

    chain = Verification()
    with (
        database.session("sabot_auditor") as connection,
        Progress(
            console=show.console(err=True), transient=True, disable=not sys.stderr.isatty()
        ) as progress,
    ):
        row = connection.execute(
            "SELECT coalesce(min(position), 1), coalesce(max(position), 0) FROM ledger.events"
        ).fetchone()
        assert row is not None
        first, last = row
        task = progress.add_task("chain", total=last, visible=last > 10 * PIECE)
        for events in _pieces(connection, chain, first, last):
            chain.walk(events)
            progress.update(task, completed=chain.events)
        if chain.ok:
            _require_no_other(connection, chain, last)
        flush(connection)
    return chain


def _pieces(
    connection: "psycopg.Connection[Any]", chain: Verification, first: int, last: int
) -> Iterator[list[Recorded]]:
    """Batches of events in order, until the chain is broken."""
    position = first - 1
    while chain.ok and position < last:
        try:
            piece = read_events(connection, after=position, limit=PIECE, until=last)
        except UnreadableEvent as error:
            chain.stop_at(error.position)
            return
        yield piece
        position = piece[-1].position if piece else last


def _require_no_other(
    connection: "psycopg.Connection[Any]", chain: Verification, last: int
) -> None:
    """Stops the chain at an event that no batch shows: a duplicate, or one without a position."""
    odd = connection.execute(
        """
        SELECT coalesce(position, 0) FROM ledger.events WHERE position <= %s OR position IS NULL
         GROUP BY 1 HAVING count(*) > 1 OR coalesce(position, 0) = 0 ORDER BY 1 LIMIT 1
        """,
        (last,),
    ).fetchone()
    if odd:
        chain.gapless = False
        chain.stop_at(odd[0])
