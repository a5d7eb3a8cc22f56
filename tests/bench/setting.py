"""What the parts share in one run: a server, writers, a simulated evening, two ledgers.

Each is made when it is first needed, and deleted when the run ends.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from itertools import starmap
from pathlib import Path

from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.reports.rebuild import bring_up
from ops.simulation.run import Plan, dispatch_in_processes
from projections import PROJECTIONS
from tests.bench.multiplied import Evening, multiply
from tests.bench.payload import Payload, payloads
from tests.bench.rivals import npm
from tests.bench.servers import server
from tests.conftest import Server

DEALT = Plan(tables=3, coups=40, seed=5)
CORES = os.cpu_count() or 1


class Setting:
    """One run: how often things are measured, and on what.

    `given`: addresses of ledgers to read instead of simulated ones, the smallest first.
    """

    def __init__(self, say: Callable[[str], None], *, quick: bool, given: list[str]) -> None:
        self.say = say
        self.quick = quick
        self.given = given
        self.no_packages = ""  # why there are no rivals from npm; '' if there are
        self._stack = ExitStack()

    def __enter__(self) -> "Setting":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def repeats(self) -> int:
        """How often each way is measured."""
        return 3 if self.quick else 5

    @property
    def seconds(self) -> float:
        """How many seconds writers write in one repeat."""
        return 0.2 if self.quick else 1.5

    @cached_property
    def server(self) -> Server:
        """The run's own server, on the disk as it is."""
        self.say("making a server")
        return self._stack.enter_context(server())

    def server_events(self) -> tuple[str, Path]:
        """The server's version, and the directory above its data."""
        connection = self.server.connection
        row = connection.execute("SHOW data_directory").fetchone()
        assert row
        return connection.info.parameter_status("server_version") or "", Path(row[0]).parent

    def new_database(self, like: Database | None = None) -> Database:
        """A new ledger for this run, empty or a copy."""
        return self._stack.enter_context(self.server.database(like))

    @cached_property
    def dealt(self) -> Database:
        """The ledger of one simulated evening of three tables."""
        database = self.new_database()
        self.say(f"dealing an evening: {DEALT.tables} tables, {DEALT.coups} coups each")
        dispatch_in_processes(database.url, DEALT, min(CORES, DEALT.tables), lambda _: None)
        return database

    @cached_property
    def payloads(self) -> dict[str, Payload]:
        """The payloads that are saved: `coup` and `command`."""
        return payloads(self.dealt)

    @cached_property
    def packages(self) -> Path | None:
        """The directory of the rivals from npm; None, with the reason in `no_packages`."""
        try:
            return npm.installed()
        except npm.Missing as error:
            self.no_packages = f"skipped: {error}"
            self.say(self.no_packages)
            return None

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of events of the small and of the large ledger."""
        return (10_000, 100_000) if self.quick else (100_000, 1_000_000)

    @cached_property
    def ledgers(self) -> list[tuple[int, Database]]:
        """A small ledger and one ten times as large, each with its number of events."""
        if self.given:
            return [(_events(each), each) for each in map(Database, self.given)]
        like, made = self.dealt, []
        for size in self.sizes:
            made.append(self._ledger(size, like))
            _, like = made[-1]
        return made

    @cached_property
    def grown(self) -> list[tuple[int, Database]]:
        """The same ledgers, with all projections up to date and analysed for the planner."""
        return list(starmap(self._grown, self.ledgers))

    @cached_property
    def growing(self) -> list[tuple[int, Database]]:
        """The same, and before them one of ten thousand events; their number is 10^4, 10^5, …"""
        smallest = [] if self.quick else [self._grown(*self._ledger(10_000, self.dealt))]
        return [*smallest, *self.grown]

    def _ledger(self, size: int, like: Database) -> tuple[int, Database]:
        database = self.new_database(like)
        self.say(f"making a ledger of {size:,} events")
        multiply(database, self.evening, size, self._progress(size))
        return _events(database), database

    def _grown(self, events: int, database: Database) -> tuple[int, Database]:
        self.say(f"making the projections of {events:,} events")
        with database.session("sabot_projector") as connection:
            bring_up(connection, *PROJECTIONS.values())
        if not self.given:
            with database.connect_as_is() as connection:
                connection.execute("VACUUM ANALYZE")
        return events, database

    @cached_property
    def evening(self) -> Evening:
        """The simulated evening, to be repeated on later days."""
        return Evening.of(self.dealt)

    def _progress(self, size: int) -> Callable[[int], None]:
        reported = 0

        def report(head: int) -> None:
            nonlocal reported
            if head - reported >= size // 4 >= 100_000:
                reported = head
                self.say(f"  {head:,} events")

        return report


def _events(database: Database) -> int:
    with database.session("sabot_auditor") as connection:
        return head_of(connection)
