"""One table's fills and credits under way, from the events of the house's slips."""

from collections.abc import Mapping
from typing import Any

from domain.events import slip_book
from domain.events.slip_book import Slip

_TAKEN: Mapping[str, tuple[str, str]] = {  # the step, and the field that names who took it
    slip_book.SlipIssued.TOPIC: ("issued", "cashier"),
    slip_book.SlipCarried.TOPIC: ("carried", "runner"),
}
_OVER = (slip_book.SlipReceived.TOPIC, slip_book.SlipVoided.TOPIC)
TOPICS = (
    *(slip_book.SlipRequested.TOPIC, *_TAKEN, *_OVER),
    slip_book.SlipReuseRefused.TOPIC,
)


def under_way(slips: Mapping[str, Slip], event: Any) -> dict[str, Slip]:
    """The slips after one more event; a slip that is received or void is left out."""
    after = dict(slips)
    if event.TOPIC == slip_book.SlipRequested.TOPIC:
        people = {"requested": event.requested_by}
        after[event.slip] = Slip(event.kind, event.table_day, event.chips, "requested", people)
    elif event.TOPIC in _OVER:
        after.pop(event.slip, None)
    elif event.TOPIC in _TAKEN and event.slip in after:
        step, who = _TAKEN[event.TOPIC]
        after[event.slip] = after[event.slip].taken(step, getattr(event, who))
    return after
