"""How quickly whole ranges are adjudicated again, beside reading the same events alone.

One process, both in turn, on the ledger that is set or said, or on one that is made up. What the
database takes to hand the events out is the least that anybody can need.
"""

import gc
import sys
import time
from dataclasses import dataclass
from functools import partial

from rich.console import Console

from ops.ledger.database import Database
from ops.ledger.recorder import head_of
from ops.replay.readjudicate import Range, Walked, walk
from tests.bench.ledgers import once, pointed_at

ROUNDS = 5
PIECE = 5_000


def read(database: Database) -> None:
    """Every event, in the order of the ledger, and nothing done with it."""
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
        for after in range(0, head, PIECE):
            connection.execute(
                "SELECT originator_id, originator_version, topic, state, position"
                " FROM ledger.events WHERE position > %s AND position <= %s ORDER BY position",
                (after, min(after + PIECE, head)),
                binary=True,
            ).fetchall()


@dataclass(frozen=True)
class Measured:
    """Up to which position, what came of it, and the best seconds of walking and of reading.

    `processor`: those of them that this process was at work, whatever else the machine had to do.
    """

    head: int
    walked: Walked
    walking: float
    processor: float
    reading: float


def measured(database: Database) -> Measured:
    """Both in turn, a few times."""
    head, walked = walk(database, Range(), processes=1)
    walks, processor, reads = [], [], []
    for _ in range(ROUNDS):
        begun = time.process_time()
        walks.append(once(partial(walk, database, Range(), 1)) / 1000)
        processor.append(time.process_time() - begun)
        reads.append(once(partial(read, database)) / 1000)
    return Measured(head, walked, min(walks), min(processor), min(reads))


def main() -> None:
    """Prints what was measured."""
    gc.disable()
    page = Console(highlight=False)
    with pointed_at(sys.argv[1:]) as databases:
        for database in databases:
            tell(page, measured(database))


def tell(page: Console, found: Measured) -> None:
    """One ledger's figures."""
    coups, events = found.walked.coups, found.walked.events
    page.print(f"{found.head:,} events, {coups:,} coups, {len(found.walked.disagreeing)} disagree")
    page.print(
        f"adjudicated again: {coups / found.walking:,.0f} coups/s, "
        f"{events / found.walking:,.0f} of their events/s, {found.walking:.2f} s; "
        f"{coups / found.processor:,.0f} coups for each second of its processor"
    )
    page.print(f"read alone: {found.head / found.reading:,.0f} events/s, {found.reading:.2f} s")
    page.print(f"adjudicating takes {found.walking / found.reading:.1f} times as long as reading")


if __name__ == "__main__":
    main()
