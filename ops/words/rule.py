"""A rule of record in words, at a shell and at the dealer's terminal."""

from collections.abc import Iterator

from domain.rules.rulebook import FAMILIES, RULEBOOK, Rule
from domain.rules.wording import N_

ABOUT = N_("about")


def details(rule: Rule) -> Iterator[tuple[str, str]]:
    """A rule's text, its source and its enforcement, each with its heading."""
    yield rule.number, rule.sentence
    yield ABOUT, rule.family
    yield "source", rule.source
    yield "enforced in", ", ".join(rule.enforced)


def families() -> Iterator[tuple[str, str]]:
    """The first and last number of each family of rules, with its subject."""
    for family, about in FAMILIES.items():
        numbers = [each for each in RULEBOOK if each.split("-")[1] == family]
        last = numbers[-1].rpartition("-")[2]
        yield numbers[0] if len(numbers) == 1 else f"{numbers[0]}–{last}", about
