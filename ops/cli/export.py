"""`sabot export`: rows of a report, or events, in files for other programs."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from domain.rules.addresses import parse_day
from ops.cli.reading import permit
from ops.cli.report import AS_OF, ask_for, check
from ops.cli.session import ended_tidily, json_option, say, with_database
from ops.ledger.database import Database
from ops.ledger.recorder import flush
from ops.reports.export.events import PIECE, Range
from ops.reports.export.events import events as events_of
from ops.reports.export.files import Content, Format, write
from ops.reports.export.rows import rows
from ops.reports.moments import MOMENT
from ops.reports.narrowings import METAVARS, NARROWINGS, SORT, options_of, require_in_order
from ops.reports.readable import readable
from ops.reports.sorting import Sort
from ops.typed.shell import require_utf8
from ops.words import show
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

_format = click.option(
    "--format", "form", type=click.Choice(["csv", "parquet"]), default="csv", show_default=True
)
_into = click.option(
    "--into",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="A new or empty directory for the files.",
)


def _with(options: Mapping[str, str]) -> Callable[[Any], Any]:
    """A decorator that adds an option for each name, with its help."""

    def add(command: Any) -> Any:
        for name, help_text in reversed(list(options.items())):
            command = click.option(f"--{name}", metavar=METAVARS.get(name), help=help_text)(command)
        return command

    return add


@click.group()
def export() -> None:
    """Write rows of a report, or events, to files, with a manifest.

    In CSV an apostrophe is put before text that a spreadsheet would run as a formula.
    """


@export.command()
@click.argument("name", metavar="REPORT", type=click.Choice(list(REPORTS)))
@_with(NARROWINGS)
@click.option("--as-of", metavar=MOMENT, help=AS_OF)
@click.option("--sort", metavar="COLUMN", help=SORT)
@_format
@_into
@json_option
@with_database
def report(
    database: Database,
    name: str,
    form: Format,
    into: Path,
    as_json: bool,
    as_of: str | None,
    sort: str | None,
    **narrowed: str | None,
) -> None:
    """Write the rows of REPORT, the same as `sabot report` shows."""
    asked = REPORTS[name]
    for word in sorted(set(NARROWINGS) - set(options_of(asked))):
        if narrowed.pop(word) is not None:
            raise click.UsageError(f"The report {name} takes no --{word}.")
    check(narrowed)
    by = Sort.typed(sort, asked)
    permit(database, f"report {name}", {**narrowed, "as_of": as_of}, "export", as_json=as_json)
    answer = ask_for(database, asked, as_of, narrowed)
    with readable():
        answer = by.put_in_order(answer)
    with database.session("sabot_auditor") as connection:
        _write(connection, rows(connection, answer, narrowed), into, form, as_json=as_json)


@export.command()
@_with({name: NARROWINGS[name] for name in ("day", "from", "to", "table")})
@click.option("--after", type=click.IntRange(0), help="Only events after this position.")
@click.option("--until", type=click.IntRange(0), help="Only events up to this position.")
@_format
@_into
@json_option
@with_database
def events(
    database: Database,
    form: Format,
    into: Path,
    as_json: bool,
    after: int | None,
    until: int | None,
    **narrowed: str | None,
) -> None:
    """Write the events of a range, as the ledger has them."""
    from rich.progress import Progress

    check(narrowed)
    require_in_order(("--after", after), ("--until", until))
    first, last = (narrowed["day"] or narrowed[name] for name in ("from", "to"))
    if (first or last) and (after is not None or until is not None):
        raise click.UsageError("Give gaming days or positions, not both.")
    asked = Range(
        first_day=parse_day(first) if first else None,
        last_day=parse_day(last) if last else None,
        after=after or 0,
        until=until,
        table=narrowed["table"],
    )
    permit(database, "export events", narrowed, "export", as_json=as_json)
    bar = Progress(console=show.console(err=True), transient=True, disable=not sys.stderr.isatty())
    with database.session("sabot_auditor") as connection, bar as progress:
        task = progress.add_task("events", total=None, visible=False)

        def watch(first: int, position: int, last: int) -> None:
            done, total = position - first + 1, last - first + 1
            progress.update(task, completed=done, total=total, visible=total > 10 * PIECE)

        _write(connection, events_of(connection, asked, watch), into, form, as_json=as_json)


def _write(
    connection: "psycopg.Connection[Any]",
    content: Content,
    into: Path,
    form: Format,
    *,
    as_json: bool,
) -> None:
    require_utf8("--into", str(into))
    try:
        with ended_tidily():
            written = write(content, into, form, lambda: flush(connection))
    except OSError as error:
        raise click.ClickException(f"{into} was not written: {error.strerror}.") from error
    if as_json:
        click.echo(json.dumps(written.manifest, ensure_ascii=False))
    else:
        rows, position = show.count(written.rows, "row"), f"{content.ledger.position:,}"
        say(f"Wrote {rows}, up to position {position}, to {into / written.file}.")
