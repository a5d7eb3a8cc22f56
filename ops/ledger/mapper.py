"""Between the domain's facts and their stored JSON: plain fields under the floor's names.

The moment stands in it as `at`. Nothing else of the library does, so that a stranger can read
it, and no value from outside can be mistaken for a type.
"""

from datetime import datetime
from functools import cache
from importlib import import_module
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.domain import CanInitAggregate, DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent
from eventsourcing.utils import get_topic

from domain.aggregates.base import fact_name
from ops.ledger.database import NotFit

# Where the facts of each noun are, looked up when one of them is read and not before: making
# the classes of all of them takes longer than a command may. Nothing else is ever imported.
HOMES = {
    "property": ("domain.aggregates.property", "Property"),
    "rule-set": ("domain.aggregates.rule_set", "RuleSet"),
    "staff-member": ("domain.aggregates.staff", "StaffMember"),
    "patron": ("domain.aggregates.patron", "Patron"),
    "slip-book": ("domain.aggregates.slips", "SlipBook"),
    "table": ("domain.aggregates.table", "Table"),
    "table-day": ("domain.aggregates.table_day", "TableDay"),
    "shoe": ("domain.aggregates.shoe", "Shoe"),
    "deck": ("domain.aggregates.deck", "Deck"),
    "coup": ("domain.aggregates.coup", "Coup"),
    "commission-account": ("domain.aggregates.commission", "CommissionAccount"),
    "cash-day": ("domain.aggregates.cash", "CashDay"),
    "alert": ("domain.aggregates.alert", "Alert"),
    "adjudication": ("domain.review.adjudication", "Adjudication"),
    "docket": ("domain.aggregates.docket", "Docket"),
    "dispute": ("domain.aggregates.dispute", "Dispute"),
}


LIBRARY_FIELDS = ("originator_id", "originator_version", "timestamp", "originator_topic")


@cache
def facts_of(noun: str) -> dict[str, Any]:
    """The kinds of facts of a noun, by topic; none of a noun that is unknown."""
    if noun not in HOMES:
        return {}
    module, name = HOMES[noun]
    kinds = vars(getattr(import_module(module), name)).values()
    return {kind.TOPIC: kind for kind in kinds if isinstance(kind, type) and hasattr(kind, "TOPIC")}


class UnknownFact(NotFit):
    """The ledger has the fact {topic}, which this Sabot does not know: a newer one recorded it. Upgrade this program."""  # noqa: E501

    def __init__(self, topic: str) -> None:
        super().__init__((type(self).__doc__ or "").format(topic=topic))


def told(event: Any) -> dict[str, Any]:
    """A fact's own fields, in the order in which it declares them."""
    return {name: value for name, value in vars(event).items() if name not in LIBRARY_FIELDS}


def answered(event: Any) -> dict[str, Any]:
    """A fact as answers tell it: its name, then its fields."""
    first = isinstance(event, CanInitAggregate)
    return {"type": fact_name(type(event).TOPIC, first=first), **told(event)}


def decoded(topic: str, stored: bytes) -> tuple[Any, dict[str, Any]]:
    """A fact's kind and fields, as its newest version tells them. Raises UnknownFact."""
    kind = facts_of(topic.partition(".")[0]).get(topic)
    if kind is None:
        raise UnknownFact(topic)
    state: dict[str, Any] = msgspec.json.decode(stored)
    version = state.pop("class_version", 1)
    newest = getattr(kind, "class_version", 1)
    if version > newest:
        raise UnknownFact(f"{topic}, version {version}")
    for older in range(version, newest):
        getattr(kind, f"upcast_v{older}_v{older + 1}")(state)
    return kind, state


class FactMapper(Mapper[UUID]):
    """Stores `{"at": …, fields}`; reads it back, upcasting older versions of a fact."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Needs no transcoder, no cipher and no compressor: it is one."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        """The fact, ready to be appended."""
        kind: Any = type(domain_event)
        state: dict[str, Any] = {"at": domain_event.timestamp.isoformat()}  # type: ignore[attr-defined]
        if getattr(kind, "class_version", 1) > 1:
            state["class_version"] = kind.class_version
        return StoredEvent(
            originator_id=domain_event.originator_id,
            originator_version=domain_event.originator_version,
            topic=get_topic(kind),
            state=msgspec.json.encode(state | told(domain_event)),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """The fact as the domain knows it."""
        kind, state = decoded(stored_event.topic, stored_event.state)
        state["timestamp"] = datetime.fromisoformat(state.pop("at"))
        state["originator_id"] = stored_event.originator_id
        state["originator_version"] = stored_event.originator_version
        if issubclass(kind, CanInitAggregate):
            state["originator_topic"] = stored_event.topic.partition(".")[0]
        event = object.__new__(kind)
        event.__dict__.update(state)
        return event  # type: ignore[no-any-return]
