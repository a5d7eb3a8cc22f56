"""Which ledger is measured, and how long something takes on it."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.recorder import Ledger
from ops.simulation.run import Plan, say

MADE_UP = Plan(tables=10, coups=60, seed=5)


def milliseconds(work: Callable[[], object], times: int = 3) -> float:
    """The quickest of several."""
    return min(each(work) for each in [once] * times)


def once(work: Callable[[], object]) -> float:
    """In milliseconds."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


@contextmanager
def pointed_at(addresses: list[str]) -> Iterator[list[Database]]:
    """Those that are said, the one that is set, or one that is made up for as long as it takes."""
    if addresses or os.environ.get("SABOT_DATABASE_URL") or os.environ.get("SABOT_HOME"):
        yield [Database(each) for each in addresses or [None]]
        return
    with tempfile.TemporaryDirectory() as place:
        home = Embedded(Path(place) / "home")
        try:
            casino = Casino(Ledger(Database(home=home)), made_up=True)
            dispatcher = Dispatcher(casino, "simulate")
            say(dispatcher.dispatch, MADE_UP.lines(range(1, MADE_UP.tables + 1)), lambda _: None)
            casino.close()
            yield [Database(home=home)]
        finally:
            home.destroy()
