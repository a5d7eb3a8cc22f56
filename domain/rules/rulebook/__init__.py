"""The rules of record by number: each in plain words, where it comes from, what enforces it.

Odds and limits belong to the rule set, so no rule here states them. Refusals, papers, lessons and
`sabot rule` cite a rule by its number and read its words here.

>>> rule_of("r-draw-2").sentence
'Player draws on 0 to 5 and stands on 6 and 7.'
>>> rule_of("R-DRAW-7")
Traceback (most recent call last):
    ...
domain.rules.refusals.UnknownRule: There is no rule R-DRAW-7. The nearest are R-DRAW-4, R-DRAW-3 \
and R-DRAW-2; `sabot rule` lists all.
"""

import difflib
import re
from collections.abc import Mapping

from domain.rules.refusals import UnknownRule
from domain.rules.rulebook import bets, deal, floor
from domain.rules.rulebook.rule import FAMILIES, Rule

__all__ = ["FAMILIES", "RULEBOOK", "Rule", "nearest", "rule_of"]
MOST_NEAR = 3  # numbers that a refusal suggests
LONGEST_SHOWN = 20  # characters of a number that there is not
RULEBOOK: Mapping[str, Rule] = {
    rule.number: rule for rule in (*deal.RULES, *bets.RULES, *floor.RULES)
}


def rule_of(number: str) -> Rule:
    """The rule of this number, however it is capitalised. Refuses: UnknownRule."""
    rule = RULEBOOK.get(number.strip().upper())
    if rule is None:
        *others, last = nearest(number)
        raise UnknownRule(number=_shown(number), near=f"{', '.join(others)} and {last}")
    return rule


def nearest(number: str) -> tuple[str, ...]:
    """The numbers that somebody may have meant: of the same family, else of one spelled alike."""
    family, last = _parts(number)
    alike = difflib.get_close_matches(family, FAMILIES, n=1, cutoff=0.3) or [*FAMILIES][:1]
    of_family = [each for each in RULEBOOK if each.split("-")[1] == alike[0]]
    of_others = [each for each in RULEBOOK if each not in of_family]
    by_distance = sorted(of_family, key=lambda each: abs(int(each.rpartition("-")[2]) - last))
    return tuple([*by_distance, *of_others][:MOST_NEAR])


def _parts(number: str) -> tuple[str, int]:
    """The family and the last number as they were typed: `R-IRR-9` is IRR and 9."""
    letters = re.findall("[A-Z]{2,}", number.upper())
    digits = re.findall("[0-9]{1,3}", number)
    return letters[0] if letters else number.upper(), int(digits[-1]) if digits else 1


def _shown(number: str) -> str:
    """A number as a refusal repeats it: printable, and cut where it is too long to be one."""
    text = "".join(each if each.isprintable() else "?" for each in number.strip().upper())
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"
