"""The place of a sign-on: a machine, and the account on it.

>>> str(Place("pit-2", "ann", "5e1f")), str(Place())
('pit-2 (as ann)', 'an unknown machine')
"""

from msgspec import Struct

from domain.rules.wording import Words


class Place(Struct, frozen=True):
    """A machine and account by names for people; `mark` identifies them exactly."""

    machine: str = ""
    user: str = ""
    mark: str = ""

    def __str__(self) -> str:
        return str(self.words)

    @property
    def words(self) -> Words:
        """The place for people."""
        if not self.machine:
            return Words("an unknown machine")
        return Words("{machine} (as {user})", machine=self.machine, user=self.user)


NOWHERE = Place()
