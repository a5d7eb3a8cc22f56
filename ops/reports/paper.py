"""A report on paper: every column on A4; one program makes the same bytes at one position.

Lines and pages are computed here, for a font with letters of one width, and typst sets each page as
one piece of text: a table of cells would take ten times the memory.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.staff import StaffMember
from domain.rules.cards import symbol
from domain.rules.money import major
from ops.commands.authority import NOBODY, Token
from ops.ledger.installed import label
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.proof import on_record
from ops.proof.note import NotGood
from ops.proof.printed import printed
from ops.reports.ask import ReportAnswer, Row
from ops.words.columns import heading
from ops.words.durations import duration
from ops.words.event_values import MONEY
from ops.words.values import (
    NOTHING,
    PERCENT,
    amount,
    as_event,
    by_spot,
    detail_words,
    nothing_words,
    percent,
    totals,
)
from projections import Report

if TYPE_CHECKING:
    import psycopg

LARGEST = 25_000  # rows; so many take up to a minute, and three gigabytes
LONG = 1_000  # rows: more take long enough for a message
_GAP = "  "
_COMFORTABLE = 34  # letters of a column of words, before the paper is turned or the print smaller
_NARROWEST = 16
_SEVERAL = 26  # letters of a column whose values have several parts
_MONEY = {*MONEY, "changes_hands", "by_shoe"}  # including fields of exceptions
_MARGINS = (24, 40)  # millimetres: left and right together, top and bottom together
_A4 = (210, 297)
_WIDE, _HIGH = 0.602, 1.3  # of a letter and of a line, as multiples of the print size
_POINT = 72 / 25.4
_PIECES = re.compile(r"[^ /]*/|[^ /]+| +")
_RIGHT_TO_LEFT = ("R", "AL", "AN")


class _Sheet(Struct, frozen=True):
    """Paper upright or turned, with the size of the print in points."""

    landscape: bool
    size: float

    @property
    def letters(self) -> int:
        """The letters in a line."""
        return int((_A4[self.landscape] - _MARGINS[0]) * _POINT / (_WIDE * self.size))

    @property
    def lines(self) -> int:
        """The lines on a page."""
        high = (_A4[not self.landscape] - _MARGINS[1]) * _POINT
        return int(high / (_HIGH * self.size))


_SHEETS = (_Sheet(False, 7.5), _Sheet(True, 7.5), _Sheet(True, 6.5), _Sheet(True, 5.5))


class _Line(Struct, frozen=True):
    """A line, as texts that are each placed after a number of letters."""

    text: str
    placed: list[tuple[int, str]]


class _Column(Struct, frozen=True):
    """A column's texts, and how they are set."""

    head: str
    texts: list[str]
    total: str = ""
    right: bool = False
    moments: bool = False
    several: bool = False  # whether its values have several parts

    @property
    def want(self) -> int:
        """The width in letters at which only the heading may be wrapped."""
        return max(self.need, self._longest_line)

    @property
    def _longest_line(self) -> int:
        lines = (line for text in (*self.texts, self.total) for line in text.split("\n"))
        return max(map(len, lines), default=1)

    @property
    def need(self) -> int:
        """The least width in letters: no amount is wrapped, and only very long words are."""
        head = max(map(len, self.head.split()))
        if self.right or self._is_name:
            return max(head, self._longest_line)
        longest = max(head, *map(_longest, self.texts), 1)
        return min(longest, max(head, _SEVERAL if self.several else _NARROWEST))

    @property
    def _is_name(self) -> bool:
        """Whether the column has addresses or other names, which people search for or copy."""
        if self.moments or self.several or self._longest_line > _COMFORTABLE:
            return False
        return not any(" " in text for text in self.texts)

    @property
    def enough(self) -> int:
        """The width in letters that is comfortable to read; a moment has its day above its time."""
        return self.need if self.moments else max(self.need, min(self.want, _COMFORTABLE))


