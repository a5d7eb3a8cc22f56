"""The words for what is on record that chance does not explain."""

from domain.review.protection.new_deck import ORDERS
from domain.review.protection.repeated_slug import BACKWARDS
from domain.rules.wording import Number, Words
from ops.words.event_values import Detail


def unlikely_words(detail: Detail) -> Words:
    """The sentence for a finding: what it is, and how seldom chance does as much."""
    seldom = Words("10^{power}", power=Number(detail["power"]))
    return Words(
        "{what}: by chance in at most one of {seldom} shoes.", what=_followed(detail), seldom=seldom
    )


def _followed(detail: Detail) -> Words:
    first, last, order = Number(detail["first"]), Number(detail["last"]), detail["order"]
    if order in ORDERS:
        return Words(
            "Cards {first} to {last} follow the order of new decks", first=first, last=last
        )
    if order.endswith(BACKWARDS):
        return Words(
            "Cards {first} to {last} follow shoe {shoe} backwards",
            first=first,
            last=last,
            shoe=order.removesuffix(BACKWARDS),
        )
    return Words(
        "Cards {first} to {last} follow shoe {shoe}, from its card {place} on",
        first=first,
        last=last,
        shoe=order,
        place=Number(detail["place"]),
    )
