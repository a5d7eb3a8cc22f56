"""The property's name, currency and time zone, read from its events."""

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
    """The property as a report's head shows it."""

    name: str
    currency: str
    zone: str


def house(connection: "psycopg.Connection[Any]", position: int | None = None) -> House:
    """The property's settings, now or as of a position; defaults for what is not recorded.

    Defaults also replace settings that were altered and cannot be read; `audit verify` reports
    those.
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
            fields = msgspec.json.decode(state, type=dict[str, Any])
            if topic == property_events.Founded.TOPIC:
                settings = fields
            elif topic == property_events.SettingChanged.TOPIC:
                settings[fields["name"]] = fields["value"]
        except (msgspec.MsgspecError, LookupError, TypeError):
            continue
    default = Property.found(clock.wall_clock())
    return House(
        _known(settings.get("name"), default.name),
        _known(settings.get("currency"), default.currency),
        _known(settings.get("zone"), default.zone, ZoneInfo),
    )


def _known(value: object, default: str, read: Callable[[str], object] = str) -> str:
    """A setting's value if it is valid, else the default."""
    try:
        if isinstance(value, str) and read(value):
            return value
    except (ValueError, LookupError, OSError):
        pass
    return default