def paper(
    answer: ReportAnswer,
    narrowed: Mapping[str, str | None],
    recorded_at: datetime | None,
    by: str,
    checkpoint: Mapping[str, object] | None = None,
) -> bytes:
    """The report as a PDF; `recorded_at`: the moment of its last event.

    `checkpoint`: what is printed of the newest one, for a report of a gaming day.
    """
    from ops.words.pdf import pdf

    body = answer.as_dict()
    zone = ZoneInfo(answer.house.zone)
    foot = [f"Ledger position {answer.position:,}"]
    if recorded_at:
        foot.append(f"recorded {_to_the_second(recorded_at.astimezone(zone))}")
    if body["as_of"]:
        foot.append(f"as of {_to_the_second(datetime.fromisoformat(body['as_of']))}")
    if by:
        foot.append(f"produced by {by}")
    foot.append(label())
    page = {
        "title": answer.report.title,
        "property": answer.house.name,
        "scope": " · ".join(_scope(narrowed)),
        "currency": f"{answer.house.currency} · times of {answer.house.zone}",
        "footer": " · ".join(foot),
        "signatures": answer.report.signatures,
        "checkpoint": checkpoint,
    }
    newest_first = answer.report.newest_first
    laid_out = _laid_out(answer, body["rows"][::-1] if newest_first else body["rows"])
    return pdf("report", page | laid_out, recorded_at or datetime.fromtimestamp(0, UTC))


def checkpoint_for(
    connection: "psycopg.Connection[Any]", narrowed: Mapping[str, str | None]
) -> Mapping[str, object] | None:
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


def recorded_at(connection: "psycopg.Connection[Any]", position: int) -> datetime | None:
    """When the event at a position was recorded, or None before the first."""
    row = connection.execute(
        "SELECT recorded_at FROM ledger.events WHERE position = %s", (position,)
    ).fetchone()
    return row[0] if row else None


def _scope(narrowed: Mapping[str, str | None]) -> Iterator[str]:
    """The words for the report's narrowings."""
    day, first, last = (narrowed.get(name) for name in ("day", "from", "to"))
    if day or (first and first == last):
        yield f"Gaming day {day or first}"
    elif first or last:
        begins, ends = f" from {first}" if first else "", f" to {last}" if last else ""
        yield f"Gaming days{begins}{ends}"
    else:
        yield "All gaming days"
    for name in ("table", "shoe", "patron", "seat", "result", "since", "until"):
        if narrowed.get(name):
            yield f"{name.title()} {narrowed[name]}"


def _laid_out(answer: ReportAnswer, rows: Sequence[Row]) -> dict[str, Any]:
    values = {name: [row[name] for row in rows] for name in answer.report.money}
    adding_up = totals(answer.report, values, answer.house.currency)
    sums = dict(adding_up.texts) if adding_up else {}
    sums |= {answer.report.columns[0]: "total"} if adding_up else {}
    days = _days(answer.report, rows)
    columns = [
        _column(answer, name, rows, days, sums.get(name, "")) for name in answer.report.columns
    ]
    sheet, widths = _fitted(columns)
    head = _lines([column.head for column in columns], columns, widths)
    every = zip(*(column.texts for column in columns), strict=True)
    last: list[_Line] = []
    if adding_up and rows:
        last = _lines([column.total for column in columns], columns, widths)
        if adding_up.words:
            last.append(_Line(adding_up.words, []))
    if not rows:
        last = [_Line("There is nothing to report.", [])]
    taken = len(head) + 1 + (len(last) + 1 if last else 0)
    heads = days if "day" not in answer.report.columns else [None] * len(rows)
    lines = [_lines(texts, columns, widths) for texts in every]
    pages = _pages(lines, heads, sheet.lines - taken)
    pages[-1]["last"] = _joined(last)
    return {
        "landscape": sheet.landscape,
        "size": sheet.size,
        "head": _joined(head),
        "pages": pages,
    }


def _days(report: Report, rows: Sequence[Row]) -> list[str | None]:
    """The gaming day of each row whose moments have no date, or that of its first moment.

    The day is a heading above the rows of that day.
    """
    days: list[str | None] = []
    for row in rows:
        own = (_day_of(value) for value in row.values())
        known = row["day"] if "day" in row else next(filter(None, own), None)
        days.append(known or (days[-1] if days else None))
    return days


def _day_of(value: object) -> str | None:
    return value[:10] if isinstance(value, str) and _ISO.fullmatch(value) else None


def _column(
    answer: ReportAnswer, name: str, rows: Sequence[Row], days: list[str | None], total: str
) -> _Column:
    values = [row[name] for row in rows]
    money = name in answer.report.money
    kinds = {type(value) for value in values} - {type(None)}
    apart = name in answer.report.by_spot
    several = bool(kinds & {dict, list}) and not apart
    return _Column(
        head=heading(name),
        texts=[_cell(answer, name, *each) for each in zip(rows, days, strict=True)],
        total=total,
        right=not several and (money or apart or name in PERCENT or kinds == {int}),
        moments=kinds == {str} and all(_ISO.fullmatch(value) for value in values if value),
        several=several,
    )


