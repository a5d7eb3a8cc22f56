"""Sixteen clients, one connection: all that wait are saved together, each told when it is on disk.

One process with a thread for each client, as a service before the ledger would be: while a save
is under way the next commands queue, and go together.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from tests.bench.ours import save_several
from tests.bench.payload import Payload, decided
from tests.bench.rivals import limit

CLIENTS = 16


class Batching:
    """Clients that save through one saver; `until` runs them for so long."""

    def __init__(self, save_all: Callable[[Sequence[Payload]], None]) -> None:
        self._save_all = save_all
        self._waiting: deque[tuple[Payload, threading.Lock]] = deque()
        self._work = threading.Semaphore(0)

    def __call__(self, payload: Payload) -> None:
        """One save alone."""
        self._save_all([payload])

    def until(self, payload: Payload, ends: float) -> list[list[float]]:
        """Milliseconds of each save of each client, the last begun by then."""
        took: list[list[float]] = [[] for _ in range(CLIENTS)]
        clients = [threading.Thread(target=self._client, args=(payload, ends, own)) for own in took]
        for client in clients:
            client.start()
        while any(client.is_alive() for client in clients):
            if self._work.acquire(timeout=0.01):
                self._save_waiting()
        return took

    def _save_waiting(self) -> None:
        """All commands that wait now."""
        together = [self._waiting.popleft()]
        while self._waiting and self._work.acquire(blocking=False):
            together.append(self._waiting.popleft())
        self._save_all([payload for payload, _ in together])
        for _, done in together:
            done.release()

    def _client(self, payload: Payload, ends: float, took: list[float]) -> None:
        done = threading.Lock()
        done.acquire()
        while (started := time.perf_counter()) < ends:
            self._waiting.append((payload, done))
            self._work.release()
            done.acquire()
            took.append((time.perf_counter() - started) * 1000)


def batched(url: str) -> Batching:
    """Sabot's ledger, all waiting commands in one save."""
    ledger = Ledger(Database(url))
    return Batching(lambda payloads: save_several(ledger, [decided(each) for each in payloads]))


def batched_limit(url: str) -> Batching:
    """The limit, all waiting commands in one INSERT."""
    return Batching(limit.several_saver(url))
