"""Chips, counted by denomination."""

import re
from collections.abc import Collection, Iterable

from domain.rules.house_rules import HouseRules
from domain.rules.money import LARGEST_AMOUNT, minor
from domain.rules.refusals import BadValue
from domain.rules.wording import Amount, Words, as_words, listed

Chips = dict[str, int]  # denomination in minor units, as text, to how many


def total(chips: Chips) -> int:
    """The value of the chips, in minor units."""
    return sum(int(denomination) * count for denomination, count in chips.items())


def added(chips: Chips, more: Chips, sign: int = 1) -> Chips:
    """The chips, with these added, or taken away (-1); less than none of one, where they differ.

    >>> added({"500": 40}, {"500": 40, "10000": 2}, -1)
    {'10000': -2}
    """
    names = sorted({*chips, *more}, key=int)
    together = {each: chips.get(each, 0) + sign * more.get(each, 0) for each in names}
    return {each: count for each, count in together.items() if count}


def few_of(chips: Chips, opener: Chips, share: int) -> Chips:
    """The denominations of an opener of which less than `share` per cent are left; how many are.

    >>> few_of({"500": 39, "10000": 20}, {"500": 400, "10000": 200}, 10)
    {'500': 39}
    """
    return {
        each: chips.get(each, 0)
        for each, count in opener.items()
        if chips.get(each, 0) * 100 < count * share
    }


def require_countable(field: str, chips: Chips) -> None:
    """Refuses chips whose value some readers of JSON could not count: BadValue."""
    if total(chips) > LARGEST_AMOUNT:
        raise BadValue(
            message=Words("These chips are worth more than 2^53 minor units. Count them again.")
        )


def parse_chips(text: str, currency: str) -> tuple[int, ...]:
    """A house's own denominations in minor units, the smallest first; `none` has none.

    Refuses: BadValue.

    >>> parse_chips("2.50, 0.25", "USD")
    (25, 250)
    """
    if text == "none":
        return ()
    try:
        read = {minor(each, currency) for each in re.split(r"[,\s]+", text.strip())}
    except ValueError:
        read = {0}
    if min(read) <= 0 or max(read) > LARGEST_AMOUNT:
        why = Words("write amounts of {currency}, as in `0.25, 2.50`, or none", currency=currency)
        raise BadValue(field="value", value=repr(text), why=why)
    return tuple(sorted(read))


def require_chips_of(rules: HouseRules, own: Collection[int], chips: Chips) -> None:
    """Refuses chips that neither the rule set nor the house (`own`) lists: BadValue."""
    known = sorted({*rules.chips, *own})
    for each in map(int, chips):
        if each not in known:
            near = sorted(known, key=lambda chip: (abs(chip - each), chip))[:2]
            raise BadValue(
                message=Words(
                    "No chip here is worth {amount}. The nearest are {near}; all are {chips}.",
                    amount=Amount(each, rules.currency),
                    near=_listed(sorted(near), rules.currency),
                    chips=_listed(known, rules.currency),
                )
            )


def _listed(chips: Iterable[int], currency: str) -> Words:
    return listed(as_words(Amount(each, currency, short=True)) for each in chips)
