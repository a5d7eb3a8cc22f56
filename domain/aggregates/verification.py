"""A fault that a verification of the record found: told once for as long as it lasts."""

import hashlib
from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import verification as events
from domain.rules.addresses import stream_id


class Verification(Aggregate, events.State):
    """One fault of the record, as it was found first."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(fault: str, at_event: int, words: str, since: str) -> UUID:
        """The stream of a fault; one that comes back after a repair has another."""
        named = "\n".join((fault, str(at_event), words, since)).encode()
        return stream_id("verification", hashlib.sha256(named).hexdigest())

    # Commands
    @classmethod
    def fail(cls, fault: str, at_event: int, words: str, since: str, *, at: datetime) -> Self:
        """Records a fault, which rings until two people have looked at it."""
        return cls.begin(
            events.Failed(fault=fault, at_event=at_event, words=words, since=since),
            cls.stream(fault, at_event, words, since),
            at,
        )
