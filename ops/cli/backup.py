"""`sabot db backup`: the ledger and its home kept elsewhere."""

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NoReturn

import click
from msgspec import to_builtins

from ops.backup import pgbackrest
from ops.backup.archive import Archive, Base, Checked, Program
from ops.backup.archived import follower_of
from ops.backup.base import prepare, take
from ops.backup.checking import check
from ops.backup.encrypted import BackupFailed, new_key, private_key, public_key
from ops.backup.follower import begin_again, hurry, read_failing
from ops.backup.restoring import Restore
from ops.backup.setting import CHECKED, KEEP, Setting, home_of, read_setting, write_setting
from ops.cli.session import NEW_FILE, json_option, leave_down, say, with_database
from ops.ledger.database import Database
from ops.ledger.embedded.follower import ensure_followed, only_one
from ops.ledger.files import write_secret
from ops.ledger.fit import machine_clock
from ops.ledger.pepper import fault_in
from ops.words import show
from ops.words.durations import duration

PATIENCE = 60.0  # seconds, for the log of a new base to be in the archive
FOLLOWS = 10.0  # of those, where another program follows, or the server is about to stop
DIRECTORY = click.Path(file_okay=False, path_type=Path)
key_option = click.option(
    "--key",
    "key_file",
    type=click.File(),
    metavar="FILE",
    help="The private key's file, or - for standard input. It is never stored here.",
)
config_option = click.option(
    "--config",
    type=click.Path(dir_okay=False, exists=True, resolve_path=True),
    metavar="FILE",
    help="pgBackRest's configuration, if it is not where pgBackRest looks for it.",
)
against_option = click.option(
    "--against",
    multiple=True,
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="A checkpoint from outside; repeat it.",
)


@contextmanager
def bytes_bar(words: str) -> Iterator[tuple[Callable[[int], None], Callable[[int], None]]]:
    """A bar of bytes on terminals: what sets its length, and what advances it.

    It grows with what is more than was expected, such as the log beside a base.
    """
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(words), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=show.console(err=True), transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task(words, total=None)

        def advance(count: int) -> None:
            done, total = bar.tasks[task].completed + count, bar.tasks[task].total
            bar.update(task, completed=done, total=total and max(total, done))

        yield lambda total: bar.update(task, total=total), advance


@click.command()
@click.option("--to", type=DIRECTORY, help="Turn backups on: keep them in this directory.")
@click.option("--for", "recipient", metavar="AGE1…", help="The public key to encrypt them for.")
@click.option(
    "--pgbackrest",
    "stanza",
    metavar="STANZA",
    help="pgBackRest keeps this server's bases and log already: --to gets only the rest.",
)
@config_option
@click.option("--keep", type=click.IntRange(1), help=f"How many bases are kept.  [default: {KEEP}]")
@click.option(
    "--check-days",
    type=click.IntRange(1),
    help=f"After how many days without a check `sabot db status` says so.  [default: {CHECKED}]",
)
@click.option("--check", "wanted", is_flag=True, help="Restore it for a moment, and verify it.")
@key_option
@against_option
@click.option("--follow", is_flag=True, help="Bring the log into the backup until stopped.")
@json_option
@with_database
def backup(
    database: Database,
    to: Path | None,
    recipient: str | None,
    stanza: str | None,
    config: str | None,
    keep: int | None,
    check_days: int | None,
    wanted: bool,
    key_file: IO[str] | None,
    against: tuple[Path, ...],
    follow: bool,
    as_json: bool,
) -> None:
    """Make a base backup of the ledger and its home, encrypted, and keep its log from then on.

    The first time, --to and --for turn backups on. From then on the log (WAL) comes into the
    directory every few seconds while Sabot's own PostgreSQL runs; for a server of yours, keep
    `sabot db backup --follow` running. The private key, which `sabot db backup-key` makes, must not
    be on this machine: whoever has it can read the ledger, and without it nobody can.

    With --check, on the machine that has the key: everything is restored into a temporary ledger,
    its chain, checkpoints and projections are verified, and it is removed. Exit status 1 if the
    backup is not good.

    Where pgBackRest backs this PostgreSQL up already, --pgbackrest names its stanza, once: it makes
    the bases and keeps the log, and the directory gets what it does not have, the home's files.
    Everything else is the same.

    \b
    Example: sabot db backup --to /mnt/backup/sabot --for age1…
             sabot db backup --to /mnt/backup/sabot --for age1… --pgbackrest main
             sabot db backup --check --to /mnt/backup/sabot --key key.txt
    """
    if wanted:
        _check(database, to, key_file, list(against), config, as_json=as_json)
    leave_down(database)
    with database.session("sabot_auditor", say) as connection:
        if fault := fault_in(connection):
            say(f"! {fault}")
    setting = _setting(database, to, recipient, keep, check_days, stanza, config)
    if follow:
        _follow(database, setting)
        return
    archive = Archive(Path(setting.directory))
    _require_mounted(database, archive)
    prepare(database, archive, setting.key, setting.by)
    write_setting(database, setting)
    if begin_again(database, setting):
        say("The server had removed a part of the log: the backup begins again with a new base.")
    if database.embedded:
        ensure_followed(home_of(database))
    with bytes_bar("base backup") as (begins, count):
        base = take(database, archive, setting, begins, count)
    patience = PATIENCE if database.embedded else FOLLOWS
    followed = bool(setting.by) or _wait_followed(database, archive, base.ended_at, patience)
    dropped = archive.drop_old(setting.keep)
    _print_backup(setting, base, dropped, followed=followed, as_json=as_json)


