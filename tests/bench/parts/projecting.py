"""Events per second that are turned into rows: in batches, one by one, and by hand-written SQL.

All projections as the runner feeds them, compared with a transaction for each event. Then wagers
and commission alone, rebuilt, compared with hand-written SQL that makes the same rows with one
statement for each table.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from tests.bench.figures import OURS, Figure
from tests.bench.setting import Setting

PART = "projections"
ALL, TWO = "all projections", "wagers and commission, from nothing"
EACH, SET_BASED, REBUILT = "a transaction for each event", "hand-written SQL", "Sabot, from nothing"
_MODULE = "tests.bench.projections"
_NAMES = {
    ALL: {OURS: "live", REBUILT: "rebuild", EACH: "one_by_one"},
    TWO: {OURS: "two", SET_BASED: "two_by_hand"},
}


def measure(setting: Setting) -> Iterator[Figure]:
    """The figures of `tests.bench.projections`, one turn for each repeat."""
    if find_spec(_MODULE) is None:
        why = "skipped: tests/bench/projections.py is not in this checkout"
        setting.say(why)
        for name, ways in _NAMES.items():
            yield _figure(name, {}, dict.fromkeys(ways, why))
        return
    _, database = setting.ledgers[0]
    setting.say("events read into rows")
    module = import_module(_MODULE)
    if setting.quick:
        module.ONE_BY_ONE = 100  # type: ignore[attr-defined]
    turns: list[dict[str, float]] = [
        module.measure(database, times=1) for _ in range(setting.repeats)
    ]
    for name, ways in _NAMES.items():
        yield _figure(name, {way: [turn[key] for turn in turns] for way, key in ways.items()}, {})


def _figure(name: str, runs: dict[str, list[float]], skipped: dict[str, str]) -> Figure:
    return Figure(PART, name, "events/s", runs, skipped, more_is_better=True)
