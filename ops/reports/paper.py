"""A report on paper: every column on A4; one program makes the same bytes at one position.

Lines and pages are computed here, for a font with letters of one width, and typst sets each page as
one piece of text: a table of cells would take ten times the memory.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from domain.aggregates.staff import StaffMember
from domain.rules.wording import Number
from ops.commands.signed_on import NOBODY, Token
from ops.ledger.installed import label
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.proof import on_record
from ops.proof.note import NotGood
from ops.proof.printed import PrintedCheckpoint, printed
from ops.reports.ask import ReportAnswer, Row
from ops.reports.named_only import named_only, unnamed_words
from ops.reports.paper_cells import column
from ops.reports.typesetting import Block, Line, Page, block, fitted, lines_of, pages
from ops.words import language
from ops.words.columns import title_here
from ops.words.dated import day_in, moment_in
from ops.words.language import _, shown
from ops.words.pages import TOTAL
from ops.words.pdf import pdf
from ops.words.reports import days_words, narrowed_words
from ops.words.values import below_total, marked, totals

if TYPE_CHECKING:
    import psycopg

LARGEST = 25_000  # rows; so many take up to a minute, and three gigabytes
LONG = 1_000  # rows: more take long enough for a message


class LaidOut(Struct, frozen=True):
    """The table of a report, in pages; `head`: the headings, on each of them."""

    landscape: bool
    size: float  # of the print, in points
    head: Block
    pages: list[Page]


class Labels(Struct, frozen=True):
    """The words of the paper itself; `page` has `{page}` and `{pages}` in it."""

    page: str
    checkpoint: str
    to_check: str


class ReportPaper(Struct, frozen=True, kw_only=True):
    """What is printed: the values of the template `report`."""

    title: str
    property: str
    scope: str
    currency: str
    footer: str
    signatures: Sequence[str]
    labels: Labels
    checkpoint: PrintedCheckpoint | None
    table: LaidOut


def paper(
    answer: ReportAnswer,
    narrowed: Mapping[str, str | None],
    recorded_at: datetime | None,
    by: str,
    checkpoint: PrintedCheckpoint | None = None,
) -> bytes:
    """The report as a PDF; `recorded_at`: the moment of its last event.

    `checkpoint`: what is printed of the newest one, for a report of a gaming day.
    """
    answer = named_only(answer)
    zone = ZoneInfo(answer.house.zone)
    foot = [_("Ledger position {position}", position=Number(answer.position))]
    if recorded_at:
        foot.append(_("recorded {moment}", moment=_to_the_second(recorded_at.astimezone(zone))))
    if answer.as_of:
        moment = _to_the_second(datetime.fromisoformat(answer.as_of))
        foot.append(_("as of {moment}", moment=moment))
    if by:
        foot.append(_("produced by {staff}", staff=by))
    values = ReportPaper(
        title=title_here(answer.report),
        property=answer.house.name,
        scope=" · ".join([days_words(narrowed), *narrowed_words(narrowed)]),
        currency=f"{answer.house.currency} · {_('times of {zone}', zone=answer.house.zone)}",
        footer=" · ".join([*foot, label()]),
        signatures=[
            _("{done}, name and number, date", done=_(each)) for each in answer.report.signatures
        ],
        labels=Labels(
            page=_("page {page} of {pages}", page="{page}", pages="{pages}"),
            checkpoint=_("Signed checkpoint of {of}", of=checkpoint.of if checkpoint else ""),
            to_check=_(
                "Scan the code, or type the nine lines, into a file: {command}",
                command="sabot audit verify --against FILE",
            ),
        ),
        checkpoint=checkpoint,
        table=_laid_out(answer, [answer.to_read(each) for each in answer.in_reading_order]),
    )
    return pdf("report", values, recorded_at or datetime.fromtimestamp(0, UTC))


def checkpoint_for(
    connection: "psycopg.Connection[Any]", narrowed: Mapping[str, str | None]
) -> PrintedCheckpoint | None:
    """What a paper prints of the newest checkpoint; None if it is not of a day, or none is."""
    of_a_day = narrowed.get("day") or narrowed.get("from")
    signed = on_record.newest(connection) if of_a_day else None
    if not signed:
        return None
    for key in reversed(on_record.keys(connection)):
        with suppress(NotGood, StopIteration):
            return printed(signed.note, key.key)
    return None


def signed_on(connection: "psycopg.Connection[Any]", token: Token) -> str:
    """The person signed on with the token, or '' for nobody, as in an open house."""
    if token == NOBODY:
        return ""
    recorded = read_stream(connection, StaffMember.stream(token.staff))
    member = StaffMember.project(None, map(event_of, recorded))
    return token.staff if member and token.is_of(member) else ""


def _laid_out(answer: ReportAnswer, rows: Sequence[Row]) -> LaidOut:
    adding_up = totals(answer.report, rows, answer.house.currency)
    sums = dict(adding_up.texts) if adding_up else {}
    sums |= {answer.report.columns[0]: shown(TOTAL)} if adding_up else {}
    days = _days(answer, rows)
    columns = [
        column(answer, name, rows, days, sums.get(name, "")) for name in answer.report.columns
    ]
    if adding_up and adding_up.left_out:
        marks = [marked(answer.report, row) for row in rows]
        texts = [each + mark for each, mark in zip(columns[0].texts, marks, strict=True)]
        columns[0] = replace(columns[0], texts=texts)
    sheet, widths = fitted(columns)
    head = lines_of([each.head for each in columns], columns, widths)
    every = zip(*(each.texts for each in columns), strict=True)
    last: list[Line] = []
    if adding_up and rows:
        last = lines_of([each.total for each in columns], columns, widths)
    if words := below_total(answer.report, rows, adding_up):
        last.append(Line(words, []))
    if not rows:
        last = [Line(_("There is nothing to report."), [])]
    if unnamed := unnamed_words(answer):
        last.append(Line(shown(unnamed), []))
    taken = len(head) + 1 + (len(last) + 1 if last else 0)
    by_day = "day" not in answer.report.columns
    heads = [language.day(day) if day and by_day else "" for day in days]
    lines = [lines_of(texts, columns, widths) for texts in every]
    every_page = pages(lines, heads, sheet.lines - taken)
    every_page[-1] = replace(every_page[-1], last=block(last))
    return LaidOut(sheet.landscape, sheet.size, block(head), every_page)


def _days(answer: ReportAnswer, rows: Sequence[Row]) -> list[date | None]:
    """The gaming day of each row whose moments have no date, or that of its first moment.

    The day is a heading above the rows of that day.
    """
    days: list[date | None] = []
    for row in rows:
        timed = (moment_in(value) for name, value in row.items() if name in answer.timed)
        moments = (at.date() for at in timed if at)
        known = day_in(row["day"]) if "day" in row else next(moments, None)
        days.append(known or (days[-1] if days else None))
    return days


def _to_the_second(moment: datetime) -> str:
    """The moment with its offset."""
    return f"{language.moment(moment)}{moment.isoformat()[-6:]}"