def _cell(answer: ReportAnswer, name: str, row: Row, day: str | None) -> str:
    value, currency = row[name], answer.house.currency
    if value is None:
        return nothing_words(name, row)
    if name in answer.report.by_spot:
        return by_spot(value, currency)
    if name in PERCENT:
        return percent(value)
    if name == "detail" and (words := " ".join(detail_words(value, currency))):
        return _in_context(value, words, day)
    if name == "exceptions" and isinstance(value, list):
        return "\n".join(_noted(each, currency, day) for each in value) or NOTHING
    return _text(name, value, currency, day, money=name in answer.report.money)


def _in_context(detail: Row, words: str, day: str | None) -> str:
    """The words, with the time of recording if late, or the error of the clock."""
    if "recorded_at" in detail:
        return f"Recorded {_moment(detail['recorded_at'], day)}. {words}"
    if "seconds" in detail:
        behind = duration(timedelta(seconds=float(detail["seconds"])))
        return f"The clock was {behind} {detail.get('which', 'behind')}. {words}"
    return words


def _noted(noted: Row, currency: str, day: str | None) -> str:
    """The sentences for an exception of a coup, with its time."""
    words = " ".join(detail_words(as_event(noted), currency))
    return f"{_moment(noted['at'], day)} {words}"


def _fitted(columns: list[_Column]) -> tuple[_Sheet, list[int]]:
    """The largest print at which every column fits, and the width of each."""
    wants = [column.want for column in columns]
    needs = [column.need for column in columns]
    gaps = len(_GAP) * (len(columns) - 1)
    for least in ([column.enough for column in columns], needs):
        for sheet in _SHEETS:
            if sum(least) + gaps <= sheet.letters:
                return sheet, _widened(least, wants, sheet.letters - gaps)
    sheet = _SHEETS[-1]
    return sheet, _narrowed(needs, sheet.letters - gaps)


def _widened(widths: list[int], wants: list[int], room: int) -> list[int]:
    """The widths after free room went to the columns that lack least, to avoid wrapping."""
    widths = list(widths)
    left = room - sum(widths)
    for n in sorted(range(len(widths)), key=lambda n: wants[n] - widths[n]):
        more = min(left, max(wants[n] - widths[n], 0))
        widths[n] += more
        left -= more
    return widths


def _narrowed(widths: list[int], room: int) -> list[int]:
    """The widths after the widest gave way, letter by letter, down to wrapping amounts."""
    widths = list(widths)
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    return widths


def _lines(texts: Iterable[str], columns: list[_Column], widths: list[int]) -> list[_Line]:
    """A row, in as many lines as its longest cell needs."""
    cells = [_wrapped(text, width) for text, width in zip(texts, widths, strict=True)]
    return [
        _line([cell[n] if n < len(cell) else "" for cell in cells], columns, widths)
        for n in range(max(map(len, cells)))
    ]


def _line(texts: list[str], columns: list[_Column], widths: list[int]) -> _Line:
    """One line; text that would leave its column is placed there by itself."""
    placed, begin = [], 0
    for n, (text, width) in enumerate(zip(texts, widths, strict=True)):
        if not text.isascii() and any(map(_goes_its_own_way, text)):
            placed.append((begin, text))
            texts[n] = ""
        begin += width + len(_GAP)
    beside = zip(texts, columns, widths, strict=True)
    padded = (text.rjust(width) if col.right else text.ljust(width) for text, col, width in beside)
    return _Line(_GAP.join(padded).rstrip(), placed)


