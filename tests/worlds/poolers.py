"""Debian's PgBouncer between a test and its server."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ops.ledger.database import Database
from tests.waiting import until

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
REQUIRED = "SABOT_POOLER_REQUIRED"  # then a machine without PgBouncer fails, as CI must
PORT = 6432  # of a socket in a directory of the test's own


@contextmanager
def through_pooler(
    database: Database, mode: str, sessions: int = 20, **more: str
) -> Iterator[Database]:
    """The same database through a pooler in this mode, with as many sessions at most.

    `more`: its other settings. A test is skipped without PgBouncer, unless the machine must have
    it.
    """
    if not PGBOUNCER:
        if os.environ.get(REQUIRED):
            pytest.fail("There is no PgBouncer on this machine.")
        pytest.skip("There is no PgBouncer on this machine.")
    address = conninfo_to_dict(database.url)
    behind = {name: address[name] for name in ("host", "port", "password") if name in address}
    user = str(address.get("user", "postgres"))
    with TemporaryDirectory(prefix="sabot-pooler-") as place:
        settings = {
            "listen_port": PORT,
            "unix_socket_dir": place,
            "auth_type": "trust",
            "auth_file": f"{place}/users",
            "pool_mode": mode,
            "default_pool_size": sessions,
            "logfile": f"{place}/log",
            **({"user": _account(behind)} if os.geteuid() == 0 else {}),
            **more,
        }
        file = Path(place, "pooler.ini")
        file.write_text(
            f"[databases]\n* = {make_conninfo(**behind)}\n[pgbouncer]\n"
            + "".join(f"{name} = {value}\n" for name, value in settings.items())
        )
        Path(place, "users").write_text(f'"{user}" ""\n')
        Path(place).chmod(0o777)  # under root it is somebody else's
        process = subprocess.Popen(
            [PGBOUNCER, "-q", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            address_of_pooler = f"{place}/.s.PGSQL.{PORT}"
            until(lambda: _listens(address_of_pooler) or process.poll() is not None)
            assert process.poll() is None, Path(place, "log").read_text()
            yield Database(
                make_conninfo(host=place, port=PORT, user=user, dbname=address["dbname"])
            )
        finally:
            process.kill()
            process.wait()


def _account(behind: dict[str, str | int | None]) -> str:
    """Under which it may reach the server: the one under which the server runs."""
    sockets = Path(str(behind.get("host", "")))
    return sockets.owner() if sockets.is_dir() else "nobody"


def _listens(address: str) -> bool:
    """Whether somebody can connect there: a socket is a file before anybody listens to it."""
    with socket.socket(socket.AF_UNIX) as asking:
        return asking.connect_ex(address) == 0
