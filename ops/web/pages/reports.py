"""Reports as pages: narrowed by a form, with totals, the meanings of their columns, and links."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.finding.opening import asked_for, named
from ops.ledger.database import Database
from ops.reports.ask import ReportAnswer, Row, ask
from ops.reports.beside import rank
from ops.reports.cells import warnings
from ops.reports.counted import Counted
from ops.reports.listing import Wanted, has_pages
from ops.reports.moments import Typed
from ops.reports.named_only import named_only, unnamed_words
from ops.reports.narrowings import CHOICES
from ops.reports.page_cells import words_of
from ops.reports.paging import FIRST, Part, Place, Turn, part_of
from ops.reports.places import with_places
from ops.reports.readable import readable
from ops.reports.sorting import MOST as MOST_SORTED
from ops.reports.sorting import UNSORTED, Sort
from ops.reports.together import Session
from ops.web.pages.curves import curve_of
from ops.web.pages.desk import Desk
from ops.web.pages.forms import file_of
from ops.web.pages.leads import lead_of
from ops.web.pages.markdown import coded
from ops.web.pages.never import NeverNamed, never
from ops.web.pages.plots import plots_of
from ops.web.pages.visitor import Visitor
from ops.words import pages
from ops.words.columns import (
    about_here,
    code_called,
    heading_here,
    meaning_here,
    meanings,
    title_here,
)
from ops.words.language import commas
from ops.words.language import shown as shown_words
from ops.words.reports import days_words, files_words, narrowed_words
from ops.words.values import (
    PERCENT,
    Totals,
    below_total,
    is_summed,
    totals,
    totals_of,
    with_proofs,
)
from projections import Report

MOST = 100  # rows on a page
ROOM = 12  # columns side by side on a page
_NOUGHT = (None, 0, "0")
FIT = 3  # columns; with more, an amount would have to be scrolled to on a telephone
WHOLE, LONG = 17, 32  # letters of a value that stays on one line, and of one that needs room
SENTENCES = frozenset({"detail", "complaint"})  # columns that hold one
OURS = frozenset({"detail"})  # of those, the house's own, with what is to be typed in backquotes
_PRINTED = {"json": "application/json", "csv": "text/csv"}
_FORMS = (*_PRINTED, "pdf", "parquet")
Own = Callable[[Row], tuple[str, bool]]  # words of a row, and whether somebody has to look at it
NO_OWN: Mapping[str, Own] = {}


class Cell(Struct, frozen=True):
    """A value of a row; `href`: the page about it, or ''."""

    words: str
    right: bool
    href: str = ""
    grave: bool = False  # somebody has to look at it
    button: bool = False  # it leads to something to do

    @property
    def shape(self) -> str:
        """How it breaks where room is short: a date never, a sentence not at every word."""
        if self.right:
            return "right"
        return "whole" if len(self.words) <= WHOLE else "long" if len(self.words) > LONG else ""


class Sheet(Struct, frozen=True):
    """A report with some of its rows."""

    name: str
    title: str
    about: str
    columns: dict[str, str]  # the heading of each
    meanings: dict[str, str]
    right: dict[str, bool]
    rows: list[list[Cell]]
    totals: dict[str, str]
    left_out: str  # which rows the totals leave out, or why there are none, or ''
    part: Part  # which rows these are
    many: int  # rows altogether
    position: int
    currency: str
    plots: list[Markup]
    starred: list[int] = []  # of these rows, those that the totals leave out
    warnings: list[str] = []
    unnamed: str = ""  # how many rows are left out because chance explains them, or ''
    sort: Sort = UNSORTED
    never_named: list[NeverNamed] = []  # what it was narrowed to and is not on record

    @property
    def stacked(self) -> bool:
        """Whether a row has a sentence, or is alone, and is a list of its values on a telephone."""
        alone = len(self.rows) == 1 and not self.totals
        return alone or not SENTENCES.isdisjoint(self.columns)

    @property
    def feet(self) -> list[dict[str, str]]:
        """The sums below the rows, a line each."""
        first = next(iter(self.columns))
        of = pages.total_of(len(self.rows), self.many)
        return [{first: of, **self.totals}] if self.totals else []

    @property
    def beneath(self) -> list[str]:
        """The lines below the rows: which rows they are, and as of when."""
        rows = pages.rows_of(self.first, len(self.rows), self.many)
        return [rows, pages.at_position(self.position), self.currency]

    @property
    def has_content(self) -> bool:
        """Whether it has rows, or something to be told without any."""
        return bool(self.many or self.never_named or self.warnings)

    @property
    def on_a_telephone(self) -> str:
        """How rows are shown there: stacked, or paired with their headings so that all fit."""
        if self.stacked:
            return "stacked"
        return "paired" if len(self.columns) > FIT else ""

    def clicked(self, column: str) -> str:
        """What a click on a column's heading sorts by: the largest number first, or from A."""
        return self.sort.clicked(column, is_number=self.right[column])

    def choices(self, column: str) -> list[str]:
        """The orders of a column in a list: what a first click gives, and the one there is."""
        first = UNSORTED.clicked(column, is_number=self.right[column])
        return sorted({first} | ({self.sort.text} if self.sort.column == column else set()))

    @property
    def first(self) -> int:
        """The number of the first row here."""
        return self.part.rows.start + 1


