"""Figures: each is measured in several ways, several times in turn, and has a median for each way.

Values are compared only within one run, in which the ways take turns, so that whatever else the
machine did affects all of them.
"""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

OURS = "Sabot"
Work = Callable[[], float]


@dataclass(frozen=True)
class Figure:
    """One thing measured in several ways: every repeat's value, by way, in `unit`."""

    part: str
    name: str
    unit: str
    runs: Mapping[str, list[float]]
    skipped: Mapping[str, str] = field(default_factory=dict)  # way -> why it was not measured
    more_is_better: bool = False
    base: str = OURS  # the way that the others are compared with
    causes: Sequence[Sequence[str]] = ()  # a table of what the time is, its head first

    def median(self, way: str) -> float | None:
        """The median of a way's repeats, or None if it was not measured."""
        return statistics.median(self.runs[way]) if self.runs.get(way) else None

    def why_not(self, way: str) -> str:
        """Why a way has no value."""
        return self.skipped.get(way, "not measured in this run")

    def as_dict(self) -> dict[str, object]:
        """The figure as `--json` prints it."""
        ways = {
            way: {"median": self.median(way), "runs": list(values)}
            for way, values in self.runs.items()
        }
        named = {"part": self.part, "name": self.name, "unit": self.unit}
        causes = {"causes": list(map(list, self.causes))} if self.causes else {}
        return {**named, "ways": ways, "skipped": dict(self.skipped), **causes}


def in_turn(ways: Mapping[str, Work], repeats: int) -> dict[str, list[float]]:
    """The values of each way: every repeat measures all ways, each time beginning with another."""
    names = list(ways)
    runs: dict[str, list[float]] = {name: [] for name in names}
    for n in range(repeats):
        first = n % len(names) if names else 0
        for name in names[first:] + names[:first]:
            runs[name].append(ways[name]())
    return runs


def timed(work: Callable[[], object]) -> Work:
    """A way that does the work and whose value is its time in milliseconds."""

    def milliseconds() -> float:
        begun = time.perf_counter()
        work()
        return (time.perf_counter() - begun) * 1000

    return milliseconds


def percentile(values: list[float], percent: int) -> float:
    """The value that this percentage of values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]
