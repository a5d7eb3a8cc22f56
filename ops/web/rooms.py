"""Room for what stays open at the server: windows, streams of events, full screens.

Each kind has a room of its own, so that no crowd takes the room of another kind. Whoever the house
knows by a key always finds room for one more place, window or screen that is their first.
"""

import ipaddress
import time
from collections import Counter, deque
from collections.abc import Callable

from ops.web.turned_away import Busy, TooManyWindows, TurnedAway

Leave = Callable[[], None]
RESTS = 1.0  # seconds for which a place at the events is not given to the same one again


class Room:
    """What is open of one kind, counted from the moment at which it is let in."""

    def __init__(
        self,
        most: int,
        of_one: int,
        *,
        first: bool = True,
        full: type[TurnedAway] = TooManyWindows,
        rests: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """At most so many, and so many of one; `first`: the first of each has room always.

        `rests`: seconds for which whoever left does not get that place again. Where entering is
        dear, nobody comes and goes without a pause.
        """
        self._most, self._of_one = most, of_one
        self._first, self._full = first, full
        self._open: Counter[str] = Counter()
        self._rests, self._clock = rests, clock
        self._left: deque[tuple[float, str]] = deque()  # until when a place rests, and whose

    def enter(self, who: str) -> Leave:
        """Lets one in; what is given has to be called when it leaves, and counts once.

        Raises TurnedAway, as the room was told; Busy while places of theirs rest.
        """
        mine = self._open[who]
        if mine + self._resting(who) >= self._of_one > mine:
            raise Busy
        if mine >= self._of_one or (len(self) >= self._most and (mine or not self._first)):
            raise self._full
        self._open[who] += 1

        inside = [who]

        def leave() -> None:
            while inside:
                self._open[inside.pop()] -= 1
                if self._rests:
                    self._left.append((self._clock() + self._rests, who))
            self._open += Counter()  # without those that have none

        return leave

    def _resting(self, who: str) -> int:
        """How many places rest that somebody left."""
        while self._left and self._left[0][0] <= self._clock():
            self._left.popleft()
        return sum(each == who for _, each in self._left)

    def __len__(self) -> int:
        return self._open.total()


class Rooms:
    """The rooms of one server; used by its event loop only."""

    def __init__(self) -> None:
        self.places = Room(500, 4)  # pages of electronic places, by their browser
        self.people = Room(500, 50)  # pages that need a sign-on, by browser
        self.displays = Room(200, 20)  # displays for patrons, by browser
        self.strangers = Room(200, 50, first=False)  # whoever watches a table, by address
        self.events = Room(100, 8, rests=RESTS)  # programs that follow the record, by terminal
        self.dealers = Room(400, 8, full=Busy)  # dealers' screens, by terminal
        self.screens = Room(200, 8, full=Busy)  # boards, by terminal
        self.wires = Room(2_000, 64, full=Busy)  # of terminals that stay open, by terminal

    def counted(self) -> dict[str, int]:
        """How many are open in each room."""
        return {name: len(room) for name, room in vars(self).items()}


def network_of(address: str) -> str:
    """By what strangers are counted: whoever has one address of the newer kind has very many.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2:3"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        read = ipaddress.ip_address(address)
    except ValueError:  # a socket of this machine has no address
        return address
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    return str(read.ipv4_mapped or ipaddress.ip_network((int(read), 64), strict=False))
