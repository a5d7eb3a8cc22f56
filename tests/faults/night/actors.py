"""Who is there in a night: dealers, a cage, hands at one table, a door, a browser, readers.

Each sends lines, in a process of its own, and notes what it was told. Whoever is killed goes on
where the notes end: the line that was under way is sent again, under its id.
"""

import json
import os
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from ops.commands.casino import Casino
from ops.commands.read import Line
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.several import dispatch_several
from ops.ledger import clock
from ops.ledger.database import Database, LedgerLost
from ops.ledger.recorder import Ledger
from ops.reports.ask import ask
from ops.words.failure import Failure
from projections import REPORTS
from tests.faults.hand import due_act
from tests.faults.night.browser import Browser, disputes, is_form
from tests.faults.night.schedule import Actor, Schedule, moved_to

Body = dict[str, Any]
Script = Generator[list[Line], list[Body], None]
SHARED, CAGE = "B01", "C01"
NOTED = ("id", "ok", "position", "error", "slip", "due", "coup", "case")
TWO = {"by": "D-204", "with": "S-11"}


class World(Struct, frozen=True):
    """Where a night takes place."""

    place: Path
    url: str
    schedule: Schedule

    def notes(self, actor: Actor) -> Path:
        return self.place / f"told-{actor.name}"

    def clock(self, actor: Actor) -> Path:
        """The file that says by how many seconds an actor's clock is wrong."""
        return self.place / f"clock-{actor.name}"

    @property
    def house(self) -> Path:
        """The file with the address of the house server."""
        return self.place / "address"

    def let_go_on(self, share: float) -> None:
        """Everybody may go on until this share of what they have to say."""
        fresh = self.place / "share.part"
        fresh.write_text(str(share))
        fresh.replace(self.place / "share")

    def wait_for_turn(self, sent: int, most: int) -> bool:
        """Whether an actor may go on that has sent so many lines of its `most`; it waits a bit."""
        if sent < float((self.place / "share").read_text()) * most:
            return True
        time.sleep(0.01)
        return False

    @property
    def env(self) -> dict[str, str]:
        """The environment of every program of the night."""
        home = self.place / "home"
        return {
            "SABOT_HOME": str(home),
            "SABOT_DATABASE_URL": self.url,
            "SABOT_PEPPER_FILE": str(self.place / "house" / "pepper"),
            "SABOT_AUDIT_KEYS": str(home / "keys"),
            "SABOT_ACKNOWLEDGED": str(home / "acknowledged"),
            "SABOT_VERIFIED": str(home / "verified"),
            "SABOT_SESSION": str(home / "session"),
        }


def told(world: World, actor: Actor) -> list[Body]:
    """What an actor was told; the last note may be cut short by a kill."""
    file = world.notes(actor)
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    return [json.loads(line) for line in lines]


def noted(body: Body) -> Body:
    """What an actor keeps of an answer."""
    return {name: body[name] for name in NOTED if name in body}


def send(world: World, actor: Actor) -> None:
    """All that is left of an actor's lines, until each is answered."""
    os.environ.update(world.env)
    _set_clock(world.clock(actor))
    script, known = script_of(world.schedule, actor), told(world, actor)
    before = world.notes(actor).read_bytes() if known else b""
    dispatcher = Dispatcher(
        Casino(Ledger(Database(world.url)), made_up=True), "night", patience=1.0
    )
    browser = Browser(world.house.read_text()) if actor.kind == "browser" else None
    with world.notes(actor).open("wb", buffering=0) as out:
        out.write(before[: before.rfind(b"\n") + 1])
        lines, sent, most = next(script), 0, world.schedule.expected(actor)
        while True:
            while not known and not world.wait_for_turn(sent, most):
                pass
            sent += len(lines)
            bodies, known = known[: len(lines)], known[len(lines) :]
            left = lines[len(bodies) :]
            by_form = browser is not None and any(map(is_form, left))
            for body in browser.answers(left) if by_form else _answers(dispatcher, left):
                bodies.append(noted(body))
                out.write(json.dumps(bodies[-1]).encode() + b"\n")
            try:
                lines = script.send(bodies)
            except StopIteration:
                break


def _answers(dispatcher: Dispatcher, lines: list[Line]) -> list[Body]:
    """The answers to lines that are sent together, whatever it takes."""
    while lines:
        with suppress(LedgerLost):
            return [each.body for each in dispatch_several(dispatcher, lines)]
        time.sleep(0.02)
    return []


def _set_clock(off: Path) -> None:
    """This process's clock is wrong by what the file says."""
    right = clock.wall_clock

    def wrong() -> datetime:
        with suppress(OSError, ValueError):
            return right() + timedelta(seconds=float(off.read_text()))
        return right()

    from ops.ledger import fit, recorder

    clock.wall_clock = wrong
    fit.machine_clock = recorder.machine_clock = wrong  # type: ignore[attr-defined]


