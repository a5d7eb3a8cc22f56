"""Chips, counted by denomination."""

from domain.rules.house_rules import HouseRules
from domain.rules.money import LARGEST_AMOUNT, major
from domain.rules.refusals import BadValue

Chips = dict[str, int]  # denomination in minor units, as text, to how many


def total(chips: Chips) -> int:
    """What the chips are worth, in minor units."""
    return sum(int(denomination) * count for denomination, count in chips.items())


def require_countable(field: str, chips: Chips) -> None:
    """Chips are worth no more than every reader can count. Refuses: BadValue."""
    if total(chips) > LARGEST_AMOUNT:
        raise BadValue(field=field, value="worth so much", why="it is more than 2^53 minor units")


def require_chips_of(rules: HouseRules, opener: Chips) -> None:
    """An opener is of the chips that the rule set deals with. Refuses: BadValue."""
    strange = [major(each, rules.currency) for each in map(int, opener) if each not in rules.chips]
    if strange:
        chips = ", ".join(major(each, rules.currency) for each in rules.chips)
        raise BadValue(
            field="opener", value=f"of {strange[0]}", why=f"the chips of {rules.name} are {chips}"
        )
