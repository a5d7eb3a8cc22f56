"""`sabot db archive`: the record as files that outlive the database."""

import json
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from ops.archive.checking import Checked, check
from ops.archive.files import COMMANDS, EVENTS
from ops.archive.manifest import Manifest
from ops.archive.opening import open_archive as make_ledger
from ops.archive.writing import Plan, plan, write
from ops.cli.archive_leaving import bar, end_of, rows_in, unfinished, waiting_line
from ops.cli.audit.papers import NotAsSigned
from ops.cli.reading import permit
from ops.cli.session import json_option, say, with_database
from ops.handlers.checkpoints import READ
from ops.ledger.database import Database
from ops.ledger.growth import bytes_of_record
from ops.ledger.reading import head_of
from ops.ledger.recorder import flush
from ops.proof.note import NotGood
from ops.reports.ask import Row
from ops.reports.rebuild import bring_up
from ops.reports.runner import reading_session
from ops.words import show

if TYPE_CHECKING:
    import psycopg

_NAMED = 5  # of the unfinished things, by their names


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--before",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Only what a checkpoint had signed before this gaming day.",
)
@click.option(
    "--dry-run", is_flag=True, help="Only say what would be written, and what of it is unfinished."
)
@click.option("--check", "wanted", is_flag=True, help="Check the files; no database is needed.")
@click.option(
    "--key", metavar="NAME+ID+KEY", help="The house's public key, as you have it from outside."
)
@json_option
@with_database
def archive(
    database: Database,
    directory: Path,
    before: datetime | None,
    dry_run: bool,
    wanted: bool,
    key: str | None,
    as_json: bool,
) -> None:
    """Write the record to Parquet files in DIR, or add to them what was signed since.

    It has every event and every answer up to the newest checkpoint, with all columns, in files of
    65,536 rows. What was written is read back before it counts. The record stays as it is.

    With --dry-run: also what of it still waits for somebody, as a table that nobody closed; `sabot
    report unfinished` has all that waits.

    With --check, on any machine: every hash is computed again from the files, and their root is
    compared with the checkpoint. Exit status 1 if anything is missing or not as it was signed.

    \b
    Example: sabot db archive /mnt/archive --before 2026-01-01
             sabot db archive /mnt/archive --check --key casino.example+…
    """
    if wanted:
        _check(directory, key, as_json=as_json)
        return
    permit(database, "db archive", how="export", as_json=as_json)
    with reading_session(database) as (connection, catches_up):
        if catches_up:
            bring_up(connection, *READ)
        until = end_of(connection, before.date()) if before else None
        planned = plan(connection, directory, until)
        if dry_run:
            waiting = [row for row in unfinished(database) if row["position"] <= planned.events]
            _print_plan(connection, planned, directory, waiting, as_json=as_json)
            return
        if planned.is_done:
            _print_done(planned, directory, as_json=as_json)
            return
        with bar("archiving", _rows_of(planned)) as count:
            manifest = write(connection, directory, planned, count)
        flush(connection)
    _print_written(manifest, directory, as_json=as_json)


@click.command("open-archive")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIRECTORY",
    help="A new home for the ledger that is made.",
)
@click.option(
    "--key", metavar="NAME+ID+KEY", help="The house's public key, as you have it from outside."
)
@json_option
def open_archive(directory: Path, into: Path, key: str | None, as_json: bool) -> None:
    """Make a ledger from the archive in DIR, to be read and reported of; nothing is recorded in it.

    Every hash is computed again before it is taken, and the root compared with the checkpoint: the
    ledger has all that was signed, or is not made. It has no names, PINs and sealed orders, and no
    readings. Whoever can log in to it reads as an auditor.

    \b
    Example: sabot db open-archive /mnt/archive --into /srv/2026
    """
    home = into.resolve()
    try:
        with bar("opening", rows_in(directory)) as count:
            opened = make_ledger(directory, home, key, say, count)
    except NotGood as error:
        raise NotAsSigned(str(error)) from error
    if as_json:
        click.echo(json.dumps(to_builtins(opened)))
        return
    say(
        f"{show.count(opened.events, 'event')} and {show.count(opened.commands, 'answer')} are in "
        "a ledger of their own: every hash is right, and their root is the one that was signed. "
        "PINs, names and sealed orders are not in an archive: `sabot audit verify` there says that "
        "they were deleted."
    )
    say(f"`SABOT_HOME={home} sabot db up` starts its server. To read it:")
    click.echo(f"export SABOT_DATABASE_URL='{opened.url}'")


def _rows_of(planned: Plan) -> int:
    return sum(len(places) for kind in (EVENTS, COMMANDS) for places in planned.missing(kind))


def _print_plan(
    connection: "psycopg.Connection[Any]",
    planned: Plan,
    directory: Path,
    waiting: list[Row],
    *,
    as_json: bool,
) -> None:
    missing = {kind.name: list(planned.missing(kind)) for kind in (EVENTS, COMMANDS)}
    rows = {name: sum(map(len, places)) for name, places in missing.items()}
    files = sum(map(len, missing.values()))
    there = bytes_of_record(connection) * planned.events // max(head_of(connection), 1)
    if as_json:
        body = {"until": planned.events, **rows, "files": files, "bytes_in_database": there}
        click.echo(json.dumps({**body, "unfinished": waiting}))
        return
    click.echo(waiting_line(waiting))
    if planned.is_done:
        _print_done(planned, directory, as_json=False)
        return
    click.echo(
        f"Up to #{planned.events:,}, which a checkpoint signs: "
        f"{show.count(rows['events'], 'event')} and {show.count(rows['commands'], 'answer')} would "
        f"be written, in {show.count(files, 'file')}. All up to there has about "
        f"{there / 1e6:,.1f} MB in the database."
    )


def _print_done(planned: Plan, directory: Path, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"until": planned.events, "events": 0, "commands": 0, "files": 0}))
    else:
        say(f"{directory} has everything up to #{planned.events:,} already.")


def _print_written(manifest: Manifest, directory: Path, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"directory": str(directory), **to_builtins(manifest)}))
        return
    events, size = manifest.events[-1].last, sum(each.bytes for each in manifest.pieces)
    say(
        f"{directory} has {show.count(events, 'event')} and "
        f"{show.count(manifest.commands[-1].last, 'answer')} in "
        f"{show.count(len(manifest.pieces), 'file')}: {size / 1e6:,.1f} MB, {size // events:,} "
        "bytes an event."
    )
    say("What was written was read back. Its hashes and its root are those that were signed.")


def _check(directory: Path, key: str | None, *, as_json: bool) -> None:
    try:
        with bar("checking", rows_in(directory)) as count:
            checked = check(directory, key, count)
    except NotGood as error:
        raise NotAsSigned(str(error)) from error
    if as_json:
        click.echo(json.dumps({"ok": checked.ok, **to_builtins(checked)}))
    else:
        for line in _checked_lines(checked):
            click.echo(line)
    sys.exit(0 if checked.ok else 1)


def _checked_lines(checked: Checked) -> Iterator[str]:
    if checked.ok:
        yield (
            f"The archive is good: {show.count(checked.events, 'event')} and "
            f"{show.count(checked.commands, 'answer')} in {show.count(checked.files, 'file')}. "
            f"Every hash is right, and their root is the one that was signed for {checked.origin}."
        )
    else:
        yield "The archive is not good."
    yield from (f"! {each}" for each in checked.faults)
    yield from (f"Not checked: {each}" for each in checked.not_checked)
