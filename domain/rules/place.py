"""Where somebody signs on: a machine, and whose account on it.

>>> str(Place("pit-2", "ann", "5e1f")), str(Place())
('pit-2 (as ann)', 'a place that nobody knows')
"""

from msgspec import Struct


class Place(Struct, frozen=True):
    """Its names are for people; `mark` is the same for the same machine and account only."""

    machine: str = ""
    user: str = ""
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.machine} (as {self.user})" if self.machine else "a place that nobody knows"


NOWHERE = Place()
