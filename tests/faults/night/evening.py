"""One night: everybody comes, everything happens, and what must hold is looked at."""

import os
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from msgspec import Struct

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from tests.faults.night import checks
from tests.faults.night.actors import World, told
from tests.faults.night.company import Company
from tests.faults.night.operator import Operator, begin
from tests.faults.night.schedule import NIGHTS, Schedule
from tests.faults.night.servers import Servers
from tests.worlds.signing import new_key


class Failed(AssertionError):
    """A night in which something was lost, doubled or wrong."""


class Outcome(Struct):
    """What is told of a night."""

    schedule: Schedule
    done: Counter[str]
    acknowledged: int
    missing: int  # that restores lost, and two people accepted
    lost: int
    doubled: int
    events: int
    read: int
    seconds: float

    def __str__(self) -> str:
        acts = ", ".join(f"{kind} {count}" for kind, count in sorted(self.done.items()))
        return (
            f"seed {self.schedule.seed}: {NIGHTS[self.schedule.day]}, {self.acknowledged} "
            f"acknowledged, {self.lost} lost, {self.doubled} doubled, {self.missing} gone by "
            f"restores, {self.events} events, {self.read} reports read, {self.seconds:.0f} s; "
            f"{self.done.total()} acts: {acts}"
        )


def night(schedule: Schedule) -> Outcome:
    """The outcome of a night. Raises Failed, with the schedule and the act that came last."""
    begun, acts = time.monotonic(), ["before the first act"]
    try:
        with _company(schedule) as (operator, world):
            for number, act in enumerate(schedule.acts, 1):
                acts.append(f"act {number}, {act}")
                later = [each.after for each in schedule.acts[number:]]
                operator.do(act, later[0] if later else schedule.lines)
            read = operator.company.finish()
            acts.append("the checks after the last act")
            operator.servers.up()
            outcome = _looked_at(schedule, operator, world, read)
    except Exception as error:
        again = f"scripts/faults night --seed {schedule.seed}"
        where = "".join(traceback.format_exception(error, limit=-1))
        raise Failed(f"{acts[-1]}: {where}Again: {again}\n{schedule}") from error
    outcome.seconds = time.monotonic() - begun
    return outcome


@contextmanager
def _company(schedule: Schedule) -> Iterator[tuple[Operator, World]]:
    with TemporaryDirectory(prefix="night-") as directory:
        place = Path(directory)
        for name in ("home", "house"):
            (place / name).mkdir()
        with closing(Servers(place)) as servers:
            world = World(place, servers.through.url, schedule)
            with patch.dict(os.environ, world.env):
                with closing(Casino(Ledger(servers.through), made_up=True)) as casino:
                    dispatcher = Dispatcher(casino, "night")
                    begin(dispatcher)
                    new_key(dispatcher)
                with closing(Company(world)) as company:
                    company.start()
                    yield Operator(servers, company), world


def _looked_at(schedule: Schedule, operator: Operator, world: World, read: int) -> Outcome:
    database, company = operator.servers.first_database, operator.company
    on_record = checks.kept(database)
    bodies = [body for actor in company.everybody for body in told(world, actor)]
    lost = [body for body in bodies if not checks.is_kept(body, on_record)]
    doubled = checks.doubled(database, {body["id"] for body in bodies})
    assert not lost, f"lost: {lost[:3]}"
    assert not doubled, f"doubled: {doubled[:3]}"
    events = checks.require_chained(database)
    by_wrong_clock = {body["id"] for actor in company.wrong_clock for body in told(world, actor)}
    checks.require_verified(database, by_wrong_clock)
    checks.require_money(world, database)
    checks.require_as_undisturbed(world, database, company.dealt)
    done = operator.done
    return Outcome(
        schedule, done, len(bodies), operator.missing, len(lost), len(doubled), events, read, 0.0
    )
