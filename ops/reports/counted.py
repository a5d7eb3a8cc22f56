"""How far rows are behind the record: on a standby, on a full disk, or while they are counted."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules.wording import Moment, Number, Words
from ops.ledger.reading import head_of, recorded_at

if TYPE_CHECKING:
    import psycopg


class Counted(Struct, frozen=True):
    """Up to which position and moment rows are counted, and the record's own last position."""

    position: int
    up_to: datetime | None  # in the house's time; None: nothing is counted yet
    head: int
    goes_on: bool = False  # the rest is being counted; otherwise nobody can, on a standby
    disk_full: bool = False  # nobody can, until there is room
    seconds: int | None = None  # about how long the rest takes
    some: bool = False  # of several reports, some have rows

    @property
    def words(self) -> Words:
        """The same as a sentence."""
        moment = Moment(self.up_to.replace(microsecond=0)) if self.up_to else None
        if self.goes_on:
            return _going_on(moment, self.seconds, some=self.some)
        if self.disk_full:
            return _without_room(moment, Number(self.position), Number(self.head))
        if moment is None:
            return Words(
                "Read from a standby: nothing is counted yet of {head} events. Start "
                "`sabot projections run` at the leader.",
                head=Number(self.head),
            )
        return Words(
            "Read from a standby: counted up to {moment}, #{position} of {head}.",
            moment=moment,
            position=Number(self.position),
            head=Number(self.head),
        )

    def as_dict(self) -> dict[str, object]:
        """The same as fields of JSON."""
        return {"counted_up_to": self.up_to and self.up_to.isoformat(timespec="seconds")}


def _going_on(moment: Moment | None, seconds: int | None, *, some: bool) -> Words:
    if moment is None and some:
        if seconds is None:
            return Words("Some of it is not counted yet. The page goes on by itself.")
        return Words("Some of it is not counted yet; it takes about {n} s.", n=seconds)
    if moment is None and seconds is None:
        return Words("Nothing is counted yet. The page goes on by itself.")
    if moment is None:
        return Words("Nothing is counted yet; it takes about {n} s.", n=seconds)
    if seconds is None:
        return Words("Counted up to {moment} so far.", moment=moment)
    return Words(
        "Counted up to {moment} so far; the rest takes about {n} s.", moment=moment, n=seconds
    )


def _without_room(moment: Moment | None, position: Number, head: Number) -> Words:
    if moment is None:
        return Words(
            "The disk of the database is full, and nothing is counted yet of {head} events: free "
            "space there.",
            head=head,
        )
    return Words(
        "The disk of the database is full: counted up to {moment}, #{position} of {head}. Free "
        "space there.",
        moment=moment,
        position=position,
        head=head,
    )


def counted_at(
    connection: "psycopg.Connection[Any]",
    position: int,
    zone: ZoneInfo,
    *,
    disk_full: bool = False,
) -> Counted:
    """How far rows at this position are. `disk_full`: why they are no further."""
    moment = recorded_at(connection, position)
    up_to = moment and moment.astimezone(zone)
    return Counted(position, up_to, head_of(connection), disk_full=disk_full)
