"""Another house whose record is not to be trusted: recorded once for as long as it lasts."""

import hashlib
from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import other_house as events
from domain.rules.addresses import stream_id


class OtherHouse(Aggregate, events.State):
    """One time that another house's record was not to be trusted."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(origin: str, words: str, since: str) -> UUID:
        """The stream of it; what is seen after it was accepted has another."""
        named = "\n".join((origin, words, since)).encode()
        return stream_id("other-house", hashlib.sha256(named).hexdigest())

    # Commands
    @classmethod
    def distrust(cls, seen: events.Distrusted, *, at: datetime) -> Self:
        """Records what was seen of it, which rings until somebody acknowledges it."""
        return cls.begin(seen, cls.stream(seen.origin, seen.words, seen.since), at)
