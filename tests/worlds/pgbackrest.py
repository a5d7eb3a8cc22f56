"""A PostgreSQL of Debian's that pgBackRest backs up, as a house's own administrator set it up."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

REQUIRED = "SABOT_PGBACKREST_REQUIRED"  # then a machine without pgBackRest fails, as CI must
STANZA = "main"
PROGRAMS = Path("/usr/lib/postgresql/15/bin")  # of a version that Debian's pgBackRest knows
PASSPHRASE = "repo1-cipher-pass=a-passphrase-of-theirs\n"
CONFIG = """\
[global]
repo1-path={place}/repository
repo1-retention-full=2
repo1-cipher-type=aes-256-cbc
{passphrase}lock-path={place}/locks
log-level-file=off
start-fast=y
archive-timeout=30
[{stanza}]
pg1-path={place}/data
pg1-socket-path={place}
"""
SETTINGS = """\
listen_addresses = ''
unix_socket_directories = '{place}'
archive_mode = on
archive_timeout = 1
archive_command = 'pgbackrest --config={place}/config --stanza={stanza} archive-push %p'
"""


class BackedUp:
    """A server with a database for a ledger, in a directory of the account that runs it."""

    def __init__(self, place: Path) -> None:
        self.place, self.data, self.config = place, place / "data", place / "config"
        self.url = f"host={place} user=postgres dbname=sabot"
        fill = {"place": place, "stanza": STANZA}
        for each in ("repository", "locks"):
            self.run("mkdir", place / each)
        self.config.write_text(CONFIG.format(**fill, passphrase=PASSPHRASE))
        self.without_passphrase = place / "config-without"
        self.without_passphrase.write_text(CONFIG.format(**fill, passphrase=""))
        self.run(
            PROGRAMS / "initdb",
            "-D",
            self.data,
            "-A",
            "trust",
            "-U",
            "postgres",
            "-E",
            "UTF8",
            "-k",
        )
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS.format(**fill))
        control = (PROGRAMS / "pg_ctl", "-D", self.data, "-w", "-l", place / "log")
        self.control = control
        self.run(*control, "start")
        self.run(PROGRAMS / "createdb", "-h", place, "-U", "postgres", "sabot")
        self.run("pgbackrest", f"--config={self.config}", f"--stanza={STANZA}", "stanza-create")

    def run(self, *words: object) -> None:
        """What their administrator types, as the account `postgres` if this one is root."""
        account: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []}
        done = subprocess.run(
            [*map(str, words)],
            check=False,
            cwd="/",
            stdout=subprocess.DEVNULL,  # a pipe would be open as long as the server
            stderr=subprocess.DEVNULL,
            **(account if os.geteuid() == 0 else {}),
        )
        assert done.returncode == 0, words

    def stop(self) -> None:
        self.run(*self.control, "-m", "immediate", "stop")


@contextmanager
def backed_up() -> Iterator[BackedUp]:
    """Such a server. A test is skipped without the programs, unless the machine must have them."""
    if not shutil.which("pgbackrest") or not PROGRAMS.exists():
        if os.environ.get(REQUIRED):
            pytest.fail("There is no pgBackRest on this machine, or no PostgreSQL 15.")
        pytest.skip("There is no pgBackRest on this machine, or no PostgreSQL 15.")
    memory = Path("/dev/shm")
    place = Path(mkdtemp(prefix="sabot-pgb-", dir=memory if os.access(memory, os.W_OK) else None))
    if os.geteuid() == 0:
        shutil.chown(place, "postgres", "postgres")
    server = None
    try:
        server = BackedUp(place)
        yield server
    finally:
        if server:
            server.stop()
        shutil.rmtree(place, ignore_errors=True)
