"""`sabot audit`: the record's integrity."""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from domain.rules.wording import plain
from ops.cli.audit_adjudicate import adjudicate
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
    """Is the record whole?"""


audit.add_command(adjudicate)


@audit.command()
@json_option
@with_database
def verify(database: Database, as_json: bool) -> None:
    """Recompute the chain of events from the first to the last.

    Exit status 1 when an event was altered, left out, put in or moved; names the first.
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
            f"The chain is good: {chain.events:,} events without a gap. Head {chain.head.hex()}"
        )
    else:
        click.echo(
            f"The record is not whole: position {chain.first_bad} is the first that is wrong."
        )
    sys.exit(0 if chain.ok else 1)


@audit.command()
@click.argument("shoe")
@json_option
@with_database
def shoe(database: Database, shoe: str, as_json: bool) -> None:
    """Check what is recorded of SHOE: no card too often, nothing uncounted, the order it dealt.

    SHOE is an address as in B01/2026-11-21/1. Exit status 1 when a check fails; names each.
    """
    from domain.rules import addresses
    from ops.replay.shoe_audit import audited

    with database.session("sabot_auditor") as connection:
        told = audited(connection, addresses.Shoe.parse(shoe))
        flush(connection)
    if as_json:
        click.echo(json.dumps(to_builtins(told, enc_hook=plain)))
    else:
        for check in told.checks:
            click.echo(f"{'good' if check.ok else 'BAD '}  {check.check}: {check.found}")
    sys.exit(0 if told.ok else 1)


def walk(database: Database) -> Verification:
    """The whole chain, in short pieces, with progress for people when it takes long."""
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
    """All events in order, for as long as the chain is good."""
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
    """Between two pieces a position could be there twice, and one without any is in none."""
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
