"""As much of Prometheus's language as the rules that ship need, over one scrape or two."""

import operator
import re
from collections.abc import Mapping

from prometheus_client.parser import text_string_to_metric_families

Labels = frozenset[tuple[str, str]]
Values = Mapping[Labels, float]
_METRIC = r"(?P<name>[a-z_]+)(?:\{(?P<labels>[^}]*)\})?"
_TERM = re.compile(rf"(?P<rate>rate\()?{_METRIC}(?:\[5m\]\))?")
_LABEL = re.compile(r'(\w+)="([^"]*)"')
_COMPARES = re.compile(r" (==|>|<) ([0-9.]+)$")
_OPERATORS = {"==": operator.eq, ">": operator.gt, "<": operator.lt}
SPAN = 300.0  # seconds between the two scrapes


class Scrape:
    """The values of every metric at one moment; `before`: the scrape five minutes earlier."""

    def __init__(self, text: str, now: float, before: "Scrape | None" = None) -> None:
        self.now, self.before = now, before
        self.values: dict[str, dict[Labels, float]] = {}
        for family in text_string_to_metric_families(text):
            self.values.setdefault(family.name, {})
            for sample in family.samples:
                named = self.values.setdefault(sample.name, {})
                named[frozenset(sample.labels.items())] = sample.value

    def firing(self, rule: str) -> Values:
        """What a rule is about now: empty if it does not fire."""
        first, *others = [self._compared(each) for each in rule.split(" and ")]
        return {
            labels: value for labels, value in first.items() if all(labels in o for o in others)
        }

    def _compared(self, text: str) -> Values:
        found = _COMPARES.search(text)
        assert found, text
        compares, most = _OPERATORS[found[1]], float(found[2])
        values = self._value(text[: found.start()])
        return {labels: value for labels, value in values.items() if compares(value, most)}

    def _value(self, text: str) -> Values:
        if text.startswith("time() - "):
            since = self._value(text.removeprefix("time() - "))
            return {labels: self.now - value for labels, value in since.items()}
        if " / " in text:
            whole, part = (self._value(each) for each in text.split(" / "))
            return {each: whole[each] / part[each] for each in whole if part.get(each)}
        found = _TERM.fullmatch(text)
        assert found, text
        wanted = frozenset(_LABEL.findall(found["labels"] or ""))
        values = {
            each: v for each, v in self.values.get(found["name"], {}).items() if wanted <= each
        }
        if not found["rate"]:
            return values
        assert self.before
        then = self.before.values.get(found["name"], {})
        return {each: (value - then.get(each, 0.0)) / SPAN for each, value in values.items()}


def metrics_in(text: str) -> set[str]:
    """The names of Sabot's own and the process's metrics in an expression."""
    return set(re.findall(r"\b(?:sabot|process)_[a-z_]+", text))
