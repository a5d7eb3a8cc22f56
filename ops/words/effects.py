"""The effect of a dispute's decision, recorded in English, in the reader's language.

>>> effect_words("instead of decision 1, seat 3 tie is paid 1,800.00 in all, not 200.00", "USD")
'instead of decision 1, seat 3 Tie is paid 1,800.00 in all, not 200.00'
>>> effect_words("1: the payment stands; 2: instead of decision 1, 5.00 more commission", "USD")
'1: the payment stands; 2: instead of decision 1, 5.00 more commission'
"""

import re
from collections.abc import Callable, Mapping

from domain.rules.wording import N_, Amount, Words
from ops.words.event_values import separated
from ops.words.terms import spot_called

_WHOLE = (
    *(N_("the payment is unchanged"), N_("the payment stands"), N_("the coup stays void")),
    N_("the coup is void"),
)
_DECISION = re.compile(r"(?:^|; )(\d+): ")  # of several
_INSTEAD = re.compile(r"instead of decision (?P<number>\d+), (?P<effect>.+)")
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"seat (?P<seat>\d+) (?P<spot>[^ ,]+) is paid (?P<paid>\S+) in all, not (?P<before>\S+)"
        ),
        N_("seat {seat} {spot} is paid {paid} in all, not {before}"),
    ),
    (
        re.compile(
            r"seat (?P<seat>\d+) (?P<spot>[^ ,]+), as (?P<as_spot>[^ ,]+), is paid (?P<paid>\S+)"
            r" in all, not (?P<before>\S+)"
        ),
        N_("seat {seat} {spot}, as {as_spot}, is paid {paid} in all, not {before}"),
    ),
    (
        re.compile(r"seat (?P<seat>\d+) (?P<spot>[^ ,]+) was (?P<stake>\S+), not (?P<before>\S+)"),
        N_("seat {seat} {spot} was {stake}, not {before}"),
    ),
    (re.compile(r"(?P<amount>\S+) more commission"), N_("{amount} more commission")),
    (re.compile(r"(?P<amount>\S+) less commission"), N_("{amount} less commission")),
)
_AMOUNTS = ("paid", "before", "amount", "stake")


def effect_words(effect: str, currency: str) -> Words:
    """The words for an effect as recorded, or for those of several decisions in their order.

    A part in an unknown form is unchanged.
    """
    if _DECISION.match(effect):
        _, *each = _DECISION.split(effect)
        return separated(
            Words("{number}: {effect}", number=number, effect=effect_words(then, currency))
            for number, then in zip(each[::2], each[1::2], strict=True)
        )
    if replaces := _INSTEAD.fullmatch(effect):
        then = effect_words(replaces["effect"], currency)
        number = replaces["number"]
        return Words("instead of decision {number}, {effect}", number=number, effect=then)
    return separated(_part(each, currency) for each in effect.split("; "))


def _part(text: str, currency: str) -> str:
    if text in _WHOLE:
        return Words(text)
    for form, template in _FORMS:
        if match := form.fullmatch(text):
            return Words(template, **_values(match.groupdict(), currency))
    return text


def _values(texts: Mapping[str, str], currency: str) -> dict[str, object]:
    called: Mapping[str, Callable[[str], object]] = {
        **dict.fromkeys(("spot", "as_spot"), spot_called),
        **dict.fromkeys(_AMOUNTS, lambda text: _amount(text, currency)),
    }
    return {name: called.get(name, str)(text) for name, text in texts.items()}


def _amount(text: str, currency: str) -> object:
    """The value of an amount that was written in English form."""
    digits = text.replace(",", "").replace(".", "")
    return Amount(int(digits), currency) if digits.isdecimal() else text
