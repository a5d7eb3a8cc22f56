"""Lines a second through `sabot feed`, and single rows inserted durably beside it.

`one table`: whoever sends waits for each answer, which means that the line is on disk, before the
next. `in bulk`: a file of twenty tables' lines is piped in, and only the end is waited for; what
the program takes to start is taken off.
"""

import json
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice

from ops.ledger.database import Database
from ops.simulation.run import Plan
from tests.bench.crew import Crew
from tests.bench.figures import OURS, Figure, Work, in_turn
from tests.bench.programs import SABOT, run, surroundings
from tests.bench.rivals import limit
from tests.bench.setting import Setting

PART = "feed"
ROWS = "single rows inserted"
ONE_TABLE, IN_BULK = "one table, each line answered before the next", "twenty tables, a piped file"
FEED = [SABOT, "feed", "--replayed-days"]


def lines_of(tables: int, most: int) -> list[bytes]:
    """The first lines of an evening, as JSON Lines."""
    plan = Plan(tables=tables, coups=200, seed=5)
    lines = plan.lines(range(1, tables + 1))
    return [json.dumps(line).encode() + b"\n" for line in islice(lines, most)]


def measure(setting: Setting) -> Iterator[Figure]:
    """Lines a second, both ways of feeding."""
    url = setting.new_database().url
    limit.install(url)
    payload = setting.payloads["command"]
    slow, bulk = (200, 600) if setting.quick else (3_000, 20_000)
    with Crew(1, {"rows": url}) as crew:
        rows = partial(crew.run, "rows", payload, 1, 2 * setting.seconds)
        for name, fed in (
            (ONE_TABLE, partial(_one_by_one, lines_of(1, slow))),
            (IN_BULK, partial(_in_bulk, lines_of(20, bulk))),
        ):
            setting.say(f"feed: {name}")
            ways: dict[str, Work] = {OURS: partial(_fed, setting, fed), ROWS: lambda: rows().rate}
            runs = in_turn(ways, 2 if setting.quick else 5)
            yield Figure(PART, name, "lines/s", runs, more_is_better=True)


def _fed(setting: Setting, fed: "partial[float]") -> float:
    return fed(setting.new_database())


def _one_by_one(lines: list[bytes], database: Database) -> float:
    """Lines a second from the first answer to the last."""
    with subprocess.Popen(
        FEED, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=surroundings(database)
    ) as feed:
        assert feed.stdin
        assert feed.stdout
        begun = 0.0
        for line in lines:
            feed.stdin.write(line)
            feed.stdin.flush()
            feed.stdout.readline()
            begun = begun or time.perf_counter()
        return (len(lines) - 1) / (time.perf_counter() - begun)


def _in_bulk(lines: list[bytes], database: Database) -> float:
    """Lines a second, less a start of the program with the first line alone."""
    begun = time.perf_counter()
    run(FEED, database, lines[:1])
    started = time.perf_counter()
    run(FEED, database, lines[1:])
    ended = time.perf_counter()
    return (len(lines) - 1) / ((ended - started) - (started - begun))
