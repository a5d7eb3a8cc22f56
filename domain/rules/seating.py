"""Who sits on which chair of a table on one day, and in which stay: a patron's time there."""

from datetime import datetime
from typing import Any, Self

from msgspec import Struct, field

from domain.rules.refusals import BadValue, SeatEmpty, SeatTaken
from domain.rules.wording import Moment, Words, listed


class Stay(Struct, frozen=True):
    """A patron's time at a table, on whichever chair."""

    patron: str
    address: str

    def on(self, seat: int) -> dict[str, Any]:
        """The fields that every event about a chair of theirs has: seat, patron, stay."""
        return {"seat": seat, "patron": self.patron, "stay": self.address}

    def bets(self, seat: int, spot: str) -> dict[str, Any]:
        """The fields that every event about this wager has: seat, patron, stay, spot."""
        return {**self.on(seat), "spot": spot}


class When(Struct, frozen=True):
    """A moment that is over, or the time in which it lay; both ends belong to it."""

    since: datetime
    until: datetime

    @classmethod
    def at(cls, moment: datetime) -> Self:
        """One moment."""
        return cls(moment, moment)


class Sat(Struct):
    """A stay on one chair, from sitting down to getting up; None: still there."""

    seat: int
    stay: Stay
    since: datetime
    until: datetime | None = None

    def during(self, when: When) -> bool:
        """Whether the patron sat there then."""
        return self.since <= when.until and (self.until is None or self.until > when.since)


class Seating(Struct):
    """The chairs that are taken, and those that were."""

    taken: dict[int, Stay] = field(default_factory=dict)
    began: dict[str, datetime] = field(default_factory=dict)
    sat: list[Sat] = field(default_factory=list)  # in the order of the record

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

    # Who sat where.
    def then(self, seat: int, when: When) -> list[Stay]:
        """The stays that were on a chair at some moment, in order."""
        there = (each.stay for each in self.sat if each.seat == seat and each.during(when))
        return list(dict.fromkeys(there))

    def there(self, stay: str, when: When) -> bool:
        """Whether a stay was on any chair at some moment."""
        return any(each.stay.address == stay and each.during(when) for each in self.sat)

    def require_one(self, seat: int, when: When, otherwise: Words) -> Stay:
        """The one stay that was on a chair at some moment; `otherwise`: what to do if none was.

        Of a chair that was free, it is whoever took it later and was at the table already.
        Refuses: SeatEmpty, BadValue.
        """
        now = self.taken.get(seat)
        then = self.then(seat, when)
        if not then and now and self.there(now.address, when):
            return now
        if len(then) == 1:
            return then[0]
        if then:
            stays = listed(_named(stay) for stay in then)
            two = Words("Seat {seat} was not one patron's then: {stays}.", seat=seat, stays=stays)
            raise BadValue(message=Words("{why} {then}", why=two, then=otherwise))
        nobody = self._nobody(seat, when.since)
        raise SeatEmpty(message=Words("{why} {then}", why=nobody, then=otherwise))

    def _nobody(self, seat: int, at: datetime) -> Words:
        """That nobody sat on a chair, with who sat down there next."""
        later = [each for each in self.sat if each.seat == seat and each.since > at]
        if not later:
            return Words("Nobody sat at seat {seat} at {at}.", seat=seat, at=Moment(at))
        return Words(
            "Nobody sat at seat {seat} at {at}: {patron} sat down only at {since}.",
            seat=seat,
            at=Moment(at),
            patron=later[0].stay.patron,
            since=Moment(later[0].since),
        )

    # Sitting down, moving and leaving.
    def take(self, seat: int, stay: Stay, at: datetime) -> None:
        """Takes a chair; a stay begins with its first."""
        self.taken[seat] = stay
        self.began.setdefault(stay.address, at)
        self.sat.append(Sat(seat, stay, at))

    def move(self, seat: int, to: int, at: datetime) -> None:
        """Moves a stay to another chair."""
        stay = self.taken[seat]
        self.give_up(seat, at)
        self.take(to, stay, at)

    def give_up(self, seat: int, at: datetime) -> None:
        """Frees a chair."""
        stay = self.taken.pop(seat)
        last = next(each for each in reversed(self.sat) if (each.seat, each.stay) == (seat, stay))
        last.until = at


def short(stay: str) -> str:
    """A stay's name at its own table day: `stay-3`."""
    return stay.rpartition("/")[2]


def _named(stay: Stay) -> Words:
    return Words("{patron} ({stay})", patron=stay.patron, stay=short(stay.address))


def _enough(seat: int, patron: str, most: int) -> Words:
    """The message to a patron who has all the chairs that one patron may have."""
    if most == 1:
        return Words(
            "{patron} already sits at seat {seat}. For a second seat, name a supervisor.",
            patron=patron,
            seat=seat,
        )
    return Words("{patron} already has {most} seats, which is the most.", patron=patron, most=most)
