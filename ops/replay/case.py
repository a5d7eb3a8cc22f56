"""One case from the record, for whoever settles it: every fact of it, in the order of its steps."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from domain.aggregates.dispute import Dispute
from domain.events import dispute
from domain.events.base import Event
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.refusals import NotFound
from ops.ledger.chain import Recorded
from ops.ledger.mapper import fields_of
from ops.ledger.recorder import UnreadableEvent, read_stream
from ops.ledger.streams import lines, recorded_until

if TYPE_CHECKING:
    import psycopg

Told = dict[str, Any]


def read_case(
    connection: "psycopg.Connection[Any]", address: addresses.Case, until: int | None = None
) -> tuple[list[Recorded], list[Line]]:
    """Its events, and the facts of them, its opening first, as far as the record had come.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    recorded = recorded_until(read_stream(connection, Dispute.stream(address)), until)
    if not recorded:
        raise NotFound(what=f"case {address}")
    facts = lines(recorded)
    if not isinstance(facts[0].fact, dispute.Opened):
        raise UnreadableEvent(recorded[0].position)
    return recorded, facts


def status_of(facts: Sequence[Line]) -> str:
    """How far it came: `open`, `decided`, `told` of the last decision, or `closed`."""
    steps = [line.fact for line in facts]
    if any(isinstance(fact, dispute.Closed) for fact in steps):
        return "closed"
    decided = sum(isinstance(fact, dispute.Decided) for fact in steps)
    told_of = {fact.number for fact in steps if isinstance(fact, dispute.PatronTold)}
    return "told" if decided in told_of else "decided" if decided else "open"


def case_of(connection: "psycopg.Connection[Any]", address: addresses.Case, zone: ZoneInfo) -> Told:
    """The whole case, its moments by the property's clock.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    _, facts = read_case(connection, address)
    opened = facts[0].fact
    holds = list(_holds(facts, zone))
    decided = _each(facts, dispute.Decided, zone)
    return {
        **{name: getattr(opened, name) for name in ("case", "coup", "patron", "complaint")},
        "status": status_of(facts),
        "in_dispute": opened.amount,
        "as_said": opened.amount_said,
        "wagers": opened.wagers,
        "opened_at": _at(facts[0], zone),
        "opened_by": opened.opened_by,
        "frozen_at": opened.frozen_at,
        "coup_phase": opened.coup_phase,
        "agrees": opened.agrees,
        "disagreements": opened.disagreements,
        "others": opened.others,
        "notify_by": decided[-1]["notify_by"] if decided else opened.notify_by,
        "notes": _each(facts, dispute.Noted, zone),
        "decisions": decided,
        "changes_hands": sum(each["changes_hands"] for each in decided),
        "told": _each(facts, dispute.PatronTold, zone),
        "notified": _each(facts, dispute.RegulatorNotified, zone),
        "holds": bool(holds and holds[-1]["step"] == "placed"),
        "hold": holds,
        "packs": _each(facts, dispute.PackMade, zone),
        "closed": next(iter(_each(facts, dispute.Closed, zone)), None),
    }


def _each(facts: Sequence[Line], kind: type[Event], zone: ZoneInfo) -> list[Told]:
    """The facts of a kind, every one with its own fields."""
    return [
        {
            "at": _at(line, zone),
            **fields_of(line.fact),
            **({"approved_proved": line.proved} if line.proved else {}),
        }
        for line in facts
        if isinstance(line.fact, kind)
    ]


def _holds(facts: Sequence[Line], zone: ZoneInfo) -> Iterator[Told]:
    """When the table began to wait, and when it did no more."""
    for line in facts:
        fact = line.fact
        if isinstance(fact, dispute.Opened) and fact.hold:
            yield {"at": _at(line, zone), "step": "placed", "by": fact.opened_by}
        elif isinstance(fact, dispute.HoldPlaced):
            yield {"at": _at(line, zone), "step": "placed", "by": fact.by}
        elif isinstance(fact, dispute.HoldReleased):
            yield {"at": _at(line, zone), "step": fact.why, "by": fact.by}


def _at(line: Line, zone: ZoneInfo) -> str:
    return line.at.astimezone(zone).isoformat()
