"""Countries as people write them, by two or three letters or in English, and who issued a document.

>>> [country_code(each) for each in ("US", "usa", "United States", "U.S.A.", "Austria", "NV")]
['US', 'US', 'US', 'US', 'AT', None]
>>> issuer_parts("Nevada, US"), issuer_parts("US-NV"), issuer_parts("Austria"), issuer_parts("NV")
(None, ('US', 'NV'), ('AT', ''), None)
>>> issuer_read("AUT") == issuer_read("Austria"), issuer_read("A city") == issuer_read("a  City")
(True, True)
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

_NONE = ("EU", "UN", "ZZ", "XA", "XB", "EZ", "QO")  # letters that are no country's
_ALSO_CALLED = {
    "united states of america": "US",
    "great britain": "GB",
    "hong kong": "HK",
    "macau": "MO",
    "macao": "MO",
    "czech republic": "CZ",
    "turkey": "TR",
    "republic of korea": "KR",
    "korea": "KR",
    "people's republic of china": "CN",
}


def country_code(country: str) -> str | None:
    """The two letters of a country, by its letters or its English name; None for an unknown one."""
    return _countries().get(_squeezed(country))


def issuer_parts(issuer: str) -> tuple[str, str] | None:
    """The country and the state that issued a document; '' for no state, None if not clear."""
    country, _, state = issuer.partition("-")
    if state and re.fullmatch("[A-Z]{2,3}", state) and (code := country_code(country)):
        return code, state
    code = country_code(issuer)
    return (code, "") if code else None


@lru_cache(maxsize=4096)
def issuer_read(issuer: str) -> tuple[str, str]:
    """Who issued a document, the same however they are spelled; an unknown one as it is written."""
    return issuer_parts(issuer) or (_squeezed(issuer), "")


def _squeezed(text: str) -> str:
    return " ".join(text.replace(".", "").casefold().split())


@cache
def _countries() -> Mapping[str, str]:
    from babel import Locale  # noqa: PLC0415  (most commands need none of it)
    from babel.core import get_global  # noqa: PLC0415

    names = {
        code: name
        for code, name in Locale("en").territories.items()
        if re.fullmatch("[A-Z]{2}", code) and code not in _NONE
    }
    letters = {
        also: codes[0]
        for also, codes in get_global("territory_aliases").items()
        if re.fullmatch("[A-Z]{2,3}", also) and len(codes) == 1 and codes[0] in names
    }
    return {
        **{also.casefold(): code for also, code in letters.items()},
        **_ALSO_CALLED,
        **{_squeezed(name): code for code, name in names.items()},
        **{code.casefold(): code for code in names},
    }
