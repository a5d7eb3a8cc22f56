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
from tests.faults.night.backups import Backups
from tests.faults.night.company import Company
from tests.faults.night.operator import NightWitness, Operator, begin
from tests.faults.night.schedule import NIGHTS, Schedule
from tests.faults.night.servers import Servers
from tests.worlds.signing import new_key
from tests.worlds.witnesses import Witness, witness


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
    cosigned: int
    seconds: float

    def __str__(self) -> str:
        acts = ", ".join(f"{kind} {count}" for kind, count in sorted(self.done.items()))
        return (
            f"seed {self.schedule.seed}: {NIGHTS[self.schedule.day]}, {self.acknowledged} "
            f"acknowledged, {self.lost} lost, {self.doubled} doubled, {self.missing} gone by "
            f"restores, {self.events} events, {self.read} reports read, "
            f"{self.cosigned} checkpoints cosigned, {self.seconds:.0f} s; "
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
            operator.sign()
            outcome = _looked_at(schedule, operator, world, read)
    except Exception as error:
        again = f"scripts/faults night --seed {schedule.seed}"
        where = "".join(traceback.format_exception(error, limit=-6))
        raise Failed(f"{acts[-1]}: {where}Again: {again}\n{schedule}") from error
    outcome.seconds = time.monotonic() - begun
    return outcome


@contextmanager
def _company(schedule: Schedule) -> Iterator[tuple[Operator, World]]:
    with TemporaryDirectory(prefix="night-") as directory:
        place = Path(directory)
        for name in ("home", "house"):
            (place / name).mkdir()
        with closing(Servers(place)) as servers, witness() as stranger:
            world = World(place, servers.through.url, schedule)
            with patch.dict(os.environ, world.env):
                known = _signed_house(servers, stranger)
                with (
                    closing(Company(world)) as company,
                    closing(Backups(world)) as backups,
                ):
                    company.start()
                    yield Operator(servers, company, known, backups), world


def _signed_house(servers: Servers, stranger: Witness) -> NightWitness:
    """The house begins, its record is signed, and a witness knows its key."""
    with closing(Casino(Ledger(servers.through), made_up=True)) as casino:
        dispatcher = Dispatcher(casino, "night")
        begin(dispatcher)
        key, _ = new_key(dispatcher)
        line = {"command": "property.set", "name": "checkpoint_to", "value": stranger.place}
        answer = dispatcher.dispatch({**line, "by": "A-1"})
        assert answer.ok, str(answer)
    return NightWitness(stranger, key)


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
    return Outcome(
        schedule,
        operator.done,
        acknowledged=len(bodies),
        missing=operator.missing,
        lost=len(lost),
        doubled=len(doubled),
        events=events,
        read=read,
        cosigned=operator.witness.cosigned,
        seconds=0.0,
    )
