"""`sabot audit shoe`: reads a shoe's events back and checks them."""

from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.aggregates.shoe import Shoe
from domain.events import shoe
from domain.review.protection.repeated_slug import EARLIER
from domain.review.shoe_audit import Check, Earlier, audit, earlier_shoe
from domain.rules import addresses
from domain.rules.refusals import SENSELESS, NotFound
from ops.commands.house_events import levels
from ops.ledger.archived import Archived
from ops.ledger.chain import Recorded
from ops.ledger.mapper import UnknownEvent, event_of
from ops.ledger.reading import UnreadableEvent, read_newest_first, read_stream

if TYPE_CHECKING:
    import psycopg


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
        earlier = _Earlier(connection, address, recorded[0].position)
        checks = [*audit(events, earlier.shoes, levels(connection)), *earlier.unread]
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


class _Earlier:
    """The shoes that were loaded at this table before a position, the last few.

    One that somebody altered is left out, and named: that is no fault of the shoe that is audited.
    """

    def __init__(
        self, connection: "psycopg.Connection[Any]", address: addresses.Shoe, before: int
    ) -> None:
        self.shoes: dict[str, Earlier] = {}
        self.unread: list[Check] = []
        earlier: list[Recorded] = []
        try:
            loaded = read_newest_first(connection, address.table_day.table, [shoe.Loaded.TOPIC])
            for each in islice((each for each in loaded if each.position < before), EARLIER):
                earlier.append(each)
        except UnreadableEvent as error:
            self._leave_out(error)
            return
        except Archived as error:
            self.unread.append(Check("earlier shoes", True, f"not compared: {error}"))
        for each in earlier[::-1]:
            try:
                self._read(connection, each)
            except (*SENSELESS, UnknownEvent, UnreadableEvent) as error:
                self._leave_out(f"#{each.position}: {error!r}")

    def _read(self, connection: "psycopg.Connection[Any]", loaded: Recorded) -> None:
        begins: Any = event_of(loaded)
        stream = read_stream(connection, Shoe.stream(addresses.Shoe.parse(begins.shoe)))
        self.shoes[begins.shoe] = earlier_shoe([event_of(event) for event in stream])

    def _leave_out(self, why: object) -> None:
        self.unread.append(Check("earlier shoes", True, f"one was left out, unreadable: {why}"))


def _last(events: list[Any], kind: type, name: str) -> Any:
    """A field of the last event of a kind, or None if there is none."""
    return next((getattr(event, name, None) for event in events[::-1] if type(event) is kind), None)
