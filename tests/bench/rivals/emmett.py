"""Emmett: appendToStream of its PostgreSQL store, called as in its own benchmarks.

Pooled, with its defaults; a node process for each core has its share of the writers, each of which
works on its own. One append writes one stream, so the events of a coup are one stream here. Its
positions are not in commit order; its readers take transactions into account that are still open.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

from tests.bench.crew import SOON, Load
from tests.bench.payload import Payload


class NodeCrew:
    """A node process for each core, each with its pool of connections."""

    def __init__(self, url: str, packages: Path) -> None:
        script = packages.parent / "emmett.mjs"
        shutil.copyfile(Path(__file__).with_name("emmett.mjs"), script)
        self._stack = ExitStack()
        self._nodes = [
            self._stack.enter_context(_Node(script, as_uri(url)))
            for _ in range(os.cpu_count() or 1)
        ]
        for node in self._nodes:  # one after the other: the first makes the tables
            node.say({"payload": [("bench.made", {})], "writers": 1})
            node.hear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def run(self, payload: Payload, writers: int, seconds: float) -> Load:
        """The load of this many writers for this many seconds."""
        nodes = self._nodes[:writers]
        shares = [len(range(n, writers, len(nodes))) for n in range(len(nodes))]
        events = [(topic, json.loads(state)) for topic, state in payload]
        for node, share in zip(nodes, shares, strict=True):
            node.say({"payload": events, "writers": share})
        for node in nodes:
            node.hear()
        begin = time.time() + SOON
        for node in nodes:
            node.say({"begin": begin, "seconds": seconds})
        return Load.of([client for node in nodes for client in node.hear()["took"]])


def as_uri(url: str) -> str:
    """A server's address in the form that node reads."""
    address = {name: quote(str(value), safe="") for name, value in conninfo_to_dict(url).items()}
    place = f"host={address['host']}&port={address['port']}"
    return f"postgresql://{address['user']}@/{address['dbname']}?{place}"


class _Node:
    """A node process that takes an order on each line and answers with a line."""

    def __init__(self, script: Path, url: str) -> None:
        self._process = subprocess.Popen(
            ["node", str(script), url], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def say(self, order: Mapping[str, object]) -> None:
        """Sends an order."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Reads the answer to an order."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("node ended; its output is above")
        answer: dict[str, Any] = json.loads(line)
        return answer
