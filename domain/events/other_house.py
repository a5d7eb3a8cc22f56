"""Another house of the group, whose record this house witnesses."""

from domain.events import base


class Distrusted(base.Event, topic="other-house.distrusted", first=True):
    """Another house's record is not to be trusted: it changed its past, or its signature."""

    house: str  # as the group calls it
    origin: str  # the name of its record
    size: int  # how many of its events were seen before, as it signed them
    words: str  # what was seen
    since: str  # when


class State(base.State):
    """What was seen of another house."""

    def __init__(self, distrusted: Distrusted) -> None:
        super().__init__(distrusted)
        self.house = distrusted.house
