"""The values of a report on paper: a column with the text of each of its cells."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from domain.rules.cards import symbol
from domain.rules.money import major
from ops.reports.ask import ReportAnswer, Row
from ops.reports.cells import SENTENCES
from ops.reports.typesetting import Column
from ops.words.columns import heading
from ops.words.durations import duration
from ops.words.event_values import MONEY
from ops.words.show import plain
from ops.words.values import (
    NOTHING,
    PERCENT,
    amount,
    as_event,
    by_spot,
    detail_words,
    nothing_words,
    percent,
)

_MONEY = {*MONEY, "changes_hands", "by_shoe"}  # including fields of exceptions


def column(
    answer: ReportAnswer, name: str, rows: Sequence[Row], days: list[str | None], total: str
) -> Column:
    """A column of the report; `days`: the gaming day above each row, `total`: its sum or ''."""
    values = [row[name] for row in rows]
    money = name in answer.report.money
    kinds = {type(value) for value in values} - {type(None)}
    apart = name in answer.report.by_spot
    several = bool(kinds & {dict, list}) and not apart
    return Column(
        head=heading(name),
        texts=[_cell(answer, name, *each) for each in zip(rows, days, strict=True)],
        total=total,
        right=not several and (money or apart or name in PERCENT or kinds == {int}),
        moments=kinds == {str} and all(is_moment(value) for value in values if value),
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
    if name in SENTENCES and (words := _sentences(name, row, currency, day)):
        return plain(words)
    if name == "exceptions" and isinstance(value, list):
        return "\n".join(_noted(each, currency, day) for each in value) or NOTHING
    return _text(name, value, currency, day, money=name in answer.report.money)


def _sentences(name: str, row: Row, currency: str, day: str | None) -> str:
    """The sentences of a value; a detail's are in its context, '' if it has none."""
    if name != "detail":
        return " ".join(SENTENCES[name](row, currency)) or NOTHING
    words = " ".join(detail_words(row[name], currency))
    return words and _in_context(row[name], words, day)


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
    return plain(f"{_moment(noted['at'], day)} {words}")


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


def is_moment(text: str) -> bool:
    """Whether a text is a moment with its offset."""
    return bool(_ISO.fullmatch(text))


def _moment(value: str, day: str | None) -> str:
    """The house's time, with its date unless that is `day`; other text unchanged."""
    if not is_moment(value):
        return value
    whole = datetime.fromisoformat(value).replace(tzinfo=None).isoformat(" ", "seconds")
    return whole.removeprefix(f"{day} ")
