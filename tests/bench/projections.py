"""Events per second that projections read: in batches, one by one, and compared with plain SQL.

All rows are in temporary tables, so that nothing of the database changes. Name a ledger as for
`tests.bench.read_side`; without one an evening is simulated.
"""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.reports.rebuild import PIECE, temporary_rows
from ops.reports.runner import BATCH, catch_up
from projections import PROJECTIONS, Projection
from tests.bench.by_hand import STATEMENTS
from tests.bench.ledgers import pointed_at

if TYPE_CHECKING:
    import psycopg

EVERY = list(PROJECTIONS.values())
TWO = [PROJECTIONS["wagers"], PROJECTIONS["commission_owed"]]  # which plain SQL grows, too
ONE_BY_ONE = 500  # events; they take as long as many thousands together
MOST = 100_000  # events
TIMES = 5


def measure(database: Database, times: int = TIMES) -> dict[str, float]:
    """Events per second of each way, the median of several turns.

    `one_by_one`: a transaction for each event, with all projections; `live`: the runner's batches;
    `rebuild`: a rebuild in one process. `two`: a rebuild of wagers and commission only;
    `two_by_hand`: hand-written SQL for the same rows.
    """
    with database.session("sabot_projector") as connection:
        connection.prepared_max = None
        end = min(head_of(connection), MOST)
        ways: dict[str, Callable[[], float]] = {
            "one_by_one": lambda: _fed(connection, EVERY, min(end, ONE_BY_ONE), batch=1),
            "live": lambda: _fed(connection, EVERY, end, batch=BATCH),
            "rebuild": lambda: _rebuilt(connection, EVERY, end),
            "two": lambda: _rebuilt(connection, TWO, end),
            "two_by_hand": lambda: _by_hand(connection, end),
        }
        rates: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(times):
            for name, way in ways.items():
                rates[name].append(way())
    return {name: statistics.median(each) for name, each in rates.items()}


def _fed(
    connection: "psycopg.Connection[Any]", projections: Sequence[Projection], end: int, batch: int
) -> float:
    """The rate of feeding projections as the runner does, under the lock."""
    with temporary_rows(connection, projections, 0):
        return _rate(end, lambda: catch_up(connection, *projections, until=end, batch=batch))


def _rebuilt(
    connection: "psycopg.Connection[Any]", projections: Sequence[Projection], end: int
) -> float:
    def grow() -> None:
        catch_up(connection, *projections, until=end, batch=PIECE, alone=True)

    with temporary_rows(connection, projections, 0):
        return _rate(end, grow)


def _by_hand(connection: "psycopg.Connection[Any]", end: int) -> float:
    with temporary_rows(connection, TWO, 0):
        return _rate(end, lambda: _grow_by_hand(connection, end))


def _grow_by_hand(connection: "psycopg.Connection[Any]", end: int) -> None:
    with connection.transaction():
        # Nothing goes to disk; and the planner cannot guess how many rows the JSON makes.
        connection.execute("SET LOCAL work_mem = '256MB'")
        connection.execute("SET LOCAL enable_nestloop = off")
        for statement in STATEMENTS:
            connection.execute(statement, {"until": end})


def differing(database: Database) -> dict[str, int]:
    """How many rows of each table differ from the hand-written SQL's; corrected ones do."""
    tables = [table for each in TWO for table in each.tables]
    with database.session("sabot_projector") as connection:
        end = min(head_of(connection), MOST)
        rows = []
        for by_hand in (True, False):
            with temporary_rows(connection, TWO, 0 if by_hand else end):
                if by_hand:
                    _grow_by_hand(connection, end)
                rows.append(
                    {
                        table: set(connection.execute(f"SELECT r::text FROM {table} r"))
                        for table in tables
                    }
                )
    return {table: len(rows[0][table] ^ rows[1][table]) for table in tables}


def _rate(events: int, work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return events / (time.perf_counter() - begun)


def main() -> None:
    """Prints the rates, and their ratios."""
    with pointed_at(sys.argv[1:]) as [database, *_]:
        rates = measure(database)
        for name, rate in rates.items():
            print(f"{name:<12} {rate:>10,.0f} events/s")
        print(f"live is {rates['live'] / rates['one_by_one']:.1f} × one by one")
        print(f"two projections are {rates['two'] / rates['two_by_hand']:.2f} × SQL by hand")
        print(f"rows that differ from SQL by hand: {differing(database)}")


if __name__ == "__main__":
    main()
