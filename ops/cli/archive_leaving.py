"""`sabot db remove-archived`, `bring-back`: coups and shoes leave the database, and come back."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from ops.archive.checking import require_archive
from ops.archive.leaving import Leaving, open_alerts, plan_leaving, remove, require_good
from ops.archive.leaving import bring_back as put_back
from ops.archive.manifest import ArchiveFailed
from ops.cli.session import database_of, dispatcher_on, json_option, say
from ops.cli.speak import answer_to, tell
from ops.commands.house_events import house
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.growth import position_at
from ops.reports.ask import Row, ask
from ops.reports.rebuild import bring_up
from ops.reports.runner import reading_session
from ops.words import show
from projections import PROJECTIONS, REPORTS

if TYPE_CHECKING:
    import psycopg

_NAMED = 5  # of the unfinished things, by their names


@click.command("remove-archived")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.argument("reason")
@click.option(
    "--before",
    type=click.DateTime(["%Y-%m-%d"]),
    required=True,
    metavar="DATE",
    help="Coups and shoes that a checkpoint had signed before this gaming day.",
)
@click.option("--by", metavar="STAFF", help="The staff number of the administrator.")
@click.option("--with", "with", metavar="STAFF", help="The second person; they type their PIN.")
@json_option
@click.pass_context
def remove_archived(
    ctx: click.Context, /, directory: Path, before: datetime, as_json: bool, **spoken: str | None
) -> None:
    """Let the coups and shoes before a gaming day leave the database for the archive in DIR.

    Nothing leaves while something of it is unfinished, and before every file was read again. Table
    days, accounts, people, every answer and the rows of reports stay. What would need an event that
    left says where it is. It takes the login that upgrades the ledger.

    \b
    Example: sabot db remove-archived /mnt/archive 'the disk fills' \\
                 --before 2026-01-01 --by A-1 --with S-11
    """
    database = database_of(ctx)
    planned = _planned(database, directory, before.date())
    with bar("checking", rows_in(directory)) as count:
        require_good(directory, count)
    with _owner(database):  # before anything is recorded
        pass
    fields = {**spoken, **to_builtins(planned), "directory": str(directory.resolve())}
    dispatcher = dispatcher_on(database, channel="shell").for_own_commands()
    answer, currency = answer_to(dispatcher, "audit.archived", fields)
    if answer.ok:
        _remove(database, planned.until)
    tell(ctx, answer, currency, as_json=as_json)


@click.command("bring-back")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--by", metavar="STAFF", help="The staff number of the administrator.")
@json_option
@click.pass_context
def bring_back(ctx: click.Context, directory: Path, by: str | None, *, as_json: bool) -> None:
    """Put the coups and shoes that left the database back, from the archive in DIR.

    Each comes back only if its hash is the one on record. It takes the login that upgrades the
    ledger.

    \b
    Example: sabot db bring-back /mnt/archive --by A-1
    """
    database = database_of(ctx)
    with _owner(database) as connection, bar("bringing back", rows_in(directory)) as count:
        left, brought = put_back(connection, directory, count)
    say(f"{show.count(brought, 'event')} up to #{left.events:,} are in the database again.")
    dispatcher = dispatcher_on(database, channel="shell").for_own_commands()
    fields = {"directory": str(directory.resolve()), "by": by}
    answer, currency = answer_to(dispatcher, "audit.brought-back", fields)
    tell(ctx, answer, currency, as_json=as_json)


def _planned(database: Database, directory: Path, before: date) -> Leaving:
    """What may leave. Raises ArchiveFailed, if nothing may, or something still waits."""
    with reading_session(database) as (connection, _):
        bring_up(connection, *PROJECTIONS.values())
        if before > house(connection).clock.day_of(clock.wall_clock()):
            raise click.UsageError(f"The gaming day {before} has not begun.")
        planned = plan_leaving(connection, directory, end_of(connection, before))
        alerts = open_alerts(connection, planned.until)
    if alerts:
        named = ", ".join(alerts[:_NAMED])
        more = ", …" if len(alerts) > _NAMED else ""
        raise ArchiveFailed(
            "Nothing leaves the database while alerts of rank one about it are open "
            f"({len(alerts):,}): {named}{more}. Acknowledge them with `sabot alert acknowledge`."
        )
    if waiting := [row for row in unfinished(database) if _is_of(row, planned)]:
        raise ArchiveFailed(f"Nothing leaves the database. {waiting_line(waiting)}")
    return planned


@contextmanager
def _owner(database: Database) -> "Iterator[psycopg.Connection[Any]]":
    """A connection that may do what only the ledger's owner may. Raises ArchiveFailed."""
    import psycopg

    with database.for_upgrade() as connection:
        try:
            connection.execute("SET ROLE sabot_owner")
        except psycopg.errors.InsufficientPrivilege as error:
            raise ArchiveFailed(
                "This login may not remove anything: use the one that runs `sabot db upgrade`."
            ) from error
        yield connection


def _remove(database: Database, until: int) -> None:
    with _owner(database) as connection, bar("removing", until) as count:
        removed = remove(connection, until, count)
    say(
        f"{show.count(removed, 'event')} of coups and shoes, up to #{until:,}, left the database. "
        "New events take their room on the disk; `sabot manual production` says how it is given "
        "back."
    )


def end_of(connection: "psycopg.Connection[Any]", before: date) -> int:
    """The last event that was recorded before a gaming day began."""
    begins, _ = house(connection).clock.bounds(before)
    return position_at(connection, begins)


def unfinished(database: Database) -> list[Row]:
    """What still waits for somebody."""
    return list(ask(database, REPORTS["unfinished"]).rows)


def _is_of(row: Row, planned: Leaving) -> bool:
    """Whether something that waits is of what would leave, as a new case about an old coup."""
    of_days = date.fromisoformat(str(row["day"])) <= planned.last_day
    return of_days or row["position"] <= planned.until


@contextmanager
def bar(words: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar of rows on terminals, and what advances it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=show.console(err=True), transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task(words, total=total)
        yield lambda count: bar.advance(task, count)


def waiting_line(waiting: list[Row]) -> str:
    """What still waits, with the first few by their names."""
    if not waiting:
        return "Nothing of it is unfinished."
    named = ", ".join(f"{row['kind']} {row['which']}" for row in waiting[:_NAMED])
    more = ", …" if len(waiting) > _NAMED else ""
    last = max(row["day"] for row in waiting)
    return (
        f"Not finished ({len(waiting):,}): {named}{more}. "
        f"`sabot report unfinished --to {last}` has all of them."
    )


def rows_in(directory: Path) -> int:
    """How many rows an archive has. Raises ArchiveFailed."""
    return sum(each.last - each.first + 1 for each in require_archive(directory).pieces)
