"""What is saved: the bytes of events of a simulated evening, the same for every library."""

import json
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from uuid import UUID, uuid4

from eventsourcing.persistence import StoredEvent

from ops.ledger.appending import Decided, Decision
from ops.ledger.database import Database

COUP = 25  # events of one coup, from its beginning to the last payment
DAY, TABLE = date(2026, 11, 21), "S01"
Payload = tuple[tuple[str, bytes], ...]  # topic and JSON of each event, in order
Save = Callable[[Payload], None]  # in a stream of its own, durable when it comes back


def payloads(database: Database, most: int = COUP) -> dict[str, Payload]:
    """`coup`: events of one simulated coup. `command`: the single event of a bet."""
    with database.session("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT topic, state FROM ledger.events WHERE table_code <> '' ORDER BY position",
            binary=True,
        ).fetchall()
    coups: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
    for topic, state in rows:
        if address := _coup_of(json.loads(state)):
            coups[address].append((topic, state))
    dealt = sorted(
        (each for each in coups.values() if len(each) >= most),
        key=lambda each: len(each) != most,
    )
    bet = next((topic, state) for topic, state in rows if topic == "coup.wager-placed")
    return {"coup": tuple(dealt[0][:most]), "command": (bet,)}


def _coup_of(event: dict[str, object]) -> str:
    """The coup that an event belongs to; a shoe's events name it by its number."""
    coup = event.get("coup")
    return f"{event['shoe']}/{coup}" if isinstance(coup, int) else str(coup or "")


def decided(payload: Payload) -> Decided:
    """These events as a decided command, in a new stream."""
    stream = uuid4()
    events = [StoredEvent(stream, n, *each) for n, each in enumerate(payload, 1)]
    return Decided(events, decision(stream))


def decision(stream: UUID) -> Decision:
    """A decision with the fewest possible fields."""
    return Decision(
        command_id=str(stream),
        content=bytes(32),
        answer="{}",
        actor="D-201",
        metadata='{"app":"bench","mouth":"bench"}',
        places={stream: (DAY, TABLE)},
    )
