"""`sabot simulate`: made-up evenings, through the same dispatcher as the feed."""

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TextIO

import click
import msgspec

from domain.events import events_of
from domain.events.property import HouseClosed
from domain.rules.house_rules import RULE_SETS
from ops.cli.session import dispatcher_on, say, with_database
from ops.commands.command import EARLIEST, LATEST
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.ledger.growth import first_metadata, has_happened
from ops.simulation.cheats import CHEATS, FALSE_SHUFFLE, NEEDS_DEALER, OVERPAYS
from ops.simulation.run import (
    CHANNEL,
    EXPECTED,
    FIRST_DAY,
    PATIENCE,
    Plan,
    Summary,
    dispatch_all,
    dispatch_in_processes,
)
from ops.words import show

_ANOTHER = "Use another ledger with SABOT_HOME or --database"


@click.command()
@click.option(
    "--tables",
    type=click.IntRange(1, 99),
    default=3,
    show_default=True,
    help="How many tables.",
)
@click.option(
    "--coups",
    type=click.IntRange(min=1),
    default=80,
    show_default=True,
    help="How many coups at each table, each day.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Which evening: the same seed deals the same cards.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 32),
    default=1,
    show_default=True,
    help="How many processes deal at once.",
)
@click.option(
    "--day",
    type=click.DateTime(["%Y-%m-%d"]),
    default=FIRST_DAY.isoformat(),
    show_default=True,
    help="The first gaming day.",
)
@click.option(
    "--days",
    type=click.IntRange(1, 400),
    default=1,
    show_default=True,
    help="How many gaming days.",
)
@click.option(
    "--electronic",
    is_flag=True,
    help="Electronic tables, whose patrons click chips and bet from game accounts.",
)
@click.option(
    "--cheat",
    metavar="CHEAT",
    type=click.Choice(CHEATS),
    help=f"What is wrong at the first table: {', '.join(CHEATS)}.",
)
@click.option(
    "--cheat-at",
    type=click.IntRange(1, 320),
    help=f"Of {FALSE_SHUFFLE}: how many cards come before those that stay together. Of {OVERPAYS}: "
    "in one of how many wins the dealer pays too much.",
)
@click.option("--out", type=click.File("w"), help="Write the feed to a file and record nothing.")
@click.option("--anyway", is_flag=True, help="Also in a ledger with real play.")
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
    electronic: bool,
    cheat: str | None,
    cheat_at: int | None,
    out: TextIO | None,
    anyway: bool,
    as_json: bool,
) -> None:
    """Play made-up evenings; the same seed and day play the same evening.

    The ledger must be empty, or hold only made-up play: what is recorded stays in it.

    Exit status 1 if an answer was not the expected one.
    """
    _require_playable(day, days, cheat if electronic else None)
    if cheat_at and cheat not in (FALSE_SHUFFLE, OVERPAYS):
        raise click.UsageError(f"--cheat-at belongs to {FALSE_SHUFFLE} or to {OVERPAYS}.")
    plan = Plan(
        tables=tables,
        coups=coups,
        seed=seed,
        day=day.date(),
        days=days,
        electronic=electronic,
        cheat=cheat or "",
        cheat_at=cheat_at or 0,
    )
    if out:
        _write(plan, out)
        return
    _require_fit(database, anyway=anyway)
    started = time.monotonic()
    summary = _play(database, plan, processes)
    seconds = time.monotonic() - started
    (_print_json if as_json else _print)(summary, tables, seconds)
    for answer in summary.unexpected[:5]:
        say(f"Not expected: {answer}")
    sys.exit(1 if summary.unexpected else 0)


def _print_json(summary: Summary, tables: int, seconds: float) -> None:
    body = {
        "tables": tables,
        "lines": summary.lines,
        "coups": summary.settled,
        "refused": dict(sorted(summary.refused.items())),
        "unexpected": len(summary.unexpected),
        "seconds": round(seconds, 1),
    }
    click.echo(json.dumps(body))


def _print(summary: Summary, tables: int, seconds: float) -> None:
    click.echo(
        f"{summary.settled:,} coups at {tables} tables, {summary.lines:,} commands in "
        f"{seconds:.1f} s ({summary.lines / seconds:,.0f} a second)."
    )
    of = Counter(summary.refused)
    expected = {error: of.pop(error) for error in sorted(EXPECTED & of.keys())}
    click.echo(f"Refused, as expected: {_counted(expected) or 'nothing'}.")
    if of:
        click.echo(f"Refused, and not expected: {_counted(of)}.")


def _counted(refused: Mapping[str, int]) -> str:
    return ", ".join(f"{error} {count}" for error, count in sorted(refused.items()))


def _require_playable(day: datetime, days: int, electronic: str | None) -> None:
    """Raises BadParameter for days that the ledger does not accept, or a cheat that needs a dealer.

    `electronic`: the cheat at an electronic table.
    """
    if electronic in NEEDS_DEALER:
        raise click.BadParameter(
            f"{electronic} needs a table with a dealer. Leave --electronic out.",
            param_hint="--cheat",
        )
    first, last = EARLIEST.date(), LATEST.date()
    if not first < day.date() <= last - timedelta(days=days):
        raise click.BadParameter(
            f"the {show.count(days, 'day')} from {day:%Y-%m-%d} must lie between {first} and "
            f"{last}. Give another first day.",
            param_hint="--day",
        )


def _require_fit(database: Database, *, anyway: bool) -> None:
    """Raises ClickException where made-up evenings would mix with real play or be refused.

    `anyway`: with real play they may be mixed.
    """
    with database.session("sabot_auditor", say) as connection:
        first = first_metadata(connection, without=list(events_of("program-day")))
        currency = house(connection).currency
        closed = has_happened(connection, "", [HouseClosed.TOPIC])
    if first and json.loads(first)["mouth"] != CHANNEL and not anyway:
        raise click.ClickException(
            f"This ledger has real play, and made-up evenings would stay in it. {_ANOTHER}, or add "
            "--anyway."
        )
    if others := {each.currency for each in RULE_SETS.values()} - {currency}:
        raise click.ClickException(
            f"The house counts in {currency}, and made-up evenings are dealt by rule sets in "
            f"{', '.join(sorted(others))}. {_ANOTHER}."
        )
    if closed:
        raise click.ClickException(
            "Only who is signed on gives commands in this house, and nobody of a made-up evening "
            f"can sign on. {_ANOTHER}."
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

        def watch(lines: int) -> None:
            progress.advance(task, lines)

        if processes == 1:
            dispatcher = dispatcher_on(database, CHANNEL, PATIENCE, made_up=True)
            return dispatch_all(dispatcher.dispatch, plan.lines(tables), watch)
        return dispatch_in_processes(database.given, plan, processes, watch)
