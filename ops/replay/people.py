"""Who did what an event states: the first person, and the second with how they agreed."""

from collections.abc import Mapping
from typing import Any

from domain.review.replay import Line
from ops.ledger.mapper import fields_of
from ops.words.coups import proved

# Fields of events with the person who did it or asked for it; an event has one of them at most.
_FIRST = ("opened_by", "closed_by", "decided_by", "requested_by", "prepared_by", "by")


def who_did(event: Mapping[str, Any]) -> str:
    """The person by whose word an event is on record, of its fields; '' if it names nobody."""
    return next((str(each) for name in _FIRST if (each := event.get(name))), "")


def people_of(line: Line) -> list[str]:
    """Who did it, and the second person with how they proved who they are, as far as known."""
    fields = fields_of(line.event)
    second = proved(fields.get("approved_by", ""), line.proved)
    return [each for each in (who_did(fields) or line.by, second) if each]
