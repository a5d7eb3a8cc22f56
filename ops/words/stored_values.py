"""The fields of an event for people: amounts as money, times by the house's clock, yes and no.

What a field is follows from its meaning, which stands with the fields' words.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.events.property import SettingChanged
from ops.words import language
from ops.words.dated import moment_in
from ops.words.differences import line
from ops.words.event_fields import words_for
from ops.words.event_values import MONEY
from ops.words.house_events import SHOWN_AS_AMOUNTS
from ops.words.language import _, shown
from ops.words.show import chips_words, exactly
from ops.words.terms import card_called, spot_called
from ops.words.values import NOTHING

_AMOUNTS = "minor currency units"  # in the meaning of a field that is money
_CHIPS = "of each denomination"
_LIKE_ANOTHER = {"limits_before": "limits"}  # whose meaning says less
_CARD = re.compile(r"[A2-9TJQK][CDHS]")
_EXACT = ("exact", "commission_exact")  # not rounded: a text in minor units
_SPOTS = ("spot", "as_spot", "hand")
# What somebody typed, which only looks like a moment or a card; and each name of a patron.
_AS_TYPED = ("reason", "text", "complaint", "name", "is", "alias", "guests", "reference", "with")


class Stored(Struct, frozen=True):
    """A field of an event: its name, what it means, and its value in words."""

    name: str
    meaning: str
    words: str


def stored_words(
    topic: str, fields: Mapping[str, object], currency: str, zone: ZoneInfo | None = None
) -> list[Stored]:
    """The fields of an event, in the order in which they were stored."""
    return [
        Stored(
            name.replace("_", " "),
            words_for(topic, name),
            value_words(topic, name, _as_set(topic, fields, name), currency, zone),
        )
        for name in fields
    ]


def _as_set(topic: str, fields: Mapping[str, object], name: str) -> object:
    """A field's value; a setting that is an amount is stored as a text."""
    value = fields[name]
    is_amount = fields.get("name") in SHOWN_AS_AMOUNTS and name in ("value", "before")
    if topic == SettingChanged.TOPIC and is_amount and str(value).isdecimal():
        return int(str(value))
    return value


def value_words(
    topic: str, name: str, value: object, currency: str, zone: ZoneInfo | None = None
) -> str:
    """One field's value, as it was stored."""
    meaning = words_for(topic, _LIKE_ANOTHER.get(name, name))
    if isinstance(value, dict) and _CHIPS in meaning and all(map(str.isdecimal, value)):
        return shown(chips_words(value, currency)) or NOTHING
    if topic == SettingChanged.TOPIC and isinstance(value, int):
        return language.amount(value, currency)
    if name in _EXACT and isinstance(value, str):
        with suppress(ValueError):
            return exactly(Fraction(value), currency)
    if name == "disagreements" and isinstance(value, list):
        return "; ".join(
            line(each, currency) if isinstance(each, dict) else str(each) for each in value
        )
    return _words(name, value, currency if _AMOUNTS in meaning else "", currency, zone)


def _words(name: str, value: object, money: str, currency: str, zone: ZoneInfo | None) -> str:
    """`money`: the currency, where the numbers in it are amounts."""
    if value is None or value in ("", [], {}):
        return NOTHING
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return language.amount(value, money) if money else str(value)
    if isinstance(value, dict):
        return _each_named(value, money, currency, zone)
    if isinstance(value, list):
        return _each(name, value, money, currency, zone)
    return _text(name, str(value), zone)


def _each_named(
    value: Mapping[str, object], money: str, currency: str, zone: ZoneInfo | None
) -> str:
    """Each part with its name; a part that is money by its own name is an amount."""
    mixed = "seat" in value or "spot" in value  # a wager: not all of its numbers are amounts

    def part(name: str, each: object) -> str:
        worth = (currency if name in MONEY else "") if mixed else money
        return (
            f"{_text('', name.replace('_', ' '), zone)} {_words(name, each, worth, currency, zone)}"
        )

    return ", ".join(part(name, each) for name, each in value.items())


def _each(
    name: str, value: Iterable[object], money: str, currency: str, zone: ZoneInfo | None
) -> str:
    parts = [_words(name, each, money, currency, zone) for each in value]
    return ("; " if any(isinstance(each, list | dict) for each in value) else ", ").join(parts)


def _text(name: str, value: str, zone: ZoneInfo | None) -> str:
    if "patron" in name or name in _AS_TYPED:
        return value
    if at := moment_in(value):
        return language.moment(at.astimezone(zone) if zone else at, 3 if at.microsecond else 0)
    if _CARD.fullmatch(value):
        return str(card_called(value))
    return shown(spot_called(value)) if name in _SPOTS else value
