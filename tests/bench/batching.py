"""Sixteen clients on one connection: all waiting commands are saved together.

One process with a thread for each client, as a service in front of the ledger would be: during a
save the next commands queue, and then go together. Each client is answered when its own is on disk.
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
    """Clients that all save through one connection."""

    def __init__(self, save_all: Callable[[Sequence[Payload]], None]) -> None:
        self._save_all = save_all
        self._waiting: deque[tuple[Payload, threading.Lock]] = deque()
        self._work = threading.Semaphore(0)

    def __call__(self, payload: Payload) -> None:
        """Saves one command alone."""
        self._save_all([payload])

    def until(self, payload: Payload, ends: float) -> list[list[float]]:
        """Saves until the time `ends`; the milliseconds of each save, for each client."""
        took: list[list[float]] = [[] for _ in range(CLIENTS)]
        clients = [threading.Thread(target=self._client, args=(payload, ends, own)) for own in took]
        for client in clients:
            client.start()
        while any(client.is_alive() for client in clients):
            if self._work.acquire(timeout=0.01):
                self._save_waiting()
        return took

    def _save_waiting(self) -> None:
        """Saves all commands that wait now."""
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
    """Sabot's ledger, with all waiting commands in one save."""
    ledger = Ledger(Database(url))
    return Batching(lambda payloads: save_several(ledger, [decided(each) for each in payloads]))


def batched_limit(url: str) -> Batching:
    """The limit, with all waiting commands in one INSERT."""
    return Batching(limit.several_saver(url))
