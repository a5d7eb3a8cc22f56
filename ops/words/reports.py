"""The words around the rows of a report, on a screen and on paper.

>>> days_words({"from": "2026-11-01", "to": None}), days_words({})
('Gaming days from 2026-11-01', 'All gaming days')
>>> narrowed_words({"day": "2026-11-21", "table": "B01", "result": "push"})
['table B01', 'result: returned']
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from domain.rules.wording import N_, Amount, Number, Words
from ops.words.columns import code_called
from ops.words.dated import day_in
from ops.words.language import _, amount, commas, day

Narrowed = Mapping[str, str | None]  # what a report was asked for, by its narrowings
_ONLY = {
    "table": N_("table {value}"),
    "shoe": N_("shoe {value}"),
    "patron": N_("patron {value}"),
    "seat": N_("seat {value}"),
    "staff": N_("by {value}"),
    "kind": N_("kind: {value}"),
    "question": N_("question: {value}"),
    "result": N_("result: {value}"),
    "rows": N_("rows: {value}"),
    "since": N_("since {value}"),
    "until": N_("until {value}"),
}


def files_words(currency: str) -> str:
    """In what the amounts of a report's files are, which programs read."""
    return _(
        "In JSON, CSV and Parquet amounts are in the smallest unit of the currency, beside it: "
        "{amount} {currency} is {minor}.",
        amount=amount(1250, currency),
        currency=currency,
        minor="1250",
    )


def days_words(narrowed: Narrowed) -> str:
    """The gaming days that a report covers."""
    day, first, last = (_day(narrowed.get(name)) for name in ("day", "from", "to"))
    if day or (first and first == last):
        return _("Gaming day {day}", day=day or first)
    if first and last:
        return _("Gaming days from {first} to {last}", first=first, last=last)
    if first:
        return _("Gaming days from {first}", first=first)
    return _("Gaming days to {last}", last=last) if last else _("All gaming days")


def _day(typed: str | None) -> date | str | None:
    return day_in(typed) or typed


def narrowed_words(narrowed: Narrowed) -> list[str]:
    """What else it is narrowed to."""
    return [
        _(words, value=code_called(name, str(narrowed[name])))
        for name, words in _ONLY.items()
        if narrowed.get(name)
    ]


def periods_words(since: Mapping[str, str], first: str, last: str) -> str:
    """The days of each period; all periods end with the same day.

    `since`: the first day of each period but the day's own, by the period.
    """
    if first == last:
        day = _("Day {last}", last=_day(last))
    else:
        day = _("Days {first} to {last}", first=_day(first), last=_day(last))
    others = (
        _("{period} from {begin}", period=code_called("period", name), begin=_day(begin))
        for name, begin in since.items()
    )
    return _("{days}.", days=commas([day, *others]))


def newest_or_first(there: int, rows: int, *, newest: bool) -> Words:
    """That there are more rows than a screen has, and what to do."""
    values = {"shown": Number(there), "rows": Number(rows)}
    if newest:
        return Words(
            "These are the newest {shown} of {rows} rows. Narrow the report, or use --csv for all.",
            **values,
        )
    return Words(
        "These are the first {shown} of {rows} rows. Narrow the report, or use --csv for all.",
        **values,
    )


# By report and by the column that is empty: why amounts of a row are blank.
_NOT_YET: Mapping[str, Mapping[str, str]] = {
    "table-win": {
        "closer": N_("{rows}: no win by chips yet, for the table is open. {by_wagers}"),
        "drop": N_("{rows}: no win by chips yet, for the drop is not counted. {by_wagers}"),
    }
}


def _day_here(text: str) -> str:
    """A day in the reader's form; what is no day as it is."""
    when = day_in(text)
    return day(when) if when else text


def not_yet_words(report: str, rows: Iterable[Mapping[str, Any]], currency: str) -> Iterator[Words]:
    """Why amounts are blank and what is known instead, a sentence for each reason."""
    whys, lacking = _NOT_YET.get(report, {}), defaultdict[str, list[Mapping[str, Any]]](list)
    for row in rows:
        if first := next((each for each in whys if row[each] is None), ""):
            lacking[first].append(row)
    for column, these in lacking.items():
        named = commas(f"{each['table']} {_day_here(each['day'])}" for each in these)
        won = Amount(sum(each["win_by_wagers"] for each in these), currency)
        by_wagers = Words("By the wagers the win is {won} so far.", won=won)
        yield Words(whys[column], rows=named, by_wagers=by_wagers)
