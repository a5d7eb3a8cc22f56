"""The tray of one table, followed by the same reading that the board and the pages have of it."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from domain.events import property as property_events
from domain.events import table_day
from domain.rules.refusals import SENSELESS
from ops.ledger.chain import Recorded
from ops.ledger.reading import UnreadableEvent
from ops.now.tray_now import TrayNow
from ops.reports.batch import event_of
from projections.model import Event
from projections.money.trays_now import MOVES, PROJECTION, TRAYS_NOW
from projections.rows import Rows

SETTINGS = (property_events.SettingChanged.TOPIC,)  # of the house: when a fill is needed
TOPICS = (*MOVES, *SETTINGS)
STRETCH = timedelta(minutes=10)  # of the line of the win
LONGEST = 200  # stretches, more than a gaming day has


class TrayFollowed:
    """Grows the row of `projections.trays_now` event by event, in memory, and the win's line."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._rows = Rows()
        self._opened: datetime | None = None
        self._wins: list[int] = []  # at the end of each stretch so far

    def fold(self, events: Iterable[Recorded]) -> None:
        """Takes the next events, in order; most move no tray. Raises UnreadableEvent."""
        for each in events:
            if change := PROJECTION.changes.get(each.topic):
                try:
                    event = event_of(each)
                    change(event, self._rows)
                except SENSELESS as error:
                    raise UnreadableEvent(each.position) from error
                self._draw(event)

    def _draw(self, event: Event) -> None:
        """Draws the win on as far as this event; one that was entered late draws no line back."""
        if event.topic == table_day.Opened.TOPIC:
            self._opened, self._wins = event.at, []
        row = self._rows.get(TRAYS_NOW, self._table)
        if row is None or self._opened is None:
            return
        stretches = min((event.at - self._opened) // STRETCH + 1, LONGEST)
        before = self._wins[-1] if self._wins else 0
        self._wins += [before] * (stretches - len(self._wins))
        self._wins[-1] = row.wagers_won + row.commission_taken

    @property
    def now(self) -> TrayNow | None:
        """What the tray should hold; None: the table never opened."""
        row = self._rows.get(TRAYS_NOW, self._table)
        if row is None:
            return None
        needs_fill = row.low_position is not None
        return TrayNow(row.tray, row.low_floor, needs_fill=needs_fill, wins=tuple(self._wins))
