"""What the meters of side bets are at, followed from each event to the next (R-PROG-1 to 6).

A meter that was altered in the record has a bad hash. Here are amounts that do not follow although
every hash is good: a day that begins with another amount than was left, a coup that has another
amount than its meter, a meter that was won at another point than the one that was fixed.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.aggregates.coup import Coup
from domain.aggregates.meter import Meter
from domain.events import coup as coup_events
from domain.events import meter as meter_events
from domain.events import meter_day
from domain.rules import addresses
from domain.rules.house_rules import of
from domain.rules.money import decimal_string
from domain.rules.must_hit import Point, Standing
from domain.rules.refusals import SENSELESS
from ops.commands import rule_book
from ops.ledger.mapper import UnknownEvent, event_of
from ops.ledger.reading import UnreadableEvent, Wanted, read_events, read_stream
from ops.verify.faults import Fault
from ops.words.meter_events import meter_called

if TYPE_CHECKING:
    from uuid import UUID

    import psycopg

    Connection = psycopg.Connection[Any]

METER = "meter"  # the fault
TOPICS = (
    meter_events.PointFixed.TOPIC,
    meter_day.Opened.TOPIC,
    meter_day.MeterMoved.TOPIC,
    coup_events.MeterFollowed.TOPIC,
)
PIECE = 10_000  # events
AMOUNTS = ("staked", "share", "to_reserve", "paid", "from_reserve", "seeded")


def check_meters(connection: "Connection") -> list[Fault]:
    """A fault for each amount of a meter that does not follow from what was before."""
    known: dict[str, _Meter] = defaultdict(_Meter)
    fixed: dict[UUID, meter_events.PointFixed] = {}  # by the stream of a meter
    both, faults = _BothSides(), list[Fault]()
    for position, event in _events(connection):
        match event:
            case meter_events.PointFixed():
                fixed[event.originator_id] = event
            case coup_events.MeterFollowed():
                both.add(position, event, -1)
            case meter_day.Opened():
                faults += known[event.meter].open(position, event)
            case meter_day.MeterMoved():
                both.add(position, event, 1)
                before = fixed.get(Meter.stream(event.meter))
                faults += known[event.meter].move(position, event, before)
    passed = [each for meter in known.values() for each in meter.passed]
    return [*faults, *both.faults(), *_not_won(connection, passed)]


def _events(connection: "Connection") -> Iterator[tuple[int, Any]]:
    """What meters and their coups recorded, up to an event that cannot be read: its hash is bad."""
    after, wanted = 0, Wanted(TOPICS)
    try:
        while read := read_events(connection, after, PIECE, wanted=wanted):
            for each in read:
                yield each.position, event_of(each)
            after = read[-1].position
    except (UnreadableEvent, UnknownEvent, *SENSELESS):
        return


class _Passed(Struct, frozen=True):
    """A movement of a meter that reached its point without being won."""

    position: int
    meter: str
    coup: str
    stood: str
    point: int


class _Meter:
    """A meter after its events so far, in exact minor units."""

    def __init__(self) -> None:
        self.passed: list[_Passed] = []
        self._day: meter_day.State | None = None
        self._fixed: meter_events.PointFixed | None = None
        self._since: list[tuple[int, meter_day.MeterMoved]] = []  # that point was fixed

    def open(self, position: int, opened: meter_day.Opened) -> Iterator[Fault]:
        """A day begins, with what was left."""
        left = (self._day.standing, self._day.reserve) if self._day else (Fraction(0), Fraction(0))
        begins = Fraction(opened.standing), Fraction(opened.reserve)
        self._day = meter_day.State(opened)
        if begins != left:
            what = f"{meter_called(opened.meter)} begins {opened.day} with"
            yield Fault(position, METER, f"{what} {_shown(*begins)}, and {_shown(*left)} was left.")

    def move(
        self, position: int, moved: meter_day.MeterMoved, fixed: meter_events.PointFixed | None
    ) -> Iterator[Fault]:
        """A coup moves it, from what it was at; `fixed`: the point at which it must be won."""
        it = meter_called(moved.meter)
        if self._day is None:
            yield Fault(position, METER, f"{it} is moved by {moved.coup} before its first day.")
            return
        began, was = Fraction(moved.stood) - Fraction(moved.share), self._day.standing
        moved.apply(self._day)
        if began != was:
            words = f"{moved.coup} moves {it} from {_shown(began)}, and {_shown(was)} was in it."
            yield Fault(position, METER, words)
        if fixed is not self._fixed:
            self._since, self._fixed = [], fixed
        if point := Standing.of(moved).reached:
            yield from self._won(position, moved, point)
        elif fixed:
            self._since.append((position, moved))

    def _won(self, position: int, moved: meter_day.MeterMoved, point: Point) -> Iterator[Fault]:
        """It was won, at the point that was fixed; what was not won before is looked at later."""
        fixed = self._fixed
        of_the_secret = point.commitment, point.lowest, point.highest
        if not fixed or of_the_secret != (fixed.commitment, fixed.lowest, fixed.highest):
            it = meter_called(moved.meter)
            words = f"{moved.coup} won {it} at a point that was not fixed before."
            yield Fault(position, METER, words)
            return
        self.passed += [
            _Passed(at, each.meter, each.coup, each.stood, point.amount)
            for at, each in self._since
            if Fraction(each.stood) >= point.amount
        ]


class _BothSides:
    """What each meter has of a coup less what the coup has of it, while that is not nothing."""

    def __init__(self) -> None:
        self._apart: dict[tuple[str, str], dict[str, Fraction]] = {}  # by meter and coup
        self._at: dict[tuple[str, str], int] = {}

    def add(self, position: int, event: Any, sign: int) -> None:
        """Adds what an event of the meter (1) or of the coup (-1) has."""
        key = event.meter, event.coup
        apart = self._apart.setdefault(key, dict.fromkeys(AMOUNTS, Fraction(0)))
        self._at[key] = position
        for name in AMOUNTS:
            apart[name] += sign * Fraction(getattr(event, name))
        if not any(apart.values()):
            del self._apart[key], self._at[key]

    def faults(self) -> Iterator[Fault]:
        """A fault for each amount that only one of them has."""
        for (meter, coup), apart in self._apart.items():
            for name in (each for each in AMOUNTS if apart[each]):
                words = (
                    f"{meter_called(meter)} and {coup} differ by {_shown(apart[name])} in "
                    f"{name.replace('_', ' ')}."
                )
                yield Fault(self._at[meter, coup], METER, words)


def _not_won(connection: "Connection", passed: list[_Passed]) -> Iterator[Fault]:
    """A fault for each coup that reached the point when it was settled, and had to win."""
    for each in passed:
        if _had_to_win(connection, each):
            it = meter_called(each.meter)
            words = f"{each.coup} brought {it} to its point {each.point} and did not win it."
            yield Fault(each.position, METER, words)


def _had_to_win(connection: "Connection", passed: _Passed) -> bool:
    """Whether it was the coup's settlement that reached the point, by a rule set that has one.

    A bet entered late and what is put right reach no point.
    """
    stream = read_stream(connection, Coup.stream(addresses.Coup.parse(passed.coup)))
    opened, *events = map(event_of, stream)
    first = next(
        each
        for each in events
        if isinstance(each, coup_events.MeterFollowed) and each.meter == passed.meter
    )
    assert isinstance(opened, coup_events.Opened)
    rule_book.learn(connection, opened.rules, opened.rules_digest)
    rules = of(opened.rules, opened.rules_digest)
    settled = first.staked > 0 and first.stood == passed.stood
    return settled and rules.must_be_won(passed.meter.partition("/")[0])


def _shown(*amounts: Fraction) -> str:
    """Minor units, exact."""
    return " and ".join(map(decimal_string, amounts))
