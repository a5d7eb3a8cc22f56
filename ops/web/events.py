"""The record as it grows, for a program that follows it."""

import asyncio
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import msgspec

from ops.ledger.mapper import as_answer, event_of
from ops.ledger.reading import UnreadableEvent
from ops.web.news import News, read_after
from ops.web.streams import BEAT, Message, lost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ops.ledger.chain import Recorded
    from ops.ledger.database import Database

PIECE = 500  # events in one read
AT_ONCE = 20  # of those, before others have their turn


class EventStream:
    """The events after a position, of one table or of all."""

    def __init__(self, news: News, database: "Database", after: int, table: str | None) -> None:
        self._news, self._database = news, database
        self._after, self._table = after, table
        self._read: Sequence[Recorded] = ()  # and not yet sent

    async def next(self) -> list[Message]:
        """The next few; none if there are none yet. Raises LedgerLost, UnreadableEvent."""
        if not self._read:
            if self._news.lost:
                await asyncio.sleep(BEAT)
                return [lost(self._news.lost)]
            if not await self._news.beyond(self._after, BEAT):
                return []
            self._read = await self._read_more()
        sent, done = await self._in_turn(self._read[:AT_ONCE])
        self._after, self._read = self._read[done - 1].position, self._read[done:]
        return sent

    async def _read_more(self) -> "Sequence[Recorded]":
        held = self._news.after(self._after)
        if held is not None:
            return held
        return await anyio.to_thread.run_sync(read_after, self._database, self._after, PIECE)

    async def _in_turn(self, read: "Sequence[Recorded]") -> tuple[list[Message], int]:
        """See `_made`; several events are made in a thread, so that nobody else waits for them."""
        if len(read) == 1:
            return self._made(read)
        return await anyio.to_thread.run_sync(self._made, read)

    def _made(self, read: "Sequence[Recorded]") -> tuple[list[Message], int]:
        """Events as they are sent, and how many of `read` they are made of.

        They end before an event that cannot be read. Raises UnreadableEvent if it is the first.
        """
        sent: list[Message] = []
        for done, each in enumerate(read):
            try:
                if self._table is None or each.table_code == self._table:
                    sent.append({"id": str(each.position), "data": written(each)})
            except UnreadableEvent:
                if not done:
                    raise
                return sent, done
        return sent, len(read)


def written(recorded: "Recorded") -> str:
    """An event as it is sent: as an answer has it, with where and when it was recorded.

    `recorded`: each column as the ledger has it, so that who follows can check the hash.
    """
    body = {
        "position": recorded.position,
        "table": recorded.table_code,
        "day": str(recorded.gaming_day),
        "actor": recorded.actor,
        "at": recorded.recorded_at.isoformat(),
        "command_id": recorded.command_id,
        **as_answer(event_of(recorded)),  # which may have names of its own
        "recorded": {
            "stream": str(recorded.originator_id),
            "version": recorded.originator_version,
            "topic": recorded.topic,
            "state": recorded.state.decode(),
            "position": recorded.position,
            "at": recorded.recorded_at.isoformat(),
            "day": str(recorded.gaming_day),
            "table": recorded.table_code,
            "actor": recorded.actor,
            "command_id": recorded.command_id,
            "metadata": recorded.metadata,
            "hash": recorded.hash.hex(),
        },
    }
    return msgspec.json.encode(body).decode()
