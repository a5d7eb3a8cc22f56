"""The tray of one table, followed by the same reading that the board and the pages have of it."""

from collections.abc import Iterable

from domain.events import property as property_events
from domain.rules.refusals import SENSELESS
from ops.ledger.chain import Recorded
from ops.ledger.reading import UnreadableEvent
from ops.now.table_now import TrayNow
from ops.reports.batch import event_of
from projections.money.trays_now import MOVES, PROJECTION, TRAYS_NOW
from projections.rows import Rows

SETTINGS = (property_events.SettingChanged.TOPIC,)  # of the house: when a fill is needed
TOPICS = (*MOVES, *SETTINGS)


class TrayFollowed:
    """Grows the row of `projections.trays_now` event by event, in memory."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._rows = Rows()

    def fold(self, events: Iterable[Recorded]) -> None:
        """Takes the next events, in order; most move no tray. Raises UnreadableEvent."""
        for each in events:
            if change := PROJECTION.changes.get(each.topic):
                try:
                    change(event_of(each), self._rows)
                except SENSELESS as error:
                    raise UnreadableEvent(each.position) from error

    @property
    def now(self) -> TrayNow | None:
        """What the tray should hold; None: the table never opened."""
        row = self._rows.get(TRAYS_NOW, self._table)
        if row is None:
            return None
        return TrayNow(row.tray, row.low_floor, needs_fill=row.low_position is not None)
