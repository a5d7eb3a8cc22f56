"""`sabot audit shoe`: reads a shoe's events back and checks them."""

from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.aggregates.shoe import Shoe
from domain.events import shoe
from domain.review.shoe_audit import Check, audit, cards_of
from domain.rules import addresses
from domain.rules.refusals import SENSELESS, NotFound
from ops.ledger.mapper import UnknownEvent, event_of
from ops.ledger.reading import read_newest_first, read_stream

if TYPE_CHECKING:
    import psycopg


EARLIER = 6  # shoes of the table beside which the cards are looked at


class CheckMade(Struct, frozen=True):
    """A check, with its result."""

    check: str
    ok: bool
    result: str


class ShoeAudit(Struct, frozen=True):
    """The checks of a shoe, with all that a stranger needs to compute the commitment again."""

    shoe: str
    ok: bool
    checks: list[CheckMade]
    commitment: str | None
    order: list[str] | None
    secret: str | None


def audited(connection: "psycopg.Connection[Any]", address: addresses.Shoe) -> ShoeAudit:
    """Reads a shoe back and checks it. Refuses: NotFound."""
    recorded = read_stream(connection, Shoe.stream(address))
    if not recorded:
        raise NotFound(what=f"shoe {address}")
    events: list[Any] = []
    try:
        events = [event_of(event) for event in recorded]
        checks = audit(events, _earlier(connection, address, recorded[0].position))
    except (*SENSELESS, UnknownEvent) as error:
        checks = [Check("record", False, f"it cannot be read: {error!r}")]
    return ShoeAudit(
        shoe=str(address),
        ok=all(check.ok for check in checks),
        checks=[CheckMade(check.name, check.ok, check.result) for check in checks],
        commitment=_last(events, shoe.Shuffled, "commitment") or None,
        order=_last(events, shoe.OrderRevealed, "order"),
        secret=_last(events, shoe.OrderRevealed, "secret"),
    )


def _earlier(
    connection: "psycopg.Connection[Any]", address: addresses.Shoe, before: int
) -> dict[str, list[str | None]]:
    """The cards of the shoes that were loaded at this table before a position, the last few."""
    loaded = read_newest_first(connection, address.table_day.table, [shoe.Loaded.TOPIC])
    earlier = (each for each in loaded if each.position < before)
    events: list[Any] = [event_of(each) for each in islice(earlier, EARLIER)]
    named = [event.shoe for event in events]
    streams = [read_stream(connection, Shoe.stream(addresses.Shoe.parse(each))) for each in named]
    return {
        each: cards_of([event_of(event) for event in stream])
        for each, stream in zip(named, streams, strict=True)
    }


def _last(events: list[Any], kind: type, name: str) -> Any:
    """A field of the last event of a kind, or None if there is none."""
    return next((getattr(event, name, None) for event in events[::-1] if type(event) is kind), None)
