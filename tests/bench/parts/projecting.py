"""Events a second that are read into rows: batches beside a transaction for each event, and SQL.

All projections as a follower feeds them, then wagers and commission alone, grown from nothing,
beside hand-written SQL that makes the same rows of the same events, a statement for each table.
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
    """What the module measures, a turn for each repeat; skipped where it is missing."""
    if find_spec(_MODULE) is None:
        why = "skipped: tests/bench/projections.py is not in this checkout"
        setting.say(why)
        for name, ways in _NAMES.items():
            yield _figure(name, {}, dict.fromkeys(ways, why))
        return
    _, database = setting.ledgers[0]
    setting.say("events read into rows")
    measured = import_module(_MODULE).measure
    turns: list[dict[str, float]] = [measured(database, times=1) for _ in range(setting.repeats)]
    for name, ways in _NAMES.items():
        yield _figure(name, {way: [turn[key] for turn in turns] for way, key in ways.items()}, {})


def _figure(name: str, runs: dict[str, list[float]], skipped: dict[str, str]) -> Figure:
    return Figure(PART, name, "events/s", runs, skipped, more_is_better=True)
