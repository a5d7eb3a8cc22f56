"""What is measured: figures in several ways, each a few times in turn, and their medians.

A figure is compared with another only when both were measured in the same run, one repeat of each
way after the other, so that whatever else the machine did meets all of them.
"""

import statistics
import time
from collections.abc import Callable, Mapping
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

    def median(self, way: str) -> float | None:
        """The middle of its repeats; None when it was not measured."""
        return statistics.median(self.runs[way]) if self.runs.get(way) else None

    def why_not(self, way: str) -> str:
        """Why there is no value for a way."""
        return self.skipped.get(way, "not measured in this run")

    def as_dict(self) -> dict[str, object]:
        """As `--json` prints it."""
        ways = {
            way: {"median": self.median(way), "runs": list(values)}
            for way, values in self.runs.items()
        }
        named = {"part": self.part, "name": self.name, "unit": self.unit}
        return {**named, "ways": ways, "skipped": dict(self.skipped)}


def in_turn(ways: Mapping[str, Work], repeats: int) -> dict[str, list[float]]:
    """Each way's values: every repeat does all ways, each time beginning with another one."""
    names = list(ways)
    runs: dict[str, list[float]] = {name: [] for name in names}
    for n in range(repeats):
        first = n % len(names) if names else 0
        for name in names[first:] + names[:first]:
            runs[name].append(ways[name]())
    return runs


def timed(work: Callable[[], object]) -> Work:
    """The same work as a way whose value is how long it took, in milliseconds."""

    def milliseconds() -> float:
        begun = time.perf_counter()
        work()
        return (time.perf_counter() - begun) * 1000

    return milliseconds


def percentile(values: list[float], percent: int) -> float:
    """The value that so many of a hundred do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]
