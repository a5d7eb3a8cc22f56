"""Whoever follows the record from its beginning: others have a turn, and nothing is left out."""

import asyncio
from types import SimpleNamespace

import anyio
import pytest

from ops.ledger.reading import UnreadableEvent
from ops.web import events
from ops.web.app import Doors
from ops.web.callers import Caller
from ops.web.events import AT_ONCE, PIECE, EventStream
from ops.web.rooms import Rooms
from ops.web.streams import while_they_may
from ops.web.tokens import NOBODY
from ops.web.turned_away import Busy, NotTrusted

BROKEN = AT_ONCE + 7  # the position of an event that cannot be read


class News:
    """Everything that ever happened, in memory."""

    lost = ""

    def __init__(self, most: int) -> None:
        self._all = [SimpleNamespace(position=n + 1, table_code="B01") for n in range(most)]

    async def beyond(self, position, patience):
        if position < len(self._all):
            return True
        await asyncio.sleep(0)
        return False

    def after(self, position):
        return self._all[position : position + PIECE]


@pytest.fixture
def doors(monkeypatch):
    """The handlers of a server; what an event says is its position."""
    monkeypatch.setattr(events, "written", lambda each: str(each.position))
    return Doors(SimpleNamespace(rooms=Rooms()), NOBODY)


async def followed(doors, most):
    """What a stream sends until it has so many; how often others had a turn meanwhile."""
    ending, turns = anyio.Event(), []

    async def others():
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    async def require_still():
        return

    waiting = asyncio.create_task(others())
    sent = []
    grows = EventStream(doors.news, None, 0, None)
    async for each in while_they_may(require_still, ending, grows.next):
        sent.append(each)
        if len(sent) == most:
            ending.set()
    waiting.cancel()
    return sent, len(turns)


def test_many_events_give_way_to_others_again_and_again(doors):
    doors.news = News(2 * PIECE)
    sent, turns = asyncio.run(followed(doors, 2 * PIECE))

    assert [int(each["id"]) for each in sent] == list(range(1, 2 * PIECE + 1))
    assert turns >= 2 * PIECE / AT_ONCE


def test_what_comes_before_an_event_that_cannot_be_read_is_sent(doors, monkeypatch):
    def said(each):
        if each.position == BROKEN:
            raise UnreadableEvent(BROKEN)
        return ""

    monkeypatch.setattr(events, "written", said)
    doors.news = News(PIECE)
    sent, _ = asyncio.run(followed(doors, BROKEN))

    assert [each.get("id") for each in sent[:-1]] == [str(n) for n in range(1, BROKEN)]
    assert sent[-1]["event"] == "lost"


def request():
    return SimpleNamespace(query_params={"after": "0"})


def test_whoever_may_not_read_opens_no_stream_without_end(doors):
    """They are asked for their right first: each opening is counted, before it costs anything."""
    asked = []

    def refuse(*given):
        asked.append(given)
        raise NotTrusted("No.", 403)

    doors.house.require_reader = refuse

    async def opened():
        for _ in range(8):
            with pytest.raises(NotTrusted):
                await doors.events(request(), Caller(terminal="A"), b"")
        with pytest.raises(Busy):
            await doors.events(request(), Caller(terminal="A"), b"")

    asyncio.run(opened())

    assert len(asked) == 8
    assert len(doors.house.rooms.events) == 0
