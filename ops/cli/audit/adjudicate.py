"""`sabot audit adjudicate`: adjudicates every coup of a range again from its record."""

import gc
import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from domain.aggregates.shoe import Shoe
from domain.aggregates.table import Table
from domain.review.adjudication import as_texts, fingerprint
from domain.rules import addresses
from domain.rules.refusals import NotFound, Refusal
from domain.rules.wording import Words
from ops.cli.reading import permit
from ops.cli.report import check
from ops.cli.session import dispatcher_on, json_option, say, with_database
from ops.commands.corrections import Readjudicate
from ops.commands.saved_token import saved_token
from ops.ledger.database import Database, LedgerLost, NotFit
from ops.ledger.reading import read_stream
from ops.replay.readjudicate import walk
from ops.replay.shoes_of_range import Range
from ops.reports.narrowings import NARROWINGS
from ops.words import show
from ops.words.failure import in_words

if TYPE_CHECKING:
    from domain.review.replay import Disagreement
    from ops.replay.readjudicate import Walked

_NAMES = ("day", "table", "shoe", "from", "to")


def _narrowings(command: Callable[..., Any]) -> Callable[..., Any]:
    for name in reversed(_NAMES):
        command = click.option(f"--{name}", help=NARROWINGS[name])(command)
    return command


@click.command()
@_narrowings
@click.option("--all", "every", is_flag=True, help="Every coup on record.")
@click.option("--look", is_flag=True, help="Only check: record no exception.")
@click.option("--by", help="The staff number of whoever records the exceptions.")
@click.option(
    "--processes", type=click.IntRange(1, 32), help="How many at once; default half the cores."
)
@json_option
@with_database
def adjudicate(
    database: Database,
    every: bool,
    look: bool,
    by: str | None,
    processes: int | None,
    as_json: bool,
    **narrowed: str | None,
) -> None:
    """Adjudicate every coup of a range again, by this version's rules.

    Compares each coup's payments with its record, its cards with those of the shoe, and its
    commission with the accounts. A coup that disagrees is recorded as an exception, once.

    Exit status 1 if a coup disagrees.
    """
    asked = _range(every, narrowed)
    permit(database, "audit adjudicate", narrowed, as_json=as_json)
    gc.disable()  # events never refer to each other, so there is nothing to collect
    click.get_current_context().call_on_close(gc.enable)
    begun = time.monotonic()
    head, walked = _walk(database, asked, processes)
    if not walked.coups:
        _require_there(database, asked)
    seconds = max(time.monotonic() - begun, 0.001)
    if as_json:
        click.echo(json.dumps(_as_dict(head, walked), ensure_ascii=False))
    else:
        _print(head, walked)
    rates = (walked.coups / seconds, walked.events / seconds)
    say("{:,.0f} coups and {:,.0f} events a second.".format(*rates))
    if walked.disagreeing and not look:
        _record(database, walked.disagreeing, by)
    sys.exit(0 if walked.ok else 1)


def _range(every: bool, narrowed: dict[str, str | None]) -> "Range":
    """The range asked for. Refuses: BadValue. Raises UsageError for no range, or for two."""
    check(narrowed)
    given = [name for name in _NAMES if narrowed[name]]
    if every and given:
        raise click.UsageError(f"Give --all or --{given[0]}, not both.")
    if not every and not given:
        raise click.UsageError("Give the coups: --day, --table, --shoe, --from and --to, or --all.")
    if narrowed["shoe"] and len(given) > 1:
        raise click.UsageError("Give --shoe alone: a shoe is of one table and one day.")
    if narrowed["shoe"]:
        shoe = addresses.Shoe.parse(narrowed["shoe"])
        day = shoe.table_day.day
        return Range(shoe.table_day.table, day, day, shoe)
    first, last = (narrowed["day"] or narrowed[end] for end in ("from", "to"))
    return Range(
        narrowed["table"],
        addresses.parse_day(first) if first else None,
        addresses.parse_day(last) if last else None,
    )


def _require_there(database: Database, asked: "Range") -> None:
    """Refuses a table or a shoe that is not on record, as a typing error. Refuses: NotFound."""
    if asked.shoe:
        what, stream = f"shoe {asked.shoe}", Shoe.stream(asked.shoe)
    elif asked.table:
        what, stream = f"table {asked.table}", Table.stream(asked.table)
    else:
        return
    with database.session("sabot_auditor") as connection:
        if not read_stream(connection, stream):
            raise NotFound(what=what)


def _walk(database: Database, asked: "Range", processes: int | None) -> tuple[int, "Walked"]:
    """Adjudicates the range again, with progress."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("shoes"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = show.console(err=True)
    with Progress(
        *columns, console=console, transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task = progress.add_task("shoes", total=None)
        return walk(
            database,
            asked,
            processes,
            begins=lambda shoes: progress.update(task, total=shoes),
            done=lambda shoes: progress.advance(task, shoes),
        )


def _as_dict(head: int, walked: "Walked") -> dict[str, object]:
    return {
        "ok": walked.ok,
        "coups": walked.coups,
        "open": walked.open,
        "voided": walked.voided,
        "events": walked.events,
        "position": head,
        "disagreements": [
            {"coup": coup, **asdict(each)}
            for coup, disagreements in walked.disagreeing
            for each in disagreements
        ],
    }


def _print(head: int, walked: "Walked") -> None:

    lines = 0
    for coup, disagreements in walked.disagreeing:
        for each in as_texts(disagreements):
            click.echo(f"{coup}  {show.disagreement_words([each])}")
            lines += 1
    if walked.disagreeing:
        verdict = f"{len(walked.disagreeing):,} of them disagree, in {lines:,} points"
    else:
        verdict = (
            "the record agrees with today's rules" if walked.coups else "no coup in this range"
        )
    click.echo(
        f"{_several(walked.coups, 'coup')} ({walked.open:,} open, {walked.voided:,} void) with "
        f"{_several(walked.wagers, 'wager')}, {_several(walked.payments, 'payment')} and "
        f"{_several(walked.cards, 'card')}, "
        f"as of position {head:,}: {verdict}."
    )


def _several(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _record(
    database: Database, disagreeing: Iterable[tuple[str, "list[Disagreement]"]], by: str | None
) -> None:
    """Records an exception for each coup, once; nothing if the person may not record."""
    import psycopg

    who = by or saved_token().staff
    recorded = 0
    try:
        dispatcher = dispatcher_on(database, channel="shell")
        roles = Readjudicate.permission.roles
        dispatcher.authority.require_one_of(roles, Words("record what disagrees"))
        for coup, disagreements in disagreeing:
            mark = fingerprint(coup, as_texts(disagreements))
            line = {"command": "readjudicate", "coup": coup, "id": f"readjudicate:{mark}:{who}"}
            answer = dispatcher.dispatch({**line, **({"by": by} if by else {})})
            recorded += answer.ok
            if not answer.ok:
                say(f"{coup} was not recorded: {answer.error}: {answer.words}")
    except (Refusal, NotFit, LedgerLost, psycopg.Error) as error:
        more = "more " if recorded else ""
        say(f"Nothing {more}was recorded: {in_words(error)}")
        say("Somebody who may record them can run this again, or `sabot readjudicate COUP`.")
    if recorded:
        say(f"Recorded as exceptions: {show.count(recorded, 'coup')}.")
