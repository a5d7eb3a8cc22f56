"""Chips, counted by denomination."""

from domain.rules.house_rules import HouseRules
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import BadValue
from domain.rules.wording import Amount, Words, as_words, listed

Chips = dict[str, int]  # denomination in minor units, as text, to how many


def total(chips: Chips) -> int:
    """The value of the chips, in minor units."""
    return sum(int(denomination) * count for denomination, count in chips.items())


def require_countable(field: str, chips: Chips) -> None:
    """Refuses chips whose value some readers of JSON could not count: BadValue."""
    if total(chips) > LARGEST_AMOUNT:
        raise BadValue(
            message=Words("These chips are worth more than 2^53 minor units. Count them again.")
        )


def require_chips_of(rules: HouseRules, opener: Chips) -> None:
    """Refuses an opener with chips that the rule set does not have: BadValue."""
    strange = [each for each in map(int, opener) if each not in rules.chips]
    if strange:
        raise BadValue(
            message=Words(
                "{rules} has no chips of {amount}. Its chips are {chips}.",
                rules=rules.name,
                amount=Amount(strange[0], rules.currency),
                chips=listed(as_words(Amount(each, rules.currency)) for each in rules.chips),
            )
        )
