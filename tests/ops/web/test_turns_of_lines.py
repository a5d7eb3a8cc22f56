"""Long requests share a few places in the whole house; a short one waits for none of them."""

import asyncio
import threading
from types import SimpleNamespace

import pytest
from anyio import to_thread

from ops.handlers.answer import Answer
from ops.handlers.several import TOGETHER
from ops.web import lines as door
from ops.web.budget import Budget
from ops.web.callers import Caller
from ops.web.line_answer import LineAnswer
from ops.web.lines import FEW, IN_WORK, Lines, Wanted

LINES = 3 * TOGETHER
PATIENCE = 30.0  # seconds after which a test fails rather than hangs


class Work:
    """Stands for deciding: pieces of long requests wait until they may go on."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.order: list[str] = []  # whose pieces were begun, as places were given
        self.most = self._now = 0  # long ones at once
        self._lock = threading.Lock()

    def decided(self, lent, piece, wanted, before=0):
        """The answers to a piece."""
        with self._lock:
            self._now += len(piece) > FEW
            self.most = max(self.most, self._now)
        if len(piece) > FEW:
            assert self.go_on.wait(PATIENCE)
        with self._lock:
            self._now -= len(piece) > FEW
        return [LineAnswer({}, Answer({"ok": True}))] * len(piece)


@pytest.fixture
def work(monkeypatch):
    made = Work()
    monkeypatch.setattr(Lines, "lend", lambda *_: SimpleNamespace())
    monkeypatch.setattr(Lines, "give_back", lambda *_: None)

    def decided(lent, *given):
        return made.decided(lent, *given)

    async def run_sync(decided, *given):
        made.order.append(decided.__self__._caller.terminal)
        return await to_thread.run_sync(decided, *given)

    monkeypatch.setattr(door._Lent, "single", lambda *_: None)
    monkeypatch.setattr(door._Lent, "decided", decided)
    monkeypatch.setattr(
        door, "anyio", SimpleNamespace(to_thread=SimpleNamespace(run_sync=run_sync))
    )
    return made


async def sent(lines, who, count):
    """How many answers a request of so many lines gets."""
    body = b"{}\n" * count
    pieces = [each async for each in lines.answers(Caller(terminal=who), body, Wanted())]
    return sum(map(len, pieces))


async def begun(work, pieces):
    async with asyncio.timeout(PATIENCE):
        while work.most < pieces:
            await asyncio.sleep(0.001)


def test_a_short_request_waits_for_no_long_one(work):
    async def evening():
        lines = Lines(SimpleNamespace(), Budget(100_000), lambda: None)
        long = [asyncio.create_task(sent(lines, f"long {n}", LINES)) for n in range(3 * IN_WORK)]
        await begun(work, IN_WORK)
        async with asyncio.timeout(PATIENCE):
            short = [await sent(lines, "table", count) for count in (1, FEW)]
        held = not any(each.done() for each in long)
        work.go_on.set()
        return short, held, await asyncio.gather(*long)

    short, held, long = asyncio.run(evening())

    assert (short, held) == ([1, FEW], True)
    assert long == [LINES] * 3 * IN_WORK
    assert work.most == IN_WORK


def test_long_requests_take_turns_piece_by_piece(work):
    async def evening():
        lines = Lines(SimpleNamespace(), Budget(100_000), lambda: None)
        long = [asyncio.create_task(sent(lines, f"long {n}", LINES)) for n in range(2 * IN_WORK)]
        await begun(work, IN_WORK)
        work.go_on.set()
        await asyncio.gather(*long)

    asyncio.run(evening())
    early = work.order[: 3 * IN_WORK]  # those at once may begin in any order

    assert len(set(early)) == 2 * IN_WORK  # nobody has a third piece before each had one


def test_a_request_that_waited_long_for_its_turn_gets_answers_all_the_same(work, monkeypatch):
    monkeypatch.setattr(door, "LONGEST", -1.0)
    work.go_on.set()

    assert (
        asyncio.run(sent(Lines(SimpleNamespace(), Budget(100_000), lambda: None), "late", LINES))
        == TOGETHER
    )