def read(
    database: Database,
    report: Report,
    asked: Mapping[str, str | None],
    turn: Turn = FIRST,
    most: int = MOST,
    about: str = "",
    named_in: str = "",
    order: Callable[[Row], Place] | None = None,
    columns: Sequence[str] = (),
    counted: Counted | None = None,
    own: Mapping[str, Own] = NO_OWN,
    without: str = "",
    once: str = "",
    session: Session | None = None,
    sort: Sort = UNSORTED,
) -> Sheet:
    """The report as of now, or of the moment that was asked for. Refuses: BadValue.

    `turn`: which page, of `most` rows. `about`: only rows with this value, in the column
    `named_in`, or whichever it is in. `order`: what they are sorted by, if not as the report is.
    `columns`: other ones than the report's own page has; `own`: the words of some of them, where
    the report's are not enough. `without`: a column that every row has the same in. `once`: of the
    rows with the same value in this column only the newest.
    `counted`: how far the rows are, while the rest is counted. `session`: of several reports.
    `sort`: by a column that a reader chose.
    """
    wanted = Wanted(FIRST, MOST_SORTED) if sort.column else Wanted(turn, most)
    alone = has_pages(report) and not (about or once or order)
    answer = _answer(database, report, asked, wanted if alone else None, counted, session)
    sort.require_few(answer)
    answer = _only(named_only(answer), about, named_in, once)
    part, rows = _turned_to(answer, turn, most, order, sort)
    named = {*(columns or report.shown or report.columns), "stay"}  # a stay has a page
    asks = not (answer.raw or about or sort.column or counted)
    with readable():
        return _sheet(
            answer, part, rows, named - {without}, own, once, sort=sort,
            never_named=never(database, answer.narrowed) if asks else [],
        )  # fmt: skip


def _answer(
    database: Database,
    report: Report,
    asked: Mapping[str, str | None],
    wanted: Wanted | None,
    counted: Counted | None,
    session: Session | None,
) -> ReportAnswer:
    """The page that is wanted, or every row with its place; the page says once what is counted."""
    answer = ask(
        database,
        report if wanted else with_places(report),
        _moment(asked),
        lambda _: None,
        counted=counted,
        wanted=wanted,
        session=session,
        or_behind=True,
        **{name: value for name, value in asked.items() if name != "as_of"},
    )
    return replace(answer, counted=None) if counted else answer


def _only(answer: ReportAnswer, about: str, named_in: str, once: str) -> ReportAnswer:
    """The rows about something, and of those with the same value in a column the newest."""
    raw, columns = answer.raw, answer.report.columns
    if about:
        first = columns.index(named_in) if named_in else 0
        where = slice(first, first + 1 if named_in else None)
        raw = [row for row in raw if about in row[where]]
    if once:
        raw = [*{row[columns.index(once)]: row for row in raw}.values()]
    return replace(answer, raw=raw)


def _turned_to(
    answer: ReportAnswer, turn: Turn, most: int, order: Callable[[Row], Place] | None, sort: Sort
) -> tuple[Part, list[tuple[Any, ...]]]:
    """The page of the list, and its rows. Refuses: BadValue. Raises RowsUnreadable."""
    if answer.listing and not sort.column:
        return answer.listing.part, answer.in_reading_order
    with readable():
        places = sort.places(answer) if sort.column else [
            order(answer.to_read(raw)) if order else (*rank(answer.report, raw), *raw[-1])
            for raw in answer.raw
        ]  # fmt: skip
        rising = sorted(zip(places, answer.raw, strict=True), key=itemgetter(0))
    last_first = sort.falling if sort.column else answer.report.newest_first and not order
    part = part_of([place for place, _ in rising], turn, most, last_first=last_first)
    in_reading_order = rising[::-1] if last_first else rising
    return part, [raw for _, raw in in_reading_order[part.rows.start : part.rows.stop]]


def curve_beside(
    database: Database, report: Report, asked: Mapping[str, str | None]
) -> Markup | None:
    """The same over time, for a report that has a curve; none of one patron or shoe."""
    if asked.get("patron") or asked.get("shoe"):
        return None
    return curve_of(database, report.name, asked, _moment(asked))


def _moment(asked: Mapping[str, str | None]) -> Typed | None:
    as_of = asked.get("as_of")
    return Typed.required(as_of, "--as-of") if as_of else None


