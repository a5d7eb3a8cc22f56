"""The values of a report in the cells of a screen."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert

from domain.rules.wording import Amount, Words
from ops.reports.ask import ReportAnswer, Row
from ops.words import coups, language, show
from ops.words.access import UNNAMED
from ops.words.durations import duration
from ops.words.language import shown
from ops.words.originals import original_words
from ops.words.protection import (
    compared_words,
    pace_words,
    results_words,
    unlike_words,
    worth_words,
)
from ops.words.seating import advice_words
from ops.words.values import (
    NOTHING,
    PERCENT,
    CaseDue,
    amount,
    deadline_words,
    detail_words,
    percent,
    sum_by_spot,
)

if TYPE_CHECKING:
    from rich.text import Text

    Cell = str | Text


_DATED = ("at", "from")  # moments that are always shown with their date
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


class BeforePutRight(Struct, frozen=True):
    """A wager as it was first, and the spot that it is paid as now."""

    as_spot: str | None
    seat_before: int
    patron_before: str
    stake_before: int
    paid_before: int | None


def cell(answer: ReportAnswer, name: str, row: Row) -> "Cell":
    """A value of a row for the screen."""
    value = row[name]
    if value is None:  # the place, for an exception without a coup
        return (row["table"] if name == "coup" else None) or NOTHING
    if name == "put_right":
        return _before_put_right(row, answer.house.currency)
    text = _number(answer, name, value)
    return _words(answer, name, row) if text is None else text


def warnings(answer: ReportAnswer) -> list[str]:
    """What the reader must know first, a sentence each: trays that hold less than nothing, too."""
    counted = answer.counted and answer.counted.words
    of_all = [shown(each) for each in (counted, answer.may_be_lost) if each]
    return of_all + [
        shown(
            Words(
                "{table} {day}: the tray should hold {tray}, less than nothing.",
                table=table,
                day=day.isoformat(),
                tray=Amount(int(tray), answer.house.currency),
            )
        )
        for table, day, tray in answer.below_zero
    ]


def _number(answer: ReportAnswer, name: str, value: Any) -> str | None:
    """An amount or a ratio, or None if it is neither."""
    if name in answer.report.money:
        return amount(value, answer.house.currency)
    if name in answer.report.by_spot:
        return sum_by_spot(value, answer.house.currency)
    return percent(value) if name in PERCENT else None


def _words(answer: ReportAnswer, name: str, row: Row) -> "Cell":
    from rich.text import Text

    value = row[name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in SENTENCES:
        return " ".join(SENTENCES[name](row, answer.house.currency)) or NOTHING
    if make := _BY_COLUMN.get(name):
        return make(row)
    if name == "outcome":
        return "void" if row["phase"] == "voided" else Text(value, style=show.STYLES[value])
    if not is_moment(value):
        return str(value)
    return _moment(value) if is_dated(name, row) else value[11:19]


_BY_COLUMN: Mapping[str, Callable[[Row], "Cell"]] = {
    "card": lambda row: show.card_text(row["card"]),
    "cards": lambda row: show.lying(each["card"] for each in row["cards"]),
    "deadlines": lambda row: deadline_words(convert(row, CaseDue)),
}


def _before_put_right(row: Row, currency: str) -> str:
    """What stood before a wager was put right."""
    before = convert(row["put_right"], BeforePutRight)
    first = before.seat_before, before.patron_before, before.stake_before, before.paid_before
    now = row["seat"], row["patron"], row["stake"], row["paid"]
    return coups.before_put_right(first, now, before.as_spot, currency)


def detail_sentences(row: Row, currency: str) -> Iterator[Words]:
    """The sentences of an exception or an alert; for a command, those of all its events."""
    detail = row["detail"]
    if "recorded_at" in detail:
        yield Words("Recorded {when}.", when=_recorded(detail))
    if "seconds" in detail:
        time = duration(timedelta(seconds=float(detail["seconds"])))
        if detail.get("which", "behind") == "behind":
            yield Words("The clock was {time} behind.", time=time)
        else:
            yield Words("The clock was {time} ahead.", time=time)
    yield from detail_words(detail, currency)
    yield from _acknowledged_words(row)


# The sentences that a column's value is, on a screen, a page and paper; none: nothing is shown.
SENTENCES: Mapping[str, Callable[[Row, str], Iterable[Words]]] = {
    "advice": lambda row, currency: [advice_words(row["advice"], currency)],
    "compared": lambda row, _: compared_words(row["compared"]),
    "detail": detail_sentences,
    "edges": lambda row, _: worth_words(row["edges"]),
    "original": lambda row, _: [original_words(row["original"])],
    "pace": lambda row, _: [pace_words(row["pace"])],
    "results": lambda row, _: [results_words(row["results"])],
    "unlike": lambda row, _: [unlike_words(row["unlike"])],
}


def _recorded(detail: Row) -> Words | str:
    """When it was entered; of a stretch of late entry also for which time."""
    begun, ended = _moment(detail["recorded_at"]), _minute(detail["recorded_until"])
    if detail["commands"] == 1:
        return begun
    first, last = _minute(detail["from"]), _minute(detail["to"])
    return Words(
        "{recorded} for {happened}", recorded=_span(begun, ended), happened=_span(first, last)
    )


def _span(begun: str, ended: str) -> Words | str:
    """A moment, or two; the second without its date."""
    return begun if begun.endswith(ended) else Words("{first} to {last}", first=begun, last=ended)


def _acknowledged_words(row: Row) -> Iterator[Words]:
    """Who acknowledged it and when: columns of their own would be mostly empty."""
    if row.get("acknowledged_at"):
        at, text = _moment(row["acknowledged_at"]), row.get("text")
        who = row["acknowledged_by"] or Words(UNNAMED)
        if text:
            yield Words("Acknowledged {at} by {who}: {text}", at=at, who=who, text=text)
        else:
            yield Words("Acknowledged {at} by {who}.", at=at, who=who)


def is_moment(value: object) -> bool:
    """Whether a value of a row is a moment."""
    return isinstance(value, str) and _MOMENT.match(value) is not None


def is_dated(name: str, row: Row) -> bool:
    """Whether a moment of a row is shown with its date: nothing else there names that day.

    Nor the one before: a gaming day has a night.
    """
    if name in _DATED:
        return True
    day = date.fromisoformat(row[name][:10])
    days = str(day), str(day - timedelta(days=1))
    named = (each for other, each in row.items() if other == "from" or not is_moment(each))
    return not any(each in text for text in named if isinstance(text, str) for each in days)


def _moment(value: str) -> str:
    """The moment with its date."""
    return language.short_moment(datetime.fromisoformat(value))


def _minute(value: str) -> str:
    return f"{datetime.fromisoformat(value):%H:%M}"
