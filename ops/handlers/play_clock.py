"""At which tables each patron sat, read on from command to command, and for how long (R-PLAY-4)."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from domain.aggregates.table_day import TableDay
from domain.events import table_day
from domain.rules import addresses
from domain.rules.play_time import Sitting
from ops.commands.casino import Casino
from ops.handlers.known_names import KnownNames
from ops.ledger.mapper import event_of
from ops.ledger.reading import Wanted, read_events

_AT_ONCE = 10_000  # events
_REMEMBERED = timedelta(days=40)  # longer than a month, over which a limit may count


class PlayClock:
    """Finds when a patron sat at any table, under any name, since a gaming day.

    Which tables those were is read from the ledger once, and then only what is new; when somebody
    sat there, the gaming days of the tables say.
    """

    def __init__(self, casino: Casino, names: KnownNames) -> None:
        self._casino = casino
        self._names = names
        self._read = 0  # the position up to which it was read
        self._first = date.max  # the gaming day from which on it was read
        self._tables: dict[str, set[addresses.TableDay]] = defaultdict(set)  # by name

    def sittings(self, patron: str, here: TableDay, since: date) -> list[Sitting]:
        """The times of a patron at tables; `here`: the table day that the command is about."""
        return [
            Sitting(each.since, each.until)
            for day in self._days_of(patron, here, since)
            for each in day.seating.sat
            if self._names.same(each.stay.patron, patron)
        ]

    def _days_of(self, patron: str, here: TableDay, since: date) -> Iterator[TableDay]:
        self._read_on(since)
        names = [name for name in self._tables if self._names.same(name, patron)]
        yield here
        for address in sorted({each for name in names for each in self._tables[name]}, key=str):
            if address != here.address and address.day >= since:
                day = self._casino.find(TableDay, TableDay.stream(address), rely=False)
                if day is not None:
                    yield day

    def _read_on(self, since: date) -> None:
        if since < self._first:
            self._read, self._first = 0, since
            self._tables.clear()
        elif self._first < since - _REMEMBERED:
            self._forget(since)
        wanted = Wanted((table_day.PatronSeated.TOPIC,), days=(self._first, None))
        with self._casino.ledger.connection() as connection:
            while recorded := read_events(connection, self._read, _AT_ONCE, wanted=wanted):
                for each in recorded:
                    at = addresses.TableDay(each.table_code, each.gaming_day)
                    seated: Any = event_of(each)
                    self._tables[seated.patron].add(at)
                self._read = recorded[-1].position

    def _forget(self, before: date) -> None:
        """Forgets gaming days that nobody asks about any more."""
        self._first = before
        for name, days in [*self._tables.items()]:
            self._tables[name] = {each for each in days if each.day >= before}
            if not self._tables[name]:
                del self._tables[name]


def first_day(day: date, longest: timedelta) -> date:
    """The gaming day on which play may have begun that counts on a gaming day.

    >>> first_day(date(2026, 11, 21), timedelta(hours=24)).isoformat()
    '2026-11-19'
    """
    return day - timedelta(days=longest.days + 1)
