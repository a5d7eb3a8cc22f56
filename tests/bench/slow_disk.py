"""Saves a second on a slow disk: the lock let go before the flush, and held through it.

One run, both ways in turn, on a server whose every flush takes two milliseconds longer (a few
lines of C preloaded, where a compiler is at hand), with and without a snapshot held open.
"""

import multiprocessing
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from uuid import uuid4

import psycopg
from eventsourcing.persistence import StoredEvent

from ops.ledger.database import Database
from ops.ledger.embedded import Embedded, programs
from ops.ledger.recorder import Decision, Ledger

FLUSH_US = 2_000
DAY = date(2026, 11, 21)


@contextmanager
def slow_server(flush_us: int = FLUSH_US) -> Iterator[Embedded]:
    """An embedded server of its own with slow flushes."""
    place = Path(tempfile.mkdtemp(prefix="sabot-bench-"))
    place.chmod(0o755)
    library = place / "slow_flush.so"
    source = Path(__file__).with_name("slow_flush.c")
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl"], check=True
    )
    server = Embedded(place / "home")
    server.ensure_running()  # made at full speed
    server.stop()
    programs.ENVIRONMENT |= {"LD_PRELOAD": str(library), "SLOW_FLUSH_US": str(flush_us)}
    try:
        server.ensure_running()
        yield server
    finally:
        for name in ("LD_PRELOAD", "SLOW_FLUSH_US"):
            programs.ENVIRONMENT.pop(name, None)
        server.destroy()
        shutil.rmtree(place, ignore_errors=True)


def save(ledger: Ledger, *, held: bool) -> None:
    """One event in a stream of its own, on disk when this comes back."""
    stream = uuid4()
    event = StoredEvent(stream, 1, "bench.saved", b'{"at":"2026-11-21T20:00:00+00:00"}')
    decision = Decision(
        command_id=str(stream),
        content=bytes(32),
        answer="{}",
        actor="bench",
        metadata="{}",
        places={stream: (DAY, "B01")},
    )
    if not held:
        ledger.append([event], decision)
        ledger.flush()
        return
    with ledger.connection() as connection, connection.transaction():
        ledger.append([event], decision)
        connection.execute("SET LOCAL synchronous_commit = on")  # the commit waits, locked
    ledger.unflushed = False


def writer(url: str, seconds: float, held: bool, begin: object, told: object) -> None:
    """Saves for so long; tells how long each save took."""
    ledger = Ledger(Database(url))
    save(ledger, held=held)
    begin.wait()  # type: ignore[attr-defined]
    took, ends = [], time.monotonic() + seconds
    while (started := time.monotonic()) < ends:
        save(ledger, held=held)
        took.append(time.monotonic() - started)
    ledger.close()
    told.put(took)  # type: ignore[attr-defined]


def rate(url: str, writers: int, seconds: float, *, held: bool) -> tuple[float, float]:
    """Saves a second, and the slowest hundredth in milliseconds."""
    spawn = multiprocessing.get_context("spawn")
    begin, told = spawn.Barrier(writers), spawn.SimpleQueue()
    workers = [
        spawn.Process(target=writer, args=(url, seconds, held, begin, told)) for _ in range(writers)
    ]
    for worker in workers:
        worker.start()
    took = [each for _ in workers for each in told.get()]
    for worker in workers:
        worker.join()
    return len(took) / seconds, 1000 * statistics.quantiles(took, n=100)[98]


def measure(server: Embedded, writers: int = 16, seconds: float = 4.0) -> dict[str, float]:
    """All figures of one run."""
    database = Database(home=server)
    database.connect("sabot_app").close()
    url = database.url
    held, held_p99 = rate(url, writers, seconds, held=True)
    ours, ours_p99 = rate(url, writers, seconds, held=False)
    with psycopg.connect(url) as snapshot:
        snapshot.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        snapshot.execute("SELECT count(*) FROM ledger.events")
        first, _ = rate(url, writers, seconds, held=False)
        last = first
        for _ in range(4):
            last, _ = rate(url, writers, seconds, held=False)
    return {
        "held through the flush, saves/s": held,
        "held through the flush, p99 ms": held_p99,
        "let go before the flush, saves/s": ours,
        "let go before the flush, p99 ms": ours_p99,
        "ratio": ours / held,
        "with a snapshot open, saves/s at first": first,
        "with a snapshot open, saves/s at last": last,
    }


def main() -> None:
    """Prints the figures."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
    with slow_server() as server:
        for name, figure in measure(server, seconds=seconds).items():
            print(f"{name:<42} {figure:>10,.1f}")


if __name__ == "__main__":
    main()
