"""A line of the feed in few words."""

from collections.abc import Mapping

_UNSPOKEN = {"id", "at", "by", "with", "late", "device_n"}  # fields that the words leave out


def in_few_words(line: Mapping[str, object]) -> str:
    """What a line says, without who said it and when.

    >>> in_few_words({"command": "bet", "table": "B01", "seat": 3, "amount": 100, "id": "a-1"})
    'bet B01 3 100'
    """
    fields = [each for name, each in line.items() if name not in _UNSPOKEN]
    return " ".join(str(each) for each in fields if isinstance(each, str | int | float))
