"""Three PostgreSQL under Patroni on this machine, with the settings of the manual's example."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import closing, suppress
from pathlib import Path

from ops.ledger.database import Database
from ops.ledger.embedded.processes import wait
from tests import ROOT

EXAMPLE = ROOT / "ops" / "manual" / "examples" / "patroni.yml"
ACCOUNT = "postgres"  # which is not root, who may run no PostgreSQL
LONG = 120.0  # seconds


def installed() -> bool:
    """Whether this machine has Debian's patroni and etcd."""
    return bool(shutil.which("patroni") and shutil.which("etcd"))


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        return int(listener.getsockname()[1])


class Node:
    """One of the nodes; `name` as Patroni knows it."""

    def __init__(self, place: Path, number: int, etcd: int) -> None:
        self.name = f"node-{number}"
        self.place = place / self.name
        self.port, self.rest = _free_port(), _free_port()
        self.place.mkdir()
        shutil.chown(self.place, ACCOUNT)
        self._file = self.place / "patroni.yml"
        self._file.write_text(self._settings(etcd))
        self._process: subprocess.Popen[bytes] | None = None

    def _settings(self, etcd: int) -> str:
        """The example's, at addresses of this machine."""
        hosts = ",".join(f"10.0.0.{n}:2379" for n in (1, 2, 3))
        text = EXAMPLE.read_text().partition("watchdog:")[0].replace(hosts, f"127.0.0.1:{etcd}")
        for before, after in (
            ("name: node-1", f"name: {self.name}"),
            ("10.0.0.1:8008", f"127.0.0.1:{self.rest}"),
            ("10.0.0.1:5432", f"127.0.0.1:{self.port}"),
            ("/var/lib/postgresql/sabot", str(self.place / "data")),
            ("/run/postgresql/patroni.pgpass", str(self.place / "pgpass")),
            ("local all postgres peer", "local all all trust"),
            ("hostssl all all 10.0.0.0/24 scram-sha-256", "host all all 127.0.0.1/32 trust"),
            (
                "hostssl replication replicator 10.0.0.0/24 scram-sha-256",
                "host replication all 127.0.0.1/32 trust",
            ),
        ):
            assert before in text, before
            text = text.replace(before, after)
        sockets = f"  parameters:\n    unix_socket_directories: {self.place}\n"
        return f"{text}{sockets}watchdog:\n  mode: 'off'\n"

    def start(self) -> None:
        """Patroni begins, and with it PostgreSQL."""
        env = {"PATH": os.environ["PATH"], "HOME": str(self.place), "LC_ALL": "C"}
        env |= {f"PATRONI_{who}_PASSWORD": "x" for who in ("SUPERUSER", "REPLICATION", "REWIND")}
        with (self.place / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["setpriv", f"--reuid={ACCOUNT}", f"--regid={ACCOUNT}", "--clear-groups",
                 "patroni", str(self._file)],
                env=env, stdout=log, stderr=log, cwd=self.place,
            )  # fmt: skip

    def kill(self) -> None:
        """The machine is gone: nothing of it ends in order."""
        if self._process:
            self._process.kill()
            self._process.wait()
        assert wait(self._is_gone, LONG), self.name

    def _is_gone(self) -> bool:
        """Whether its PostgreSQL has ended, after it was killed."""
        with suppress(OSError, ValueError):
            pid = int((self.place / "data/postmaster.pid").read_text().split()[0])
            os.kill(pid, signal.SIGKILL)
        with socket.socket() as asks:
            return asks.connect_ex(("127.0.0.1", self.port)) != 0


class ThreeNodes:
    """The nodes, and an etcd that remembers who leads."""

    def __init__(self, place: Path) -> None:
        place.chmod(0o755)
        etcd = _free_port()
        clients, peers = f"http://127.0.0.1:{etcd}", f"http://127.0.0.1:{_free_port()}"
        with (place / "etcd.log").open("wb") as log:
            self._etcd = subprocess.Popen(
                ["etcd", "--data-dir", str(place / "etcd"), "--name", "one",
                 "--listen-client-urls", clients, "--advertise-client-urls", clients,
                 "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers,
                 "--initial-cluster", f"one={peers}"],
                stdout=log, stderr=log,
            )  # fmt: skip
        self.nodes = [Node(place, number, etcd) for number in (1, 2, 3)]
        for each in self.nodes:
            each.start()
        assert wait(self.complete, LONG)

    def members(self) -> dict[str, tuple[str, str]]:
        """Role and state of each node, as one of them has it."""
        for each in self.nodes:
            with suppress(OSError, ValueError):
                address = f"http://127.0.0.1:{each.rest}/cluster"
                with urllib.request.urlopen(address, timeout=2) as answer:
                    members = json.load(answer)["members"]
                return {one["name"]: (one["role"], one.get("state", "")) for one in members}
        return {}

    def complete(self) -> bool:
        """Whether there are a leader, a synchronous standby and another one."""
        members = self.members().values()
        running = sorted(role for role, state in members if state in ("running", "streaming"))
        return running == ["leader", "replica", "sync_standby"]

    @property
    def leader(self) -> Node:
        """The node that leads."""
        names = [name for name, (role, _) in self.members().items() if role == "leader"]
        return next(each for each in self.nodes if each.name in names)

    def has_another(self, killed: Node) -> bool:
        """Whether another node than this one leads."""
        leading = [name for name, (role, _) in self.members().items() if role == "leader"]
        return leading not in ([], [killed.name])

    @property
    def database(self) -> Database:
        """The ledger, wherever the leader is."""
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in self.nodes)
        return Database(f"postgresql://postgres@{hosts}/sabot?target_session_attrs=read-write")

    def begin(self) -> Database:
        """An empty ledger on them."""
        import psycopg

        url = self.database.url.replace("/sabot?", "/postgres?")
        with psycopg.connect(url, autocommit=True) as superuser:
            superuser.execute("CREATE DATABASE sabot ENCODING 'UTF8' TEMPLATE template0")
        self.database.upgrade()
        return self.database

    def close(self) -> None:
        """Ends all of it."""
        for each in self.nodes:
            each.kill()
        self._etcd.kill()
        self._etcd.wait()
        time.sleep(0.5)
