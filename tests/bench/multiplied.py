"""A ledger of many gaming days made from one: the same evening again, day after day.

Every event goes through the ledger's own append, a few hundred in one call. Streams, addresses,
moments and serials are those of their day, so that reports, replays and the chain are valid.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from domain.rules.addresses import stream_id
from ops.ledger.appending import Decided, Decision
from ops.ledger.chain import Recorded
from ops.ledger.database import Database
from ops.ledger.reading import head_of, read_events
from ops.ledger.recorder import Ledger
from ops.simulation.run import FIRST_DAY
from tests.bench.ours import save_unflushed

PIECE = 1_000  # events in one call
_STAMP = re.compile(rb"202[0-9]-?[01][0-9]-?[0-3][0-9]")
_ONCE = ("table.placed",)  # a table is placed on its first day and stays


@dataclass(frozen=True)
class Evening:
    """The events of the first gaming day, to be repeated on later days."""

    events: list[Recorded]

    @classmethod
    def of(cls, database: Database) -> "Evening":
        """The events of the tables and of patrons' cash, without the house's own."""
        with database.session("sabot_auditor") as connection:
            events = read_events(connection, 0, limit=1_000_000)
        kinds = ("property.", "rule-set.")
        again = [
            each for each in events if not each.topic.startswith(kinds) and each.topic not in _ONCE
        ]
        return cls(sorted(again, key=lambda each: each.table_code))

    def streams(self) -> dict[UUID, str]:
        """The kind and the address of each stream, from which its id is made."""
        kinds: dict[UUID, str] = {}
        for event in self.events:
            if event.originator_id not in kinds:
                kinds[event.originator_id] = _address(event)
        return kinds

    def again(self, days: int, versions: dict[UUID, int]) -> Iterator[Decided]:
        """The evening this many days later; `versions`: of streams that continue over days."""
        streams = self.streams()
        shifted: dict[UUID, UUID] = {}
        for stream, address in streams.items():
            kind, _, rest = _later(address.encode(), days).decode().partition(":")
            day = FIRST_DAY + timedelta(days) if stream.int >> 80 else None
            shifted[stream] = stream_id(kind, rest, day)
            assert days or shifted[stream] == stream, f"the stream of {address} is another"
        for alike, run in groupby(self.events, key=lambda each: (each.actor, each.metadata)):
            events = list(run)
            for n in range(0, len(events), PIECE):
                yield _decided(events[n : n + PIECE], shifted, versions, days, alike)


def _decided(
    events: list[Recorded],
    shifted: dict[UUID, UUID],
    versions: dict[UUID, int],
    days: int,
    alike: tuple[str, str],
) -> Decided:
    stored, places = [], {}
    for event in events:
        stream = shifted[event.originator_id]
        versions[stream] = versions.get(stream, 0) + 1
        stored.append(StoredEvent(stream, versions[stream], event.topic, _later(event.state, days)))
        places[stream] = (event.gaming_day + timedelta(days), event.table_code)
    name = f"{stored[0].originator_id}/{stored[0].originator_version}"
    actor, metadata = alike
    return Decided(stored, Decision(name, bytes(32), "{}", actor, metadata, places=places))


def _address(event: Recorded) -> str:
    """`kind:address` of the stream that begins with this event."""
    kind, fields = event.topic.partition(".")[0], json.loads(event.state)
    address = {
        "cash-day": lambda: f"{fields['patron']}/{fields['day']}",
        "commission-account": lambda: fields["stay"],
        "coup": lambda: fields["coup"],
        "deck": lambda: f"{fields['kind']} {fields['serial']}",
        "shoe": lambda: fields["shoe"],
        "table": lambda: event.table_code,
        "table-day": lambda: f"{fields['table']}/{fields['day']}",
    }
    return f"{kind}:{address[kind]()}"


def _later(text: bytes, days: int) -> bytes:
    """The text with every date moved by this many days, with or without hyphens."""

    def shift(match: re.Match[bytes]) -> bytes:
        written = match[0].decode()
        day = date.fromisoformat(written) + timedelta(days)
        return (day.isoformat() if "-" in written else f"{day:%Y%m%d}").encode()

    return _STAMP.sub(shift, text)


def multiply(
    database: Database, evening: Evening, events: int, report: Callable[[int], None]
) -> int:
    """Adds gaming days until the ledger has this many events; its last position."""
    ledger = Ledger(database)
    with ledger.connection() as connection:
        head = head_of(connection)
        row = connection.execute("SELECT count(DISTINCT gaming_day) FROM ledger.events").fetchone()
        rows = connection.execute(
            "SELECT originator_id, max(originator_version) FROM ledger.events"
            " WHERE topic LIKE 'table.%' GROUP BY 1"
        ).fetchall()
    assert row
    days, versions = int(row[0]), dict(rows)
    while head < events:
        for decided in evening.again(days, versions):
            head = save_unflushed(ledger, decided)
        days += 1
        report(head)
    ledger.flush()
    ledger.close()
    return head
