"""`sabot report NAME`: the reports, for people, as JSON, as CSV or on paper."""

import csv
import gc
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import fill

import click
import msgspec

from domain.rules.wording import plain
from ops.cli.progress import reading
from ops.cli.reading import permit
from ops.cli.session import NEW_FILE, json_option, require_place, say, with_database, write_whole
from ops.commands.reader import How
from ops.commands.saved_token import saved_token
from ops.ledger.database import Database
from ops.ledger.reading import recorded_at
from ops.reports.ask import ReportAnswer, ask
from ops.reports.moments import MOMENT, Typed
from ops.reports.narrowings import METAVARS, NARROWINGS, SORT, days_twice, options_of, require
from ops.reports.never_named import never_named
from ops.reports.paper import LARGEST, LONG, checkpoint_for, paper, signed_on
from ops.reports.readable import readable
from ops.reports.sorting import Sort
from ops.reports.table import print_table
from ops.typed.shell import require_utf8
from ops.words.columns import meanings
from ops.words.csv_cells import guarded
from ops.words.language import shown
from projections import REPORTS, Report

AS_OF = (
    "The report as it was at that moment, by the house's clock: 20:14 or 20:14:07 of today's "
    "gaming day, with the date for another one, as in 2026-11-21T20:14."
)

NOT_AS_TYPED = "{typed} is not on record. This is {meant}, which looks the same."


@click.group()
def report() -> None:
    """Show a report, true at the moment it is asked for."""


def _command(asked: Report) -> click.Command:
    @with_database
    def show(
        database: Database,
        as_json: bool,
        as_csv: bool,
        pdf: Path | None,
        as_of: str | None,
        sort: str | None,
        **narrowed: str | None,
    ) -> None:
        if as_json + as_csv + (pdf is not None) > 1:
            raise click.UsageError("Use only one of --json, --csv and --pdf.")
        check(narrowed)
        by = Sort.typed(sort, asked)
        how = _how(as_csv=as_csv, pdf=pdf)
        about = {**narrowed, "as_of": as_of}
        permit(database, f"report {asked.name}", about, how, as_json=as_json)
        gc.disable()  # no row is dropped before the end: collecting would take half of the time
        click.get_current_context().call_on_close(gc.enable)
        answer = ask_for(database, asked, as_of, narrowed, or_behind=how is None)
        if (meant := answer.narrowed.get("patron")) != narrowed.get("patron"):
            say(NOT_AS_TYPED.format(typed=narrowed["patron"], meant=meant))
        for _, words in never_named(database, narrowed) if not (answer.raw or as_json) else ():
            say(shown(words))
        with readable():
            answer = by.put_in_order(answer)
            if as_json:
                click.echo(msgspec.json.encode(answer.as_dict(), enc_hook=plain))
            elif as_csv:
                write_csv(answer)
            elif pdf:
                write_pdf(answer, narrowed, database, pdf)
            else:
                print_table(answer)

    params = [*_narrowings(asked), *_FORMS]
    command = click.Command(asked.name, params=params, callback=show, help=_help(asked))
    return json_option(command)


def _narrowings(asked: Report) -> Iterator[click.Parameter]:
    for name in options_of(asked):
        yield click.Option([f"--{name}"], metavar=METAVARS.get(name), help=NARROWINGS[name])


_FORMS: tuple[click.Parameter, ...] = (
    click.Option(["--as-of"], metavar=MOMENT, help=AS_OF),
    click.Option(["--sort"], metavar="COLUMN", help=SORT),
    click.Option(
        ["--csv", "as_csv"],
        is_flag=True,
        help="Print CSV; an apostrophe is put before text that a spreadsheet would run.",
    ),
    click.Option(
        ["--pdf"],
        metavar="FILE",
        type=NEW_FILE,
        callback=require_place,
        help="Write it to this file, as a PDF.",
    ),
)


def _how(*, as_csv: bool, pdf: Path | None) -> How | None:
    """How the record of readings calls it, or None for JSON and the screen."""
    if as_csv:
        return "csv"
    return "pdf" if pdf else None


def _help(asked: Report) -> str:
    """What it shows, and what its columns mean."""
    lines = (
        fill(f"{name}: {meant}", 76, initial_indent="  ", subsequent_indent="    ")
        for name, meant in meanings(asked).items()
    )
    words = "\n".join(lines)
    about = f"{asked.about[:1].upper()}{asked.about[1:]}."
    return f"{about}\n\n\b\nColumns:\n{words}"


def ask_for(
    database: Database,
    asked: Report,
    as_of: str | None,
    narrowed: dict[str, str | None],
    *,
    or_behind: bool = False,
) -> ReportAnswer:
    """The answer; with a progress bar for a past moment, whose rows are made anew."""
    if as_of is None:
        return ask(database, asked, or_behind=or_behind, **narrowed)  # type: ignore[arg-type]
    with reading(transient=True) as progress:
        task = progress.add_task("As it was", total=None, at="")
        return ask(
            database,
            asked,
            Typed.required(as_of, "--as-of"),
            lambda position: progress.update(task, completed=position, at=f"{position:,}"),
            counted=None,
            wanted=None,
            session=None,
            or_behind=False,
            **narrowed,
        )


def check(narrowed: Mapping[str, str | None]) -> None:
    """Checks the narrowings. Refuses: BadValue, BadAddress. Raises UsageError for two of days."""
    for name, value in narrowed.items():
        require_utf8(name, value or "")
    if days_twice(narrowed):
        raise click.UsageError("Use --day, or --from and --to.")
    require(narrowed)


def write_csv(answer: ReportAnswer) -> None:
    """Rows under the names of the contract, the currency beside them."""
    out = csv.writer(sys.stdout)
    out.writerow([*answer.report.columns, *answer.beside])
    for raw in answer.raw:
        out.writerow([*map(_cell, answer.row(raw)), *answer.beside.values()])


def _cell(value: object) -> object:
    if isinstance(value, list | dict | bool):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else guarded(value)


def write_pdf(
    answer: ReportAnswer, narrowed: dict[str, str | None], database: Database, file: Path
) -> None:
    """Writes the report as a PDF, unless it is too long to print."""
    many = len(answer.rows)
    if many > LARGEST:
        raise click.ClickException(
            f"{many:,} rows are too many for a PDF: it takes {LARGEST:,}. Narrow the report, or "
            "use --csv."
        )
    with database.session("sabot_auditor") as connection:
        moment = recorded_at(connection, answer.position)
        by = signed_on(connection, saved_token())
        checkpoint = checkpoint_for(connection, narrowed)
    if many > LONG:
        say(f"Laying out {many:,} rows …")
    write_whole(file, paper(answer, narrowed, moment, by, checkpoint), private=True)
    say(f"{answer.report.title} at position {answer.position:,} is in {file}.")


for each in REPORTS.values():
    report.add_command(_command(each))
