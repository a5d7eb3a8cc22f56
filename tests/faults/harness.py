"""Writers in processes of their own, a server to kill, and what must hold afterwards."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from domain.rules import refusals
from ops.cli.audit.verify import walk
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.recorder import Ledger
from ops.simulation.run import Plan
from tests.faults.writer import write
from tests.worlds.power_cut import kill_postgresql
from tests.worlds.programs import FORKED

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess

Recorded = list[tuple[object, ...]]


def is_stored(error: str) -> bool:
    """Whether the answer with this refusal is kept; else its line is decided anew."""
    return bool(getattr(refusals, error).stored)


@dataclass
class Stand:
    """A server, writers, and the files in which they note what they were told.

    Without the database of a server that is somebody's, the server is the stand's own.
    """

    place: Path
    tables: int
    coups: int
    seed: int
    mode: str = "sound"
    of: Database | None = None
    kills: int = 0
    writers: dict[int, "ForkServerProcess"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.place.mkdir(parents=True, exist_ok=True)
        self.home = self.place / "home"
        self.server = Embedded(self.home)
        self.database = self.of or Database(home=self.server)
        self.random = Random(self.seed)
        self.plan = Plan(tables=self.tables, coups=self.coups, seed=self.seed, trouble=0.1)
        self.database.connect("sabot_app").close()

    def told_file(self, table: int) -> Path:
        return self.place / f"told-{table}"

    def told(self, table: int) -> list[str]:
        """The lines noted so far; the last may be cut short by a kill."""
        file = self.told_file(table)
        return file.read_text().split("\n")[:-1] if file.exists() else []

    def start(self, table: int) -> None:
        arguments = (self.database, self.plan, table, self.told_file(table), self.mode)
        self.writers[table] = FORKED.Process(target=write, args=arguments)
        self.writers[table].start()

    def finish(self, seconds: float = 300.0) -> None:
        """Starts every writer that is not done and waits for all of them."""
        for table in range(1, self.tables + 1):
            running = self.writers.get(table)
            if running is None or running.exitcode not in (None, 0):
                self.start(table)
        for writer in self.writers.values():
            writer.join(seconds)
            assert writer.exitcode == 0

    def kill_writer(self, table: int) -> None:
        self.writers[table].kill()
        self.writers[table].join()
        self.kills += 1

    def kill_server(self) -> None:
        """Postmaster and every child at once, as when the power goes."""
        kill_postgresql(self.server.data)
        self.kills += 1

    def wait_for_lines(self, lines: int, seconds: float = 60.0) -> None:
        """Until the writers have noted so many lines in all, or are done."""
        ends = time.monotonic() + seconds
        while self.noted() < lines and any(each.is_alive() for each in self.writers.values()):
            assert time.monotonic() < ends, "the writers stand still"
            time.sleep(0.002)

    def noted(self) -> int:
        """How many lines the writers have noted in all; asked so often that nothing is decoded."""
        files = (self.told_file(table) for table in range(1, self.tables + 1))
        return sum(file.read_bytes().count(b"\n") for file in files if file.exists())

    def lost(self) -> list[str]:
        """Acknowledged commands that the ledger does not have as they were acknowledged."""
        with self.database.connect("sabot_auditor") as connection:
            kept = dict(connection.execute("SELECT command_id, last_position FROM ledger.commands"))
        noted = [
            line
            for table in range(1, self.tables + 1)
            for line in self.told(table)
            if line != "done"
        ]
        return [
            line
            for line in noted
            if (found := line.split(" "))[0] not in kept
            or (found[1] != "None" and int(found[1]) != kept[found[0]])
        ]

    def acknowledged(self) -> int:
        """How many different commands were acknowledged."""
        return len({line for table in range(1, self.tables + 1) for line in self.told(table)})

    def whole(self) -> bool:
        """Whether the chain is good from the first event to the last."""
        return walk(self.database).ok

    def close(self) -> None:
        for writer in self.writers.values():
            writer.kill()
            writer.join()
        self.server.destroy()


def undisturbed(database: Database, plan: Plan) -> Recorded:
    """The same evening on a ledger of its own, with nobody killed."""
    dispatcher = Dispatcher(Casino(Ledger(database), made_up=True), "faults")
    for table in range(1, plan.tables + 1):
        for line in plan.lines([table]):
            dispatcher.dispatch(line)
    dispatcher.casino.close()
    return comparable(database)


def comparable(database: Database) -> Recorded:
    """What was recorded, without what differs from run to run: moments, positions, and
    whose command happened to be the first, founded the house or adopted its rules."""
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT originator_id, originator_version, topic, state, command_id "
            "FROM ledger.events "
            "WHERE topic NOT IN ('property.founded', 'rule-set.adopted') ORDER BY 1, 2"
        ).fetchall()
