"""Follows the record of a house as it grows, and checks that each event continues the one before.

    curl -N https://house.example:8443/api/events?after=48213 | python following_events.py HASH

HASH is that of event 48213, in hex, from the last run; left out, it begins with the first event.
It prints the position, the hash and the name of each event, and stops at one that does not follow.
Needs only Python: the form that is hashed is written out below.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


class NotContinued(Exception):
    """An event does not follow the one before it."""


def form_of(row: Mapping[str, Any], previous: bytes) -> bytes:
    """What is hashed of an event: each column after its length, then the hash before it."""
    days = (date.fromisoformat(row["day"]) - EPOCH.date()).days
    since = datetime.fromisoformat(row["at"]) - EPOCH
    microseconds = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    columns = (
        row["command_id"].encode(),
        row["actor"].encode(),
        row["metadata"].encode(),
        days.to_bytes(4, signed=True),
        row["table"].encode(),
        UUID(row["stream"]).bytes,
        row["version"].to_bytes(8),
        row["topic"].encode(),
        row["state"].encode(),
        row["position"].to_bytes(8),
        microseconds.to_bytes(8, signed=True),
        previous,
    )
    return b"sabot-event-1" + b"".join(len(each).to_bytes(4) + each for each in columns)


def followed(lines: Iterable[str], previous: bytes = bytes(32)) -> Iterator[tuple[int, bytes, str]]:
    """The position, hash and name of each event in a stream of server-sent events, checked."""
    for line in lines:
        if not line.startswith("data: {"):
            continue
        event = json.loads(line.removeprefix("data: "))
        row = event["recorded"]
        previous = hashlib.sha256(b"\0" + form_of(row, previous)).digest()
        if previous.hex() != row["hash"]:
            raise NotContinued(f"Event #{row['position']} does not follow the one before it.")
        yield row["position"], previous, event["type"]


if __name__ == "__main__":
    BEFORE = bytes.fromhex(sys.argv[1]) if len(sys.argv) > 1 else bytes(32)
    for position, hashed, name in followed(sys.stdin, BEFORE):
        print(position, hashed.hex(), name, flush=True)
