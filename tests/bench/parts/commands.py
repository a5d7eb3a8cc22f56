"""Whole commands per second through the dispatcher: read, decided, saved, answered, on disk.

Twenty tables are divided among as many processes as there are cores. The comparison is as many
processes that insert single rows durably and decide nothing.
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
    """Commands per second, for one table and for twenty."""
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
    """Rows per second."""
    payload = setting.payloads["command"]
    return crew.run("rows", payload, processes, 2 * setting.seconds).rate


def _dealt(setting: Setting, tables: int, processes: int) -> float:
    """Commands per second of simulated evenings into an empty ledger, after a warm-up."""
    coups = (25 if tables == 1 else 2) if setting.quick else (200 if tables == 1 else 40)
    batches = []
    dispatch_in_processes(
        setting.new_database().url,
        Plan(tables=tables, coups=coups, seed=5),
        processes,
        lambda lines: batches.append((time.perf_counter(), lines)),
    )
    begun, _ = batches[processes - 1]  # the first hundred of every process are a warm-up
    rest = batches[processes:]
    return sum(lines for _, lines in rest) / (rest[-1][0] - begun)
