"""One thread decides the single lines of all terminals, so that what waits is appended together."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import anyio

from ops.handlers.at_once import Single, dispatch_at_once
from ops.ledger.together import MOST, Writer
from ops.web.log import log, mistake


class Decider:
    """Takes lines as they come; while some are decided, others wait, and go together then."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="decider")
        self._waiting: list[tuple[Single, asyncio.Future[None]]] = []
        self._deciding: asyncio.Task[None] | None = None

    async def decide(self, single: Single) -> None:
        """Gives a line its answer, on disk, unless it is to be dispatched alone."""
        decided = asyncio.get_running_loop().create_future()
        self._waiting.append((single, decided))
        if self._deciding is None:
            self._deciding = asyncio.create_task(self._decide())
        with anyio.CancelScope(shield=True):  # its dispatcher is in use
            await decided

    async def _decide(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            together, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            singles = [single for single, _ in together]
            try:
                await loop.run_in_executor(self._thread, dispatch_at_once, singles, self._writer)
            except Exception as error:  # noqa: BLE001  (each is dispatched alone)
                mistake(log(), error, request="commands")
            for _, decided in together:
                decided.set_result(None)
        self._deciding = None

    def close(self) -> None:
        """Ends the thread."""
        self._thread.shutdown()
