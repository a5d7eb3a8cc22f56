"""A fault in the record, which the program found when it verified all of it again."""

from domain.events import base


class Failed(base.Event, topic="verification.failed", first=True):
    """The record is not as it was written: something was changed, removed, added or moved."""

    fault: str  # its kind, as `audit verify` names it
    at_event: int  # the position in the record
    words: str  # what was found
    since: str  # when the round of verification began that found it first


class State(base.State):
    """The fault that was found."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed)
        self.fault = failed.fault
