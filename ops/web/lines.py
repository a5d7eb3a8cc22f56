"""Lines of commands from terminals and devices: decided in order, each answered once.

One dispatcher for each sign-on, with its aggregates in memory between requests. The disk is waited
for together: whatever commits at the same time shares one flush.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.rules.refusals import BadLine
from ops.commands.casino import Casino
from ops.commands.read import decode
from ops.handlers.answer import Answer, refused
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.numbered import taken
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.web.callers import Caller

if TYPE_CHECKING:
    from ops.commands.authority import Token

IDLE = 64  # dispatchers that are held while nobody uses them
CHANNEL = "door"


class Wanted(Struct, frozen=True):
    """How the lines of a request are taken; `first`: the number of the first one, for its sender.

    `late`: every line is entered late. `until_refused`: nothing after the first line that is
    refused or cannot be read is decided.
    """

    first: int = 1
    late: bool = False
    until_refused: bool = False


class Lines:
    """Dispatchers by sign-on; each is used by one request at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._idle: OrderedDict[tuple[str, Token], Dispatcher] = OrderedDict()
        self._lock = threading.Lock()

    def answers(self, caller: Caller, body: bytes, wanted: Wanted) -> list[Answer]:
        """The answers to the lines of a request, in order, all on disk.

        Raises LedgerLost, OutcomeUnknown.
        """
        caller.acts()
        answers: list[Answer] = []
        with self._dispatcher(caller) as dispatcher:
            for answer in _answers(dispatcher, body, wanted):
                answers.append(answer)
                if wanted.until_refused and not answer.ok:
                    break
        return answers

    @contextmanager
    def _dispatcher(self, caller: Caller) -> Iterator[Dispatcher]:
        """A dispatcher of this sign-on; after an error it is not used again."""
        key = (caller.place.mark, caller.token)
        with self._lock:
            dispatcher = self._idle.pop(key, None)
        if dispatcher is None:
            casino = Casino(Ledger(self._database))
            dispatcher = Dispatcher(casino, CHANNEL, token=caller.token)
        try:
            yield dispatcher
        except BaseException:
            dispatcher.casino.close()
            raise
        with self._lock:
            surplus = [self._idle.pop(key)] if key in self._idle else []
            self._idle[key] = dispatcher
            while len(self._idle) > IDLE:
                surplus.append(self._idle.popitem(last=False)[1])
        for each in surplus:
            each.casino.close()

    def close(self) -> None:
        """Closes every connection."""
        with self._lock:
            idle = list(self._idle.values())
            self._idle.clear()
        for each in idle:
            each.casino.close()


def _answers(dispatcher: Dispatcher, body: bytes, wanted: Wanted) -> Iterator[Answer]:
    lines = body.split(b"\n")
    if not lines[-1]:
        del lines[-1]
    readable: list[dict[str, Any]] = []
    late = {"late": True} if wanted.late else {}
    for number, line in enumerate(lines, wanted.first):
        try:
            readable.append(decode(line, number) | late)
        except BadLine as refusal:
            yield from taken(dispatcher, readable, until_refused=wanted.until_refused)
            readable.clear()
            yield Answer({**refused({}, refusal).body, "line": number})
    yield from taken(dispatcher, readable, until_refused=wanted.until_refused)
