"""Coups and shoes of closed days that leave the database for an archive, and come back."""

from domain.events import base


class CoupsLeft(base.Event, topic="archiving.coups-left", first=True):
    """Two people let the coups and shoes of closed days leave the database."""

    events: int  # up to this event they leave
    stay: int  # how many events up to there stay
    root: str  # of the tree over these events, in hex, as a checkpoint signs it
    directory: str  # of the archive
    first_day: str  # of the gaming days of what leaves …
    last_day: str
    reason: str
    requested_by: str
    approved_by: str


class CoupsBroughtBack(base.Event, topic="archiving.coups-brought-back"):
    """All that left is in the database again."""

    directory: str  # of the archive from which it came

    def apply(self, state: "State") -> None:
        state.brought_back = True


class State(base.State):
    """What left at one time."""

    def __init__(self, left: CoupsLeft) -> None:
        super().__init__(left)
        self.events = left.events
        self.brought_back = False
