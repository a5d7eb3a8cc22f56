"""The process that brings the log into the backup's archive: it begins with the server.

It is `sabot db backup --follow`, in this account, and it ends when the server does.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ops.ledger.files import begin_anew

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SETTING = "backup.json"  # in the home: backups are turned on
PLACE = "backup"  # in the home: the follower's files
_LOCK = "follower.lock"
_BY_A_FOLLOWER = "SABOT_FOLLOWER"  # in the environment of a follower and of what it runs


@contextmanager
def only_one(home: Path) -> Iterator[bool]:
    """Holds the follower's lock of a home; gives False if another process holds it."""
    place = home / PLACE
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(place / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)) as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def ensure_followed(home: Path) -> None:
    """Starts the follower of a home whose backups are turned on, unless it is at work.

    A follower starts no other one. Else one that fails at its begin would start the next, for ever.
    """
    if _BY_A_FOLLOWER in os.environ or not (home / SETTING).exists():
        return
    with only_one(home) as free:
        pass
    if not free:
        return
    environment = {**os.environ, "SABOT_HOME": str(home), _BY_A_FOLLOWER: "1"}
    environment.pop("SABOT_DATABASE_URL", None)
    place = home / PLACE / "follower.log"
    begin_anew(place)
    with place.open("ab") as log:
        command = [sys.executable, "-m", "ops.cli", "db", "backup", "--follow"]
        subprocess.run(
            ["/bin/sh", "-c", '"$@" &', "sh", *command],  # so that it is no child of this process
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            start_new_session=True,
        )
