"""How long a dealing table waits for each answer, while others send what is dear to serve.

A hundred kinds of requests, by one and by three connections in turn, at one house server; compared
with the same table while the house is quiet. A budget of refused lines would stop most of them: it
is set so high that every request is served.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.figures import Figure, percentile
from tests.bench.setting import Setting
from tests.worlds.attacked_house import attacked_house
from tests.worlds.dear_requests import KINDS

PART = "dear"
MEDIAN, LATE, WORST = (
    "a line to its answer, median",
    "a line to its answer, 99th percentile",
    "a line to its answer, worst",
)
QUIET, ONE, THREE = "quiet", "one sends what is dear", "three send what is dear"
SENDERS = {QUIET: 0, ONE: 1, THREE: 3}
LONGEST = 5  # kinds that are named


def measure(setting: Setting) -> Iterator[Figure]:
    """The waits of the table in a quiet house, then beside each kind of request."""
    kinds = KINDS[::10] if setting.quick else KINDS
    runs: dict[str, list[float]] = {}
    setting.say(f"a table beside {len(kinds)} kinds of requests")
    with (
        TemporaryDirectory() as home,
        attacked_house(setting.new_database(), Path(home) / "house") as house,
    ):
        for way, senders in SENDERS.items():
            dealt = house.dealt(kinds if senders else (), senders, 0.3 if senders else 5.0)
            runs[way] = dealt.waits
            for wait, kind in dealt.longest()[:LONGEST]:
                setting.say(f"{way}: {wait:.0f} ms beside {kind}")
    for name, percent in ((MEDIAN, 50), (LATE, 99), (WORST, 100)):
        values = {way: [percentile(waits, percent)] for way, waits in runs.items()}
        yield Figure(PART, name, "ms", values, base=QUIET)
