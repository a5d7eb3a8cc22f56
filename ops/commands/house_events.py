"""The name, the currency and the time zone of the house, read from its events."""

from collections.abc import Callable, Iterable
from datetime import time
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.protection import PROTECTION_STREAM
from domain.events import property as property_events
from domain.events import protection
from domain.rules.destinations import NONE, parse_destinations
from domain.rules.gaming_day import GamingClock
from domain.rules.protection_levels import QUESTIONS
from ops.ledger import clock
from ops.ledger.chain import Fields
from ops.ledger.facts import facts_of

if TYPE_CHECKING:
    import psycopg


class House(Struct, frozen=True):
    """The settings at the head of a report, and what patrons are shown."""

    name: str
    currency: str
    zone: str
    day_start: str  # the local time, HH:MM
    checkpoint_to: str = NONE  # where signed checkpoints go
    helpline: str = ""

    @property
    def clock(self) -> GamingClock:
        """The clock that assigns moments to gaming days."""
        return GamingClock(self.zone, self.day_start)


def house(connection: "psycopg.Connection[Any]", position: int | None = None) -> House:
    """The settings now, or at a position; defaults for what is not recorded or unreadable.

    `sabot audit verify` finds unreadable events.
    """
    facts = facts_of(connection, PROPERTY_STREAM, position)
    return settled((topic, state) for _, _, topic, state in facts)


def settled(events: Iterable[tuple[str, bytes]]) -> House:
    """The settings after these events of the house's stream: the topic and the state of each."""
    settings: Fields = {}
    for topic, state in events:
        try:
            fields = msgspec.json.decode(state, type=Fields)
            if topic == property_events.Founded.TOPIC:
                settings = fields
            elif topic == property_events.SettingChanged.TOPIC:
                settings[fields["name"]] = fields["value"]
        except (msgspec.MsgspecError, LookupError, TypeError):
            continue
    default = Property.establish(clock.wall_clock())
    return House(
        _known(settings.get("name"), default.name),
        _known(settings.get("currency"), default.currency),
        _known(settings.get("zone"), default.zone, ZoneInfo),
        _known(settings.get("day_start"), default.day_start, time.fromisoformat),
        _known(settings.get("checkpoint_to"), NONE, parse_destinations),
        _known(settings.get("helpline"), default.helpline),
    )


def levels(connection: "psycopg.Connection[Any]") -> dict[str, int]:
    """The levels of game protection that the house set, by question; unreadable ones left out."""
    known: dict[str, int] = {}
    changed = (protection.LevelChanged.TOPIC,)
    for _, _, _, state in facts_of(connection, PROTECTION_STREAM, topics=changed):
        try:
            fields = msgspec.json.decode(state, type=Fields)
            if fields["question"] in QUESTIONS:
                known[fields["question"]] = int(fields["level"])
        except (msgspec.MsgspecError, LookupError, TypeError, ValueError):
            continue
    return known


def _known(value: object, default: str, read: Callable[[str], object] = str) -> str:
    """A setting, or its default if it is unreadable."""
    try:
        if isinstance(value, str) and read(value):
            return value
    except (ValueError, LookupError, OSError):
        pass
    return default
