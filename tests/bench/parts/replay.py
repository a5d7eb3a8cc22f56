"""The time of one replay, and whether it depends on the size of the ledger.

The same question to a small ledger and to a large one in turn, for a random coup each time.
"""

import json
import random
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from domain.rules.addresses import Coup
from ops.ledger.reading import head_of
from ops.replay.story import find
from tests.bench.figures import Figure, percentile, timed
from tests.bench.parts.read_side import LARGE, SMALL
from tests.bench.setting import Setting
from tests.stories import as_dict

if TYPE_CHECKING:
    import psycopg

PART = "replay"
NAME, P99 = "one coup", "one coup: p99"
WARM = 10


def measure(setting: Setting) -> Iterator[Figure]:
    """Milliseconds of a replay: the median and the 99th percentile of each repeat."""
    setting.say("replaying coups, small and large")
    connections = [each.connect("sabot_auditor") for _, each in setting.ledgers]
    times = 40 if setting.quick else 400
    names = [SMALL, LARGE][: len(connections)]
    taken = [_taken(connections, times) for _ in range(setting.repeats)]
    for connection in connections:
        connection.close()
    for name, percent in ((NAME, 50), (P99, 99)):
        runs = {
            way: [percentile(repeat[n], percent) for repeat in taken] for n, way in enumerate(names)
        }
        yield Figure(PART, name, "ms", runs, base=SMALL)


def _replay(connection: "psycopg.Connection[Any]", coup: Coup) -> object:
    return as_dict(find(connection, coup))


def _some_coups(connection: "psycopg.Connection[Any]", times: int) -> list[Coup]:
    """Random coups: each is the first that was opened after a random position."""
    head, chance = head_of(connection), random.Random(7)
    coups: list[Coup] = []
    while len(coups) < times:
        row = connection.execute(
            "SELECT state FROM ledger.events WHERE position >= %s AND topic = 'coup.opened'"
            " ORDER BY position LIMIT 1",
            (chance.randint(1, head),),
        ).fetchone()
        if row:
            coups.append(Coup.parse(json.loads(row[0])["coup"]))
    return coups


def _taken(connections: "list[psycopg.Connection[Any]]", times: int) -> list[list[float]]:
    """Milliseconds of each replay, for each ledger; the ledgers take turns."""
    asked = [_some_coups(each, times + WARM) for each in connections]
    times_each: list[list[float]] = [[] for _ in connections]
    for n in range(times + WARM):
        for connection, coups, milliseconds in zip(connections, asked, times_each, strict=True):
            took = timed(partial(_replay, connection, coups[n]))()
            if n >= WARM:
                milliseconds.append(took)
    return times_each
