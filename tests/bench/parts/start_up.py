"""Processor time of a program from its start to its end, in milliseconds.

Compared with bare Python, and with Python that imports what every writing command needs.
"""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.simulation.run import FIRST_DAY, Plan
from tests.bench.figures import Figure, Work, in_turn
from tests.bench.programs import PYTHON, SABOT, run
from tests.bench.setting import Setting
from tests.worlds.house_server import house_server

PART = "start-up"
NAME = "processor time of a program"
EVENING = Plan(tables=1, coups=1, seed=5).evening(1, FIRST_DAY)
BARE, IMPORTS = "Python alone", "psycopg, click, msgspec alone"
HELP, BET, REPORT, ODDS = "sabot --help", "sabot bet", "sabot report", "sabot odds"
BY_DOOR = "sabot bet, at a terminal of a house server"


def measure(setting: Setting) -> Iterator[Figure]:
    """The processor time of each program, in turn."""
    database = setting.new_database()
    bet = _ready_for_bets(database)
    setting.say(NAME)
    least = EVENING.rules.main.minimum
    amounts = count(least + EVENING.rules.increment, EVENING.rules.increment)

    def one_shot(house: str = "") -> float:
        words = [bet["table"], str(bet["seat"]), bet["spot"], str(next(amounts) // 100)]
        return _processor([SABOT, "bet", *words, "--at", bet["at"]], database, house)

    commands: dict[str, list[str]] = {
        BARE: [PYTHON, "-c", "pass"],
        IMPORTS: [PYTHON, "-c", "import psycopg, click, msgspec"],
        HELP: [SABOT, "--help"],
        REPORT: [SABOT, "report", "table-win", "--day", str(FIRST_DAY), "--json"],
        ODDS: [SABOT, "odds", "--json"],
    }
    ways: dict[str, Work] = {
        name: partial(_processor, command, database) for name, command in commands.items()
    }
    with (
        TemporaryDirectory() as home,
        house_server(database, Path(home), alone=True) as server,
    ):
        ways |= {BET: one_shot, BY_DOOR: partial(one_shot, server.address)}
        in_turn(ways, 1)  # whatever is compiled once is by then
        runs = in_turn(ways, 3 if setting.quick else 11)
    yield Figure(PART, NAME, "ms", runs, base=IMPORTS)


def _processor(command: list[str], database: Database, house: str = "") -> float:
    return run(command, database, house=house).processor * 1000


def _ready_for_bets(database: Database) -> dict[str, Any]:
    """Records an evening up to its first bet; the bet, which is measured again and again."""
    with closing(Casino(Ledger(database), made_up=True)) as casino:
        dispatcher = Dispatcher(casino, "bench")
        for line in EVENING.lines():
            assert dispatcher.dispatch(line).ok
            if line["command"] == "bet":
                return line
    raise AssertionError("nobody bets")
