"""`sabot report NAME`: the reports, for people, as JSON, as CSV or on paper."""

import csv
import getpass
import json
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from domain.addresses import Shoe, parse_day
from domain.money import major
from domain.refusals import BadValue
from ops import show
from ops.cli.session import (
    NEW_FILE,
    json_option,
    kept_token,
    require_place,
    require_utf8,
    say,
    with_database,
    write_whole,
)
from ops.database import Database
from ops.reports import Told, ask
from projections import REPORTS, Report

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
MOST_SHOWN = 1_000  # rows on a terminal


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
        told = ask_for(database, asked, as_of, narrowed)
        if as_json:
            click.echo(msgspec.json.encode(told.as_dict()))
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
    params.append(click.Option(["--csv", "as_csv"], is_flag=True, help="Print CSV."))
    params.append(
        click.Option(
            ["--pdf"],
            metavar="FILE",
            type=NEW_FILE,
            callback=require_place,
            help="Write it to this file, as a PDF.",
        )
    )
    command = click.Command(asked.name, params=params, callback=tell, help=f"{asked.title}.")
    return json_option(command)


def ask_for(
    database: Database, asked: Report, as_of: str | None, narrowed: dict[str, str | None]
) -> Told:
    """The answer; a moment that lies back is worth a bar, because rows are grown for it."""
    from rich.progress import Progress

    if as_of is None:
        return ask(database, asked, **narrowed)  # type: ignore[arg-type]
    bar = Progress(console=show.console(err=True), transient=True, disable=not sys.stderr.isatty())
    with bar as progress:
        task = progress.add_task("As it was", total=None)
        return ask(
            database,
            asked,
            _moment_of(as_of),
            lambda position: progress.update(task, description=f"As it was … {position:,}"),
            **narrowed,
        )


def _moment_of(said: str) -> datetime:
    """Refuses: BadValue."""
    try:
        return datetime.fromisoformat(said)
    except ValueError:
        why = "write a moment of ISO 8601, as in 2026-11-21T20:14:00+01:00"
        raise BadValue(field="--as-of", value=repr(said), why=why) from None


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
    if narrowed.get("shoe"):
        Shoe.parse(str(narrowed["shoe"]))
    if any(value == "" for value in narrowed.values()):
        raise BadValue(field="a narrowing", value="empty", why="leave it out to see everything")


def write_csv(told: Told) -> None:
    """Rows under the names of the contract, the currency beside them."""
    out = csv.writer(sys.stdout)
    out.writerow([*told.report.columns, "currency"])
    for found in told.found:
        out.writerow([*map(_cell, told.row(found)), told.house.currency])


def _cell(value: object) -> object:
    if isinstance(value, list | dict | bool):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else value


def write_pdf(told: Told, narrowed: dict[str, str | None], database: Database, file: Path) -> None:
    """On paper, as long as it is of a length that somebody may read."""
    from ops.report_paper import LARGEST, LONG, paper, recorded_at, signed_on

    many = len(told.rows)
    if many > LARGEST:
        raise click.ClickException(
            f"{many:,} rows are too many for paper, which takes {LARGEST:,}: narrow it, or take "
            "--csv."
        )
    with database.session("sabot_auditor") as connection:
        moment = recorded_at(connection, told.position)
        by = signed_on(connection, kept_token())
    if many > LONG:
        say(f"Laying out {many:,} rows …")
    write_whole(file, paper(told, narrowed, moment, by))
    say(f"{told.report.title} at position {told.position:,} is in {file}.")


def print_table(told: Told) -> None:
    """For people: the newest first, money in major units, in as many columns as there is room."""
    from rich.table import Table
    from rich.text import Text

    page = show.console()
    scope = f"  {told.house.name}  {days_words(told)}  {told.house.currency}"
    page.print(
        Text.assemble((told.report.title, "bold"), f"{scope}  at position {told.position:,}")
    )
    if told.as_of:
        page.print(f"As of {told.as_of}: what was recorded later is not in it.")
    if page.is_terminal:  # what is piped is the same bytes as long as the record is the same
        page.print(f"Produced {datetime.now().astimezone():%Y-%m-%d %H:%M:%S%z} by {_producer()}")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in told.report.shown:
        right = name in told.report.money or name.endswith("total")
        table.add_column(
            name.replace("_total", "").replace("_", " "),
            justify="right" if right else "left",
            no_wrap=name in told.report.money,  # words give way before amounts do
            overflow="fold",
        )
    shown = told.found[:MOST_SHOWN]
    if told.report.newest_first:
        shown = told.found[: -MOST_SHOWN - 1 : -1]
    for found in shown:
        row = dict(zip(told.report.columns, told.row(found), strict=True))
        table.add_row(*(_shown(told, name, row) for name in told.report.shown))
    if told.report.adds_up and told.report.money:
        table.add_section()
        table.add_row(*_totals(told))
    page.print(table)
    if len(shown) < len(told.found):
        which = "newest" if told.report.newest_first else "first"
        say(
            f"The {which} {len(shown):,} of {len(told.found):,} rows: narrow it, or take them "
            "all with --csv."
        )


def days_words(told: Told) -> str:
    """The gaming days that a report covers."""
    first, last = (told.narrowed.get(name) for name in ("from", "to"))
    if first or last:
        return f"{first or '…'} to {last or '…'}"
    return told.day or "all days"


def _producer() -> str:
    """Whoever is signed on at this terminal, or at this machine."""
    return kept_token().staff or getpass.getuser()


def _shown(told: Told, name: str, row: dict[str, Any]) -> Any:
    from rich.text import Text

    value = row[name]
    if value is None:
        return row["table"] if name == "coup" else "·"  # where it was, if at no coup
    if name in told.report.money:
        return _money(value, told.house.currency)
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if name == "cards":
        return Text(" ").join(show.card_text(each["card"]) for each in value)
    if name == "detail":
        return " ".join(_detail_words(value, told.house.currency))
    if name == "outcome":
        return "void" if row["phase"] == "voided" else Text(value, style=show.STYLES[value])
    is_moment = name in ("at", "from", "to") or name.endswith("_at")
    return _moment(name, value) if is_moment else str(value)


def _detail_words(detail: dict[str, Any], currency: str) -> Iterator[str]:
    """An exception as the floor would say it; of a whole command, all that it told."""
    if "recorded_at" in detail:
        yield f"Recorded {_moment('at', detail['recorded_at'])}."
    if "seconds" in detail:
        yield f"{detail['seconds']} s behind."
    for words in show.told_words(detail.get("facts", [detail]), currency):
        yield words.removeprefix("! ")  # so would every line begin here


def _moment(name: str, value: str) -> str:
    """`at` or `from` is all that says which day it was; others stand in a row of one day."""
    return value[5:16].replace("T", " ") if name in ("at", "from") else value[11:19]


def _money(value: int | str, currency: str) -> str:
    return major(int(value), currency) if "." not in str(value) else f"{value} minor"


def _totals(told: Told) -> list[str]:
    """A last line that adds the columns up, where every amount is whole."""
    cells: list[str] = []
    for name in told.report.shown:
        cells.append(_total(told, name) or ("" if cells else "total"))
    return cells


def _total(told: Told, name: str) -> str | None:
    if name not in told.report.money:
        return None
    column = told.report.columns.index(name)
    amounts = [told.cell(column, found) for found in told.found if found[column] is not None]
    if any("." in str(each) for each in amounts):
        return None
    return major(sum(map(int, amounts)), told.house.currency)


for each in REPORTS.values():
    report.add_command(_command(each))
