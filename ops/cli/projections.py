"""`sabot projections`: the read side at work."""

import json
import signal
import threading

import click

from ops.cli.session import json_option, say, with_database
from ops.database import Database
from ops.runner import head_of, position_of, run
from projections import PROJECTIONS


@click.group()
def projections() -> None:
    """What reports read, grown from the ledger."""


@projections.command("run")
@with_database
def run_(database: Database) -> None:
    """Keep every projection caught up until stopped; reports do it themselves otherwise."""
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    say(f"Following the ledger: {', '.join(PROJECTIONS)}. Ctrl-C stops.")
    raise SystemExit(1 if run(database, stop, say) else 0)


@projections.command()
@json_option
@with_database
def status(database: Database, as_json: bool) -> None:
    """Show how far each projection has read."""
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
        rows = [
            {
                "projection": each.name,
                "position": (at := position_of(connection, each)),
                "behind": head - at,
            }
            for each in PROJECTIONS.values()
        ]
    if as_json:
        click.echo(json.dumps({"head": head, "rows": rows}))
        return
    for told in rows:
        click.echo(f"{told['projection']:<20} at {told['position']:,}, {told['behind']:,} behind")
