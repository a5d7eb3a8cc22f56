"""Checks rows beside the record that have a seal, and the numbers of devices' lines.

A row that somebody without the pepper altered, added or swapped has no seal of the house. A number
that was set back, or whose row was deleted, is lower than the record's own.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.events import STREAMS, events_of
from ops.ledger.device_lines import highest_recorded
from ops.ledger.reading import head_of
from ops.ledger.row_seals import DEVICE_LINES, SESSION, row_key, sealed_row
from ops.verify.faults import Fault

if TYPE_CHECKING:
    import psycopg

AHEAD = timedelta(minutes=1)  # a sign-on that was used later than this was not used


class _Row(Struct, frozen=True):
    """A row: what it is, whose, what its seal is over, and the seal."""

    what: str
    whose: str
    content: list[str]
    seal: bytes | None
    used: datetime | None  # of a sign-on

    def is_sealed(self, key: bytes) -> bool:
        """Whether a program of the house wrote it."""
        return sealed_row(key, self.what, self.whose, *self.content) == self.seal


def check_sealed(connection: "psycopg.Connection[Any]", *, checked: bool) -> list[Fault]:
    """A fault for each row that no program of the house wrote.

    `checked`: this home has the ledger's pepper, so that seals can be.
    """
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        stored = connection.execute(
            "SELECT what, whose, content, seal, used FROM people.sealed_rows()"
        )
        rows = sorted((_Row(*each) for each in stored), key=lambda row: (row.what, row.whose))
        recorded, head = _recorded(connection), head_of(connection)
        (now,) = connection.execute("SELECT clock_timestamp()").fetchone() or (None,)
    faults = [*_set_back(rows, recorded, head), *_from_the_future(rows, now, head)]
    if not checked:
        return faults
    key = row_key(anew=False)
    forged = [each for each in rows if not each.is_sealed(key)]
    return [*faults, *(_forged(each, head) for each in forged)]


def _recorded(connection: "psycopg.Connection[Any]") -> dict[tuple[str, str], int]:
    """The highest number of each device and key; none if an altered event cannot be read."""
    import psycopg

    try:
        with connection.transaction():
            return highest_recorded(connection)
    except psycopg.DataError:
        return {}


def check_kinds(connection: "psycopg.Connection[Any]") -> list[Fault]:
    """A fault for each kind of event that the ledger takes and should not, or refuses."""
    listed = {topic for (topic,) in connection.execute("SELECT topic FROM ledger.event_kinds")}
    ours = {topic for stream in STREAMS for topic in events_of(stream)}
    head = head_of(connection)
    return [
        *(Fault(head, "kind of event", f"The ledger takes {each}, and no program of this version "
                "records that kind: it was added.") for each in sorted(listed - ours)),
        *(Fault(head, "kind of event", f"The ledger no longer takes {each}: it was deleted.")
          for each in sorted(ours - listed)),
    ]  # fmt: skip


def _forged(row: _Row, head: int) -> Fault:
    words = (
        f"The {row.what} {_of(row)} has no seal of the house: somebody changed it, or put it there."
    )
    return Fault(head, row.what, words)


def _of(row: _Row) -> str:
    if row.what == SESSION:
        return f"{row.whose[:12]}…"
    return f"({row.whose})"


def _set_back(rows: list[_Row], recorded: dict[tuple[str, str], int], head: int) -> list[Fault]:
    """Devices whose last number is lower than the record's."""
    stored = {
        (each.whose, each.content[0]): int(each.content[1])
        for each in rows
        if each.what == DEVICE_LINES
    }
    faults = []
    for (device, key), highest in sorted(recorded.items()):
        last = stored.get((device, key))
        if last is None or last < highest:
            what = "is no longer stored: its row was deleted" if last is None else "was set back"
            words = (
                f"The last number of {device}'s lines {what}. The record has its line {highest:,}."
            )
            faults.append(Fault(head, DEVICE_LINES, words))
    return faults


def _from_the_future(rows: list[_Row], now: datetime | None, head: int) -> list[Fault]:
    """Sign-ons that were used later than now, so that they never end by being idle."""
    return [
        Fault(head, SESSION, f"The sign-on {each.whose[:12]}… was last used in the future.")
        for each in rows
        if now and each.used and each.used > now + AHEAD
    ]
