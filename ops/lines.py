"""The facts of a stream with their places in the record, whatever somebody did to them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from domain.replay import Line, Unreadable
from ops.casino import SENSELESS
from ops.ledger.chain import Recorded
from ops.ledger.mapper import FactMapper, UnknownFact, require_shape
from ops.ledger.recorder import read_stream

if TYPE_CHECKING:
    import psycopg

_mapper = FactMapper()


def read_lines(
    connection: "psycopg.Connection[Any]", stream: UUID, until: int | None = None
) -> list[Line]:
    """A stream from its first fact, or as far as the record had come."""
    return lines(recorded_until(read_stream(connection, stream), until))


def recorded_until(recorded: list[Recorded], until: int | None) -> list[Recorded]:
    """Of these events those up to a position; None: all of them."""
    return [event for event in recorded if until is None or event.position <= until]


def lines(recorded: Iterable[Recorded]) -> list[Line]:
    """Each event as a fact, or as what stands for one that cannot be read any more."""
    return [Line(event.position, _fact(event)) for event in recorded]


def _fact(event: Recorded) -> Any:
    try:
        fact = _mapper.to_domain_event(event)  # type: ignore[arg-type]
        require_shape(fact)
    except (*SENSELESS, UnknownFact) as error:
        return Unreadable(event.recorded_at, event.topic, f"it cannot be read: {error}")
    return fact
