"""The terms in which two rule sets differ, one by one.

>>> from domain.rules.house_rules import named
>>> differences(named("tie-eight-5@1"), named("tie-nine@1"))
[['spots tie pays', 'tie 8:1', 'tie 9:1']]
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.rules.house_rules.model import HouseRules
from domain.rules.wagers import PayLine

_NOT_TERMS = ("name", "source")
Difference = list[str]  # the term, its value before, its value now; '' where it is not there


def differences(before: HouseRules, now: HouseRules) -> list[Difference]:
    """What is another term in `now` than in `before`."""
    was, is_ = terms(before), terms(now)
    return [
        [term, was.get(term, ""), is_.get(term, "")]
        for term in sorted({*was, *is_})
        if was.get(term) != is_.get(term) and term not in _NOT_TERMS
    ]


def terms(rules: HouseRules) -> dict[str, str]:
    """Every term of a rule set, by its path, as text."""
    return dict(_terms(json.loads(rules.stated)))


def _terms(stated: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every term with its value, as text."""
    if isinstance(stated, Mapping):
        for name, value in stated.items():
            yield from _terms(value, f"{path} {name}".strip())
    elif stated is not None:
        yield path, _text(stated)


def _text(value: Any) -> str:
    match value:
        case [{"pays": _}, *_]:
            lines = (msgspec.convert(each, PayLine) for each in value)
            return ", ".join(f"{line.when} {line.text}" for line in lines)
        case [*each]:
            return ", ".join(map(str, each))
    return str(value)