def _goes_its_own_way(letter: str) -> bool:
    """Whether a letter runs from right to left, or is a mark above or below another."""
    return (
        unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT or unicodedata.category(letter) == "Mn"
    )


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines of that width: broken at blanks, after strokes, and in too long words."""
    if len(text) <= width and "\n" not in text:
        return [text]
    lines = []
    for whole in text.split("\n"):
        line = ""
        for piece in _PIECES.findall(whole):
            if len(line) + len(piece.rstrip()) > width and line.strip():
                lines.append(line.rstrip())
                line = ""
            line = line + piece if line or piece.strip() else ""
            while len(line.rstrip()) > width:
                lines.append(line[:width])
                line = line[width:]
        lines.append(line.rstrip())
    return lines


def _longest(text: str) -> int:
    return max(map(len, _PIECES.findall(text)), default=0)


def _joined(lines: list[_Line]) -> str:
    return "\n".join(line.text for line in lines)


def _pages(rows: list[list[_Line]], days: Sequence[str | None], room: int) -> list[dict[str, Any]]:
    """Pages of whole rows; every other row is shaded.

    A day heads its rows, again on each further page.
    """
    pages: list[dict[str, Any]] = []
    lines: list[_Line] = []
    shaded: list[tuple[int, int]] = []
    current: str | None = None

    def turn() -> None:
        nonlocal current
        placed = [(n, *each) for n, line in enumerate(lines) for each in line.placed]
        page = {"lines": _joined(lines), "placed": placed, "shaded": list(shaded), "last": ""}
        pages.append(page)
        lines.clear()
        shaded.clear()
        current = None

    for n, (row, day) in enumerate(zip(rows, days, strict=True)):
        if lines and len(lines) + len(row) + (day != current) > room:
            turn()
        whole = room - bool(day)
        for first in range(0, len(row), whole):  # a row longer than a page continues on the next
            if first:
                turn()
            if day != current:
                lines.append(_Line(day or "", []))
                current = day
            piece = row[first : first + whole]
            if n % 2:
                shaded.append((len(lines), len(piece)))
            lines += piece
    turn()
    return pages


def _text(name: str, value: Any, currency: str, day: str | None, *, money: bool) -> str:
    """The text of a value; one of several parts has a line for each."""
    match value:
        case None:
            text = NOTHING
        case bool():
            text = "yes" if value else "no"
        case list() if name == "cards" and all(isinstance(each, dict) for each in value):
            text = _cards(value)
        case list():
            parts = (_text(name, each, currency, day, money=money) for each in value)
            text = ("\n" if any(isinstance(each, dict) for each in value) else ", ").join(parts)
        case dict() if name == "chips":
            text = _chips(value, currency)
        case dict():
            text = _parts(value, currency, day, money=money)
        case _ if money:
            text = amount(value, currency)
        case _:
            text = _moment(str(value), day)
    return text


def _chips(chips: dict[str, int], currency: str) -> str:
    """Chips by denomination, the largest first: `200 × 100.00`."""
    dearest = sorted(chips, key=int, reverse=True)
    return ", ".join(f"{chips[each]} × {major(int(each), currency)}" for each in dearest)


def _face(card: str | None) -> str:
    """A card with its symbol; None is face down."""
    return symbol(card) if card else "face down"


def _cards(cards: Sequence[Row]) -> str:
    """Each card after its hand, in the order dealt, with the rule: `P K♣, B 9♠ (R-DEAL-1)`."""
    by_rule = groupby(cards, key=lambda card: card["rule"])
    return ", ".join(
        ", ".join(f"{each['hand'][0].upper()} {_face(each['card'])}" for each in dealt)
        + f" ({rule})"
        for rule, dealt in by_rule
    )


def _parts(value: Row, currency: str, day: str | None, *, money: bool) -> str:
    """A value of several parts: each under its name, after the moment and the kind."""
    begins = [str(value[name]) for name in ("at", "kind", "type") if value.get(name)]
    begin = " ".join(_moment(each, day) for each in begins)
    events = [_parts(each, currency, day, money=False) for each in value.get("facts", ())]
    texts = (
        (name, _text(name, part, currency, day, money=money or name in _MONEY))
        for name, part in value.items()
        if name not in ("at", "kind", "type", "facts") and part not in (None, "", [], {})
    )
    words = ", ".join(f"{heading(name)} {text}" for name, text in texts)
    return "\n".join([": ".join(filter(None, (begin, words))), *events])


_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d)")


def _moment(value: str, day: str | None) -> str:
    """The house's time, with its date unless that is `day`; other text unchanged."""
    if not _ISO.fullmatch(value):
        return value
    whole = datetime.fromisoformat(value).replace(tzinfo=None).isoformat(" ", "seconds")
    return whole.removeprefix(f"{day} ")


def _to_the_second(moment: datetime) -> str:
    return moment.isoformat(" ", "seconds")
