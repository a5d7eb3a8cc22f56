"""How far the rows of a standby are, which nobody can catch up there."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules.wording import Number, Words
from ops.ledger.reading import head_of, recorded_at

if TYPE_CHECKING:
    import psycopg


class Counted(Struct, frozen=True):
    """Up to which position and moment rows are counted, and the record's own last position."""

    position: int
    up_to: datetime | None  # in the house's time; None: nothing is counted yet
    head: int

    @property
    def words(self) -> Words:
        """The same as a sentence."""
        if self.up_to is None:
            return Words(
                "Read from a standby: nothing is counted yet of {head} events. Start "
                "`sabot projections run` at the leader.",
                head=Number(self.head),
            )
        return Words(
            "Read from a standby: counted up to {moment}, #{position} of {head}.",
            moment=f"{self.up_to:%Y-%m-%d %H:%M:%S}",
            position=Number(self.position),
            head=Number(self.head),
        )

    def as_dict(self) -> dict[str, object]:
        """The same as fields of JSON."""
        return {"counted_up_to": self.up_to and self.up_to.isoformat(timespec="seconds")}


def counted_at(connection: "psycopg.Connection[Any]", position: int, zone: ZoneInfo) -> Counted:
    """How far rows at this position are."""
    moment = recorded_at(connection, position)
    return Counted(position, moment and moment.astimezone(zone), head_of(connection))
