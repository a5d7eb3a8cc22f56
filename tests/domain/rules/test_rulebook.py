"""Every rule that is cited anywhere is in the rulebook, and what enforces it cites it."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from domain.rules.rulebook import RULEBOOK
from tests import ROOT

NUMBER = re.compile(r"R-[A-Z]+-[0-9]+")
RANGE = re.compile(r"(R-[A-Z]+)-([0-9])(?: to (?:R-[A-Z]+-)?([0-9]))?((?:,? (?:and )?[0-9])*)\b")
WRITTEN = ("domain", "projections", "ops", "tests", "scripts", "README.md")


def _texts():
    for place in WRITTEN:
        files = [ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*")
        for file in files:
            if file.suffix in (".py", ".md", ".typ", ".sql", "") and file.is_file():
                yield file, file.read_text(errors="replace")


def _cited(text):
    """Every number, also within `R-DRAW-1 to 4` and `R-IRR-2, 4 and 5`."""
    for family, first, last, more in RANGE.findall(text):
        numbers = {*range(int(first), int(last or first) + 1), *map(int, re.findall("[0-9]", more))}
        yield from (f"{family}-{number}" for number in numbers)


def test_every_number_that_is_cited_is_a_rule():
    cited = {number: file for file, text in _texts() for number in NUMBER.findall(text)}

    assert {number: file for number, file in cited.items() if number not in RULEBOOK} == {}


@pytest.mark.parametrize("rule", RULEBOOK.values(), ids=RULEBOOK)
def test_what_enforces_a_rule_cites_it(rule):
    found = find_spec(rule.enforced)

    assert found, rule.enforced
    assert rule.number in set(_cited(Path(found.origin).read_text()))


@pytest.mark.parametrize("rule", RULEBOOK.values(), ids=RULEBOOK)
def test_a_rule_is_one_sentence(rule):
    assert rule.sentence.endswith(".")
    assert "\n" not in rule.sentence
