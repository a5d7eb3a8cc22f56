"""Which table to open or close, and where to raise the minimum, by the seats that are taken now.

Only what is on record counts: seats, and what those who sit there wager. Of patrons who are not
there nothing is guessed.

>>> quiet = Floor("B02", "classic@1", 25_00, 5_000_00, seats=7, wagered=(30_00,))
>>> busy = Floor("B01", "classic@1", 25_00, 5_000_00, seats=7, wagered=(30_00, 50_00, 75_00))
>>> advised(quiet, [quiet, busy])
Advice(act='close', taken=1, seats=7, free=4, at=('B01',), to=None, share=None)
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

FEW = Fraction(1, 3)  # of its seats: with no more taken, a table may be closed
FULL = Fraction(9, 10)  # of all seats: with as many taken, another table may be opened
NEARLY_ALL = Fraction(9, 10)  # of what is wagered: who leaves may bring no more than the rest
TIMES = 2  # by which a minimum is raised


class Floor(Struct, frozen=True):
    """A table that is open now. `wagered`: in a coup, by each patron who sits there, on average.

    Amounts are in minor units; None: the patron did not play yet.
    """

    table: str
    rules: str
    minimum: int
    maximum: int
    seats: int
    wagered: tuple[int | None, ...]

    @property
    def free(self) -> int:
        """The seats in which nobody sits."""
        return self.seats - len(self.wagered)


class Advice(Struct, frozen=True):
    """What may be done with a table now, with the sum that supports it.

    `close`: for its patrons, `taken`, there are `free` seats at the tables `at`. `raise`: all its
    seats are taken, and `taken` of its patrons wager the amount `to` or more; they bring `share`
    of what is wagered there. `open`: `taken` of the `seats` of this and the tables `at` are taken.
    """

    act: Literal["close", "raise", "open"]
    taken: int
    seats: int
    free: int = 0
    at: tuple[str, ...] = ()
    to: int | None = None
    share: Fraction | None = None


def advised(table: Floor, every: Sequence[Floor]) -> Advice | None:
    """The advice for one of the open tables; None: none."""
    closed = _to_close(every)
    if table.table in closed:
        return closed[table.table]
    if table.free:
        return None
    return _raised(table) or _opened(table, every)


def _to_close(every: Sequence[Floor]) -> dict[str, Advice]:
    """The tables that may be closed, all together: no free seat is counted for two of them."""
    advice: dict[str, Advice] = {}
    seated_there: dict[str, int] = {}  # by table: patrons of closed ones who found a seat there
    for each in sorted(every, key=lambda one: (len(one.wagered), one.table)):
        if each.table in seated_there or len(each.wagered) > FEW * each.seats:
            continue
        hosts = [one for one in _no_dearer(each, every) if one.table not in advice]
        free = {one.table: one.free - seated_there.get(one.table, 0) for one in hosts}
        taken, seats = len(each.wagered), sum(one.seats for one in hosts)
        if sum(free.values()) - taken > (1 - FULL) * seats:  # none is to be opened then
            at = tuple(name for name in sorted(free) if free[name])
            advice[each.table] = Advice("close", taken, each.seats, sum(free.values()), at)
            for name in sorted(free, key=lambda name: (-free[name], name)):
                if seated := min(taken, free[name]):
                    seated_there[name] = seated_there.get(name, 0) + seated
                    taken -= seated
    return advice


def _no_dearer(table: Floor, every: Sequence[Floor]) -> list[Floor]:
    """The other tables with this game, whose limits take what is wagered here."""
    most = max((each or 0 for each in table.wagered), default=0)
    return [
        one
        for one in every
        if one.table != table.table
        and one.rules == table.rules
        and one.minimum <= table.minimum
        and one.maximum >= most
    ]


def _raised(table: Floor) -> Advice | None:
    """A higher minimum, if those who wager less than it bring hardly anything."""
    known = [each for each in table.wagered if each is not None]
    to, together = TIMES * table.minimum, sum(known)
    stay = [each for each in known if each >= to]
    if len(known) < len(table.wagered):
        return None
    if to > table.maximum or sum(stay) < NEARLY_ALL * together or not together:
        return None
    share = Fraction(sum(stay), together)
    return Advice("raise", len(stay), table.seats, to=to, share=share)


def _opened(table: Floor, every: Sequence[Floor]) -> Advice | None:
    """Another table, if hardly a seat is free here and at the tables that would do as well."""
    others = _no_dearer(table, every)
    seats = sum(each.seats for each in (table, *others))
    taken = sum(len(each.wagered) for each in (table, *others))
    if taken < FULL * seats:
        return None
    return Advice("open", taken, seats, at=tuple(sorted(each.table for each in others)))
