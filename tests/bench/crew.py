"""Writers that all begin at the same moment, each a process of its own, and their results.

They live for the whole run and keep their connections, so that a repeat includes no start-up. A
writer begins its last save before the time is up; that save counts with the time it takes.
"""

import importlib
import multiprocessing
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from tests.bench.batching import Batching
from tests.bench.figures import percentile
from tests.bench.payload import Payload, Save
from tests.bench.thin import ThinFeeds

SOON = 0.05  # seconds from the order until all writers begin
WARM = 3  # saves that do not count
_MODULE = "tests.bench.ways"  # each function makes a save function


@dataclass(frozen=True)
class Load:
    """The result of all writers: saves per second, and the 99th percentile in milliseconds."""

    rate: float
    p99: float

    @classmethod
    def of(cls, clients: list[list[float]]) -> "Load":
        """The load, from the milliseconds of each save of each client."""
        took = [each for client in clients for each in client]
        rate = sum(1000 * len(client) / sum(client) for client in clients if client)
        return cls(rate, percentile(took, 99))


class Crew:
    """Python processes that save in any of the ways of `tests.bench.ways`."""

    def __init__(self, size: int, urls: Mapping[str, str]) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([_MODULE])
        self.urls = urls
        self._pipes: list[Connection] = []
        self._workers = []
        for _ in range(size):
            ours, theirs = context.Pipe()
            worker = context.Process(target=_work, args=(theirs,), daemon=True)
            worker.start()
            theirs.close()
            self._pipes.append(ours)
            self._workers.append(worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        for pipe in self._pipes:
            pipe.close()
        for worker in self._workers:
            worker.join(5)
            worker.terminate()

    def run(self, way: str, payload: Payload, writers: int, seconds: float) -> Load:
        """The load of this many writers for this many seconds."""
        pipes = self._pipes[:writers]
        _order(pipes, ("ready", way, self.urls[way], payload))
        answers = _order(pipes, ("go", time.time() + SOON, seconds))
        return Load.of([client for answer in answers for client in answer])


def _order(pipes: Iterable[Connection], order: tuple[Any, ...]) -> list[list[list[float]]]:
    """Sends an order to every writer, and returns their answers."""
    pipes = list(pipes)
    for pipe in pipes:
        pipe.send(order)
    answers = [pipe.recv() for pipe in pipes]
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


def _work(pipe: Connection) -> None:
    """A writer: prepares for a way, then saves for the time that it is given."""
    saves: dict[tuple[str, str], Save] = {}
    save: Save = _nothing
    payload: Payload = ()
    while True:
        try:
            order = pipe.recv()
        except EOFError:
            return
        try:
            if order[0] == "ready":
                _, way, url, payload = order
                save = _saver(saves, way, url)
                for _ in range(WARM):
                    save(payload)
                pipe.send([])
            else:
                pipe.send(_save_until(save, payload, begin=order[1], seconds=order[2]))
        except Exception as error:  # noqa: BLE001  (it is raised in the main process)
            pipe.send(RuntimeError(f"{type(error).__name__}: {error}"))


def _nothing(_: Payload) -> None:
    """Saves nothing: the way before the first order."""


def _saver(saves: dict[tuple[str, str], Save], way: str, url: str) -> Save:
    """A way's save function, on a connection that this writer keeps."""
    if (way, url) not in saves:
        saves[way, url] = getattr(importlib.import_module(_MODULE), way)(url)
    return saves[way, url]


def _save_until(save: Save, payload: Payload, begin: float, seconds: float) -> list[list[float]]:
    """The milliseconds of each save, for each client of this writer."""
    time.sleep(max(0.0, begin - time.time()))
    ends = time.perf_counter() + seconds
    if isinstance(save, Batching | ThinFeeds):
        return save.until(payload, ends)
    took = []
    while (started := time.perf_counter()) < ends:
        save(payload)
        took.append((time.perf_counter() - started) * 1000)
    return [took]
