"""A report on a screen: whole values, in as many columns as fit.

If room is short, a table or day that every row has in common goes into a line above them. A summand
without a column is shown below its row, if it is not 0. Text is wrapped between words; amounts,
names and moments are never broken.
"""

import getpass
import os
from collections.abc import Sequence
from contextlib import suppress

import click

from ops.commands.saved_token import saved_token
from ops.ledger import clock
from ops.reports.ask import ReportAnswer, Row
from ops.reports.cells import warnings
from ops.reports.named_only import named_only, unnamed_words
from ops.reports.sheet import Sheet
from ops.words import show
from ops.words.language import shown
from ops.words.values import Totals, totals, with_proofs

MOST_SHOWN = 1_000  # rows


def print_table(answer: ReportAnswer) -> None:
    """Prints the report; at a terminal also when it was produced, and by whom."""
    from rich.text import Text

    answer = named_only(answer)
    page = show.console()
    scope = f"  {answer.house.name}  {days_words(answer)}  {answer.house.currency}"
    scope += f"  {narrowed}" if (narrowed := _narrowed_words(answer)) else ""
    page.print(
        Text.assemble((answer.report.title, "bold"), f"{scope}  as of event #{answer.position:,}")
    )
    if answer.as_of:
        page.print(f"As of {answer.as_of}: what was recorded later is not in it.")
    if page.is_terminal:  # output in a pipe has the same bytes as long as the record is the same
        produced = clock.wall_clock().astimezone()
        page.print(f"Produced {produced:%Y-%m-%d %H:%M:%S%z} by {_producer()}")
    first = answer.in_reading_order[:MOST_SHOWN]
    rows = [
        with_proofs(dict(zip(answer.report.columns, answer.row(each), strict=True)))
        for each in first
    ]
    if "period" in answer.report.columns and rows:
        page.print(_periods(rows))
    sheet = Sheet(answer, rows, _totals(answer), page.width)
    if words := sheet.above():
        page.print(words)
    for piece in sheet.pieces():
        page.print(piece)
    for words in (*sheet.below(), *(f"! {each}" for each in warnings(answer))):
        page.print(words)
    if left_out := unnamed_words(answer):
        page.print(f"{shown(left_out)} Write `--rows all` to see all.")
    if len(first) < len(answer.raw):
        which = "newest" if answer.report.newest_first else "first"
        click.echo(
            f"These are the {which} {len(first):,} of {len(answer.raw):,} rows. Narrow the report, "
            "or use --csv for all.",
            err=True,
        )


def _periods(rows: Sequence[Row]) -> str:
    """The days of each period; all periods end with the same day."""
    since = {row["period"]: row["from"] for row in rows}
    first, last = since.pop("day"), rows[0]["to"]
    day = f"Day {last}" if first == last else f"Days {first} to {last}"
    return ", ".join([day, *(f"{name} from {begin}" for name, begin in since.items())]) + "."


def days_words(answer: ReportAnswer) -> str:
    """The gaming days that a report covers."""
    first, last = (answer.narrowed.get(name) for name in ("from", "to"))
    if first or last:
        return f"{first or '…'} to {last or '…'}"
    return answer.day or "all days"


def _narrowed_words(answer: ReportAnswer) -> str:
    """What else it is narrowed to: `table B01, patron P-101`."""
    return ", ".join(
        f"{name} {value}"
        for name, value in answer.narrowed.items()
        if value and name not in ("day", "from", "to")
    )


def _producer() -> str:
    """The person signed on at this terminal, or the account at this machine."""
    with suppress(KeyError, OSError):  # in a container an account may be a mere number
        return saved_token().staff or getpass.getuser()
    return f"account {os.getuid()}"


def _totals(answer: ReportAnswer) -> Totals | None:
    values = {
        name: [answer.cell(column, raw) for raw in answer.raw]
        for column, name in enumerate(answer.report.columns)
        if name in answer.report.money
    }
    return totals(answer.report, values, answer.house.currency)
