"""How fast every report answers, and how soon rows follow a command.

Each report for one gaming day on a small ledger and on one ten times as large, from the question to
its JSON: days that it does not show must not slow it down. The lag is the time from a command's
answer until every projection has its events: idle, and while two others write as fast as they can.
"""

import statistics
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.ledger.recorder import Ledger
from ops.reports.ask import ask
from ops.reports.follow import follow
from ops.reports.runner import positions_of
from projections import PROJECTIONS, REPORTS, Report
from tests.bench.figures import Figure, in_turn, percentile, timed
from tests.bench.setting import Setting

PART = "read-side"
SMALL, LARGE = "small ledger", "large ledger"
IDLE, LOADED = "idle", "two others write"
LAG, LAG_P95 = "from a command's answer to its rows", "from a command's answer to its rows: p95"
EVERY = list(PROJECTIONS.values())
BESIDE = "as many rows alone"


def measure(setting: Setting) -> Iterator[Figure]:
    """The time of every report, then the lag."""
    grown = setting.grown
    setting.say("every report for a gaming day, small and large")
    names = [SMALL, LARGE] if len(grown) > 1 else [SMALL]
    days = [_some_day(database) for _, database in grown]
    for report in REPORTS.values():
        ways = {
            name: timed(partial(_answered, database, report, day))
            for name, (_, database), day in zip(names, grown, days, strict=False)
        }
        if not setting.quick:
            rows = ask(grown[-1][1], report, **_narrowed(report, days[-1])).raw
            ways[BESIDE] = timed(partial(_handed_out, grown[-1][1], len(rows), _width(rows)))
        runs = in_turn(ways, 7)  # they are many, and the worst of many is the noisiest
        yield Figure(PART, report.name, "ms", runs, base=SMALL)
    yield from lags(setting)


def _some_day(database: Database) -> str:
    """The gaming day in the middle of the ledger."""
    with database.session("sabot_auditor") as connection:
        row = connection.execute(
            "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY gaming_day)"
            " FROM ledger.events WHERE table_code <> ''"
        ).fetchone()
    assert row
    return str(row[0])


def _narrowed(report: Report, day: str) -> dict[str, Any]:
    return {"day": day} if "day" in report.narrowings else {}


def _answered(database: Database, report: Report, day: str) -> bytes:
    return msgspec.json.encode(ask(database, report, **_narrowed(report, day)).as_dict())


def _width(rows: list[tuple[object, ...]]) -> int:
    return len(rows[0]) if rows else 1


def _handed_out(database: Database, rows: int, columns: int) -> None:
    """Reads as many rows and columns from no table, on a new connection, for comparison."""
    columns_of_text = ", ".join(["n::text"] * columns)
    with database.session("sabot_auditor") as connection:
        connection.execute(
            f"SELECT {columns_of_text} FROM generate_series(1, {rows}) AS n"
        ).fetchall()


def lags(setting: Setting) -> Iterator[Figure]:
    """The lag of single commands in milliseconds: the median and the 95th percentile."""
    setting.say("the lag of projections, idle and loaded")
    written = setting.ledgers[0][1] if setting.given else setting.new_database(setting.dealt)
    lag = _lag_of(setting, written)
    for name, percent in ((LAG, 50), (LAG_P95, 95)):
        runs = {way: [percentile(each, percent) for each in some] for way, some in lag.items()}
        yield Figure(PART, name, "ms", runs, base=IDLE)


def _lag_of(setting: Setting, database: Database) -> dict[str, list[list[float]]]:
    times = 30 if setting.quick else 100
    runs: dict[str, list[list[float]]] = {IDLE: [], LOADED: []}

    def once(way: str) -> float:
        runs[way].append(_lags_beside(database, times, loaded=way == LOADED))
        return statistics.median(runs[way][-1])

    in_turn({way: partial(once, way) for way in runs}, 1 if setting.quick else 3)
    return runs


def _lags_beside(database: Database, times: int, *, loaded: bool) -> list[float]:
    """Lags while the runner follows the ledger, and if `loaded` while two others write."""
    stop = threading.Event()
    threads = [threading.Thread(target=follow, args=(database, EVERY, stop))]
    if loaded:
        threads += [threading.Thread(target=_write, args=(database, stop, n)) for n in (1, 2)]
    for thread in threads:
        thread.start()
    try:
        return list(_lags(database, times))
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _lags(database: Database, times: int) -> Iterator[float]:
    dispatcher = Dispatcher(Casino(Ledger(database), made_up=True), "bench")
    with database.session("sabot_auditor") as connection:
        while min(positions_of(connection, EVERY).values()) < head_of(connection):
            time.sleep(0.1)
        for n in range(times):
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
    """Seats a patron and lets them leave, again and again, as fast as the ledger takes it."""
    dispatcher = Dispatcher(Casino(Ledger(database), made_up=True), "bench")
    by = {"table": f"BENCH{number}", "by": "D-1"}
    opened = {"rules": "dragon-bonus@1", "opener": {"10000": 1}, "with": "S-11"}
    dispatcher.dispatch({"command": "table.open", **by, **opened})
    n = 0
    while not stop.is_set():
        n += 1
        if n % 2:
            dispatcher.dispatch({"command": "table.seat", **by, "seat": 1, "patron": f"P-{n}"})
        else:
            dispatcher.dispatch({"command": "table.leave", **by, "seat": 1})
    dispatcher.dispatch({"command": "table.close", **by, "closer": {"10000": 1}, "with": "S-11"})
    dispatcher.casino.close()
