"""Sees how far PostgreSQL's own archiver brought the log, where another program keeps it."""

import re
import threading
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

from ops.backup.archive import Followed
from ops.backup.follower import Follower
from ops.backup.reached import written
from ops.backup.setting import Setting
from ops.ledger.database import Database, LedgerLost, NotFit

if TYPE_CHECKING:
    import psycopg

_LAST = (
    "SELECT last_archived_wal, CASE WHEN last_failed_time > coalesce(last_archived_time, "
    "'-infinity') THEN last_failed_wal END FROM pg_stat_archiver"
)
_FILE = re.compile(r"[0-9A-F]{24}")


class Archived(Follower):
    """Notes the moment up to which everything was archived; the archiver does the work."""

    def _follow(self, stop: threading.Event) -> None:
        import psycopg

        latest: dict[int, Followed] = {}  # of each file of the log, before it is archived
        with closing(self._connected()) as connection:
            while self._wait(stop):
                try:
                    self._see(connection, latest)
                except psycopg.Error as error:
                    raise LedgerLost(error) from error

    def _see(self, connection: "psycopg.Connection[Any]", latest: dict[int, Followed]) -> None:
        house, now = self._archive.house, written(connection)
        latest[house.number(house.file_of(now.lsn, upto=True))] = now
        last, failed = connection.execute(_LAST).fetchone() or (None, None)
        there = house.number(last) if last and _FILE.match(last) else -1
        reached = [number for number in latest if number <= there]
        if reached:
            self._archive.write("followed.json", latest[max(reached)])
        for number in reached:
            del latest[number]
        if failed:
            raise NotFit(
                f"PostgreSQL could not archive {failed}: see archive_command, and the server's log."
            )
        if reached:
            self._is_good()


def follower_of(database: Database, setting: Setting, report: Callable[[str], None]) -> Follower:
    """What follows the log of this house, in its way."""
    kind = Archived if setting.by else Follower
    return kind(database, setting, report)
