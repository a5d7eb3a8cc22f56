"""A process that says an evening's lines and writes down, unbuffered, what it was told."""

import os
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from eventsourcing.persistence import StoredEvent

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.several import dispatch_several
from ops.ledger.appending import Decision
from ops.ledger.database import Database, LedgerLost
from ops.ledger.recorder import Ledger
from ops.simulation.run import Plan


class FlushesApart(Ledger):
    """Appends in a call of its own, and leaves the flush to another."""

    def append(
        self, events: Sequence[StoredEvent], decision: Decision, *, flush: bool = False
    ) -> Sequence[int]:
        return super().append(events, decision, flush=flush)


class NeverFlushes(FlushesApart):
    """Acknowledges what is committed but perhaps not on disk."""

    def flush(self) -> None:
        self.unflushed = False


class FlushesElsewhere(FlushesApart):
    """Retries a lost flush by itself on a new connection, where it proves nothing.

    It waits before its flush, so that a server is killed between the two.
    """

    def flush(self) -> None:
        time.sleep(0.02)
        try:
            super().flush()
        except LedgerLost:
            while True:
                try:
                    with self.connection() as connection:
                        connection.execute("SELECT ledger.flush()")
                    return
                except LedgerLost:
                    continue


LEDGERS = {"sound": Ledger, "bulk": Ledger, "never": NeverFlushes, "elsewhere": FlushesElsewhere}


def write(database: Database, plan: Plan, table: int, told: Path, mode: str) -> None:
    """One table of a plan, on that server.

    `mode` is `sound`, `bulk` (twenty lines wait at a time), or one of two ways of flushing that
    lose what was acknowledged.
    """
    ledger = LEDGERS[mode](database)
    dispatcher = Dispatcher(Casino(ledger, made_up=True), "faults", patience=60.0)
    out = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    lines, at_once = plan.lines([table]), 20 if mode == "bulk" else 1
    while waiting := list(islice(lines, at_once)):
        for line, answer in zip(waiting, dispatch_several(dispatcher, waiting), strict=True):
            os.write(out, f"{line['id']} {answer.body.get('position')}\n".encode())
    os.write(out, b"done\n")
