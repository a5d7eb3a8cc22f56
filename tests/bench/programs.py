"""The program `sabot` as its users start it: a process of its own, on a ledger of the bench."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ops.ledger.database import Database

PYTHON = sys.executable
_WEIGH = str(Path(__file__).with_name("weigh.py"))
SABOT = str(Path(sys.executable).with_name("sabot"))


def surroundings(database: Database | None = None) -> dict[str, str]:
    """The environment, with the address of a ledger if one is given.

    It has no variable that changes how Python starts, so Python keeps what it compiled, as usual.
    """
    others = ("SABOT_", "PYTHON")
    rest = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    return rest | ({"SABOT_DATABASE_URL": database.url} if database else {})


@dataclass(frozen=True)
class Spent:
    """What a program used: seconds of processor time, bytes of memory at its peak."""

    processor: float
    memory: int


def run(
    command: Sequence[str],
    database: Database | None = None,
    lines: Sequence[bytes] = (),
    house: str = "",
) -> Spent:
    """Runs a program to its end. Raises CalledProcessError.

    If it is fed lines, some may be refused, as some of an evening's are. `house`: the address of a
    house server.
    """
    reads, writes = os.pipe()
    with os.fdopen(reads) as result:
        process = subprocess.Popen(
            [PYTHON, "-I", "-S", _WEIGH, str(writes), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=surroundings(database) | ({"SABOT_HOUSE": house} if house else {}),
            pass_fds=(writes,),
        )
        os.close(writes)
        process.communicate(b"".join(lines))
        if process.returncode not in ((0, 1) if lines else (0,)):
            raise subprocess.CalledProcessError(process.returncode, list(command))
        return Spent(*json.load(result))
