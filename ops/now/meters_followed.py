"""The meters of one table as they are now, from events of the house (R-PROG-1)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from domain.aggregates.meter import Meter, MeterDay
from domain.events import meter_day
from domain.rules.house_rules import HouseRules
from ops.ledger.chain import Recorded
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream

if TYPE_CHECKING:
    import psycopg

TOPICS = (meter_day.Opened.TOPIC, meter_day.MeterMoved.TOPIC)


class MetersFollowed:
    """What is in each meter that a table's side bets may win; for one connection."""

    def __init__(self, connection: "psycopg.Connection[Any]", table: str) -> None:
        self._connection = connection
        self._table = table
        self._days: dict[str, MeterDay | None] = {}  # by meter; None: no bet on it was settled

    def takes(self, recorded: Recorded) -> bool:
        """Whether an event may move a meter of this table."""
        return bool(self._days) and recorded.topic in TOPICS

    def fold(self, news: Iterable[Recorded]) -> bool:
        """Takes the events that follow those that were read; whether one was of these meters."""
        moved = False
        for recorded in news:
            if not self.takes(recorded):
                continue
            event = event_of(recorded)
            if isinstance(event, meter_day.Event) and event.meter in self._days:
                self._take(event)
                moved = True
        return moved

    def _take(self, event: meter_day.Event) -> None:
        day = self._days[event.meter]
        if isinstance(event, meter_day.Opened):
            if day is None or day.day < event.day:
                self._days[event.meter] = MeterDay(event)
        elif day and (day.id, day.version + 1) == (event.originator_id, event.originator_version):
            day.advance(event)

    def of(self, rules: HouseRules) -> Mapping[str, int]:
        """By spot, the whole minor units in its meter; its seed, before any bet was settled."""
        amounts: dict[str, int] = {}
        for spot, terms in rules.progressives.items():
            meter = terms.address(spot, self._table, rules.currency)
            if meter not in self._days:
                self._days[meter] = self._read(meter)
            day = self._days[meter]
            inside = day.standing if day else Fraction(terms.seed)
            amounts[spot] = int(terms.payable(inside) // 1)
        return amounts

    def _read(self, meter: str) -> MeterDay | None:
        known = Meter.project(None, map(event_of, self._events(Meter.stream(meter))))
        if known is None or known.last_day is None:
            return None
        stream = MeterDay.stream(meter, known.last_day)
        return MeterDay.project(None, map(event_of, self._events(stream)))

    def _events(self, stream: Any) -> list[Recorded]:
        return read_stream(self._connection, stream)
