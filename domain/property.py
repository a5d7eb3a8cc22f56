"""The house itself: its name, currency, zone, gaming day and reporting amount.

Founded with defaults by the first command that needs it, so that every ledger says whose it is.
"""

from datetime import datetime
from typing import Self

from domain.addresses import stream_id
from domain.aggregate import Aggregate
from domain.gaming_day import GamingClock

PROPERTY_STREAM = stream_id("property", "property")


class Property(Aggregate):
    """One house, one ledger."""

    TOPIC = "property"

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Created(Aggregate.Created):
        TOPIC = "property.founded"
        name: str
        currency: str
        zone: str
        day_start: str  # local time, HH:MM
        reporting_amount: int  # cash in one gaming day above this is reported
        helpline: str

    # State
    def __init__(
        self,
        name: str,
        currency: str,
        zone: str,
        day_start: str,
        reporting_amount: int,
        helpline: str,
    ) -> None:
        self.name = name
        self.currency = currency
        self.zone = zone
        self.day_start = day_start
        self.reporting_amount = reporting_amount
        self.helpline = helpline

    # Commands
    @classmethod
    def found(cls, at: datetime) -> Self:
        """A house with the defaults, which `property.set` changes."""
        return cls.begin(
            cls.Created,
            PROPERTY_STREAM,
            at,
            name="Sabot",
            currency="USD",
            zone="UTC",
            day_start="06:00",
            reporting_amount=10_000_00,
            helpline="1-800-GAMBLER",
        )

    @property
    def clock(self) -> GamingClock:
        """Which gaming day a moment belongs to."""
        return GamingClock(self.zone, self.day_start)
