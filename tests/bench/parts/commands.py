"""Whole commands a second through the dispatcher: read, decided, saved, answered, durable.

Twenty tables are shared out to as many processes as there are cores. Beside them, single rows that
as many processes insert durably, which decide nothing.
"""

import time
from collections.abc import Iterator
from functools import partial

from ops.simulation.run import Plan, dispatch_in_processes
from tests.bench.crew import Crew
from tests.bench.figures import OURS, Figure, Work, in_turn
from tests.bench.rivals import limit
from tests.bench.setting import CORES, Setting

PART = "commands"
ROWS = "single rows inserted"
NAMES = {1: "one table, one process", 20: "twenty tables, a process for each core"}


def measure(setting: Setting) -> Iterator[Figure]:
    """Commands a second, for one table and for twenty."""
    url = setting.new_database().url
    limit.install(url)
    with Crew(CORES, {"rows": url}) as crew:
        for tables, processes in ((1, 1), (20, CORES)):
            setting.say(NAMES[tables])
            ways: dict[str, Work] = {
                OURS: partial(_dealt, setting, tables, processes),
                ROWS: partial(_inserted, setting, crew, processes),
            }
            runs = in_turn(ways, 2 if setting.quick else setting.repeats)
            yield Figure(PART, NAMES[tables], "commands/s", runs, more_is_better=True)


def _inserted(setting: Setting, crew: Crew, processes: int) -> float:
    """Rows a second."""
    payload = setting.payloads["command"]
    return crew.run("rows", payload, processes, 2 * setting.seconds).rate


def _dealt(setting: Setting, tables: int, processes: int) -> float:
    """Commands a second of evenings dealt into an empty ledger, from the first answer on."""
    coups = (25 if tables == 1 else 2) if setting.quick else (200 if tables == 1 else 40)
    told = []
    dispatch_in_processes(
        setting.new_database().url,
        Plan(tables=tables, coups=coups, seed=5),
        processes,
        lambda lines: told.append((time.perf_counter(), lines)),
    )
    begun, _ = told[processes - 1]  # everybody's first hundred warm it up
    rest = told[processes:]
    return sum(lines for _, lines in rest) / (rest[-1][0] - begun)
