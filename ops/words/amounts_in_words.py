"""An amount in words, as on a cheque; in English only.

>>> in_words(1_250_05, "USD")
'one thousand two hundred fifty and 05/100 USD'
>>> in_words(5_00, "USD"), in_words(50, "USD"), in_words(21, "JPY")
('five and 00/100 USD', 'zero and 50/100 USD', 'twenty-one JPY')
"""

from domain.rules.money import digits

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GROUPS = {1_000_000_000_000: "trillion", 10**9: "billion", 10**6: "million", 1_000: "thousand"}


def in_words(minor: int, currency: str) -> str:
    """The amount of minor units in words, with the currency's code."""
    each = 10 ** digits(currency)
    whole, part = divmod(minor, each)
    fraction = f" and {part:0{digits(currency)}}/{each}" if each > 1 else ""
    return f"{_number(whole)}{fraction} {currency}"


def _number(whole: int) -> str:
    for size, name in {**_GROUPS, 100: "hundred"}.items():
        if whole >= size:
            rest = f" {_number(whole % size)}" if whole % size else ""
            return f"{_number(whole // size)} {name}{rest}"
    if whole < len(_SMALL):
        return _SMALL[whole]
    rest = f"-{_SMALL[whole % 10]}" if whole % 10 else ""
    return f"{_TENS[whole // 10]}{rest}"
