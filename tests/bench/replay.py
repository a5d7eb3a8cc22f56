"""How long one coup takes to be told again, and whether that depends on how much else there is.

The same question to the ledgers in turn, a coup of each picked at random every time: median and
99th percentile, and the ratio of the last ledger's to the first one's. Say a small and a large one.
"""

import gc
import json
import random
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from domain.rules.addresses import Coup
from ops.ledger.recorder import head_of
from ops.replay.story import find
from tests.bench.ledgers import once, pointed_at
from tests.stories import as_dict

if TYPE_CHECKING:
    import psycopg

TIMES = 2_000
WARM = 50


def some_coups(connection: "psycopg.Connection[Any]", times: int) -> list[Coup]:
    """Each the first that was opened behind a random position."""
    head, chance = head_of(connection), random.Random(7)
    found = []
    while len(found) < times:
        row = connection.execute(
            "SELECT state FROM ledger.events WHERE position >= %s AND topic = 'coup.opened'"
            " ORDER BY position LIMIT 1",
            (chance.randint(1, head),),
        ).fetchone()
        if row:
            found.append(Coup.parse(json.loads(row[0])["coup"]))
    return found


def taken(connections: "list[psycopg.Connection[Any]]", times: int = TIMES) -> list[list[float]]:
    """Milliseconds for each ledger, sorted; the ledgers take turns."""
    asked = [some_coups(each, times + WARM) for each in connections]
    found: list[list[float]] = [[] for _ in connections]
    for n in range(times + WARM):
        for connection, coups, milliseconds in zip(connections, asked, found, strict=True):
            took = once(lambda at=coups[n], on=connection: as_dict(find(on, at)))
            if n >= WARM:
                milliseconds.append(took)
    return [sorted(each) for each in found]


def main() -> None:
    """Prints what was measured."""
    gc.disable()
    table = Table("ledger", "events", "p50, ms", "p99, ms")
    with pointed_at(sys.argv[1:]) as databases:
        connections = [database.connect("sabot_auditor") for database in databases]
        heads = [head_of(each) for each in connections]
        of_each = taken(connections)
        for connection in connections:
            connection.close()
    p99 = [each[len(each) * 99 // 100] for each in of_each]
    for n, (head, each) in enumerate(zip(heads, of_each, strict=True), 1):
        table.add_row(f"{n}", f"{head:,}", f"{each[len(each) // 2]:.2f}", f"{p99[n - 1]:.2f}")
    page = Console(highlight=False)
    page.print(table)
    if len(p99) > 1:
        page.print(f"p99 of the last is {p99[-1] / p99[0]:.2f} times that of the first")


if __name__ == "__main__":
    main()
