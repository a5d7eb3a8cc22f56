"""The peak memory of a program in megabytes, for little data and for ten times as much.

Lines that are fed, and events of a rebuild, are not kept: the peak must not grow with them.
"""

from collections.abc import Iterator
from functools import partial

from tests.bench.figures import Figure, in_turn
from tests.bench.parts.feed import FEED, lines_of
from tests.bench.programs import PYTHON, SABOT, run
from tests.bench.setting import Setting

PART = "memory"
FED, REBUILT = "sabot feed", "sabot projections rebuild"
LITTLE, TEN_TIMES, IMPORTS = "little", "ten times as much", "Python with its libraries"
MEGA = 1_000_000
_IMPORTS = [PYTHON, "-c", "import psycopg, click, msgspec, eventsourcing.application"]


def measure(setting: Setting) -> Iterator[Figure]:
    """The peak memory of a feed, then of a rebuild."""
    few, repeats = (100, 1) if setting.quick else (500, 2)
    lines = lines_of(20, 10 * few)
    setting.say("peak memory")
    imports = {IMPORTS: lambda: run(_IMPORTS).memory / MEGA}
    fed = {
        LITTLE: partial(_fed, setting, lines[:few]),
        TEN_TIMES: partial(_fed, setting, lines),
    }
    yield Figure(PART, FED, "MB", in_turn(imports | fed, repeats), base=LITTLE)
    command = [SABOT, "projections", "rebuild", "coups"]
    rebuilt = {
        name: lambda on=database: run(command, on).memory / MEGA
        for name, (_, database) in zip((LITTLE, TEN_TIMES), setting.grown, strict=False)
    }
    yield Figure(PART, REBUILT, "MB", in_turn(imports | rebuilt, repeats), base=LITTLE)


def _fed(setting: Setting, lines: list[bytes]) -> float:
    return run(FEED, setting.new_database(), lines).memory / MEGA
