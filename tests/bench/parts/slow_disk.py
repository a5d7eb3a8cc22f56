"""Saves per second on a slow disk, with the lock released before the flush or held until after it.

Sixteen writers on a server whose every flush takes two milliseconds longer (a few lines of C,
preloaded). Both ways in turn, and once more while somebody holds a snapshot open.
"""

import shutil
from collections.abc import Iterator
from functools import partial

import psycopg

from tests.bench.crew import Crew
from tests.bench.figures import OURS, Figure, in_turn
from tests.bench.payload import Payload
from tests.bench.servers import slow_server
from tests.bench.setting import Setting

PART = "slow-disk"
NAME = "a single command, 16 writers, 2 ms a flush"
LOCKED = "lock held through the flush"
WRITERS = 16
_WAYS = {OURS: "sabot", LOCKED: "locked"}


def measure(setting: Setting) -> Iterator[Figure]:
    """Saves per second of both ways; skipped without a C compiler."""
    if not shutil.which("cc"):
        why = "skipped: there is no C compiler for the slow disk"
        setting.say(why)
        yield Figure(PART, NAME, "saves/s", {}, dict.fromkeys(_WAYS, why), more_is_better=True)
        return
    payload = setting.payloads["command"]
    setting.say("making a server with a slow disk")
    with slow_server() as server, server.database() as database:
        urls = dict.fromkeys(_WAYS.values(), database.url)
        with Crew(WRITERS, urls) as crew, psycopg.connect(database.url) as snapshot:
            yield _figure(setting, crew, payload, NAME)
            if not setting.quick:
                snapshot.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                snapshot.execute("SELECT count(*) FROM ledger.events")
                yield _figure(setting, crew, payload, f"{NAME}, a snapshot held open")


def _figure(setting: Setting, crew: Crew, payload: Payload, name: str) -> Figure:
    setting.say(name)

    def rate(way: str) -> float:
        return crew.run(way, payload, WRITERS, setting.seconds).rate

    ways = {way: partial(rate, name) for way, name in _WAYS.items()}
    return Figure(PART, name, "saves/s", in_turn(ways, setting.repeats), more_is_better=True)
