"""What happened: each event with what it does to the state, in the file of its kind of stream.

An event has its fields once, and is stored for years under its TOPIC: add fields with a default,
never rename or retype one.
"""

from functools import cache
from importlib import import_module

from domain.events.base import Event

STREAMS = (
    *("property", "rule-set", "staff-member", "patron", "patron-file", "slip-book", "form-book"),
    *("table", "table-day", "shoe", "deck", "coup", "commission-account", "cash-day"),
    *(
        "game-account",
        "open-money",
        "ticket",
        "meter",
        "meter-day",
        "coupon",
        "drop-box",
        "day-audit",
        "program-day",
        "signing-keys",
        "checkpoint",
        "terminal",
        "verification",
        "other-house",
        "archiving",
    ),
    *(
        "alert",
        "adjudication",
        "docket",
        "dispute",
        "protection",
        "regime",
        "inquiry-book",
        "inquiry",
        "incident-book",
        "incident",
        "aml-book",
        "aml-case",
    ),
)  # the first words of all topics

# The files that a long stream has beside the one of its name.
_FURTHER = {
    "table-day": ("table_money", "table_counts"),
    "coup": ("coup_wagers", "coup_coupons"),
}


def modules_of(stream: str) -> tuple[str, ...]:
    """The names of the modules that have the events of a kind of stream."""
    return (stream.replace("-", "_"), *_FURTHER.get(stream, ()))


@cache
def events_of(stream: str) -> dict[str, type[Event]]:
    """The events of a kind of stream, by topic; none for one that is not in STREAMS."""
    if stream not in STREAMS:
        return {}
    modules = [import_module(f"domain.events.{name}") for name in modules_of(stream)]
    declared = (each for module in modules for each in vars(module).values())
    kinds = (each for each in declared if isinstance(each, type) and issubclass(each, Event))
    return {kind.TOPIC: kind for kind in kinds if hasattr(kind, "TOPIC")}
