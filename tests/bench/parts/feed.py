"""Lines per second through `sabot feed`, compared with inserting single rows durably.

`one table`: the sender waits for each answer, which means that the line is on disk, before it sends
the next. `a piped file`: the lines of twenty tables are sent at once, and measured until the last
answer. The program has started and answered one line before the clock starts.
"""

import json
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import IO

from ops.ledger.database import Database
from ops.simulation.run import Plan
from tests.bench.crew import Crew
from tests.bench.figures import OURS, Figure, Work, in_turn
from tests.bench.programs import SABOT, surroundings
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
    """Lines per second, for both ways of feeding."""
    url = setting.new_database().url
    limit.install(url)
    payload = setting.payloads["command"]
    slow, bulk = (200, 1_500) if setting.quick else (3_000, 20_000)
    with Crew(1, {"rows": url}) as crew:
        rows = partial(crew.run, "rows", payload, 1, 2 * setting.seconds)
        for name, fed in (
            (ONE_TABLE, partial(_one_by_one, lines_of(1, slow))),
            (IN_BULK, partial(_in_bulk, lines_of(20, bulk))),
        ):
            setting.say(f"feed: {name}")
            ways: dict[str, Work] = {OURS: partial(_fed, setting, fed), ROWS: lambda: rows().rate}
            runs = in_turn(ways, setting.repeats)
            yield Figure(PART, name, "lines/s", runs, more_is_better=True)


def _fed(setting: Setting, fed: "partial[float]") -> float:
    return fed(setting.new_database())


def _one_by_one(lines: list[bytes], database: Database) -> float:
    """Lines per second after the first, each sent after the answer to the one before."""
    with _feeding(lines[0], database) as (sends, answers):
        begun = time.perf_counter()
        for line in lines[1:]:
            sends.write(line)
            sends.flush()
            answers.readline()
        return (len(lines) - 1) / (time.perf_counter() - begun)


def _in_bulk(lines: list[bytes], database: Database) -> float:
    """Lines per second after the first, all sent at once, measured until the last answer."""
    with _feeding(lines[0], database) as (sends, answers):
        sender = threading.Thread(target=_send, args=(sends, lines[1:]))
        begun = time.perf_counter()
        sender.start()
        for _ in lines[1:]:
            answers.readline()
        took = time.perf_counter() - begun
        sender.join()
        return (len(lines) - 1) / took


def _send(sends: IO[bytes], lines: list[bytes]) -> None:
    sends.writelines(lines)
    sends.flush()


@contextmanager
def _feeding(first: bytes, database: Database) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """A running feed that has answered its first line: its input and its output."""
    with subprocess.Popen(
        FEED, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=surroundings(database)
    ) as feed:
        assert feed.stdin
        assert feed.stdout
        feed.stdin.write(first)
        feed.stdin.flush()
        feed.stdout.readline()
        yield feed.stdin, feed.stdout
