"""Lines of commands from terminals and devices: decided in order, in pieces, each answered once.

One dispatcher for each sign-on, with its aggregates in memory between requests. The disk is waited
for together: whatever commits at the same time shares one flush. After each piece a request gives
way to others, and what it may cost is bounded: its lines, its time, how many of them are refused.
A table is dealt in short requests, which wait for no long one; of long ones a few pieces at once
are in work in the whole house, so that they share what they would take from the tables.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, TypeVar, cast

import anyio
import anyio.to_thread
import msgspec
from msgspec import Struct

from domain.rules.refusals import BadLine
from ops.commands.casino import Casino
from ops.commands.command import OF_DEVICES, AtTable
from ops.commands.read import Line, decode
from ops.commands.vocabulary import COMMANDS
from ops.door.lines import MOST
from ops.handlers.answer import Answer, refused
from ops.handlers.at_once import Single
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.numbered import taken
from ops.handlers.questions import Question, Send, SignOn
from ops.handlers.several import TOGETHER
from ops.ledger.database import Database, OutcomeUnknown
from ops.ledger.recorder import Ledger
from ops.ledger.together import Writer
from ops.web.budget import Budget
from ops.web.callers import Caller
from ops.web.decider import Decider
from ops.web.line_answer import LineAnswer
from ops.web.log import log, mistake
from ops.web.turned_away import NotTrusted
from ops.web.turns import Turns
from ops.words.failure import Failure

if TYPE_CHECKING:
    from ops.commands.signed_on import Token

IDLE = 64  # dispatchers that are held while nobody uses them
CHANNEL = "door"
T = TypeVar("T")
LONGEST = 20.0  # seconds for the lines of one request; the rest of them is to be sent again
_AT_TABLES = {name for name, kind in COMMANDS.items() if issubclass(kind, AtTable)}
FEW = 8  # lines of a request that waits for no other request's
IN_WORK = 2  # pieces of longer requests at once, in the whole house


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

    def __init__(
        self,
        database: Database,
        budget: Budget,
        changed: Callable[[], None],
        channel: str = CHANNEL,
        *,
        in_person: bool = False,
    ) -> None:
        """`budget`: of refused lines. `in_person`: people are there to type a PIN.

        `changed` is called when something may have been recorded about the house itself.
        """
        self._database = database
        self._changed = changed
        self._writer = Writer(database)
        self._decider = Decider(self._writer)
        self._channel, self._in_person = channel, in_person
        self._budget = budget
        self._turns = Turns()
        self._in_work = asyncio.Semaphore(IN_WORK)  # in the order in which they came
        self._idle: OrderedDict[tuple[str, Token], Dispatcher] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, caller: Caller, line: Line) -> Answer:
        """The answer to one line, on disk. Raises TooManyRefused, LedgerLost, OutcomeUnknown."""
        return self.use(caller, lambda dispatcher: dispatcher.dispatch(line))

    def use(self, caller: Caller, act: Callable[[Dispatcher], T], *, ends: bool = False) -> T:
        """What is done with a dispatcher of this sign-on: an answer, on disk, or a question.

        `ends`: the dispatcher is not used again. Raises TooManyRefused, LedgerLost, OutcomeUnknown.
        """
        self._budget.require(caller)
        with _Lent(self, caller, ends=ends) as lent:
            caller.acts()
            result = act(lent.dispatcher)
        given = result if isinstance(result, list) else [result]
        self._note(caller, [each for each in given if isinstance(each, Answer)])
        return result

    async def asked(self, caller: Caller, question: Question[T]) -> T:
        """The answer to a terminal's question, in its turn. Raises as `use` does, and Busy."""
        ends = isinstance(question, SignOn)  # the dispatcher is another sign-on's then
        async with self._turns.of(caller):
            if isinstance(question, Send) and question.is_one_line:
                return cast("T", await self._sent(caller, question.lines[0]))
            return await anyio.to_thread.run_sync(
                lambda: self.use(caller, question.answered, ends=ends)
            )

    async def _sent(self, caller: Caller, line: Line) -> list[Answer]:
        """The answer to a line of a terminal. Raises as `use` does."""
        self._budget.require(caller)
        with _Lent(self, caller) as lent:
            answer = await self._answer_to(Single(lent.dispatcher, line, caller.acts))
        self._note(caller, [answer])
        return [answer]

    async def answers(
        self, caller: Caller, body: bytes, wanted: Wanted
    ) -> AsyncGenerator[Sequence[LineAnswer]]:
        """The answers to the lines of a request, in order, in pieces, each on disk when it comes.

        They may end before the lines do: the rest was not decided, and is to be sent again.
        Raises NotTrusted, TooManyRefused, Busy, LedgerLost, OutcomeUnknown; once a piece was given,
        they end instead.
        """
        lines = lines_of(body)
        self._budget.require(caller)
        ends, at = time.monotonic() + LONGEST, 0
        async with self._turns.of(caller):
            with _Lent(self, caller) as lent:
                if len(lines) == 1 and (single := lent.single(lines[0], wanted)):
                    answer = await self._answer_to(single)
                    self._note(caller, [answer])
                    yield [LineAnswer(single.line, answer)]
                    return
                while at < len(lines) and (not at or time.monotonic() < ends):
                    rest = msgspec.structs.replace(wanted, first=wanted.first + at)
                    async with self._in_work if len(lines) > FEW else nullcontext():
                        piece = lines[at : at + min(TOGETHER, self._budget.left(caller))]
                        answered = await anyio.to_thread.run_sync(lent.decided, piece, rest, at)
                    self._note(caller, [each.answer for each in answered])
                    if answered:
                        yield answered
                    if len(answered) < len(piece) or not piece:
                        break
                    at += len(piece)

    async def _answer_to(self, single: Single) -> Answer:
        """The answer to the one line of a request, decided with those of others if it can be."""
        await self._decider.decide(single)
        if single.answer is not None:
            return single.answer
        return await anyio.to_thread.run_sync(single.alone)

    def _note(self, caller: Caller, answers: Sequence[Answer]) -> None:
        """Notes lines that were refused, and that something may be new about the house."""
        self._budget.note(caller, sum(not each.ok for each in answers))
        if not all(map(_is_of_a_table, answers)):
            self._changed()

    @property
    def waiting(self) -> int:
        """How many requests wait for their turn, or to be decided."""
        return self._turns.waiting + self._decider.waiting

    def lend(self, caller: Caller) -> Dispatcher:
        """A dispatcher of this sign-on; give it back, unless it met an error."""
        with self._lock:
            dispatcher = self._idle.pop(_name(caller), None)
        if dispatcher is None:
            casino = Casino(Ledger(self._database, together=self._writer.append))
            dispatcher = Dispatcher(
                casino, self._channel, token=caller.token, in_person=self._in_person
            )
        return dispatcher

    def give_back(self, caller: Caller, dispatcher: Dispatcher) -> None:
        """Keeps a dispatcher for the next request of this sign-on."""
        key = _name(caller)
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
        self._decider.close()
        self._writer.close()


