"""The board for a terminal that shows it: one reading of the floor, however many follow."""

import msgspec

from domain.aggregates.table import Table
from domain.rules.refusals import NotFound
from domain.rules.wording import plain
from ops.handlers.dispatcher import Dispatcher
from ops.web.callers import Caller
from ops.web.house import House
from ops.web.pages.floor import Watch
from ops.web.streams import BEAT, SIGN_OF_LIFE, Message, lost


def require_table(house: House, caller: Caller, table: str | None) -> None:
    """Refuses a table that was never opened: NotFound. Raises LedgerLost."""

    def find(dispatcher: Dispatcher) -> object:
        casino = dispatcher.casino
        return casino.ask(lambda: casino.find(Table, Table.stream(table or ""), rely=False))

    if table and house.at_tables.use(caller, find) is None:
        raise NotFound(what=f"table {table}")


class BoardStream:
    """The pit, or one table of it, as it changes."""

    def __init__(self, watch: Watch, table: str | None) -> None:
        self._watch, self._table = watch, table
        self._number = 0  # of the floor that was sent last

    async def next(self) -> list[Message]:
        """The floor if it changed; else a sign of life."""
        floor, before = await self._watch.after(self._number, BEAT), self._number
        self._number = floor.number
        if floor.lost:
            return [lost(floor.lost)]
        if floor.seen is None or floor.number == before:
            return [SIGN_OF_LIFE]
        seen = floor.seen.about(self._table) if self._table else floor.seen
        return [{"event": "seen", "data": msgspec.json.encode(seen, enc_hook=plain).decode()}]
