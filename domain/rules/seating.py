"""Who sits on which chair of a table on one day, and in which stay: a patron's time there."""

from datetime import datetime
from typing import Any

from msgspec import Struct, field

from domain.rules.refusals import SeatEmpty, SeatTaken
from domain.rules.wording import Words


class Stay(Struct, frozen=True):
    """A patron's time at a table, on whichever chair."""

    patron: str
    address: str

    def bets(self, seat: int, spot: str) -> dict[str, Any]:
        """The fields that every event about this wager has: seat, patron, stay, spot."""
        return {"seat": seat, "patron": self.patron, "stay": self.address, "spot": spot}


class Seating(Struct):
    """The chairs that are taken, and when each stay of the day began."""

    taken: dict[int, Stay] = field(default_factory=dict)
    began: dict[str, datetime] = field(default_factory=dict)

    @property
    def stays(self) -> int:
        """The number of stays so far."""
        return len(self.began)

    def at(self, seat: int) -> Stay:
        """The stay of whoever sits on a chair. Refuses: SeatEmpty."""
        if seat not in self.taken:
            raise SeatEmpty(seat=seat)
        return self.taken[seat]

    def chairs_of(self, stay: Stay) -> list[int]:
        """The chairs of a stay: one to three."""
        return [seat for seat, each in self.taken.items() if each == stay]

    def stay_of(self, patron: str, most: int) -> Stay | None:
        """The stay that another chair joins, or None if it begins one. Refuses: SeatTaken.

        `most`: how many chairs one patron may have.
        """
        chairs = [seat for seat, stay in self.taken.items() if stay.patron == patron]
        if len(chairs) >= most:
            raise SeatTaken(message=_enough(chairs[0], patron, most))
        return self.taken[chairs[0]] if chairs else None

    def require_free(self, seat: int) -> None:
        """Refuses: SeatTaken."""
        if seat in self.taken:
            raise SeatTaken(seat=seat, patron=self.taken[seat].patron)

    # Sitting down, moving and leaving.
    def take(self, seat: int, stay: Stay, at: datetime) -> None:
        """Takes a chair; a stay begins with its first."""
        self.taken[seat] = stay
        self.began.setdefault(stay.address, at)

    def move(self, seat: int, to: int) -> None:
        """Moves a stay to another chair."""
        self.taken[to] = self.taken.pop(seat)

    def give_up(self, seat: int) -> None:
        """Frees a chair."""
        del self.taken[seat]


def _enough(seat: int, patron: str, most: int) -> Words:
    """The message to a patron who has all the chairs that one patron may have."""
    if most == 1:
        return Words(
            "{patron} already sits at seat {seat}. For a second seat, name a supervisor.",
            patron=patron,
            seat=seat,
        )
    return Words(
        "{patron} already has {most} seats, and may have no more.", patron=patron, most=most
    )
