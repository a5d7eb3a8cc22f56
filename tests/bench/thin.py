"""Thin feeds: terminals that know a house server's address only, each at a table of its own.

A feed sends the next line of an evening when it has the answer to the one before.
"""

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from pathlib import Path

from msgspec import Struct

from ops.door.connection import CERTIFICATES, Connection, WiredConnection
from ops.ledger.pepper import pepper_file
from ops.simulation.run import Plan
from tests.bench.payload import Payload

AHEAD = 2_000  # lines that are made before the clock starts
BEFORE = 40  # lines until a table is opened and deals
TARGET = "/api/commands?first=1"


class Door(Struct, frozen=True):
    """Where thin feeds knock; `trusts`: the file of the authority, '' without TLS.

    `address`: of several servers with a comma between them; feeds go to each in turn.
    """

    address: str
    home: str
    trusts: str = ""

    def __str__(self) -> str:
        return f"{self.address} {self.home} {self.trusts}"


class ThinFeed:
    """One feed; each call sends one line, and whatever is to be saved is ignored."""

    def __init__(
        self, door: Door, kind: type[Connection] = WiredConnection, ahead: int = AHEAD
    ) -> None:
        """`ahead`: lines that are made before it sends any."""
        table = _next_table(Path(door.home))
        home = f"{door.home}/terminal-{table}"  # which makes its key there
        os.environ.setdefault("SABOT_PEPPER_FILE", str(pepper_file()))  # of this process, as before
        os.environ["SABOT_HOME"], os.environ["SABOT_SESSION"] = home, f"{home}/session"
        if door.trusts:
            os.environ[CERTIFICATES] = door.trusts
        addresses = door.address.split(",")
        self.code = f"S{table:02}"
        self._connection = kind(addresses[table % len(addresses)])
        self._lines = _lines(table)
        self._ready: Iterator[bytes] = iter(list(islice(self._lines, ahead)))
        for _ in range(BEFORE):
            self(())

    def __call__(self, _: Payload) -> None:
        """Sends a line, and has its answer when it comes back."""
        self.send()

    def send(self) -> bytes:
        """The answer to a line, when it comes back."""
        status, answer = self._connection.post(TARGET, next(self._ready, None) or next(self._lines))
        assert status == 200, answer
        assert b'"ok"' in answer, answer
        return answer


class ThinFeeds:
    """Several feeds of one process."""

    def __init__(self, door: Door, feeds: int) -> None:
        self._feeds = [ThinFeed(door) for _ in range(feeds)]

    def __call__(self, payload: Payload) -> None:
        """Each of them sends a line."""
        for feed in self._feeds:
            feed(payload)

    def until(self, payload: Payload, ends: float) -> list[list[float]]:
        """They send until the time `ends`; the milliseconds of each line, for each feed."""

        def send(feed: ThinFeed) -> list[float]:
            took = []
            while (started := time.perf_counter()) < ends:
                feed(payload)
                took.append((time.perf_counter() - started) * 1000)
            return took

        with ThreadPoolExecutor(len(self._feeds)) as threads:
            return list(threads.map(send, self._feeds))


def thin_feed(door: str) -> ThinFeed:
    """One feed at a house."""
    return ThinFeed(Door(*door.split(" ")))


def posting_feed(door: str) -> ThinFeed:
    """One whose every line is a request by itself."""
    return ThinFeed(Door(*door.split(" ")), Connection)


def four_thin_feeds(door: str) -> ThinFeeds:
    """Four feeds of one process."""
    return ThinFeeds(Door(*door.split(" ")), 4)


def _lines(table: int) -> Iterator[bytes]:
    """An evening that does not end, at one table."""
    for line in Plan(tables=table, coups=1_000_000, seed=5).lines([table]):
        yield json.dumps(line).encode() + b"\n"


def _next_table(home: Path) -> int:
    """A table's number that no other feed of this house has."""
    for number in count(1):
        try:
            (home / f"table-{number}").touch(exist_ok=False)
        except FileExistsError:
            continue
        return number
    raise AssertionError
