"""The board for a terminal that shows it: one reading of the floor, however many follow."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anyio
import msgspec

from domain.aggregates.table import Table
from domain.rules.refusals import NotFound, Refusal
from domain.rules.wording import plain
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import LedgerLost
from ops.web.callers import Caller
from ops.web.house import House
from ops.web.pages.floor import Watch
from ops.web.turned_away import TurnedAway
from ops.words.failure import in_words

BEAT = 1.0  # seconds between two signs of life
STILL = 2.0  # seconds for which whoever looks is not checked again


def require_table(house: House, caller: Caller, table: str | None) -> None:
    """Refuses a table that was never opened: NotFound. Raises LedgerLost."""

    def find(dispatcher: Dispatcher) -> object:
        casino = dispatcher.casino
        return casino.ask(lambda: casino.find(Table, Table.stream(table or ""), rely=False))

    if table and house.at_tables.use(caller, find) is None:
        raise NotFound(what=f"table {table}")


async def looks(
    watch: Watch,
    table: str | None,
    ending: anyio.Event,
    require_still: Callable[[], Awaitable[None]],
) -> AsyncIterator[dict[str, Any]]:
    """The pit, or one table of it, as it changes, while whoever looks may."""
    number, checked = 0, time.monotonic()
    try:
        while not ending.is_set():
            if time.monotonic() - checked > STILL:
                await require_still()
                checked = time.monotonic()
            floor = await watch.after(number, BEAT)
            if floor.lost:
                yield {"event": "lost", "data": floor.lost}
            elif floor.seen and floor.number > number:
                seen = floor.seen.about(table) if table else floor.seen
                text = msgspec.json.encode(seen, enc_hook=plain).decode()
                yield {"event": "seen", "data": text}
            else:
                yield {"event": "beat", "data": ""}
            number = floor.number
    except LedgerLost as error:
        yield {"event": "lost", "data": error.why}
    except (TurnedAway, Refusal) as error:
        yield {"event": "ended", "data": in_words(error)}
