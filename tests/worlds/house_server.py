"""A house server in a process of its own, and terminals that know only its address."""

import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from threading import Timer
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.cli import cli
from ops.door.connection import Connection
from ops.door.signature import fingerprint
from ops.ledger.pepper import pepper_file
from tests import ROOT
from tests.worlds.closed_house import PIN
from tests.worlds.programs import Alone, Program

OPEN_AT = re.compile(r'"address": "(\S+?)"')
# What a terminal types for the first coup at B01, which is open.
A_COUP = (
    ("table", "seat", "B01", "3", "P-1"),
    ("shoe", "load", "B01", "8"),
    ("shoe", "inspect", "B01"),
    ("shoe", "shuffle", "B01", "hand"),
    ("shoe", "cut", "B01"),
    ("shoe", "burn", "B01", "3D"),
    ("bet", "B01", "3", "banker", "100"),
    *(("draw", "B01", card) for card in ("9C", "5S", "KD", "2H")),
    ("settle", "B01"),
)
NO_DATABASE = "postgresql://nobody@127.0.0.1:1/nowhere?connect_timeout=1"


class HouseServer:
    """`sabot serve` on a database; `address` once it is open.

    `trusts`: the file of the authority that terminals trust, where the server has a certificate;
    `name`: of its log, where several share a home. `alone`: it imports everything itself, as
    `sabot serve` at a shell does. `place`: of the program, where it is another release.
    """

    def __init__(
        self,
        database,
        home: Path,
        *options: str,
        port: int = 0,
        trusts: Path | None = None,
        name: str = "server",
        alone: bool = False,
        place: Path = ROOT,
    ) -> None:
        self.alone, self._place = alone, place
        self.database, self.home, self.trusts = database, home, trusts
        self.log = home / f"{name}.log"
        home.mkdir(exist_ok=True)
        self._env = {
            **{name: value for name, value in os.environ.items() if name != "SABOT_HOUSE"},
            "SABOT_DATABASE_URL": database.url,
            "SABOT_HOME": str(home),
            "SABOT_PEPPER_FILE": str(pepper_file()),  # of those who record in the same ledger
        }
        self._words = ["serve", "--port", str(port), *options]
        self.start()

    def start(self) -> None:
        """Starts it, or starts it again at the same port, and waits until it is open."""
        with self.log.open("ab") as log:
            begins = log.tell()
            begin = Alone if self.alone else Program
            file = log.fileno()
            self.process = begin(
                self._words, cwd=self._place, env=self._env, stdout=file, stderr=file
            )
        watchdog = Timer(60, self.process.kill)  # rather a failed test than one that hangs
        watchdog.start()
        while self.process.poll() is None:
            with self.log.open() as log:
                log.seek(begins)
                if found := OPEN_AT.search(log.read()):
                    break
            time.sleep(0.01)
        watchdog.cancel()
        assert self.process.poll() is None, self.log.read_text()
        assert found
        self.address = found[1]
        port = self.address.rpartition(":")[2]
        self._words[self._words.index("--port") + 1] = port

    def stop(self, by: int = signal.SIGTERM) -> int:
        """Ends it; its exit status."""
        self.process.send_signal(by)
        return self.process.wait(30)

    def terminal(self, name: str = "pit-1", address: str = "") -> "Terminal":
        """A terminal of this name; the same one each time. `address`: of a proxy in front."""
        return Terminal(self, self.home / name, address)

    def lines_of_log(self) -> list[dict[str, object]]:
        """Every line of its log."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]


class Terminal:
    """A machine that has the server's address, a key of its own, and no database."""

    def __init__(self, server: HouseServer, home: Path, address: str = "") -> None:
        self.server, self.home, self._address = server, home, address
        home.mkdir(exist_ok=True)

    @property
    def env(self) -> dict[str, str]:
        """Its environment."""
        trusts = {"SABOT_HOUSE_CA": str(self.server.trusts)} if self.server.trusts else {}
        return {
            **trusts,
            "SABOT_HOUSE": self._address or self.server.address,
            "SABOT_HOME": str(self.home),
            "SABOT_SESSION": str(self.home / "session"),
            "SABOT_DATABASE_URL": NO_DATABASE,
            "SABOT_PEPPER_FILE": str(self.home / "no-pepper"),
        }

    def run(self, *words: str, types=(), text: str = "", env=()):
        """What a command prints, and its exit status; `types`: lines that are typed."""
        typed = text or "".join(f"{each}\n" for each in types)
        return CliRunner().invoke(cli, list(words), input=typed, env={**self.env, **dict(env)})

    def begin(self, *words: str, out: Path) -> subprocess.Popen[bytes]:
        """A command in a process of its own, which reads a pipe and writes to a file."""
        env = {"PATH": os.environ["PATH"], **self.env}
        with out.open("ab") as file:
            return Program(
                words, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=file, stderr=file
            )

    def ask(self, *words: str, types=()):
        """The answer as JSON."""
        result = self.run(*words, "--json", types=types)
        assert result.stdout, result.stderr
        return json.loads(result.stdout)

    def send(self, *lines, key: str = ""):
        """The answers to lines of the feed."""
        text = "".join(json.dumps(line) + "\n" for line in lines)
        options = ["--key", key] if key else []
        return [
            json.loads(each)
            for each in self.run("feed", *options, text=text).stdout.split("\n")[:-1]
        ]

    def post(self, target: str, body: bytes, headers=None):
        """Status and body of a signed request."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.env.items():
                patch.setenv(name, value)
            with closing(Connection(self.server.address, patience=2)) as connection:
                return connection.post(target, body, headers)

    def get(self, target: str, headers=None):
        """Status, headers and body of a request that nobody signed."""
        with closing(self._connection()) as http:
            http.request("GET", target, headers=headers or {})
            answer = http.getresponse()
            return answer.status, answer.headers, answer.read()

    def _connection(self) -> HTTPConnection:
        split = urlsplit(self.server.address)
        if split.scheme == "http":
            return HTTPConnection(split.netloc, timeout=30)
        trusted = ssl.create_default_context(cafile=self.server.trusts)
        return HTTPSConnection(split.netloc, timeout=30, context=trusted)

    @property
    def key(self) -> str:
        """The name of its key."""
        key = Ed25519PrivateKey.from_private_bytes((self.home / "terminal-key").read_bytes())
        return fingerprint(key.public_key().public_bytes_raw())

    def approved_by(self, boss: "Terminal") -> "Terminal":
        """It is approved at another terminal, after it was refused once."""
        refused = self.run("board", "--once")
        assert f"approve-terminal {self.key} NAME` on the server's machine" in refused.stderr
        approved = boss.run("staff", "approve-terminal", self.key, self.home.name)
        assert approved.exit_code == 0, approved.output
        return self

    def sign_on(self, staff: str, code: str):
        """Somebody signs on here for the first time."""
        result = self.run("staff", "sign-on", staff, types=(code, PIN, PIN))
        assert result.exit_code == 0, result.output


class Prepared:
    """A house that was made once, with its server stopped: for copies, one a test.

    The database and the homes of its machines are copied; sign-ons stay valid.
    """

    def __init__(self, database, home: Path) -> None:
        self.database, self.home = database, home

    @contextmanager
    def copy(self, server, home: Path) -> Iterator[HouseServer]:
        """A server on a copy."""
        shutil.copytree(self.home, home)
        with server.database(like=self.database) as database, house_server(database, home) as house:
            yield house


@contextmanager
def house_server(
    database,
    home: Path,
    *options: str,
    trusts: Path | None = None,
    name: str = "server",
    alone: bool = False,
    place: Path = ROOT,
) -> Iterator[HouseServer]:
    """A server until the block ends."""
    server = HouseServer(
        database, home, *options, trusts=trusts, name=name, alone=alone, place=place
    )
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait(60)  # whoever looks into it, as a profiler does, may hold it up
