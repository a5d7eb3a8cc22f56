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

from domain.rules.addresses import Shoe, parse_day, stream_id
from domain.rules.refusals import BadValue
from domain.rules.wording import plain
from ops.cli.reading import permit
from ops.cli.session import NEW_FILE, json_option, require_place, say, with_database, write_whole
from ops.commands.reader import How
from ops.commands.saved_token import saved_token
from ops.ledger.database import Database
from ops.ledger.reading import read_stream
from ops.reports.ask import ReportAnswer, ask
from ops.reports.moments import moment_of
from ops.reports.table import print_table
from ops.typed.shell import require_utf8
from ops.words.csv_cells import guarded
from projections import REPORTS, Report
from projections.words import words_of

NARROWINGS = {
    "table": "Only this table, as in B01.",
    "day": "Only this gaming day, as in 2026-11-21.",
    "from": "Only from this gaming day on.",
    "to": "Only up to this gaming day.",
    "shoe": "Only this shoe, as in B01/2026-11-21/1.",
    "patron": "Only this patron.",
}
AS_OF = (
    "What the record said at that moment, as in 2026-11-21T20:14+01:00; without an offset by "
    "the property's clock."
)


@click.group()
def report() -> None:
    """What the ledger says, true at the moment it is asked."""


def _command(asked: Report) -> click.Command:
    @with_database
    def tell(
        database: Database,
        as_json: bool,
        as_csv: bool,
        pdf: Path | None,
        as_of: str | None,
        **narrowed: str | None,
    ) -> None:
        if as_json + as_csv + (pdf is not None) > 1:
            raise click.UsageError("Say --json, --csv or --pdf, one of them.")
        check(narrowed)
        how = _how(as_csv=as_csv, pdf=pdf)
        about = {**narrowed, "as_of": as_of}
        permit(database, f"report {asked.name}", about, how, as_json=as_json)
        gc.disable()  # a month of rows is made and none thrown away: half of the time is looking
        click.get_current_context().call_on_close(gc.enable)
        told = ask_for(database, asked, as_of, narrowed)
        for name in _unheard_of(database, narrowed) if not (told.found or as_json) else ():
            say(f"The record has no {name} {narrowed[name]}.")
        if as_json:
            click.echo(msgspec.json.encode(told.as_dict(), enc_hook=plain))
        elif as_csv:
            write_csv(told)
        elif pdf:
            write_pdf(told, narrowed, database, pdf)
        else:
            print_table(told)

    params: list[click.Parameter] = [
        click.Option([f"--{name}"], help=NARROWINGS[name]) for name in options_of(asked)
    ]
    params.append(click.Option(["--as-of"], metavar="MOMENT", help=AS_OF))
    params.append(
        click.Option(
            ["--csv", "as_csv"],
            is_flag=True,
            help="Print CSV; text that a spreadsheet would run has ' before it.",
        )
    )
    params.append(
        click.Option(
            ["--pdf"],
            metavar="FILE",
            type=NEW_FILE,
            callback=require_place,
            help="Write it to this file, as a PDF.",
        )
    )
    command = click.Command(asked.name, params=params, callback=tell, help=_help(asked))
    return json_option(command)


def _how(*, as_csv: bool, pdf: Path | None) -> How | None:
    """As the record of readings says it; None: as JSON, or on the screen."""
    if as_csv:
        return "csv"
    return "pdf" if pdf else None


def _help(asked: Report) -> str:
    """Its title, and what its columns mean."""
    lines = (
        fill(f"{name}: {meant}", 76, initial_indent="  ", subsequent_indent="    ")
        for name, meant in words_of(asked).items()
    )
    words = "\n".join(lines)
    return f"{asked.title}.\n\n\b\nColumns:\n{words}" if words else f"{asked.title}."


def ask_for(
    database: Database, asked: Report, as_of: str | None, narrowed: dict[str, str | None]
) -> ReportAnswer:
    """The answer; a moment that lies back is worth a bar, because rows are grown for it."""
    from ops.cli.progress import reading

    if as_of is None:
        return ask(database, asked, **narrowed)  # type: ignore[arg-type]
    with reading(transient=True) as progress:
        task = progress.add_task("As it was", total=None, at="")
        return ask(
            database,
            asked,
            moment_of(as_of),
            lambda position: progress.update(task, completed=position, at=f"{position:,}"),
            **narrowed,
        )


def options_of(asked: Report) -> Iterator[str]:
    """The narrowings that may be said: whoever knows a day knows a range of days."""
    for name in asked.narrowings:
        yield from ("day", "from", "to") if name == "day" else (name,)


def check(narrowed: dict[str, str | None]) -> None:
    """Whether what was said can be looked for. Refuses: BadValue, BadAddress."""
    for name, value in narrowed.items():
        require_utf8(name, value or "")
    for name in filter(narrowed.get, ("day", "from", "to")):
        parse_day(str(narrowed[name]))
    if narrowed.get("day") and (narrowed.get("from") or narrowed.get("to")):
        raise click.UsageError("Say --day, or --from and --to.")
    first, last = narrowed.get("from"), narrowed.get("to")
    if first and last and first > last:
        raise BadValue(field="--from", value=first, why=f"it is after --to {last}")
    if narrowed.get("shoe"):
        Shoe.parse(str(narrowed["shoe"]))
    if any(value == "" for value in narrowed.values()):
        raise BadValue(field="a narrowing", value="empty", why="leave it out to see everything")


def _unheard_of(database: Database, narrowed: Mapping[str, str | None]) -> Iterator[str]:
    """What was asked for that no event ever told: more likely mistyped than quiet."""
    streams = {}
    if narrowed.get("table"):
        streams["table"] = stream_id("table", str(narrowed["table"]))
    if narrowed.get("shoe"):
        shoe = Shoe.parse(str(narrowed["shoe"]))
        streams["shoe"] = stream_id("shoe", str(shoe), shoe.table_day.day)
    if streams:
        with database.session("sabot_auditor") as connection:
            for name, stream in streams.items():
                if not read_stream(connection, stream):
                    yield name
    if (
        narrowed.get("patron")
        and not ask(database, REPORTS["ratings"], patron=narrowed["patron"]).found
    ):
        yield "patron"


def write_csv(told: ReportAnswer) -> None:
    """Rows under the names of the contract, the currency beside them."""
    out = csv.writer(sys.stdout)
    out.writerow([*told.report.columns, "currency"])
    for found in told.found:
        out.writerow([*map(_cell, told.row(found)), told.house.currency])


def _cell(value: object) -> object:
    if isinstance(value, list | dict | bool):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else guarded(value)


def write_pdf(
    told: ReportAnswer, narrowed: dict[str, str | None], database: Database, file: Path
) -> None:
    """On paper, as long as it is of a length that somebody may read."""
    from ops.reports.paper import LARGEST, LONG, paper, recorded_at, signed_on

    many = len(told.rows)
    if many > LARGEST:
        raise click.ClickException(
            f"{many:,} rows are too many for paper, which takes {LARGEST:,}: narrow it, or take "
            "--csv."
        )
    with database.session("sabot_auditor") as connection:
        moment = recorded_at(connection, told.position)
        by = signed_on(connection, saved_token())
    if many > LONG:
        say(f"Laying out {many:,} rows …")
    write_whole(file, paper(told, narrowed, moment, by))
    say(f"{told.report.title} at position {told.position:,} is in {file}.")


for each in REPORTS.values():
    report.add_command(_command(each))
