"""Cells of CSV that no spreadsheet takes for a formula.

>>> guarded("=HYPERLINK(1)"), guarded("-5"), guarded("P-10417"), guarded(-5)
("'=HYPERLINK(1)", '-5', 'P-10417', -5)
"""

import re

GUARD = "text that begins with = + - @, a tab or a return has ' before it; numbers have not"
_RUN = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?", re.ASCII)


def guarded(value: object) -> object:
    """The value for a cell; text that a spreadsheet would run gets an apostrophe in front."""
    if isinstance(value, str) and value.startswith(_RUN) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def unguarded(text: str) -> str:
    """The text of a cell that was `guarded`, as it was before.

    >>> unguarded("'=HYPERLINK(1)"), unguarded("'s-Gravenhage")
    ('=HYPERLINK(1)', "'s-Gravenhage")
    """
    before = text.removeprefix("'")
    return before if guarded(before) == text else text
