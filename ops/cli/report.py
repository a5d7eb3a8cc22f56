"""`sabot report NAME`: the reports, for people, as JSON, as CSV or on paper."""

import csv
import gc
import getpass
import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click
import msgspec

from domain.addresses import Shoe, parse_day, stream_id
from domain.refusals import BadValue
from ops import show
from ops.as_of import moment_of
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
from ops.ledger.recorder import read_stream
from ops.report_text import (
    NOTHING,
    PERCENT,
    UNNAMED,
    Totals,
    amount,
    deadline_words,
    detail_words,
    percent,
    sum_by_spot,
    totals,
)
from ops.reports import Told, ask
from projections import REPORTS, Report
from projections.words import words_of

if TYPE_CHECKING:
    from rich.table import Table

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
        gc.disable()  # a month of rows is made and none thrown away: half of the time is looking
        click.get_current_context().call_on_close(gc.enable)
        told = ask_for(database, asked, as_of, narrowed)
        for name in _unheard_of(database, narrowed) if not (told.found or as_json) else ():
            say(f"The record has no {name} {narrowed[name]}.")
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
    command = click.Command(asked.name, params=params, callback=tell, help=_help(asked))
    return json_option(command)


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
            moment_of(as_of),
            lambda position: progress.update(task, description=f"As it was … {position:,}"),
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
    """What was asked for that no fact ever told: more likely mistyped than quiet."""
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
    found = told.found[:MOST_SHOWN]
    if told.report.newest_first:
        found = told.found[: -MOST_SHOWN - 1 : -1]
    rows = [dict(zip(told.report.columns, told.row(each), strict=True)) for each in found]
    if "period" in told.report.columns and rows:
        page.print(_periods(rows))
    adding_up = _totals(told)
    columns = _columns(told, rows, adding_up, page.width)
    page.print(_table(told, columns, adding_up, page.width))
    if adding_up and adding_up.words:
        page.print(adding_up.words)
    if left_out := [each for each in _named(told) if each not in columns]:
        names = ", ".join(each.replace("_", " ") for each in left_out)
        page.print(f"No room for: {names}. --csv and --pdf have them.")
    if len(found) < len(told.found):
        which = "newest" if told.report.newest_first else "first"
        say(
            f"The {which} {len(found):,} of {len(told.found):,} rows: narrow it, or take them "
            "all with --csv."
        )


def _periods(rows: list[dict[str, Any]]) -> str:
    """Which days each period covers: all of them end with the same one."""
    since = {row["period"]: row["from"] for row in rows}
    first, last = since.pop("day"), rows[0]["to"]
    day = f"Day {last}" if first == last else f"Days {first} to {last}"
    return ", ".join([day, *(f"{name} from {begin}" for name, begin in since.items())]) + "."


def _columns(
    told: Told, rows: list[dict[str, Any]], adding_up: Totals | None, width: int
) -> dict[str, list[Any]]:
    """The cells of every column that there is room for, in the contract's order among the others.

    Those that a terminal of 80 columns has come first and may be wrapped; the others are there
    whole or not at all.
    """
    columns = {name: [_shown(told, name, row) for row in rows] for name in told.report.shown}
    texts = adding_up.texts if adding_up else {}
    used = sum(_width(name, cells, texts) for name, cells in columns.items())
    for name in _named(told):
        if name in columns or any(_is_of_parts(told, name, row) for row in rows):
            continue
        cells = [_shown(told, name, row) for row in rows]
        needed = _width(name, cells, texts)
        if used + needed <= width:
            used += needed
            columns = _inserted(columns, name, cells, told.report.columns)
    return columns


def _named(told: Told) -> list[str]:
    """The columns that a terminal may have; what was acknowledged is told with the rest."""
    told_with = (
        ("acknowledged_by", "acknowledged_at", "text") if "detail" in told.report.shown else ()
    )
    return [name for name in told.report.columns if name not in told_with]


def _is_of_parts(told: Told, name: str, row: dict[str, Any]) -> bool:
    """Whether it is made of several things, for which a line of a terminal has no words."""
    if name in (*told.report.by_spot, "cards", "detail"):
        return False
    return isinstance(row[name], dict | list)


