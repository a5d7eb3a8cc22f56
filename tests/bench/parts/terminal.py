"""From the key to the screen: `sabot dealer` in a real terminal, line by line.

Each line takes turns with the same command given without a terminal, and with the echo of one key,
which shows how much of the time is the ledger and how much is drawing. What is on the screen is on
disk by then.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from tests.bench.figures import Figure, percentile
from tests.bench.setting import Setting
from tests.ops.terminal import typed
from tests.ops.terminal.real import Terminal

PART = "terminal"
NAME = "a line typed by a dealer"
SEAT = "8"
ALONE, ECHO = "without a terminal", "key to echo"
SCREEN, OTHER = "Enter to screen", "Enter to another terminal's screen"


def measure(setting: Setting) -> Iterator[Figure]:
    """Milliseconds: the median and the 99th percentile of each repeat."""
    lines, repeats = (10, 1) if setting.quick else (60, 3)
    for columns, rows in ((80, 24),) if setting.quick else ((80, 24), (160, 48)):
        setting.say(f"{NAME}, {columns}×{rows}")
        size = columns, rows
        taken = [_typed(setting.new_database(), lines, size) for _ in range(repeats)]
        for suffix, percent in (("", 50), (": p99", 99)):
            runs = {
                way: [percentile(repeat[way], percent) for repeat in taken]
                for way in (ALONE, ECHO, SCREEN, OTHER)
            }
            yield Figure(PART, f"{NAME}, {columns}×{rows}{suffix}", "ms", runs, base=ALONE)


def _typed(database: Database, lines: int, size: tuple[int, int]) -> dict[str, list[float]]:
    """Bets that replace one another, so that the table does not change."""
    with closing(Session(HouseHere(database), "B01", by="D-204")) as session:
        session.open(60)
        for line in typed.preparation():
            assert session.say(line).kind == "done"
    dispatcher = Dispatcher(Casino(Ledger(database)), "bench")
    bet = {"command": "bet", "table": "B01", "seat": 1, "spot": "banker", "by": "D-204"}
    times: dict[str, list[float]] = {ALONE: [], ECHO: [], SCREEN: [], OTHER: []}
    here = {"SABOT_DATABASE_URL": database.url}
    with (
        Terminal("dealer", "B01", "--by", "D-204", surroundings=here, size=size) as first,
        Terminal("dealer", "B01", "--by", "D-205", surroundings=here, size=size) as second,
    ):
        for each in (first, second):
            each.wait_for("seat, spot, amount")
        for n in range(lines):
            amount = 105 + 5 * n
            line = f"{SEAT} b {amount}"
            pressed = first.type(line)
            times[ECHO].append(first.wait_for(f"› {line}") - pressed)
            seen = _shows(f" {amount:,} ")
            pressed = first.type("\r")
            times[SCREEN].append(first.wait_for(seen) - pressed)
            times[OTHER].append(second.wait_for(seen) - pressed)
            began = time.monotonic()
            assert dispatcher.dispatch({**bet, "amount": amount * 100}).ok
            times[ALONE].append(time.monotonic() - began)
    dispatcher.casino.close()
    return {way: [1000 * each for each in seconds] for way, seconds in times.items()}


def _shows(text: str) -> Callable[[list[str]], bool]:
    return lambda rows: any("王小明" in row and text in row for row in rows[:8])
