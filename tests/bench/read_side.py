"""How quickly reports answer and rows follow, on a ledger that is there.

Each report for a gaming day, for a day of one table and for everything, beside the time that the
database takes to hand out as many rows unasked; the lag from a command's answer to its rows, idle
and while others write. Say which ledger: SABOT_HOME, SABOT_DATABASE_URL or an address.
"""

import statistics
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger, head_of
from ops.reports.ask import ask
from ops.reports.follow import follow
from ops.reports.runner import positions_of
from projections import PROJECTIONS, REPORTS, Report
from tests.bench.ledgers import milliseconds

EVERY = list(PROJECTIONS.values())


def reports(database: Database) -> Table:
    """Every report, from the question to its JSON."""
    with database.session("sabot_auditor") as connection:
        row = connection.execute(
            "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY gaming_day), min(gaming_day), "
            "max(gaming_day) FROM ledger.events WHERE table_code <> ''"
        ).fetchone()
        assert row
        day, first, last = (str(each) for each in row)
        found = connection.execute(
            "SELECT min(table_code) FROM ledger.events WHERE gaming_day = %s AND table_code <> ''",
            (day,),
        ).fetchone()
        assert found
    table = Table(
        "report", *(f"{what}, ms" for what in ("day", "table", "all", "rows alone")), "rows"
    )
    for each in REPORTS.values():
        asked = [{"day": day}, {"day": day, "table": found[0]}, {"from": first, "to": last}]
        if "day" not in each.narrowings:
            asked = [{}] * 3
        cells = [
            milliseconds(partial(_told, database, each, known)) for known in _known(each, asked)
        ]
        rows = ask(database, each, **asked[-1]).found
        alone = milliseconds(partial(_handed_out, database, rows))
        table.add_row(each.name, *(f"{cell:,.0f}" for cell in (*cells, alone)), f"{len(rows):,}")
    return table


def _known(report: Report, asked: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    for each in asked:
        yield {k: v for k, v in each.items() if k in (*report.narrowings, "from", "to")}


def _told(database: Database, report: Report, narrowed: dict[str, str]) -> bytes:
    return msgspec.json.encode(ask(database, report, **narrowed).as_dict())


def _handed_out(database: Database, rows: list[tuple[Any, ...]]) -> None:
    """As many rows of as many columns, from no table."""
    columns = ", ".join(["n::text"] * len(rows[0])) if rows else "1"
    with database.session("sabot_auditor") as connection:
        connection.execute(f"SELECT {columns} FROM generate_series(1, {len(rows)}) AS n").fetchall()


def lag(database: Database, loaded: bool) -> str:
    """From the answer of a command until every projection stands behind it."""
    stop = threading.Event()
    threads = [threading.Thread(target=follow, args=(database, EVERY, stop))]
    threads += [threading.Thread(target=_write, args=(database, stop, n)) for n in (1, 2) if loaded]
    for thread in threads:
        thread.start()
    try:
        taken = sorted(_lags(database))
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    return f"median {statistics.median(taken):.1f} ms, 95% {taken[int(len(taken) * 0.95)]:.1f} ms"


def _lags(database: Database) -> Iterator[float]:
    dispatcher = Dispatcher(Casino(Ledger(database), made_up=True), "bench")
    with database.session("sabot_auditor") as connection:
        while min(positions_of(connection, EVERY).values()) < head_of(connection):
            time.sleep(0.1)
        for n in range(100):
            time.sleep(0.02)
            name = f"bench {datetime.now(UTC).isoformat()} {n}"
            line = {"command": "property.set", "name": "helpline", "value": name}
            position = dispatcher.dispatch(line).body["position"]
            begun = time.perf_counter()
            while min(positions_of(connection, EVERY).values()) < position:
                pass
            yield (time.perf_counter() - begun) * 1000
    dispatcher.casino.close()


def _write(database: Database, stop: threading.Event, number: int) -> None:
    """Somebody who sits down and gets up, as fast as the ledger takes it."""
    dispatcher = Dispatcher(Casino(Ledger(database), made_up=True), "bench")
    table, said = f"BENCH{number}", 0
    opened = {"rules": "dragon-bonus@1", "opener": {"10000": 1}, "with": "S-11"}
    dispatcher.dispatch({"command": "table.open", "table": table, "by": "D-1", **opened})
    while not stop.is_set():
        said += 1
        seat = {"seat": 1, "patron": f"P-{said}"} if said % 2 else {"seat": 1}
        command = "table.seat" if said % 2 else "table.leave"
        dispatcher.dispatch({"command": command, "table": table, "by": "D-1", **seat})
    dispatcher.dispatch(
        {
            "command": "table.close",
            "table": table,
            "by": "D-1",
            "closer": {"10000": 1},
            "with": "S-11",
        }
    )
    dispatcher.casino.close()


def main() -> None:
    """Prints what was measured."""
    database = Database(sys.argv[1] if len(sys.argv) > 1 else None)
    page = Console()
    with database.session("sabot_auditor") as connection:
        page.print(f"{head_of(connection):,} events")
    page.print(reports(database))
    page.print(f"Lag, idle: {lag(database, loaded=False)}")
    page.print(f"Lag, while two write as fast as they can: {lag(database, loaded=True)}")


if __name__ == "__main__":
    main()
