"""Live processes and answering sockets: a killed server leaves remains of both."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def wait(done: Callable[[], bool], seconds: float) -> bool:
    """Waits until `done()` or the time is up; returns whether it was done."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def accepts(path: Path) -> bool:
    """Whether a server listens on the socket; one whose queue is full is busy, and counts."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(os.fspath(path))
        except BlockingIOError:
            return True
        except OSError:
            return False
    return True


def alive(pid: int) -> bool:
    """Whether the process exists and is not a zombie, as a killed server may be for long."""
    if os.path.exists("/proc/self/stat"):
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2]
        except OSError:
            return False
        return fields.split()[0] not in (b"Z", b"X")
    psutil = _psutil()
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except (psutil.NoSuchProcess, ValueError):
        return False


def working_in(directory: Path) -> list[int]:
    """The live PostgreSQL processes in a directory: a server's, or a killed server's orphans."""
    here, psutil = os.path.realpath(directory), _psutil()
    live = (
        process
        for process in psutil.process_iter(["name", "cwd", "status"])
        if process.info["status"] != psutil.STATUS_ZOMBIE
    )
    return [p.pid for p in live if (p.info["name"], p.info["cwd"]) == ("postgres", here)]


def _psutil() -> Any:
    """The library psutil, imported only when needed: most calls find a running server first."""
    import psutil  # type: ignore[import-untyped, unused-ignore]

    return psutil
