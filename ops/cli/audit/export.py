"""`sabot audit export`: the whole record as static tiles."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ops.cli.reading import permit
from ops.cli.session import json_option, say, with_database
from ops.handlers.checkpoints import READ
from ops.ledger.database import Database
from ops.ledger.recorder import flush
from ops.proof import on_record
from ops.proof.checkpoint import Checkpoint
from ops.proof.stored import entries_of
from ops.proof.tiles import write_log
from ops.proof.tree import NotProven
from ops.reports.rebuild import bring_up
from ops.reports.runner import reading_session
from ops.words import show

MANY = 50_000  # events, which take a second


@click.command()
@click.option(
    "--tiles",
    "directory",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where to: any web server can serve it, and any C2SP client read it.",
)
@json_option
@with_database
def export(database: Database, directory: Path, as_json: bool) -> None:
    """Write the whole record as static tiles, up to the newest checkpoint.

    \b
    Example: sabot audit export --tiles /srv/record

    Run again, it adds what is new.
    """
    permit(database, "audit export", how="export", as_json=as_json)
    with reading_session(database) as (connection, catches_up):
        if catches_up:
            bring_up(connection, *READ)
        signed = on_record.newest(connection)
        if not signed:
            raise click.ClickException("There is no checkpoint yet. Run `sabot audit checkpoint`.")
        size = Checkpoint.of(signed.note)

        def after(position: int) -> Iterator[bytes]:
            entries = entries_of(connection, position, size.size)
            return _shown(entries, size.size - position)

        try:
            note = signed.whole.encode()
            files = write_log(directory, after, size.size, size.root, note)
        except NotProven as error:
            raise click.ClickException(f"{error} Run `sabot audit verify`.") from error
        flush(connection)
    if as_json:
        body = {"directory": str(directory), "events": size.size, "files": files}
        click.echo(json.dumps(body))
    else:
        say(f"{size.size:,} events are in {directory}, in {files:,} files.")


def _shown(entries: Iterator[bytes], count: int) -> Iterator[bytes]:
    """These entries; shows progress when there are many."""
    from rich.progress import Progress

    with Progress(
        console=show.console(err=True), transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task = progress.add_task("events", total=count, visible=count > MANY)
        for done, entry in enumerate(entries, 1):
            yield entry
            if done % 1_000 == 0:
                progress.update(task, completed=done)