class _Lent:
    """A dispatcher for one request; after an error it is not used again."""

    def __init__(self, lines: Lines, caller: Caller, *, ends: bool = False) -> None:
        self._lines, self._caller = lines, caller
        self.dispatcher = lines.lend(caller)
        self._sound = not ends

    def __enter__(self) -> "_Lent":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._sound and kind is None:
            self._lines.give_back(self._caller, self.dispatcher)
        else:
            self.dispatcher.casino.close()

    def single(self, line: bytes, wanted: Wanted) -> Single | None:
        """The one line of a request; None if it is a device's, or cannot be read."""
        if self._caller.token.key:
            return None
        try:
            read = self._read(line, wanted, 0, 0)
        except BadLine:
            return None
        return Single(self.dispatcher, read, self._caller.acts)

    def _read(self, line: bytes, wanted: Wanted, n: int, before: int) -> Line:
        """The line at place `n` of those that are decided now, with its id. Refuses: BadLine."""
        late = {"late": True} if wanted.late else {}
        return _named(decode(line, wanted.first + n) | late, self._caller, before + n + 1)

    def decided(self, lines: Sequence[bytes], wanted: Wanted, before: int = 0) -> list[LineAnswer]:
        """The answers to some lines, on disk; fewer where an error came after some of them.

        `before`: how many lines of the request were decided already.
        """
        self._caller.acts()
        answered: list[LineAnswer] = []
        try:
            for each in self._answers(lines, wanted, before):
                answered.append(each)
                if wanted.until_refused and not each.answer.ok:
                    break
        except Exception as error:
            self._sound = False
            if not (answered or before):
                raise
            if not isinstance(error, Failure):
                mistake(log(), error, request="commands")
            if isinstance(error, OutcomeUnknown) and error.may_be_recorded:
                answered.append(
                    self._unknown(lines[len(answered)], before + len(answered) + 1, error)
                )
        return answered

    def _unknown(self, line: bytes, n: int, error: OutcomeUnknown) -> LineAnswer:
        """The answer to a line that may be recorded or not: with the id under which it was sent."""
        read = _named(decode(line, n), self._caller, n)
        body = {"ok": False, "command": read.get("command"), "id": read.get("id")}
        return LineAnswer(
            read, Answer({**body, "error": type(error).__name__, "message": str(error)})
        )

    def _answers(self, lines: Sequence[bytes], wanted: Wanted, before: int) -> Iterator[LineAnswer]:
        readable: list[Line] = []
        for n, line in enumerate(lines):
            try:
                read = self._read(line, wanted, n, before)
            except BadLine as refusal:
                yield from self._taken(readable, wanted)
                readable = []
                yield LineAnswer({}, refused({}, refusal).also_with(line=wanted.first + n))
            else:
                readable.append(read)
        yield from self._taken(readable, wanted)

    def _taken(self, lines: list[Line], wanted: Wanted) -> Iterator[LineAnswer]:
        answers = taken(self.dispatcher, lines, until_refused=wanted.until_refused)
        for line, answer in zip(lines, answers, strict=False):
            yield LineAnswer(line, answer)


def lines_of(body: bytes) -> list[bytes]:
    """The lines of a request. Raises NotTrusted for more than it may have."""
    count = body.count(b"\n") + (not body.endswith(b"\n"))
    if body and count > MOST:
        raise NotTrusted(
            f"The request has {count:,} lines, and none of them was decided. Send {MOST:,} at once "
            "at most.",
            413,
        )
    return body.removesuffix(b"\n").split(b"\n") if body else []


def _is_of_a_table(answer: Answer) -> bool:
    """Whether what was recorded is of a table only, and nothing is new about the house itself."""
    return answer.command in _AT_TABLES


def _named(line: Line, caller: Caller, n: int) -> Line:
    """The line, with an id made of what was signed if it has none: so it counts once everywhere.

    A line of a device is known by its own number.
    """
    if line.get("id") is not None or not caller.once or OF_DEVICES[0] in line:
        return line
    return {**line, "id": caller.id_of(n)}


def _name(caller: Caller) -> tuple[str, "Token"]:
    return caller.place.mark, caller.token
