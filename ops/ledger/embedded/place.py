"""The directories of a cluster, and the lock by which processes take turns in them."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PORT = 5432  # only part of the socket's name: nothing listens on TCP
SOCKET = f".s.PGSQL.{PORT}"
SOCKET_LIMIT = 103 if sys.platform == "darwin" else 107  # bytes in sockaddr_un, less its NUL
# Not tempfile.gettempdir(): a service and a shell may have different TMPDIRs.
SEGMENT = 16 * 1024 * 1024  # bytes of PostgreSQL's log that are allocated at once
SHORT = Path("/tmp")  # noqa: S108 - Programs.own() refuses a directory of another account
ROOT = Path("/var/lib/sabot")


class EmbeddedError(Exception):
    """A problem with the embedded database; the message says what to do."""


def home_dir(asked: Path | str | None) -> Path:
    """The home that was asked for, else the one in this account's data directory."""
    if asked:
        return Path(asked).expanduser().resolve()
    from platformdirs import user_data_path

    return user_data_path("sabot")


def cluster_dir(asked: Path | str | None) -> Path:
    """The directory of this home's cluster; root's are elsewhere, named after the home."""
    if os.geteuid() != 0:
        return home_dir(asked) / "postgres"
    if not asked:
        return ROOT / "clusters/default"
    home = home_dir(asked)
    readable = re.sub(r"[^A-Za-z0-9]+", "-", home.name)[-24:].strip("-")
    return ROOT / "clusters" / f"{readable}-{_digest(home)}"


def socket_dir(cluster: Path) -> Path:
    """<cluster>/run, unless that path is too long for a socket or not allowed in a host list."""
    near = cluster / "run"
    name = os.fsencode(near / SOCKET)
    if len(name) <= SOCKET_LIMIT and not re.search(rb'[,"\\\x00-\x1f]', name):
        return near
    return SHORT / f"sabot-{os.geteuid()}-{_digest(cluster)}"


def is_full(directory: Path, logged: str) -> bool:
    """Whether a server could not start because the disk is full, though its log may not say so.

    The log may be on the same disk, which took no more lines of it.
    """
    room = os.statvfs(directory)
    return os.strerror(errno.ENOSPC) in logged or room.f_bavail * room.f_frsize < SEGMENT


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def _make_room(directory: Path) -> None:
    """Makes the directory and its parents; root's are open to the server's account."""
    if os.geteuid() != 0:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return
    for path in (ROOT, ROOT / "clusters", directory):
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Locks the directory for this process; makes it if it does not exist."""
    path = directory / "lock"
    while True:
        _make_room(directory)
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600)) as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            if _is_still(path, held.fileno()):
                yield
                return


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether the locked file is still the one at this path; destroy() may have removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def plainly(cluster: Path) -> Iterator[None]:
    """Turns an OSError within the block into an EmbeddedError that says what to do."""
    try:
        yield
    except OSError as error:
        raise EmbeddedError(
            f"Sabot cannot write its database in {cluster}: {error}. Free space or give access "
            f"there, or set SABOT_HOME to another directory."
        ) from error
