"""Processes that end at once, as when the power goes."""

from contextlib import suppress
from pathlib import Path

import psutil


def kill_postgresql(data: Path) -> psutil.Process:
    """The server of a data directory and all its processes are killed; its first is given back."""
    server = psutil.Process(int((data / "postmaster.pid").read_text().split()[0]))
    kill_all([server, *server.children(recursive=True)])
    return server


def kill_all(processes: list[psutil.Process]) -> None:
    """Each is killed; one that ended by itself meanwhile, since the first had, is dead as well."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
