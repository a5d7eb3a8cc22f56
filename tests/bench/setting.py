"""What the parts share in one run: a server, writers, an evening that was dealt, two ledgers.

Each is made when it is first asked for, and gone when the run ends.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
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
    """One run: how long things may take, and what they are measured on.

    `given`: addresses of ledgers to read instead of those that are made up, the smallest first.
    """

    def __init__(self, say: Callable[[str], None], *, quick: bool, given: list[str]) -> None:
        self.say = say
        self.quick = quick
        self.given = given
        self.no_packages = ""  # why there are none
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
        """For how long writers write in one repeat."""
        return 0.2 if self.quick else 1.5

    @cached_property
    def server(self) -> Server:
        """A server of the run's own, on the disk as it is."""
        self.say("making a server")
        return self._stack.enter_context(server())

    def server_events(self) -> tuple[str, Path]:
        """Its version, and the directory that its data are in."""
        connection = self.server.connection
        row = connection.execute("SHOW data_directory").fetchone()
        assert row
        return connection.info.parameter_status("server_version") or "", Path(row[0]).parent

    def new_database(self, like: Database | None = None) -> Database:
        """A ledger for as long as the run, empty or a copy."""
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
        """What is saved, `coup` and `command`."""
        return payloads(self.dealt)

    @cached_property
    def packages(self) -> Path | None:
        """Where the rivals from npm are; None when there are none, and `no_packages` says why."""
        try:
            return npm.installed()
        except npm.Missing as error:
            self.no_packages = f"skipped: {error}"
            self.say(self.no_packages)
            return None

    @property
    def sizes(self) -> tuple[int, int]:
        """Events of the small and of the large ledger."""
        return (10_000, 100_000) if self.quick else (100_000, 1_000_000)

    @cached_property
    def ledgers(self) -> list[tuple[int, Database]]:
        """How many events, and where: a small ledger and one ten times as large."""
        if self.given:
            return [(_events(each), each) for each in map(Database, self.given)]
        evening, like, made = Evening.of(self.dealt), self.dealt, []
        for size in self.sizes:
            database = self.new_database(like)
            self.say(f"making a ledger of {size:,} events")
            multiply(database, evening, size, self._progress(size))
            made.append((_events(database), like := database))
        return made

    @cached_property
    def grown(self) -> list[tuple[int, Database]]:
        """The same ledgers, all projections caught up, and the planner told of their rows."""
        for events, database in self.ledgers:
            self.say(f"growing the projections of {events:,} events")
            with database.session("sabot_projector") as connection:
                bring_up(connection, *PROJECTIONS.values())
            if not self.given:
                with database.connect_as_is() as connection:
                    connection.execute("VACUUM ANALYZE")
        return self.ledgers

    def _progress(self, size: int) -> Callable[[int], None]:
        told = 0

        def said(head: int) -> None:
            nonlocal told
            if head - told >= size // 4 >= 100_000:
                told = head
                self.say(f"  {head:,} events")

        return said


def _events(database: Database) -> int:
    with database.session("sabot_auditor") as connection:
        return head_of(connection)
