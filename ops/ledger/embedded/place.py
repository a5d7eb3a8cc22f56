"""Where a cluster is kept, and how processes take turns at working on it."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PORT = 5432  # only names the socket: nothing listens on TCP
SOCKET = f".s.PGSQL.{PORT}"
SOCKET_LIMIT = 103 if sys.platform == "darwin" else 107  # bytes in sockaddr_un, less its NUL
# Not tempfile.gettempdir(): a service and a shell with another TMPDIR must meet in one place.
SHORT = Path("/tmp")  # noqa: S108 - Programs.own() refuses a directory that another account made
ROOT = Path("/var/lib/sabot")


class EmbeddedError(Exception):
    """What is wrong and what to do about it, for the person at the terminal."""


def home_dir(asked: Path | str | None) -> Path:
    """The home that was asked for, else the one among this account's own data."""
    if asked:
        return Path(asked).expanduser().resolve()
    from platformdirs import user_data_path

    return user_data_path("sabot")


def cluster_dir(asked: Path | str | None) -> Path:
    """Where the cluster for this home is kept: root's is named after the home, not in it."""
    if os.geteuid() != 0:
        return home_dir(asked) / "postgres"
    if not asked:
        return ROOT / "clusters/default"
    home = home_dir(asked)
    readable = re.sub(r"[^A-Za-z0-9]+", "-", home.name)[-24:].strip("-")
    return ROOT / "clusters" / f"{readable}-{_digest(home)}"


def socket_dir(cluster: Path) -> Path:
    """<cluster>/run, unless its name is too long or has what a list of hosts cannot express."""
    near = cluster / "run"
    name = os.fsencode(near / SOCKET)
    if len(name) <= SOCKET_LIMIT and not re.search(rb'[,"\\\x00-\x1f]', name):
        return near
    return SHORT / f"sabot-{os.geteuid()}-{_digest(cluster)}"


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def _make_room(directory: Path) -> None:
    """The directory and those above it. Under root the server's account must get through them."""
    if os.geteuid() != 0:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return
    for path in (ROOT, ROOT / "clusters", directory):
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Be the only process at work in the directory, which is made if need be."""
    path = directory / "lock"
    while True:
        _make_room(directory)
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600)) as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            if _is_still(path, held.fileno()):
                yield
                return


def _is_still(path: Path, descriptor: int) -> bool:
    """False when destroy() removed the file while we waited for its lock."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def plainly(cluster: Path) -> Iterator[None]:
    """Say what the system refused us in words that help."""
    try:
        yield
    except OSError as error:
        raise EmbeddedError(
            f"Cannot keep a database in {cluster}: {error}. Make room or give access there, or "
            f"set SABOT_HOME to another directory."
        ) from error


def sync_directory(path: Path) -> None:
    """Make a rename in it last."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