def _sheet(
    answer: ReportAnswer,
    part: Part,
    these: Sequence[tuple[Any, ...]],
    columns: Container[str],
    own: Mapping[str, Own],
    first: str,
    **more: Any,
) -> Sheet:
    report, read = answer.report, [answer.to_read(raw) for raw in these]
    shown = _shown(report, columns, [] if first else read)
    shown.sort(key=lambda name: name != first)
    known, unnamed = meanings(report), unnamed_words(answer)
    right = {
        name: name in report.money or name in report.by_spot or name in PERCENT for name in shown
    }
    rows = [[_cell(answer, name, row, own, right) for name in right] for row in read]
    summed, has_money = _summed(answer), any(name in report.money for name in shown)
    return Sheet(
        name=report.name,
        title=title_here(report),
        about=about_here(report),
        columns={name: heading_here(name) for name in shown},
        meanings={name: meaning_here(known[name]) for name in shown},
        right=right,
        rows=rows,
        totals={
            name: each for name, each in (summed.texts if summed else {}).items() if name in shown
        },
        left_out=below_total(report, read, summed) if has_money else "",
        starred=[n for n, row in enumerate(read) if has_money and not is_summed(report, row)],
        part=part,
        many=answer.listing.many if answer.listing else len(answer.raw),
        position=answer.position,
        currency=answer.house.currency,
        plots=plots_of(report.name, read, answer.house.currency, partial(words_of, answer)),
        warnings=warnings(answer),
        **more,
        unnamed=shown_words(unnamed) if unnamed else "",
    )


def _shown(report: Report, columns: Container[str], rows: Sequence[Row]) -> list[str]:
    """The columns with what else they are the sum of: where it is not 0, and if there is room."""
    more = {name for name in report.summands if any(row[name] not in _NOUGHT for row in rows)}
    shown = [each for each in report.columns if each in columns]
    whole = [each for each in report.columns if each in columns or each in more]
    return whole if len(whole) <= ROOM else shown


def _summed(answer: ReportAnswer) -> Totals | None:
    report, listing = answer.report, answer.listing
    if listing:
        has_any = listing.sums and listing.many
        of_all = listing.sums, listing.whole, listing.many
        return totals_of(report, *of_all, answer.house.currency) if has_any else None
    return totals(report, answer.amounts, answer.house.currency) if answer.raw else None


def _cell(
    answer: ReportAnswer, name: str, row: Row, own: Mapping[str, Own], right: Mapping[str, bool]
) -> Cell:
    """A value; `right`: each column that is shown, and whether it is at the right."""
    if name in own:
        words, grave = own[name](row)
        return Cell(words, right[name], grave=grave)
    lead = lead_of(answer.report.name, name, row)
    words = lead.button or words_of(answer, name, with_proofs(row), right.keys())
    words = coded(words) if name in OURS else words
    return Cell(words, right[name], lead.href, button=bool(lead.button))


async def show_report(desk: Desk, request: Request, who: Visitor) -> Response:
    """A report, narrowed as the form says."""
    report = named(request.path_params["report"])
    asked = asked_for(report, request.query_params)
    turn, sort = Turn.of(request.query_params), Sort.of(request.query_params, report)
    counted = None if asked["as_of"] else await desk.counted([report])
    sheet = await desk.in_thread(
        lambda: read(desk.database, report, asked, turn, counted=counted, sort=sort)
    )
    curve = None
    if not counted:
        curve = await desk.in_thread(lambda: curve_beside(desk.database, report, asked))
    query = {name: value for name, value in asked.items() if value}
    return desk.page(
        request, who, "report.html",
        counted=counted, sheet=sheet, curve=curve, asked=asked, query=urlencode(query),
        files=files_words(sheet.currency) if report.money or report.by_spot else "",
        shown_as=urlencode(query | ({"sort": sort.text} if sort.text else {})),
        narrowed=commas([days_words(asked), *narrowed_words(asked)]), choices=_choices(asked),
    )  # fmt: skip


def _choices(asked: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
    """Of each narrowing that has few values: those, each with its words."""
    return {
        name: {each: str(code_called(name, each)) for each in CHOICES[name]}
        for name in CHOICES.keys() & set(asked)
    }


async def export_report(desk: Desk, request: Request, who: Visitor) -> Response:
    """A report as JSON, CSV, PDF or Parquet, from the same address."""
    report, form = named(request.path_params["report"]), request.path_params["form"]
    if form not in _FORMS:
        raise NotFound(what=Words("report {name} as .{form}", name=report.name, form=form))
    asked = asked_for(report, request.query_params)
    asked["sort"] = Sort.of(request.query_params, report).text or None
    narrowed = [f"--{name.replace('_', '-')}={value}" for name, value in asked.items() if value]
    answer = await desk.made(who, [*_command_of(report.name, form), *narrowed])
    if answer.status or form not in _PRINTED:
        there = f"/reports/{report.name}"
        return file_of(desk, request, who, answer, f".{form}", there, called=report.name)
    name = f"{report.name}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(answer.out, 200, headers, _PRINTED[form])


def _command_of(report: str, form: str) -> list[str]:
    """The command that makes a report in a form."""
    if form == "parquet":
        return ["export", "report", report, "--format=parquet", "--into=report"]
    return ["report", report, "--pdf=report.pdf" if form == "pdf" else f"--{form}"]
