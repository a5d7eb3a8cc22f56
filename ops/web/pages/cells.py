"""The values of a report on a page, in the reader's words and forms."""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import Any

from msgspec import convert

from ops.reports.ask import ReportAnswer, Row
from ops.reports.cells import SENTENCES, cell, is_dated, is_moment
from ops.words import language, pages
from ops.words.access import act_words
from ops.words.alerts import kind_name
from ops.words.columns import code_called
from ops.words.coups import PROOFS, proved, spot_name
from ops.words.effects import effect_words
from ops.words.language import _, shown
from ops.words.show import chips_words
from ops.words.terms import card_called
from ops.words.values import DUE_BY, NOTHING, PERCENT, CaseDue, amount, due_of, percent, sum_by_spot

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def words_of(
    answer: ReportAnswer, name: str, row: Row, columns: Collection[str] | None = None
) -> str:
    """A value of a row; `columns`: those that are shown beside it, if not all of the row."""
    value = row[name]
    if value is None or name == "put_right":
        return str(cell(answer, name, row))
    if name in answer.report.money:
        return language.marked(amount(value, answer.house.currency))
    if name in answer.report.by_spot:
        return language.marked(sum_by_spot(value, answer.house.currency))
    if name in PERCENT:
        return language.marked(percent(value))
    if isinstance(value, bool):
        return shown(pages.YES if value else pages.NO)
    return _in_words(answer, name, row, row.keys() if columns is None else columns)


def _in_words(answer: ReportAnswer, name: str, row: Row, columns: Collection[str]) -> str:
    value, currency = row[name], answer.house.currency
    if name in SENTENCES:
        return " ".join(map(shown, SENTENCES[name](row, currency))) or NOTHING
    if make := _BY_COLUMN.get(name):
        return make(row, currency)
    if isinstance(value, str):
        return _text(name, {each: row[each] for each in columns})
    return str(cell(answer, name, row))


_BY_COLUMN: Mapping[str, Callable[[Row, str], str]] = {
    "alert": lambda row, __: kind_name(row["kind"]),
    "card": lambda row, __: card_called(row["card"]),
    "act": lambda row, __: shown(act_words(row["act"])),
    "chips": lambda row, currency: shown(chips_words(row["chips"], currency)) or NOTHING,
    "deadlines": lambda row, __: _deadlines(convert(row, CaseDue)),
    "effect": lambda row, currency: shown(effect_words(row["effect"], currency)),
    "outcome": lambda row, __: _outcome(row),
    "luck": lambda row, __: language.marked(row["luck"]),
}


def _outcome(row: Row) -> str:
    return shown(pages.VOID) if row["phase"] == "voided" else spot_name(row["outcome"])


def _text(name: str, row: Row) -> str:
    value = row[name]
    if _DAY.fullmatch(value):
        return language.day(date.fromisoformat(value))
    if is_moment(value):
        return moment(value, with_day=is_dated(name, row))
    return _proof_here(code_called(name, value))


def _proof_here(text: str) -> str:
    """The text, in which it is said how somebody's agreement is known."""
    for each in PROOFS:
        text = text.replace(f"({each})", f"({_(each)})")
    return text


def moment(value: str, *, with_day: bool) -> str:
    """A moment of the record: to the minute with its day, or to the second of a row's day."""
    at = datetime.fromisoformat(value)
    return language.minute(at) if with_day else language.clock(at)


def _deadlines(case: CaseDue) -> str:
    due = (f"{_(DUE_BY[kind])} {moment(at, with_day=True)}" for at, kind in due_of(case))
    return "; ".join(due) or NOTHING


def with_proofs(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row in which each person who signed has beside the name how that is known."""
    proofs = {name: how for name, how in row.items() if name.endswith("_proved")}
    by = {f"{name.removesuffix('_proved')}_by": how for name, how in proofs.items()}
    by |= row.get("proved") or {}
    return {**row, **{name: proved(row[name], how) for name, how in by.items() if row[name]}}
