"""What `initdb` makes, made once a worker: every other server of its tests begins with a copy."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from ops.ledger.embedded.programs import Programs

REAL = Programs.run
SMALL_LOG = ("--wal-segsize=1",)  # MB: most of what is copied would be a log that is empty


def copying(place: Path) -> Callable[..., str]:
    """In place of `Programs.run`: `initdb` runs once for an account and what it is asked."""
    made: dict[tuple[object, ...], Path] = {}

    def run(programs: Programs, name: str, *arguments: str) -> str:
        if name != "initdb":
            return REAL(programs, name, *arguments)
        *asked, to = arguments
        like = programs.uid, programs.gid, *asked
        if like in made:
            subprocess.run(["cp", "-a", f"{made[like]}/.", to], check=True)
            return ""
        said = REAL(programs, name, *SMALL_LOG, *arguments)
        made[like] = place / str(len(made))
        subprocess.run(["cp", "-a", to, made[like]], check=True)
        return said

    return run
