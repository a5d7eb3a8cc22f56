"""The values of a report on paper: a column with the text of each of its cells."""

from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any

from domain.rules.cards import symbol
from ops.reports.ask import ReportAnswer, Row
from ops.reports.cells import SENTENCES, words_of
from ops.reports.typesetting import Column
from ops.words import language, pages
from ops.words.columns import code_called, heading_here
from ops.words.coups import proof_here
from ops.words.dated import moment_in
from ops.words.event_values import MONEY
from ops.words.language import shown
from ops.words.show import plain
from ops.words.values import NOTHING, PERCENT, amount, as_event, by_spot, detail_words

_MONEY = {*MONEY, "changes_hands", "by_shoe"}  # including fields of exceptions
_MOMENTS = ("at", "from", "to", "since", "_by", "_until")  # so end the names of moments in them
# Values of several parts with words for the whole; others are shown part by part.
_IN_WORDS = (*SENTENCES, "act", "chips", "deadlines", "put_right")


def column(
    answer: ReportAnswer, name: str, rows: Sequence[Row], days: list[date | None], total: str
) -> Column:
    """A column of the report; `days`: the gaming day above each row, `total`: its sum or ''."""
    values = [row[name] for row in rows]
    money = name in answer.report.money
    kinds = {type(value) for value in values} - {type(None)}
    apart = name in answer.report.by_spot
    several = bool(kinds & {dict, list}) and not apart
    return Column(
        head=heading_here(name),
        texts=[_cell(answer, name, *each) for each in zip(rows, days, strict=True)],
        total=total,
        right=not several and (money or apart or name in PERCENT or kinds == {int}),
        moments=name in answer.timed and all(moment_in(value) for value in values if value),
        several=several,
    )


def _cell(answer: ReportAnswer, name: str, row: Row, day: date | None) -> str:
    value, currency = row[name], answer.house.currency
    if name in answer.report.by_spot and value is not None:
        return by_spot(value, currency)
    if name == "exceptions" and isinstance(value, list):
        return "\n".join(_noted(each, currency, day) for each in value) or NOTHING
    if name == "cards" and value and all(isinstance(each, dict) for each in value):
        return _cards(value)
    if isinstance(value, dict | list) and name not in _IN_WORDS:
        return _parts_of(name, value, currency, day, money=name in answer.report.money)
    by_itself = {**row, "acknowledged_at": None} if name == "detail" else row  # has its own column
    return plain(words_of(answer, name, by_itself, lambda at, _: moment_on(at, day)))


def moment_on(at: datetime, day: date | None) -> str:
    """A moment to the second, with its date unless that is `day`."""
    return language.clock(at) if at.date() == day else language.moment(at)


def _noted(noted: Row, currency: str, day: date | None) -> str:
    """The sentences for an exception of a coup, with its time."""
    words = " ".join(map(shown, detail_words(as_event(noted), currency)))
    return plain(f"{moment_on(datetime.fromisoformat(noted['at']), day)} {words}")


def _cards(cards: Sequence[Row]) -> str:
    """Each card after its hand, in the order dealt, with the rule: `P K♣, B 9♠ (R-DEAL-1)`."""
    by_rule = groupby(cards, key=lambda card: card["rule"])
    return ", ".join(
        ", ".join(f"{each['hand'][0].upper()} {_face(each['card'])}" for each in dealt)
        + f" ({rule})"
        for rule, dealt in by_rule
    )


def _face(card: str | None) -> str:
    return symbol(card) if card else shown(pages.FACE_DOWN)


def _parts_of(name: str, value: Any, currency: str, day: date | None, *, money: bool) -> str:
    """The text of a value of several parts, with a line for each; of another one its own."""
    match value:
        case list():
            parts = (_parts_of(name, each, currency, day, money=money) for each in value)
            if any(isinstance(each, dict) for each in value):
                return "\n".join(parts)
            return language.commas(parts) or NOTHING
        case dict():
            return _named(value, currency, day, money=money)
        case bool():
            return shown(pages.YES if value else pages.NO)
        case str() if name.endswith(_MOMENTS) and (at := moment_in(value)):
            return moment_on(at, day)
        case _:
            return amount(value, currency) if money else proof_here(code_called(name, str(value)))


def _named(value: Row, currency: str, day: date | None, *, money: bool) -> str:
    """Each part under its name, after the moment and the kind."""
    begins = [(name, value[name]) for name in ("at", "kind", "type") if value.get(name)]
    begin = " ".join(_parts_of(*each, currency, day, money=False) for each in begins)
    events = [_named(each, currency, day, money=False) for each in value.get("facts", ())]
    texts = (
        (name, _parts_of(name, part, currency, day, money=money or name in _MONEY))
        for name, part in value.items()
        if name not in ("at", "kind", "type", "facts") and part not in (None, "", [], {})
    )
    words = language.commas(f"{heading_here(name)} {text}" for name, text in texts)
    return "\n".join([": ".join(filter(None, (begin, words))), *events])
