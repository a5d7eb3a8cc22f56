"""The values of a report in the reader's words and forms: on a screen, on a page and on paper."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from msgspec import Struct, convert

from domain.rules.cards import symbol
from domain.rules.wording import Amount, Words, last_day_of
from ops.reports.ask import ReportAnswer, Row
from ops.words import coups, language, pages
from ops.words.access import UNNAMED, act_words
from ops.words.alerts import alert_words
from ops.words.columns import code_called
from ops.words.dated import day_in, moment_in
from ops.words.durations import duration
from ops.words.effects import effect_words
from ops.words.language import shown
from ops.words.originals import original_words
from ops.words.play_events import held_words
from ops.words.protection import (
    compared_words,
    pace_words,
    results_words,
    unlike_words,
    worth_words,
)
from ops.words.reports import not_yet_words
from ops.words.seating import advice_words
from ops.words.show import FACE_DOWN, chips_words
from ops.words.terms import holder_called
from ops.words.values import (
    NOTHING,
    PERCENT,
    CaseDue,
    amount,
    deadline_words,
    detail_words,
    nothing_words,
    percent,
    sum_by_spot,
)

_DATED = ("at", "from")  # moments that are always shown with their date
_OF_ANOTHER_DAY = (
    "noticed_on",
    "filed_on",
    "licence_until",
)  # days that are not those of the row's moments

Moments = Callable[[datetime, bool], str]  # the words for a moment, with its date or without


class BeforePutRight(Struct, frozen=True):
    """A wager as it was first, and the spot that it is paid as now."""

    as_spot: str | None
    seat_before: int
    patron_before: str
    stake_before: int
    paid_before: int | None


def words_of(
    answer: ReportAnswer,
    name: str,
    row: Row,
    moments: Moments,
    columns: Collection[str] | None = None,
) -> str:
    """A value of a row; `columns`: those that are shown beside it, if not all of the row."""
    value, currency = row[name], answer.house.currency
    if value is None:
        return nothing_words(name, row)
    if figure := _figure(answer, name, value):
        return figure
    if name in SENTENCES:
        return " ".join(map(shown, SENTENCES[name](row, currency))) or NOTHING
    if make := _BY_COLUMN.get(name):
        return make(row, currency, moments)
    if name in answer.timed or (name == "key" and row.get("scope") == "day"):
        shown_row = row if columns is None else {each: row[each] for each in columns}
        return _when(name, shown_row, moments, ends=name in answer.report.terms)
    return _texts(name, value)


def _texts(name: str, value: object) -> str:
    """What a code is called; of a list of names each name."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return coups.proof_here(code_called(name, value)) if isinstance(value, str) else str(value)


def _figure(answer: ReportAnswer, name: str, value: Any) -> str:
    """An amount, a ratio, yes or no; '' if it is none of them."""
    if name in answer.report.money:
        return amount(value, answer.house.currency)
    if name in answer.report.by_spot:
        return sum_by_spot(value, answer.house.currency)
    if name in PERCENT:
        return percent(value)
    return shown(pages.YES if value else pages.NO) if isinstance(value, bool) else ""


def _when(name: str, row: Row, moments: Moments, *, ends: bool) -> str:
    """A day or a moment of a row; `ends`: of the end of a term its last day, or the moment."""
    if day := day_in(row[name]):
        return language.day(day)
    at = datetime.fromisoformat(row[name])
    last = last_day_of(at) if ends else None
    return language.day(last) if last else moments(at, ends or is_dated(name, row))


def warnings(answer: ReportAnswer) -> list[str]:
    """What the reader must know first, a sentence each: trays that hold less than nothing, too."""
    counted = answer.counted and answer.counted.words
    of_all = [shown(each) for each in (counted, answer.may_be_lost) if each]
    not_yet = map(shown, not_yet_words(answer.report.name, answer.rows, answer.house.currency))
    return [*of_all, *not_yet] + [
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


def _act(row: Row) -> str:
    act = row["act"]
    return shown(act_words(act)) if isinstance(act, Mapping) else str(act)


def _before_put_right(row: Row, currency: str) -> str:
    """What stood before a wager was put right."""
    before = convert(row["put_right"], BeforePutRight)
    first = before.seat_before, before.patron_before, before.stake_before, before.paid_before
    now = row["seat"], row["patron"], row["stake"], row["paid"]
    return coups.before_put_right(first, now, before.as_spot, currency)


def _deadlines(row: Row, moments: Moments) -> str:
    return deadline_words(convert(row, CaseDue), lambda at: moments(at, True))


def _cards(row: Row) -> str:
    return " ".join(symbol(each["card"]) if each["card"] else FACE_DOWN for each in row["cards"])


def _outcome(row: Row) -> str:
    return shown(pages.VOID) if row["phase"] == "voided" else coups.spot_name(row["outcome"])


_BY_COLUMN: Mapping[str, Callable[[Row, str, Moments], str]] = {
    "act": lambda row, *_: _act(row),
    "burn_card": lambda row, *_: symbol(row["burn_card"]),
    "card": lambda row, *_: symbol(row["card"]),
    "cards": lambda row, *_: _cards(row),
    "chips": lambda row, currency, _: shown(chips_words(row["chips"], currency)) or NOTHING,
    "cut_by": lambda row, *_: shown(holder_called(row["cut_by"])),
    "deadlines": lambda row, _, moments: _deadlines(row, moments),
    "effect": lambda row, currency, _: shown(effect_words(row["effect"], currency)),
    "luck": lambda row, *_: language.marked(row["luck"]),
    "outcome": lambda row, *_: _outcome(row),
    "put_right": lambda row, currency, _: _before_put_right(row, currency),
}


def detail_sentences(row: Row, currency: str) -> Iterator[str]:
    """The sentences of an exception or an alert; for a command, those of all its events.

    A suspicion, or a tray that is nearly empty, has the words of the board: none is in its event.
    """
    detail = row["detail"]
    if "recorded_at" in detail:
        yield Words("Recorded {when}.", when=_recorded(detail))
    if "seconds" in detail:
        time = duration(timedelta(seconds=float(detail["seconds"])))
        if detail.get("which", "behind") == "behind":
            yield Words("The clock was {time} behind.", time=time)
        else:
            yield Words("The clock was {time} ahead.", time=time)
    own = [*detail_words(detail, currency)]
    yield from own or filter(None, [alert_words(row.get("kind", ""), detail, currency)])
    yield from _acknowledged_words(row)


# The sentences that a column's value is, on a screen, a page and paper; none: nothing is shown.
SENTENCES: Mapping[str, Callable[[Row, str], Iterable[str]]] = {
    "advice": lambda row, currency: [advice_words(row["advice"], currency)],
    "compared": lambda row, _: compared_words(row["compared"]),
    "detail": detail_sentences,
    "limits_held": lambda row, currency: held_words(row["limits_held"], currency),
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


def is_dated(name: str, row: Row) -> bool:
    """Whether a moment of a row is shown with its date: nothing else there names that day.

    Nor the one before: a gaming day has a night.
    """
    if name in _DATED:
        return True
    day = date.fromisoformat(row[name][:10])
    days = str(day), str(day - timedelta(days=1))
    named = (
        each
        for other, each in row.items()
        if other == "from" or not (other in _OF_ANOTHER_DAY or moment_in(each))
    )
    return not any(each in text for text in named if isinstance(text, str) for each in days)


def _moment(value: str) -> str:
    """The moment with its date."""
    return language.short_moment(datetime.fromisoformat(value))


def _minute(value: str) -> str:
    return f"{datetime.fromisoformat(value):%H:%M}"
