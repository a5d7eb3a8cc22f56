"""The values for an event's sentence, made from its fields.

Amounts are in the house's currency, spots and hands under their labels, days as dates.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from string import Formatter
from typing import Any

from domain.rules.wording import Amount, Moment, Number, Words, listed
from ops.words.terms import card_called, hand_called, holder_called, spot_called

Event = Mapping[str, Any]  # the type and the fields
Detail = Mapping[str, Any]  # the fields of the event that raised an alert, or what a board adds
Values = Mapping[str, object]  # for its sentence
# A template, a function that makes the words, or None: another event's sentence covers it.
Wording = str | Callable[[Event, Values], Words | None] | None

_ENDS = (".", "!", "?", "…", "。", ":", ";")  # of a sentence
MONEY = {
    *("amount", "stake", "stakes", "paid", "winnings", "charged", "stated", "owed"),
    *("opener_total", "closer_total", "commission_charged", "allowed", "total", "variance"),
    *("returned", "stake_before", "paid_before", "paid_up", "commission_before", "before"),
    *("amount_before", "total_before", "balance", "holds"),
    *("total_in", "total_out", "played", "worth", "taken_off"),
}
_CALLED: Mapping[str, Callable[[Any], object]] = {
    "spot": spot_called,
    "as_spot": spot_called,
    "offered": lambda spots: listed(map(spot_called, spots)),
    "hand": hand_called,
    "card": card_called,
    "cut_by": holder_called,
    "cards_left": Number,
    "remaining": Number,
}


def values_of(event: Event, currency: str) -> dict[str, object]:
    """The values for an event's sentence, by name."""
    return {name: _value(name, value, currency) for name, value in event.items()}


def _value(name: str, value: Any, currency: str) -> object:
    if name == "changes_hands" and value is not None:
        return Amount(abs(value), currency)
    if name in MONEY and isinstance(value, int):
        return Amount(value, currency)
    return _CALLED[name](value) if name in _CALLED and value is not None else value


def worded_with(template: str, values: Values, **more: object) -> Words:
    """A template's words, with those of the values that the template names."""
    known = {**values, **more}
    names = [name for _, name, _, _ in Formatter().parse(template) if name]
    return Words(template, **{name: known[name] for name in names})


def with_amount(template: str, amount: int, values: Values) -> Words:
    """A template's words, whose `open` is the amount, whoever owes it."""
    return worded_with(template, values, open=Amount(abs(amount), str(values["currency"])))


def of_entry(event: Event, correction: Words) -> Words:
    """A correction, with the number and the moment of the entry that was wrong."""
    at = Moment(datetime.fromisoformat(event["moved_at"]))
    words = "Entry #{position} of {at}: {correction}"
    return Words(words, position=str(event["position"]), at=at, correction=correction)


def run_on(sentences: Iterable[str]) -> Words:
    """The sentences joined by spaces, or '' if there are none.

    One that ends in a reason, as somebody typed it, may lack its full stop.
    """
    first, *rest = [each for each in sentences if each] or [""]
    words = first if isinstance(first, Words) else Words("{text}", text=first)
    for each in rest:
        ended = words.endswith(_ENDS)
        words = Words("{first} {then}" if ended else "{first}. {then}", first=words, then=each)
    return words


def separated(phrases: Iterable[str]) -> Words:
    """The phrases joined by semicolons, or '' if there are none."""
    first, *rest = list(phrases) or [""]
    words = first if isinstance(first, Words) else Words("{text}", text=first)
    for each in rest:
        words = Words("{first}; {then}", first=words, then=each)
    return words