def _require_mounted(database: Database, archive: Archive) -> None:
    """Requires that a directory which has the backup already is there. Raises BackupFailed."""
    before = read_setting(database)
    if before and Path(before.directory) == archive.directory:
        assert archive.house


def _check(
    database: Database,
    to: Path | None,
    key_file: IO[str] | None,
    against: list[Path],
    config: str | None,
    *,
    as_json: bool,
) -> NoReturn:
    """Checks the backup, which needs no ledger of this machine, and ends."""
    before = None if to else read_setting(database)
    if not to and not before:
        raise click.UsageError("Give the backup's directory: --to DIRECTORY.")
    archive = Archive(to or Path(before.directory if before else ""))
    key = private_key(key_text(key_file))
    with bytes_bar("restoring") as (_, count):
        checked = check(archive, Restore(archive, key, say, count, config or ""), against)
    if as_json:
        click.echo(json.dumps(to_builtins(checked)))
    elif checked.ok:
        click.echo(_good(checked))
    else:
        click.echo("The backup is not good.")
        for each in checked.words:
            click.echo(f"! {each}")
    sys.exit(0 if checked.ok else 1)


def _good(checked: Checked) -> str:
    until = checked.up_to
    reach = ""
    if until:
        ago = duration(datetime.now(UTC) - until)
        reach = f" It has everything until {until:%Y-%m-%d %H:%M:%S} UTC, {ago} ago."
    return (
        f"The backup is good: {show.count(checked.position, 'event')} came back, and their chain, "
        f"checkpoints and projections are good.{reach}"
    )


def _setting(
    database: Database,
    to: Path | None,
    recipient: str | None,
    keep: int | None,
    check_days: int | None,
    stanza: str | None,
    config: str | None,
) -> Setting:
    """What was set before, with what is given now. Raises BackupFailed, UsageError."""
    before = read_setting(database)
    directory = str(to.resolve()) if to else before and before.directory
    key = recipient or (before and before.key)
    if not directory or not key:
        raise click.UsageError(
            "Backups are not turned on: give --to DIRECTORY and --for AGE1…, the public key."
        )
    before = before or Setting(directory, key)
    by = before.by
    if stanza or (by and config):
        server = stanza or (by.server if by else "")
        by = Program(pgbackrest.NAME, server, config or (by.config if by else ""))
    if by and keep:
        raise click.UsageError(
            "pgBackRest keeps as many backups as its configuration says: repo1-retention-full."
        )
    return Setting(
        directory=directory,
        key=str(public_key(key)),
        keep=keep or before.keep,
        check_days=check_days or before.check_days,
        by=by,
    )


def _follow(database: Database, setting: Setting) -> None:
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    for _ in range(20):
        with only_one(home_of(database)) as free:
            if free:
                follower_of(database, setting, say).run(stop)
                return
        time.sleep(0.1)  # somebody may only be looking whether it is free
    say("Another process follows this ledger's log already.")


def bring_up_to_now(database: Database) -> None:
    """Brings all that is recorded into the backup, if it is followed, before its server stops."""
    with suppress(BackupFailed):
        setting = read_setting(database)
        if not setting or read_failing(database):
            return
        ensure_followed(home_of(database))  # it may begin only now, as the server did
        _wait_followed(database, Archive(Path(setting.directory)), machine_clock(), FOLLOWS)


def _wait_followed(database: Database, archive: Archive, until: datetime, patience: float) -> bool:
    """Waits until the log is in the archive up to a moment; False if nobody follows."""
    since = machine_clock()
    end = time.monotonic() + patience
    while time.monotonic() < end:
        followed = archive.followed
        if followed and followed.at >= until:
            return True
        failing = read_failing(database)
        if failing and failing.since >= since:
            raise BackupFailed(f"The base is made, but its log does not come: {failing.why}")
        if not database.embedded and not followed:
            break
        hurry(database)
        time.sleep(0.2)
    return False


def _print_backup(
    setting: Setting, base: Base, dropped: list[str], *, followed: bool, as_json: bool
) -> None:
    if as_json:
        body = {
            **to_builtins(base),
            "directory": setting.directory,
            "dropped": dropped,
            "followed": followed,
        }
        click.echo(json.dumps(body))
        return
    click.echo(
        f"Base backup {base.name} in {setting.directory}: {base.bytes / 1e6:,.1f} MB, with "
        f"{show.count(base.position, 'event')}."
    )
    if dropped:
        click.echo(f"Removed {show.count(len(dropped), 'older base')}.")
    if setting.by:
        click.echo(
            f"The base and the log up to now are kept by {setting.by}. Keep `sabot db backup "
            "--follow` running, which sees that the log goes on to come."
        )
    elif followed:
        click.echo("The log is in the backup up to now, and comes into it every few seconds.")
    else:
        click.echo(
            "! The log does not come into the backup: keep `sabot db backup --follow` running. "
            "Without it, this base alone can be restored."
        )


@click.command("backup-key")
@click.argument("file", type=NEW_FILE)
def backup_key(file: Path) -> None:
    """Make a pair of keys for backups: the private one in FILE, the public one is printed.

    Do it on a machine that is not the house's, and keep FILE in two safe places.
    """
    if file.exists():
        raise click.UsageError(f"{file} exists. Name a new file.")
    private, public = new_key()
    write_secret(file.resolve(), f"# public key: {public}\n{private}\n".encode())
    say(f"The private key is in {file}. Without it no backup can be read. The public key:")
    click.echo(public)


def key_text(key_file: IO[str] | None) -> str:
    """What is in the private key's file."""
    if key_file is None:
        raise click.UsageError("Give the private key: --key FILE, or --key - to paste it.")
    return str(key_file.read())
