"""The words for what may be done with a table, by the seats that are taken now."""

from collections.abc import Mapping
from typing import Any

from domain.rules.wording import Amount, Number, Words, listed
from ops.words.values import percent


def advice_words(advice: Mapping[str, Any], currency: str) -> Words:
    """The sentence: what may be done, and the sum that supports it."""
    taken, seats = Number(advice["taken"]), Number(advice["seats"])
    at = listed(advice["at"])
    match advice["act"]:
        case "close" if not advice["taken"]:
            return Words("Close it: nobody sits here.")
        case "close":
            return Words(
                "Close it: {taken} of {seats} seats are taken, and {free} are free at {tables}.",
                taken=taken,
                seats=seats,
                free=Number(advice["free"]),
                tables=at,
            )
        case "raise":
            return Words(
                "Raise the minimum to {amount}: all {seats} seats are taken, and the {taken} who "
                "wager as much in a coup bring {share} of what is wagered here.",
                amount=Amount(advice["to"], currency),
                seats=seats,
                taken=taken,
                share=percent(advice["share"]),
            )
    if not advice["at"]:
        return Words("Open another table: all {seats} seats are taken.", seats=seats)
    return Words(
        "Open another table: {taken} of {seats} seats are taken, here and at {tables}.",
        taken=taken,
        seats=seats,
        tables=at,
    )
