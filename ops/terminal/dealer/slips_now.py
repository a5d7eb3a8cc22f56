"""The fills and credits of one table that are under way, from the facts of the house's slips."""

from collections.abc import Mapping
from typing import Any

from domain.events import slip_book
from domain.events.slip_book import Slip

_TAKEN: Mapping[str, tuple[str, str]] = {  # the step, and the field with who took it
    slip_book.SlipIssued.TOPIC: ("issued", "cashier"),
    slip_book.SlipCarried.TOPIC: ("carried", "runner"),
}
_OVER = (slip_book.SlipReceived.TOPIC, slip_book.SlipVoided.TOPIC)
TOPICS = (
    *(slip_book.SlipRequested.TOPIC, *_TAKEN, *_OVER),
    slip_book.SlipReuseRefused.TOPIC,
)


def under_way(slips: Mapping[str, Slip], fact: Any) -> dict[str, Slip]:
    """The slips after one more fact; one that is received or void is gone."""
    after = dict(slips)
    if fact.TOPIC == slip_book.SlipRequested.TOPIC:
        people = {"requested": fact.requested_by}
        after[fact.slip] = Slip(fact.kind, fact.table_day, fact.chips, "requested", people)
    elif fact.TOPIC in _OVER:
        after.pop(fact.slip, None)
    elif fact.TOPIC in _TAKEN and fact.slip in after:
        step, who = _TAKEN[fact.TOPIC]
        after[fact.slip] = after[fact.slip].taken(step, getattr(fact, who))
    return after
