"""`sabot simulate`: generated evenings through the same dispatcher as the feed."""

import json
import sys
import time
from datetime import datetime, timedelta
from typing import TextIO

import click
import msgspec

from ops.cli.session import dispatcher_on, say, with_database
from ops.commands.command import EARLIEST, LATEST
from ops.ledger.database import Database
from ops.simulation.run import FIRST_DAY, MOUTH, PATIENCE, Plan, Summary, say_in_processes
from ops.simulation.run import say as say_lines
from ops.words import show


@click.command()
@click.option("--tables", type=click.IntRange(1, 99), default=3, show_default=True)
@click.option(
    "--coups", type=click.IntRange(min=1), default=80, show_default=True, help="A table and day."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Another seed, another evening."
)
@click.option("--processes", type=click.IntRange(1, 32), default=1, show_default=True)
@click.option(
    "--day",
    type=click.DateTime(["%Y-%m-%d"]),
    default=FIRST_DAY.isoformat(),
    show_default=True,
    help="The first gaming day.",
)
@click.option("--days", type=click.IntRange(1, 400), default=1, show_default=True)
@click.option("--out", type=click.File("w"), help="Write the feed to a file, and say nothing.")
@click.option("--anyway", is_flag=True, help="Also into a ledger that was begun in earnest.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@with_database
def simulate(
    database: Database,
    tables: int,
    coups: int,
    seed: int,
    processes: int,
    day: datetime,
    days: int,
    out: TextIO | None,
    anyway: bool,
    as_json: bool,
) -> None:
    """Play evenings made up from a seed: the same seed and day is the same evening.

    Into an empty ledger, or one that was begun so: what is made up stands in it for good.

    Exit status 1 when the floor answered anything that the evening did not expect.
    """
    _require_in_time(day, days)
    plan = Plan(tables=tables, coups=coups, seed=seed, day=day.date(), days=days)
    if out:
        _write(plan, out)
        return
    if not anyway:
        _require_made_up(database)
    started = time.monotonic()
    summary = _play(database, plan, processes)
    seconds = time.monotonic() - started
    told = {
        "tables": tables,
        "lines": summary.lines,
        "coups": summary.settled,
        "refused": dict(sorted(summary.refused.items())),
        "unexpected": len(summary.unexpected),
        "seconds": round(seconds, 1),
    }
    if as_json:
        click.echo(json.dumps(told))
    else:
        refused = ", ".join(f"{error} {count}" for error, count in sorted(summary.refused.items()))
        click.echo(
            f"{summary.settled:,} coups at {tables} tables, {summary.lines:,} commands in "
            f"{seconds:.1f} s ({summary.lines / seconds:,.0f} a second)."
        )
        click.echo(f"Refused, as expected: {refused or 'nothing'}.")
    for answer in summary.unexpected[:5]:
        say(f"Not expected: {answer}")
    sys.exit(1 if summary.unexpected else 0)


def _require_in_time(day: datetime, days: int) -> None:
    """All days are such as the record takes."""
    first, last = EARLIEST.date(), LATEST.date()
    if not first < day.date() <= last - timedelta(days=days):
        raise click.BadParameter(
            f"the {show.count(days, 'day')} from {day:%Y-%m-%d} on are not all after {first} and "
            f"before {last}: name another first day.",
            param_hint="--day",
        )


def _require_made_up(database: Database) -> None:
    """What is made up stands in the record for good, so not beside what was dealt in earnest."""
    with database.session("sabot_auditor", say) as connection:
        first = connection.execute(
            "SELECT metadata FROM ledger.events ORDER BY position LIMIT 1"
        ).fetchone()
    if first and json.loads(first[0])["mouth"] != MOUTH:
        raise click.ClickException(
            "This ledger was begun in earnest, and what is made up would stay in it. "
            "Set SABOT_HOME or --database to another, or say --anyway."
        )


def _write(plan: Plan, out: TextIO) -> None:
    for line in plan.lines(range(1, plan.tables + 1)):
        out.write(msgspec.json.encode(line).decode() + "\n")


def _play(database: Database, plan: Plan, processes: int) -> Summary:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    tables = range(1, plan.tables + 1)
    total = sum(1 for _ in plan.lines(tables))
    columns = (TextColumn("commands"), BarColumn(), MofNCompleteColumn())
    console = show.console(err=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("commands", total=total)

        def told(lines: int) -> None:
            progress.advance(task, lines)

        if processes == 1:
            dispatcher = dispatcher_on(database, MOUTH, PATIENCE, made_up=True)
            return say_lines(dispatcher.dispatch, plan.lines(tables), told)
        return say_in_processes(database.given, plan, processes, told)
