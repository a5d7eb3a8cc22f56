"""At which tables each patron sat, read on from command to command, and for how long (R-PLAY-4)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from domain.aggregates.table_day import TableDay
from domain.events import patron as of_patrons
from domain.events import table_day
from domain.rules import addresses
from domain.rules.play_time import Sitting
from ops.commands.casino import Casino
from ops.ledger.chain import Recorded
from ops.ledger.mapper import event_of
from ops.ledger.reading import Wanted, read_events

_AT_ONCE = 10_000  # events
_REMEMBERED = timedelta(days=40)  # longer than a month, over which a limit may count
_TOPICS = (
    table_day.PatronSeated.TOPIC,
    of_patrons.Identified.TOPIC,
    of_patrons.Separated.TOPIC,
)


class PlayClock:
    """Finds when a patron sat at any table, under any name, since a gaming day.

    Which tables those were, and who each alias is, is read from the ledger once, and then only what
    is new; when somebody sat there, the gaming days of the tables say. A command that asks relies
    on no record of another patron.
    """

    def __init__(self, casino: Casino) -> None:
        self._casino = casino
        self._first = date.max  # the gaming day from which on it was read
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._read = 0  # the position up to which it was read
        self._tables: dict[str, set[addresses.TableDay]] = defaultdict(set)  # by name
        self._is: dict[str, str] = {}  # the patron whom an alias was identified as

    def names(self, patron: str, since: date) -> set[str]:
        """The names under which a patron sat at any table since a gaming day, and this one."""
        self._read_on(since)
        who = self._identity(patron)
        return {name for name in (*self._tables, patron) if self._identity(name) == who}

    def tables(self, names: Iterable[str], since: date) -> list[addresses.TableDay]:
        """The table days on which somebody of these names sat, since a gaming day."""
        days = {each for name in names for each in self._tables.get(name, ())}
        return sorted((each for each in days if each.day >= since), key=str)

    def sittings(self, patron: str, here: TableDay, since: date) -> list[Sitting]:
        """The times of a patron at tables; `here`: the table day that the command is about."""
        names = self.names(patron, since)
        return [
            Sitting(each.since, each.until)
            for day in self._days_of(names, here, since)
            for each in day.seating.sat
            if each.stay.patron in names
        ]

    def _identity(self, name: str) -> str:
        seen: set[str] = set()
        while name in self._is and name not in seen:
            seen.add(name)
            name = self._is[name]
        return name

    def _days_of(self, names: set[str], here: TableDay, since: date) -> Iterator[TableDay]:
        yield here
        for address in self.tables(names, since):
            if address != here.address:
                day = self._casino.find(TableDay, TableDay.stream(address), rely=False)
                if day is not None:
                    yield day

    def _read_on(self, since: date) -> None:
        if since < self._first:
            self._first = since
            self._begin_anew()
        elif self._first < since - _REMEMBERED:
            self._forget(since)
        wanted = Wanted(_TOPICS, days=(self._first, None))
        with self._casino.ledger.connection() as connection:
            while recorded := read_events(connection, self._read, _AT_ONCE, wanted=wanted):
                for each in recorded:
                    self._note(each)
                self._read = recorded[-1].position

    def _note(self, recorded: Recorded) -> None:
        event: Any = event_of(recorded)
        if recorded.topic == of_patrons.Identified.TOPIC:
            self._is[event.patron] = event.patron_is
        elif recorded.topic == of_patrons.Separated.TOPIC:
            self._is.pop(event.patron, None)
        else:
            at = addresses.TableDay(recorded.table_code, recorded.gaming_day)
            self._tables[event.patron].add(at)

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
