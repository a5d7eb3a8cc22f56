"""A ledger of six commands and twelve events, which somebody can change."""

from datetime import date
from uuid import uuid4

from eventsourcing.persistence import StoredEvent

from ops.ledger.appending import Decision
from ops.ledger.recorder import Ledger

DAY = date(2026, 11, 21)


def append(ledger, command_id, events):
    stream = uuid4()
    stored = [
        StoredEvent(stream, n, "coup.betting-closed", b'{"amount": %d00}' % n)
        for n in range(1, events + 1)
    ]
    places = {stream: (DAY, "B01")}
    answer = f'{{"events": {events}}}'
    ledger.append(stored, Decision(command_id, bytes(32), answer, "D-204", "{}", places=places))


def six_commands(database):
    """Twelve events of six commands, the third of which was refused; the triggers are off."""
    ledger = Ledger(database)
    for n, events in enumerate((3, 2, 0, 3, 1, 3), 1):
        append(ledger, f"command-{n}", events)
    ledger.close()
    with database.connect_as_is() as connection:
        connection.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        connection.execute("ALTER TABLE ledger.command_rows DISABLE TRIGGER USER")
    return database
