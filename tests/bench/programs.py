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
    """The environment, with a ledger when one is asked for.

    Nothing in it changes how Python starts: what it compiled once it keeps, as anywhere.
    """
    others = ("SABOT_", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    return kept | ({"SABOT_DATABASE_URL": database.url} if database else {})


@dataclass(frozen=True)
class Spent:
    """What a program took of the machine: seconds of the processor, bytes of memory at its peak."""

    processor: float
    memory: int


def run(
    command: Sequence[str], database: Database | None = None, lines: Sequence[bytes] = ()
) -> Spent:
    """A program from its start to its end. Raises CalledProcessError.

    When it is fed lines some of them may be refused, as some of an evening's are.
    """
    reads, writes = os.pipe()
    with os.fdopen(reads) as told:
        process = subprocess.Popen(
            [PYTHON, "-I", "-S", _WEIGH, str(writes), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=surroundings(database),
            pass_fds=(writes,),
        )
        os.close(writes)
        process.communicate(b"".join(lines))
        if process.returncode not in ((0, 1) if lines else (0,)):
            raise subprocess.CalledProcessError(process.returncode, list(command))
        return Spent(*json.load(told))
