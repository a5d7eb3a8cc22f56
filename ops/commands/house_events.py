"""What the property is called, which money it counts in, and which clock it goes by."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.events import property as property_events
from ops.ledger import clock

if TYPE_CHECKING:
    import psycopg


class House(Struct, frozen=True):
    """What a report's head says of the property."""

    name: str
    currency: str
    zone: str


def house(connection: "psycopg.Connection[Any]", position: int | None = None) -> House:
    """The property as its settings are, or were; the defaults before anything was recorded.

    They stand for whatever somebody made unreadable, too: `verify` tells of that.
    """
    events = connection.execute(
        "SELECT topic, state FROM ledger.events WHERE originator_id = %s "
        "AND (%s::bigint IS NULL OR position <= %s) ORDER BY originator_version",
        (PROPERTY_STREAM, position, position),
        binary=True,
    ).fetchall()
    settings: dict[str, Any] = {}
    for topic, state in events:
        try:
            told = msgspec.json.decode(state, type=dict[str, Any])
            if topic == property_events.Founded.TOPIC:
                settings = told
            elif topic == property_events.SettingChanged.TOPIC:
                settings[told["name"]] = told["value"]
        except (msgspec.MsgspecError, LookupError, TypeError):
            continue
    default = Property.found(clock.wall_clock())
    return House(
        _known(settings.get("name"), default.name),
        _known(settings.get("currency"), default.currency),
        _known(settings.get("zone"), default.zone, ZoneInfo),
    )


def _known(value: object, default: str, read: Callable[[str], object] = str) -> str:
    """A setting, if it can be read as such."""
    try:
        if isinstance(value, str) and read(value):
            return value
    except (ValueError, LookupError, OSError):
        pass
    return default
