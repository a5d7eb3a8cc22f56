"""Terminals at tables: their questions, and the table as it changes.

The screen runs at the terminal. It asks here what a terminal on this machine asks of the record,
and follows its table by a stream, which names nobody while nobody is signed on there.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any, cast

import anyio
import anyio.to_thread
import msgspec

from ops.commands.read import decode
from ops.door.coded import as_text, encoded
from ops.handlers import starts
from ops.handlers.answer import Answer
from ops.handlers.checkpoints import sign_if_due
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.questions import (
    OnRecord,
    Question,
    Questions,
    Send,
    WhichOnRecord,
    WhoIsHere,
)
from ops.ledger.clock import wall_clock
from ops.ledger.database import LedgerLost, OnStandby
from ops.now.listener import Done, Listener
from ops.now.seen import TableSeen
from ops.now.table_now import TableNow
from ops.web.callers import Caller
from ops.web.house import House
from ops.web.line_answer import LineAnswer
from ops.web.requests import read
from ops.web.streams import BEAT, SIGN_OF_LIFE, Message, lost, while_they_may
from ops.web.turned_away import NotTrusted, TurnedAway

MOST = 64  # lines of one question: what somebody types is never more
MOST_NEWS = 200  # that wait until a terminal has read them, the newest
LEAVES = 2.0  # seconds for a listener to end


def require_terminal(caller: Caller) -> None:
    """Lets only a terminal pass, which signs with its key. Raises NotTrusted."""
    if not caller.terminal or caller.token.key:
        raise NotTrusted("A terminal asks here, and signs with its key.", 403)


def question_of(caller: Caller, body: bytes) -> Question[Any]:
    """The question in a request. Raises NotTrusted; refuses BadLine."""
    question = read(body, cast("type[Question[Any]]", Questions), "question")
    if not isinstance(question, OnRecord | WhichOnRecord):
        require_terminal(caller)
    lines: Sequence[Any] = getattr(question, "lines", ())
    if len(lines) > MOST:
        raise NotTrusted(f"A terminal asks about {MOST} lines at once at most.", 413)
    for n, line in enumerate(lines):
        decode(msgspec.json.encode(line), n + 1)
    return question


def answered(question: Question[Any], answer: Any) -> list[LineAnswer]:
    """The lines that a question recorded, with their answers."""
    if not isinstance(question, Send):
        return []
    return [LineAnswer(*each) for each in zip(question.lines, answer, strict=False)]


def content(answer: Any) -> bytes:
    """An answer as it is sent."""
    if isinstance(answer, list):
        return encoded([_plain(each) for each in answer])
    return encoded(_plain(answer))


def _plain(answer: Any) -> Any:
    """The answer with the sentences in its body as text; why it was refused stays a sentence."""
    if isinstance(answer, Answer):
        return Answer(as_text(answer.body), answer.refusal)
    return answer


class TableStream:
    """A table as one terminal sees it; the listener's thread hands over, the event loop sends."""

    def __init__(self, house: House, caller: Caller, table: str, read: int | None) -> None:
        self._house, self._caller, self._table = house, caller, table
        self._loop = asyncio.get_running_loop()
        self._moved = asyncio.Event()
        self._now: TableNow | None = None
        self._fresh = False  # whether it changed since it was sent
        self._read, self._sent = -1, -1
        self._news: list[Done] = []
        self._lost = ""
        self._named = False
        self._waits = False  # for something to change; the first is sent at once
        self._read_before = read

    # Called in the listener's thread.
    def saw(self, now: TableNow | None, read: int, news: Sequence[Done]) -> None:
        """Hands over what was read."""
        self._loop.call_soon_threadsafe(self._take, now, read, news)

    def reached(self) -> None:
        """The ledger can be reached."""
        if self._lost:
            self._loop.call_soon_threadsafe(self._lose, "")

    def lost(self, why: str) -> None:
        """The ledger cannot be reached."""
        self._loop.call_soon_threadsafe(self._lose, why)

    # In the event loop.
    def _take(self, now: TableNow | None, read: int, news: Sequence[Done]) -> None:
        self._now, self._fresh = now or self._now, self._fresh or now is not None
        self._read = read
        self._news = [*self._news, *news][-MOST_NEWS:]
        self._moved.set()

    def _lose(self, why: str) -> None:
        self._lost = why
        self._moved.set()

    async def events(self, ending: anyio.Event) -> AsyncIterator[Message]:
        """What changes, as long as the terminal may come in, and signs of life in between."""

        async def require_still() -> None:
            await anyio.to_thread.run_sync(self.check)

        assert self._house.news is not None
        with self._house.news.of_table(self._table) as moved:
            listener = Listener(self._house.database, self._table, self, self._read_before, moved)
            listener.start()
            try:
                async for message in while_they_may(require_still, ending, self._messages):
                    yield message
            finally:
                await anyio.to_thread.run_sync(self._end, listener)

    async def _messages(self) -> list[Message]:
        if self._waits:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), BEAT)
        self._waits = True
        self._moved.clear()
        return [self._next()]

    def _next(self) -> Message:
        """What is to be sent now; a sign of life if nothing is new."""
        if self._lost:
            return lost(self._lost)
        if self._now is None or (not self._fresh and self._read == self._sent):
            return SIGN_OF_LIFE
        now = self._now if self._fresh else None
        if now and not self._named:
            now = now.without_names()
        seen = TableSeen(now, self._read, self._news if self._named else [])
        self._fresh, self._sent, self._news = False, self._read, []
        return {"id": str(seen.read), "event": "seen", "data": encoded(seen).decode()}

    def check(self) -> None:
        """Finds whether names are shown. Raises TurnedAway."""
        caller = self._house.admitted(self._caller, uses=False)
        try:
            here = self._house.at_tables.use(caller, WhoIsHere().answered)
        except LedgerLost:
            return  # which the listener tells
        named = bool(here.staff) or not here.closed
        self._fresh, self._named = self._fresh or named != self._named, named

    def _end(self, listener: Listener) -> None:
        """The terminal has left: what it closed is signed, as at a terminal on this machine."""
        listener.end(LEAVES)

        def sign(dispatcher: Dispatcher) -> None:
            sign_if_due(dispatcher, self._house.database, wall_clock())

        try:
            self._house.at_tables.use(self._caller, sign)
        except (LedgerLost, TurnedAway):
            return  # whoever follows the ledger signs


def record_start(house: House, caller: Caller, part: str, table: str | None, by: str = "") -> None:
    """Records that a screen was started at a terminal. Raises LedgerLost, TooManyRefused.

    On a standby it is not recorded.
    """

    def start(dispatcher: Dispatcher) -> None:
        starts.record(dispatcher, f"start:{caller.id_of(1)}", part, table, by)

    with suppress(OnStandby):
        house.at_tables.use(caller, start)
