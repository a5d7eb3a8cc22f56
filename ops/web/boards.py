"""The board for a terminal that shows it: one reading of the floor, however many follow."""

from collections.abc import Awaitable, Callable

import msgspec

from domain.aggregates.table import Table
from domain.rules.refusals import NotFound
from domain.rules.wording import plain
from ops.board.alerts import seen_by
from ops.board.rows import Seen
from ops.commands.rights import Rights
from ops.handlers.dispatcher import Dispatcher
from ops.web.callers import Caller
from ops.web.house import House
from ops.web.pages.floor import Watch
from ops.web.streams import BEAT, SIGN_OF_LIFE, Message, lost, written


def require_table(house: House, caller: Caller, table: str | None) -> None:
    """Refuses a table that was never opened: NotFound. Raises LedgerLost."""

    def find(dispatcher: Dispatcher) -> object:
        casino = dispatcher.casino
        return casino.ask(lambda: casino.find(Table, Table.stream(table or ""), rely=False))

    if table and house.at_tables.use(caller, find) is None:
        raise NotFound(what=f"table {table}")


class Boards:
    """Who follows the pit, or one table of it: what all of them see is written once."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        # By table and role, with its floor.
        self._written: dict[tuple[str | None, str | None], tuple[int, bytes]] = {}

    def stream(self, table: str | None, rights: Rights) -> Callable[[], Awaitable[list[Message]]]:
        """Gives what is to be sent next: the floor if it changed, else a sign of life.

        `rights`: of whoever follows, who learns no more than they may.
        """
        number = 0

        async def send_next() -> list[Message]:
            nonlocal number
            floor, before = await self._watch.after(number, BEAT), number
            number = floor.number
            if floor.lost:
                return [lost(floor.lost)]
            if floor.seen is None or floor.number == before:
                return [SIGN_OF_LIFE]
            return [self._of(floor.number, floor.seen, table, rights)]

        return send_next

    def _of(self, number: int, seen: Seen, table: str | None, rights: Rights) -> bytes:
        known, message = self._written.get((table, rights.role), (0, b""))
        if known != number:
            learnt = seen_by(rights, seen)
            here = learnt.about(table) if table else learnt
            data = msgspec.json.encode(here.of_the_pit, enc_hook=plain).decode()
            message = written({"event": "seen", "data": data})
            self._written[table, rights.role] = number, message
        return message