def _width(name: str, cells: list[Any], totals: Mapping[str, str]) -> int:
    """Letters, so that nothing is wrapped, and the gap behind."""
    texts = [_head(name), *cells, totals.get(name, "")]
    return max(len(each) for each in texts) + 2


def _inserted(
    columns: dict[str, list[Any]], name: str, cells: list[Any], order: tuple[str, ...]
) -> dict[str, list[Any]]:
    """Behind the last of those that the contract has before it."""
    before = order[: order.index(name)]
    names = list(columns)
    at = max((n for n, each in enumerate(names, 1) if each in before), default=0)
    names.insert(at, name)
    return {each: cells if each == name else columns[each] for each in names}


def _table(
    told: Told, columns: dict[str, list[Any]], adding_up: Totals | None, width: int
) -> "Table":
    from rich.table import Table

    texts = adding_up.texts if adding_up else {}
    needed = sum(_width(name, cells, texts) for name, cells in columns.items())
    table = Table(box=None, pad_edge=False, header_style="bold")
    money = (*told.report.money, *told.report.by_spot)
    for name in columns:
        right = name in (*money, *PERCENT) or name.endswith("total")
        head = _head(name)
        table.add_column(
            head.replace(" ", "\n") if name in money and needed > width else head,
            justify="right" if right else "left",
            no_wrap=name in money,  # words give way before amounts do
            overflow="fold",
        )
    for cells in zip(*columns.values(), strict=True):
        table.add_row(*cells)
    if adding_up:
        table.add_section()
        rest = list(columns)[1:]
        table.add_row("total", *(texts.get(name, "") for name in rest))
    return table


def _head(name: str) -> str:
    return name.replace("_total", "").replace("_", " ")


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
    value = row[name]
    if value is None:  # where it was, if at no coup
        return row["table"] if name == "coup" else NOTHING
    text = _number(told, name, value)
    return _words(told, name, row) if text is None else text


def _number(told: Told, name: str, value: Any) -> str | None:
    """An amount or a ratio; None: it is neither."""
    if name in told.report.money:
        return amount(value, told.house.currency)
    if name in told.report.by_spot:
        return sum_by_spot(value, told.house.currency)
    return percent(value) if name in PERCENT else None


def _words(told: Told, name: str, row: dict[str, Any]) -> Any:
    from rich.text import Text

    value = row[name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "cards":
        return Text(" ").join(show.card_text(each["card"]) for each in value)
    if name == "deadlines":
        return deadline_words(row)
    if name == "detail":
        return " ".join((*_detail_words(value, told.house.currency), *_acknowledged_words(row)))
    if name == "outcome":
        return "void" if row["phase"] == "voided" else Text(value, style=show.STYLES[value])
    is_moment = isinstance(value, str) and (name in ("at", "from", "to") or name.endswith("_at"))
    return _moment(name, value) if is_moment else str(value)


def _detail_words(detail: dict[str, Any], currency: str) -> Iterator[str]:
    """An exception as the floor would say it; of a whole command, all that it told."""
    if "recorded_at" in detail:
        yield f"Recorded {_moment('at', detail['recorded_at'])}."
    if "seconds" in detail:
        yield f"{detail['seconds']} s behind."
    yield from detail_words(detail, currency)


def _acknowledged_words(row: dict[str, Any]) -> Iterator[str]:
    """Who acknowledged it and when: a terminal has no room for columns that are mostly empty."""
    if row["acknowledged_at"]:
        text = f": {row['text']}" if row.get("text") else "."
        at = _moment("at", row["acknowledged_at"])
        yield f"Acknowledged {at} by {row['acknowledged_by'] or UNNAMED}{text}"


def _moment(name: str, value: str) -> str:
    """`at` or `from` is all that says which day it was; others stand in a row of one day."""
    return value[5:16].replace("T", " ") if name in ("at", "from") else value[11:19]


def _totals(told: Told) -> Totals | None:
    values = {
        name: [told.cell(column, found) for found in told.found]
        for column, name in enumerate(told.report.columns)
        if name in told.report.money
    }
    return totals(told.report, values, told.house.currency)


for each in REPORTS.values():
    report.add_command(_command(each))
