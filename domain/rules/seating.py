"""Who has which chair of a table on one day, and in which stay: a patron's time there."""

from datetime import datetime
from typing import Any

from msgspec import Struct, field

from domain.rules.refusals import SeatEmpty, SeatTaken


class Stay(Struct, frozen=True):
    """A patron's time at a table: who pays what it owes, whichever chair they have."""

    patron: str
    address: str

    def bets(self, seat: int, spot: str) -> dict[str, Any]:
        """The fields of every event about this wager: seat, patron, stay, spot."""
        return {"seat": seat, "patron": self.patron, "stay": self.address, "spot": spot}


class Seating(Struct):
    """The chairs that are taken, and when each stay of the day began."""

    taken: dict[int, Stay] = field(default_factory=dict)
    began: dict[str, datetime] = field(default_factory=dict)

    @property
    def stays(self) -> int:
        """How many stays began so far."""
        return len(self.began)

    def at(self, seat: int) -> Stay:
        """Whose chair this is. Refuses: SeatEmpty."""
        if seat not in self.taken:
            raise SeatEmpty(seat=seat)
        return self.taken[seat]

    def chairs_of(self, stay: Stay) -> list[int]:
        """The chairs that a patron has: one, or up to three."""
        return [seat for seat, each in self.taken.items() if each == stay]

    def stay_of(self, patron: str, most: int) -> Stay | None:
        """The stay that another chair belongs to; None: it begins one. Refuses: SeatTaken.

        `most`: how many chairs one patron may have.
        """
        chairs = [seat for seat, stay in self.taken.items() if stay.patron == patron]
        if len(chairs) >= most:
            then = (
                "one patron has one seat" if most == 1 else f"one patron has at most {most} seats"
            )
            raise SeatTaken(seat=chairs[0], patron=patron, then=then)
        return self.taken[chairs[0]] if chairs else None

    def require_free(self, seat: int) -> None:
        """Refuses: SeatTaken."""
        if seat in self.taken:
            patron = self.taken[seat].patron
            raise SeatTaken(seat=seat, patron=patron, then="choose another seat")

    # How people sit down, move and leave.
    def take(self, seat: int, stay: Stay, at: datetime) -> None:
        """A stay begins with its first chair."""
        self.taken[seat] = stay
        self.began.setdefault(stay.address, at)

    def move(self, seat: int, to: int) -> None:
        """The stay goes along."""
        self.taken[to] = self.taken.pop(seat)

    def give_up(self, seat: int) -> None:
        """The chair is free."""
        del self.taken[seat]
