"""Values as they pass the door, in JSON: sentences keep what they are made of.

A terminal shows them in its own reader's language.

>>> owed = Words("{patron} owes {amount}.", patron="P-101", amount=Amount(12_500, "USD"))
>>> back = decoded(encoded(owed), Words)
>>> back == owed, back.template, str(back.values["amount"])
(True, '{patron} owes {amount}.', '125.00')
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from domain.rules.wording import Amount, Joined, Moment, Number, Words, listed, plain

T = TypeVar("T")


def encoded(value: object) -> bytes:
    """A value, or a struct of values, as JSON."""
    return msgspec.json.encode(value, enc_hook=_written)


def decoded(content: bytes, kind: type[T] | Any) -> Any:
    """A value of this type. Raises msgspec.MsgspecError, RecursionError."""
    return msgspec.json.decode(content, type=kind, dec_hook=_read)


def as_text(value: Any) -> Any:
    """A value of plain dicts and lists, with its sentences as text."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=plain))


def _written(value: object) -> Any:
    match value:
        case Words():
            return _of_words(value)
        case Fraction():
            return str(value)
    raise NotImplementedError(type(value).__name__)


def _read(kind: type, value: Any) -> Any:
    if issubclass(kind, Words):
        return _words(value)
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(kind.__name__)


def _of_words(words: Words) -> Mapping[str, object]:
    if isinstance(words, Joined):
        return {"each": [_of_value(each) for each in words.each], "last": words.template}
    return {
        "template": words.template,
        "many": words.many,
        "number": words.number,
        "about": words.about,
        "values": {name: _of_value(each) for name, each in words.values.items()},
    }


def _words(coded: Mapping[str, Any]) -> Words:
    if "each" in coded:
        return listed([_value(each) for each in coded["each"]], coded["last"])
    values = {name: _value(each) for name, each in coded["values"].items()}
    return Words.made(coded["template"], coded["many"], coded["number"], coded["about"], values)


def _of_value(value: object) -> Any:
    """A value within a sentence: text as it is, anything else with its kind."""
    for kind, name, written in _VALUES:
        if isinstance(value, kind):
            return {name: written(value)}
    return int(value) if isinstance(value, int) else str(value)


_VALUES: Sequence[tuple[type, str, Callable[[Any], Any]]] = (
    (Words, "words", _of_words),
    (Amount, "amount", lambda amount: [amount.minor, amount.currency, amount.short]),
    (Moment, "moment", lambda moment: moment.at.isoformat()),
    (datetime, "datetime", datetime.isoformat),
    (date, "date", date.isoformat),
    (Number, "number", int),
)


def _amount(coded: Any) -> Amount:
    minor, currency, short = coded
    return Amount(minor, currency, short=short)


_KINDS: Mapping[str, Callable[[Any], object]] = {
    "words": _words,
    "amount": _amount,
    "moment": lambda text: Moment(datetime.fromisoformat(text)),
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "number": Number,
}


def _value(coded: Any) -> Any:
    if not isinstance(coded, dict):
        return coded
    ((kind, value),) = coded.items()
    return _KINDS[kind](value)
