"""A house on a full evening: fifty tables deal a line a second each, and sixty pages are open.

Dealers, readers and the one table that is measured are processes of their own: what is measured
waits for none of the others but at the server.
"""

import multiprocessing
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from multiprocessing.connection import Connection as Pipe
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from ops.door.connection import Connection
from ops.door.stream import followed
from tests.bench.thin import TARGET, Door, ThinFeed

TABLES, PAGES = 50, 60
EVERY = 1.0  # seconds between two lines of a table
PRESSED = 0.1  # seconds between two lines of the table that is measured
SETTLED = 3.0  # seconds until the beginning is over
LINES = 500  # of each table, which are made before it deals
PATIENCE = 10.0  # seconds for a line to be shown
PLACE, SEATS = "E01", range(1, 8)  # an electronic table, with its pages


class Waits(Struct, frozen=True):
    """Milliseconds from a line to its answer, to the dealer's screen, and to its table's page."""

    answered: list[float]
    shown: list[float]
    on_page: list[float]


class Evening:
    """Tables that deal at a house, and pages that are open there."""

    def __init__(self, door: Door, tables: int = TABLES) -> None:
        self._door = door
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([__name__])
        self._dealing = self._begin(_deal, door, tables)
        self._dealing.recv()
        self._measured = self._begin(_measure, door)
        self._measured.recv()

    def _begin(self, work: Callable[..., None], *given: object) -> Pipe:
        ours, theirs = self._context.Pipe()
        self._context.Process(target=work, args=(theirs, *given), daemon=True).start()
        theirs.close()
        return ours

    @contextmanager
    def open(self, pages: list[str]) -> Iterator[None]:
        """Pages that are open, and have settled."""
        looking = self._begin(_look, self._door.address, pages)
        looking.recv()
        time.sleep(SETTLED)
        try:
            yield
        finally:
            looking.close()

    def waits(self, seconds: float) -> Waits:
        """How long the measured table waited in this time."""
        self._measured.send(seconds)
        waits: Waits = self._measured.recv()
        return waits

    def close(self) -> None:
        """Ends the tables."""
        self._dealing.close()
        self._measured.close()


def pages(tables: int = TABLES, most: int = PAGES) -> list[str]:
    """The addresses of pages, of each kind as many: pit, table, displays, electronic place."""
    codes = [f"S{number:02}" for number in range(1, tables + 1)]
    kinds: list[Iterator[str]] = [
        iter(["/live/pit", "/live/pit?sort=table"] * most),
        (f"/live/tables/{code}" for code in codes * most),
        iter(["/live/wall"] * most),
        (f"/live/wall/{code}" for code in codes * most),
        (f"/live/play/{PLACE}/{seat}" for _ in range(most) for seat in SEATS),
    ]
    return [next(kinds[nth % len(kinds)]) for nth in range(most)]


def _deal(pipe: Pipe, door: Door, tables: int) -> None:
    feeds = [ThinFeed(door, ahead=LINES) for _ in range(tables)]
    bets = _place_bets(Connection(door.address))
    next(bets)
    pipe.send("ready")
    acts = [*(partial(feed, ()) for feed in feeds), partial(next, bets)]

    def deal(nth: int) -> None:
        time.sleep(EVERY * nth / len(acts))
        while True:
            begun = time.monotonic()
            acts[nth]()
            time.sleep(max(0.0, begun + EVERY - time.monotonic()))

    for nth in range(len(acts)):
        threading.Thread(target=deal, args=(nth,), daemon=True).start()
    with suppress(EOFError):
        pipe.recv()  # until it is closed


def _look(pipe: Pipe, address: str, targets: list[str]) -> None:
    """Opens pages and reads what comes, without looking at it."""
    split = urlsplit(address)
    chosen = selectors.DefaultSelector()
    for target in targets:
        opened = socket.create_connection((split.hostname, split.port))
        opened.sendall(f"GET {target} HTTP/1.1\r\nHost: {split.netloc}\r\n\r\n".encode())
        head = opened.recv(1 << 16)
        assert head.startswith(b"HTTP/1.1 200"), (target, head)
        chosen.register(opened, selectors.EVENT_READ)
    pipe.send("ready")
    while not pipe.poll():  # until it is closed
        for key, _ in chosen.select(EVERY):
            opened = key.fileobj  # type: ignore[assignment]
            opened.recv(1 << 18)


class _Screen:
    """What came on a stream: how far it reached, and when."""

    def __init__(self, reached: Iterator[float]) -> None:
        """`reached`: how far the table is shown, each time that something comes."""
        self._came = threading.Condition()
        self._reached: list[tuple[float, float]] = []  # with its moment
        threading.Thread(target=self._follow, args=(reached,), daemon=True).start()

    def _follow(self, reached: Iterator[float]) -> None:
        for each in reached:
            with self._came:
                self._reached.append((each, time.perf_counter()))
                self._came.notify_all()

    def first(self, reached: float) -> float:
        """The moment at which it first reached so far."""

        def moments() -> list[float]:
            return [at for each, at in self._reached if each >= reached]

        with self._came:
            self._came.wait_for(moments, PATIENCE)
            return moments()[0]


def _measure(pipe: Pipe, door: Door) -> None:
    feed = ThinFeed(door, ahead=LINES)
    screen, page = _Screen(_on_screen(door, feed.code)), _Screen(_on_page(door, feed.code))
    pipe.send("ready")
    try:
        while True:
            ends = time.monotonic() + pipe.recv()
            waits = Waits([], [], [])
            while time.monotonic() < ends:
                begun = time.perf_counter()
                body = msgspec.json.decode(feed.send())
                waits.answered.append(1000 * (time.perf_counter() - begun))
                if reached := body.get("position"):
                    waits.shown.append(1000 * (screen.first(reached) - begun))
                    waits.on_page.append(1000 * (page.first(begun) - begun))
                time.sleep(PRESSED)
            pipe.send(waits)
    except EOFError:
        return


def _on_screen(door: Door, table: str) -> Iterator[float]:
    """The position up to which a dealer's screen shows its table."""
    for kind, data in followed(Connection(door.address), f"/api/tables/{table}/now"):
        if kind == "seen":
            yield msgspec.json.decode(data)["read"]


def _on_page(door: Door, table: str) -> Iterator[float]:
    """The moment at which a table's page changed."""
    with Connection(door.address).stream(f"/live/tables/{table}", PATIENCE) as answer:
        for line in answer:
            if line.startswith(b"data: <hx-partial"):
                yield time.perf_counter()


def _place_bets(connection: Connection) -> Iterator[None]:
    """Opens an electronic table, then bets at each of its positions in turn, without end."""

    def send(command: str, **fields: object) -> dict[str, Any]:
        line = {"command": command, "table": PLACE, **fields}
        _, answer = connection.post(TARGET, msgspec.json.encode(line) + b"\n")
        body: dict[str, Any] = msgspec.json.decode(answer)
        assert body["ok"], body
        return body

    send("table.open", rules="electronic@1", opener={})
    for seat in SEATS:
        send("table.seat", seat=seat, patron=f"P-{seat}")
        send("account.pay-in", seat=seat, amount=50_000_00)
    send("shoe.load", decks=8)
    send("shoe.inspect")
    send("shoe.shuffle", method="generated")
    coup = send("open")["coup"]
    for nth in count(len(SEATS)):
        yield
        seat, stake = SEATS[nth % len(SEATS)], nth // len(SEATS) * 1_00
        send("account.bet", seat=seat, coup=coup, stakes={"banker": stake})
