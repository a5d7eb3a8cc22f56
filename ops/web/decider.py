"""One thread decides the single lines of all terminals, so that what waits is appended together."""

import asyncio
import threading
from collections.abc import Sequence
from queue import SimpleQueue

import anyio

from ops.handlers.at_once import Single, dispatch_at_once
from ops.ledger.together import MOST, Writer
from ops.web.log import log, mistake

_Waiting = tuple[Single, "asyncio.Future[None]"]


class Decider:
    """Takes lines as they come; while some are decided, others wait, and go together then."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: SimpleQueue[_Waiting | None] = SimpleQueue()  # None: no more come
        self._thread = threading.Thread(target=self._run, name="decider", daemon=True)
        self._thread.start()

    async def decide(self, single: Single) -> None:
        """Gives a line its answer, on disk, unless it is to be dispatched alone."""
        decided = asyncio.get_running_loop().create_future()
        self._waiting.put((single, decided))
        with anyio.CancelScope(shield=True):  # its dispatcher is in use
            await decided

    @property
    def waiting(self) -> int:
        """How many lines wait to be decided."""
        return self._waiting.qsize()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            together = [first]
            while len(together) < MOST and not self._waiting.empty():
                another = self._waiting.get()
                if another is None:
                    self._waiting.put(None)
                    break
                together.append(another)
            self._decide(together)

    def _decide(self, together: Sequence[_Waiting]) -> None:
        try:
            dispatch_at_once([single for single, _ in together], self._writer)
        except Exception as error:  # noqa: BLE001  (each is dispatched alone)
            mistake(log(), error, request="commands")
        together[0][1].get_loop().call_soon_threadsafe(_tell, together)

    def close(self) -> None:
        """Ends the thread, when all was decided that came."""
        self._waiting.put(None)
        self._thread.join()


def _tell(together: Sequence[_Waiting]) -> None:
    for _, decided in together:
        if not decided.done():
            decided.set_result(None)
