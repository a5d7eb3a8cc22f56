"""Minor units, and how commission is rounded (R-COM-3).

>>> commission = Rounding()
>>> commission.charge(Fraction(125, 100))
2
>>> decimal_string(Fraction(125, 100))
'1.25'
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Any, Literal

from msgspec import Struct

LARGEST_AMOUNT = 2**53  # the largest whole number that every JSON reader reads exactly
_WRITTEN = re.compile(r"(-?)([0-9]{1,18}|[0-9]{1,3}(?:,[0-9]{3}){1,5})(?:\.([0-9]+))?")
# The usual currencies, because reading Babel's table takes longer than a command should; a test
# compares the two.
_USUAL = dict.fromkeys(("USD", "EUR", "GBP", "CAD", "AUD", "SGD", "HKD", "MOP", "PHP"), 2)


class Rounding(Struct, frozen=True, kw_only=True):
    """The rule that makes a charge of an exact amount; `unit` and `minimum` in minor units."""

    mode: Literal["exact", "nearest", "up", "down"] = "exact"
    unit: int = 1
    minimum: int = 0
    moment: Literal["per-win", "on-collection"] = "per-win"

    def charge(self, exact: Fraction) -> int:
        """The charge for an exact amount, in minor units.

        Where the mode is exact, a fraction of a unit goes to the house.
        """
        if not exact:
            return 0
        unit = 1 if self.mode == "exact" else self.unit
        units = exact / unit
        match self.mode:
            case "nearest":
                whole = floor(units + Fraction(1, 2))
            case "down":
                whole = floor(units)
            case _:
                whole = ceil(units)
        return max(whole * unit, self.minimum)


def share(amount: int, rate: tuple[int, int]) -> Fraction:
    """`rate` of an amount, exactly: 5% of 25 minor units is 5/4."""
    return Fraction(amount * rate[0], rate[1])


def decimal_string(exact: Fraction) -> str:
    """An exact amount as a decimal number, which is finite because rates are decimal fractions."""
    if exact.denominator == 1:
        return str(exact.numerator)
    quotient = Decimal(exact.numerator) / Decimal(exact.denominator)
    if Fraction(quotient) != exact:
        msg = f"{exact} has no finite decimal form"
        raise ValueError(msg)
    return f"{quotient.normalize():f}"


@cache
def digits(currency: str) -> int:
    """The number of digits after the decimal point of a currency, by Unicode's CLDR."""
    if currency in _USUAL:
        return _USUAL[currency]
    fractions = _cldr("currency_fractions")
    places: int = fractions.get(currency, fractions["DEFAULT"])[0]
    return places


def is_currency(code: str) -> bool:
    """Whether it is the code of a currency in Unicode's CLDR."""
    return code in _USUAL or code in _cldr("all_currencies")


def _cldr(table: Literal["currency_fractions", "all_currencies"]) -> Mapping[str, Any]:
    from babel.core import get_global  # noqa: PLC0415  (most commands need none of it)

    return get_global(table)


def major(amount: int, currency: str) -> str:
    """The amount for people: 1,000.00."""
    places = digits(currency)
    return f"{Decimal(amount).scaleb(-places):,.{places}f}"


def minor(text: str, currency: str) -> int:
    """The minor units of an amount written in major ones. Raises ValueError if it is no amount."""
    match = _WRITTEN.fullmatch(text)
    places = digits(currency)
    if not match or len(match[3] or "") > places:
        msg = f"{text!r} is no amount of {currency}"
        raise ValueError(msg)
    units = int(match[2].replace(",", "") + (match[3] or "").ljust(places, "0"))
    return -units if match[1] else units