def script_of(schedule: Schedule, actor: Actor) -> Script:
    """What an actor says, in the order in which it says it."""
    random = Random(f"{schedule.seed}/{actor.name}")
    if actor.kind == "hand":
        return _hand(schedule, actor.number, random)
    if actor.kind == "cage":
        return _cage(schedule, random)
    if actor.kind == "browser":
        return disputes(schedule.dealt(actor), f"{schedule.seed}-{actor.name}", random)
    return _dealer(schedule, schedule.dealt(actor), random)


def _dealer(schedule: Schedule, lines: Iterator[Line], random: Random) -> Script:
    """Now and then several lines wait, and are sent together."""
    while waiting := list(islice(lines, random.choice((1, 1, 1, 7)))):
        yield waiting


def _hand(schedule: Schedule, number: int, random: Random) -> Script:
    """Does what it likes at a table that others use: most of it is refused, or in conflict."""
    moment = datetime(2026, 11, 21, 20, tzinfo=UTC).replace(
        month=schedule.day.month, day=schedule.day.day
    )
    opener = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "day": str(schedule.day), **TWO}
    said: list[Line] = [{"command": "table.open", **opener}] if number == 1 else []
    due = None
    for n in range(schedule.size.rounds):
        line = said.pop() if said else due_act(due if n % 2 else None, random)
        at = {"at": (moment + timedelta(seconds=n)).isoformat()}
        [body] = yield [
            moved_to(
                schedule.day,
                {**line, "table": SHARED, **at, "id": f"{schedule.seed}-hand-{number}-{n}"},
            )
        ]
        due = body.get("due")


def _cage(schedule: Schedule, random: Random) -> Script:
    """Opens a table of its own, brings and takes chips with slips, and counts all at the end."""
    moment = datetime(2026, 11, 21, 20, tzinfo=UTC).replace(
        month=schedule.day.month, day=schedule.day.day
    )
    sent = 0

    def line(command: str, **fields: object) -> list[Line]:
        nonlocal sent
        sent += 1
        at = (moment + timedelta(seconds=sent)).isoformat()
        table = {} if "slip" in fields or "box" in fields else {"table": CAGE}
        name = f"{schedule.seed}-cage-{sent}"
        return [
            moved_to(schedule.day, {"command": command, **table, "at": at, **fields, "id": name})
        ]

    chips, cash = 200, 0
    rules = {"rules": "classic@1", "opener": {"10000": chips}, "day": str(schedule.day)}
    yield line("table.open", **rules, **TWO)
    yield line("table.seat", seat=1, patron="P-1", by="D-204")
    for _ in range(schedule.size.rounds // 4):
        match random.choice(("fill", "credit", "buy-in", "cash-out")):
            case "fill" | "credit" as kind:
                more = random.randrange(1, 20)
                [body] = yield line("slip.request", kind=kind, chips={"10000": more}, **TWO)
                slip = {"slip": body["slip"]}
                yield line("slip.issue", **slip, by="C-1")
                yield line("slip.carry", **slip, by="R-1")
                [body] = yield line("slip.receive", **slip, **TWO)
                chips += (more if kind == "fill" else -more) * body["ok"]
            case "buy-in" as kind:
                more = random.randrange(1, 5)
                [body] = yield line(f"table.{kind}", seat=1, amount=more * 100_00, by="D-204")
                chips, cash = chips - more * body["ok"], cash + more * 100_00 * body["ok"]
            case "cash-out" as kind:
                more = random.randrange(1, 3)
                [body] = yield line(f"table.{kind}", seat=1, amount=more * 100_00, **TWO)
                chips += more * body["ok"]
    yield line("table.leave", seat=1, by="D-204")
    yield line("table.close", closer={"10000": chips}, confirmed=True, **TWO)
    yield line("table.drop", amount=cash, by="C-1", **{"with": "S-11"})


def read(world: World, number: int) -> None:
    """Asks reports, one after the other, until the night is over."""
    os.environ.update(world.env)
    random, asked = Random(f"{world.schedule.seed}/reader-{number}"), 0
    database = Database(world.url)
    while not (world.place / "over").exists():
        name = random.choice(sorted(REPORTS))
        with suppress(Failure):  # in words: the ledger is lost, or a projection is being rebuilt
            rows = ask(database, REPORTS[name]).rows
            asked += 1
            if name == "commission-proof":
                assert {row["difference"] for row in rows} <= {0}, rows
        time.sleep(0.1)
    (world.place / f"asked-{number}").write_text(str(asked))
