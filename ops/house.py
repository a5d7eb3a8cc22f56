"""What the property is called, which money it counts in, and which clock it goes by."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from domain.property import PROPERTY_STREAM, Property

if TYPE_CHECKING:
    import psycopg


@dataclass(frozen=True)
class House:
    """What a report's head says of the property."""

    name: str
    currency: str
    zone: str


def house(connection: "psycopg.Connection[Any]", position: int | None = None) -> House:
    """The property as its settings are, or were; the defaults before anything was recorded."""
    facts = connection.execute(
        "SELECT topic, state FROM ledger.events WHERE originator_id = %s "
        "AND (%s::bigint IS NULL OR position <= %s) ORDER BY originator_version",
        (PROPERTY_STREAM, position, position),
        binary=True,
    ).fetchall()
    if not facts:
        default = Property.found(datetime.now(UTC))
        return House(default.name, default.currency, default.zone)
    settings: dict[str, Any] = {}
    for topic, state in facts:
        told = msgspec.json.decode(state)
        if topic == Property.Created.TOPIC:
            settings = told
        elif topic == Property.SettingChanged.TOPIC:
            settings[told["name"]] = told["value"]
    return House(settings["name"], settings["currency"], settings["zone"])
