"""Every rule that is cited anywhere is in the rulebook, and what enforces it cites it."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from domain.rules import refusals
from domain.rules.refusals import Refusal, UnknownRule
from domain.rules.rulebook import FAMILIES, LONGEST_SHOWN, MOST_NEAR, RULEBOOK, nearest, rule_of
from tests import ROOT

NUMBER = re.compile(r"R-[A-Z]+-[0-9]+")
RANGE = re.compile(r"(R-[A-Z]+)-([0-9])(?: to (?:R-[A-Z]+-)?([0-9]))?((?:,? (?:and )?[0-9])*)\b")
# Code with its refusals, papers, the manual, and the tests.
PLACES = ("domain", "projections", "ops", "tests", "scripts", "README.md")
KINDS = (".py", ".md", ".typ", ".sql", ".po", "")
NOT_RULES = {"R-IRR-9", "R-COM-99", "R-DRAW-7"}  # what somebody typed, in tests and doctests
OWN = Path(__file__)  # which names many more that there are not
LONGEST = 260  # characters that somebody reads at a table


def _texts():
    for place in PLACES:
        files = [ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*")
        for file in files:
            if file.suffix in KINDS and file.is_file() and file != OWN:
                yield file, file.read_text(errors="replace")


def _cited(text):
    """Every number, also within `R-DRAW-1 to 4` and `R-IRR-2, 4 and 5`."""
    for family, first, last, more in RANGE.findall(text):
        numbers = {*range(int(first), int(last or first) + 1), *map(int, re.findall("[0-9]", more))}
        yield from (f"{family}-{number}" for number in numbers)


def test_every_number_that_is_cited_is_a_rule():
    cited = {
        number: str(file)
        for file, text in _texts()
        for number in (*NUMBER.findall(text), *_cited(text))
    }

    assert {number: cited[number] for number in cited.keys() - RULEBOOK.keys() - NOT_RULES} == {}


def test_the_rule_of_every_refusal_is_a_rule():
    kinds = [
        each
        for each in vars(refusals).values()
        if isinstance(each, type) and issubclass(each, Refusal)
    ]

    assert {kind.rule for kind in kinds if kind.rule} <= set(RULEBOOK)


@pytest.mark.parametrize("rule", RULEBOOK.values(), ids=RULEBOOK)
def test_the_modules_that_enforce_a_rule_exist_and_cite_it(rule):
    specs = {module: find_spec(module) for module in rule.enforced}

    assert rule.enforced
    assert [module for module, spec in specs.items() if spec is None] == []
    assert rule.number in {
        number
        for spec in specs.values()
        for number in _cited(Path(spec.origin).read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize("rule", RULEBOOK.values(), ids=RULEBOOK)
def test_a_rule_is_one_or_two_sentences_with_a_source(rule):
    assert rule.sentence.endswith(".")
    assert len(re.findall(r"\.(?: |$)", rule.sentence)) <= 2
    assert "\n" not in rule.sentence
    assert len(rule.sentence) <= LONGEST
    assert rule.source


def test_the_numbers_of_a_family_have_no_gap():
    for family in FAMILIES:
        numbers = [int(each.split("-")[2]) for each in RULEBOOK if each.split("-")[1] == family]

        assert sorted(numbers) == list(range(1, len(numbers) + 1))


def test_a_rule_is_known_however_it_is_capitalised():
    assert RULEBOOK["R-IRR-4"] == rule_of(" r-irr-4 ")


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("R-IRR-9", "R-IRR-6"),
        ("R-IRR-0", "R-IRR-1"),
        ("irr 4", "R-IRR-4"),
        ("IRR4", "R-IRR-4"),
        ("R-BETS-2", "R-BET-2"),
        ("R-COMM-4", "R-COM-4"),
        ("r-win-2", "R-WIN-1"),
        ("R-SHOE-999999999999", "R-SHOE-6"),
        ("R-IRR", "R-IRR-1"),
        ("", "R-CARD-1"),
        ("?", "R-CARD-1"),
    ],
)
def test_of_an_unknown_number_the_nearest_are_named(typed, first):
    near = nearest(typed)

    assert first == near[0]
    assert MOST_NEAR == len(set(near))
    with pytest.raises(UnknownRule, match=first):
        rule_of(typed)


def test_what_is_no_number_is_repeated_in_part():
    with pytest.raises(UnknownRule) as refused:
        rule_of("\x1b" + "x" * 500)

    assert str(refused.value).startswith(f"There is no rule ?{'X' * (LONGEST_SHOWN - 2)}…. ")
