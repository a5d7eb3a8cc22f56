"""The limits of a table: those of its rule set, and what they may be changed to during the day."""

from domain.rules.house_rules import HouseRules, Limit
from domain.rules.layout import Limits
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import BadValue
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Amount, Words, listed

_NO_MULTIPLE = {
    "minimum": N_("The minimum {amount} is no multiple of {increment}. Choose another."),
    "maximum": N_("The maximum {amount} is no multiple of {increment}. Choose another."),
    "differential": N_("The differential {amount} is no multiple of {increment}. Choose another."),
}


def limits_of(rules: HouseRules) -> Limits:
    """The limits when the table opens, which are the rule set's."""
    stated: dict[str, Limit] = {"main": rules.main} | {
        spot: each.limit for spot, each in rules.spots.items() if each.limit
    }
    return {spot: [limit.minimum, limit.maximum] for spot, limit in stated.items()}


def changed(
    limits: Limits, rules: HouseRules, spot: str, minimum: int | None, maximum: int | None
) -> Limits:
    """The limits with those of a spot changed; None leaves one as it is. Refuses: BadValue."""
    if spot != "main" and spot not in rules.spots:
        raise BadValue(
            message=Words(
                "{rules} has no spot {spot}. Its limits are `main` and those of {spots}.",
                rules=rules.name,
                spot=spot_label(spot),
                spots=listed(spot_label(each) for each in rules.spots),
            )
        )
    if minimum is None and maximum is None:
        return limits
    least, most = limits.get(spot) or limits["main"]
    least, most = least if minimum is None else minimum, most if maximum is None else maximum
    _require_sensible(rules, spot, least, most)
    return limits | {spot: [least, most]}


def _require_sensible(rules: HouseRules, spot: str, least: int, most: int) -> None:
    require_multiple(rules, "minimum", least)
    require_multiple(rules, "maximum", most)
    maximum = Amount(most, rules.currency)
    if least > most:
        raise BadValue(
            message=Words(
                "The maximum {maximum} is under the minimum {minimum}. Change one of them.",
                maximum=maximum,
                minimum=Amount(least, rules.currency),
            )
        )
    spots = rules.spots if spot == "main" else [spot]
    if any(rules.most_paid(each, most) > LARGEST_AMOUNT for each in spots):
        raise BadValue(
            message=Words(
                "With a maximum of {maximum} a win may pay more than 2^53 minor units. Choose "
                "a lower one.",
                maximum=maximum,
            )
        )


def require_multiple(rules: HouseRules, field: str, amount: int) -> None:
    """Refuses a limit that no wager can reach: BadValue. `field`: which limit it is."""
    if amount % rules.increment:
        raise BadValue(
            message=Words(
                _NO_MULTIPLE[field],
                amount=Amount(amount, rules.currency),
                increment=Amount(rules.increment, rules.currency),
            )
        )
