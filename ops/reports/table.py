"""A report on a screen: whole values, in as many columns as fit.

If room is short, a table or day that every row has in common goes into a line above them. A summand
without a column is shown below its row, if it is not 0. Text is wrapped between words; amounts,
names and moments are never broken.
"""

import getpass
import os
from collections.abc import Sequence
from contextlib import suppress
from textwrap import wrap

import click

from domain.rules.wording import Moment
from ops.commands.saved_token import saved_token
from ops.ledger import clock
from ops.reports.ask import ReportAnswer, Row
from ops.reports.cells import warnings
from ops.reports.named_only import named_only, unnamed_words
from ops.reports.sheet import Sheet
from ops.words import show
from ops.words.columns import title_here
from ops.words.language import _, commas, shown
from ops.words.pages import at_position
from ops.words.reports import days_words, narrowed_words, newest_or_first, periods_words
from ops.words.values import totals, with_proofs

MOST_SHOWN = 1_000  # rows
NARROW = 13  # letters: the width of a person's column on a terminal of 80


def print_table(answer: ReportAnswer) -> None:
    """Prints the report; at a terminal also when it was produced, and by whom."""
    from rich.text import Text

    answer = named_only(answer)
    page = show.console()
    scope = [
        answer.house.name,
        days_words(answer.narrowed),
        answer.house.currency,
        *([commas(narrowed)] if (narrowed := narrowed_words(answer.narrowed)) else ()),
        at_position(answer.position),
    ]
    head = (title_here(answer.report), "bold")
    page.print(Text.assemble(head, *(f"  {each}" for each in scope)))
    if answer.as_of:
        page.print(_("As of {moment}: what was recorded later is not in it.", moment=answer.as_of))
    if page.is_terminal:  # output in a pipe has the same bytes as long as the record is the same
        produced = Moment(clock.wall_clock().astimezone())
        page.print(_("Produced {moment} by {who}", moment=produced, who=_producer()))
    first = answer.in_reading_order[:MOST_SHOWN]
    rows = [_with_proofs(answer.to_read(each)) for each in first]
    if "period" in answer.report.columns and rows:
        page.print(_periods(rows))
    adding_up = totals(answer.report, answer.amounts, answer.house.currency)
    sheet = Sheet(answer, rows, adding_up, page.width)
    if words := sheet.above():
        page.print(words)
    for piece in sheet.pieces():
        page.print(piece)
    for words in (*sheet.below(), *(f"! {each}" for each in warnings(answer))):
        page.print(words)
    if left_out := unnamed_words(answer):
        page.print(f"{shown(left_out)} {_('Write `--rows all` to see all.')}")
    if len(first) < len(answer.raw):
        newest = answer.report.newest_first and not answer.is_sorted
        click.echo(shown(newest_or_first(len(first), len(answer.raw), newest=newest)), err=True)


def _periods(rows: Sequence[Row]) -> str:
    """The days of each period; all periods end with the same day."""
    since = {row["period"]: row["from"] for row in rows}
    first = since.pop("day")
    return periods_words(since, first, rows[0]["to"])


def _with_proofs(row: Row) -> Row:
    """Beside each person who signed, how that is known; in lines as short as those headings.

    So no other column is wrapped for them.
    """
    proved = with_proofs(row)
    broken = {name: "\n".join(wrap(each, NARROW)) for name, each in proved.items()
              if each is not row.get(name)}  # fmt: skip
    return {**proved, **broken}


def _producer() -> str:
    """The person signed on at this terminal, or the account at this machine."""
    with suppress(KeyError, OSError):  # in a container an account may be a mere number
        return saved_token().staff or getpass.getuser()
    return _("account {number}", number=os.getuid())
