"""Events a second that projections read, as `tests.bench.projections` measures it.

It gives, for each way, events a second, one value for each repeat.
"""

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from tests.bench.figures import OURS, Figure
from tests.bench.setting import Setting

PART = "projections"
NAME = "events read into rows"
EACH, SET_BASED = "a transaction for each event", "set-based SQL"
_MODULE = "tests.bench.projections"


def measure(setting: Setting) -> Iterator[Figure]:
    """What the module measures; skipped where it is missing."""
    if find_spec(_MODULE) is None:
        why = "skipped: tests/bench/projections.py is not in this checkout"
        setting.say(why)
        skipped = dict.fromkeys((OURS, EACH, SET_BASED), why)
        yield Figure(PART, NAME, "events/s", {}, skipped, more_is_better=True)
        return
    from importlib import import_module

    (_, database), *_ = setting.ledgers
    setting.say(NAME)
    measured: Mapping[str, Any] = import_module(_MODULE).measure(database)
    runs = {way: value if isinstance(value, list) else [value] for way, value in measured.items()}
    yield Figure(PART, NAME, "events/s", runs, more_is_better=True)
