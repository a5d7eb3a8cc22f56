"""`sabot audit`: the record's integrity."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from ops import show
from ops.cli.session import json_option, with_database
from ops.database import Database
from ops.ledger.chain import Verification
from ops.ledger.recorder import read_events

if TYPE_CHECKING:
    import psycopg

PIECE = 5_000


@click.group()
def audit() -> None:
    """Is the record whole?"""


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


def walk(database: Database) -> Verification:
    """The whole chain, in short pieces, with progress for people when it takes long."""
    from rich.progress import Progress

    chain = Verification()
    with (
        database.connect("sabot_auditor") as connection,
        Progress(
            console=show.console(err=True), transient=True, disable=not sys.stderr.isatty()
        ) as progress,
    ):
        row = connection.execute(
            "SELECT count(*), coalesce(min(position), 1), coalesce(max(position), 0) "
            "FROM ledger.events"
        ).fetchone()
        assert row is not None
        count, first, last = row
        task = progress.add_task("chain", total=last, visible=last > 10 * PIECE)
        position = first - 1
        while chain.ok and position < last:
            events = read_events(connection, after=position, limit=PIECE, until=last)
            chain.walk(events)
            position = events[-1].position if events else last
            progress.update(task, completed=position)
        if chain.ok and chain.events != count:  # a position that is there twice, page by page
            chain.gapless, chain.first_bad = False, _doubled(connection)
    return chain


def _doubled(connection: "psycopg.Connection[Any]") -> int:
    """The first position that two events claim."""
    row = connection.execute(
        "SELECT position FROM ledger.events GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT 1"
    ).fetchone()
    assert row is not None
    return int(row[0])
