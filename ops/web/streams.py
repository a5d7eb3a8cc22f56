"""What all streams share: each goes on only while the person who follows it may read."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress

import anyio
from sse_starlette import ServerSentEvent

from domain.rules.refusals import Refusal
from ops.ledger.database import LedgerLost
from ops.ledger.reading import UnreadableEvent
from ops.web.turned_away import TurnedAway
from ops.words.failure import in_words

BEAT = 1.0  # seconds between two signs of life
SILENT = 15.0  # seconds between two signs of life of a connection, whatever is sent
STILL = 2.0  # seconds between two checks that somebody may still read
Fields = dict[str, str]  # `event`, `data` and `id` of one server-sent event
Message = Fields | bytes  # bytes: as it is sent
SIGN_OF_LIFE: Message = {"event": "beat", "data": ""}


def written(message: Fields) -> bytes:
    """A message as it is sent: written once, where many get it."""
    data, event, id_ = (message.get(name) for name in ("data", "event", "id"))
    return ServerSentEvent(data, event=event, id=id_).encode()


def lost(why: str) -> Message:
    """The ledger cannot be reached."""
    return {"event": "lost", "data": why}


async def while_they_may(
    require_still: Callable[[], Awaitable[None]],
    ending: anyio.Event,
    send_next: Callable[[], Awaitable[Sequence[Message]]],
) -> AsyncIterator[Message]:
    """Yields what `send_next` gives, until the server ends or the person may no longer read.

    `require_still` checks that they may, and raises TurnedAway or a refusal; the caller made the
    first check. `send_next` waits for news, one `BEAT` at most; if it raises LedgerLost or
    UnreadableEvent, the stream says so and ends.
    """
    checked = time.monotonic()
    try:
        while not ending.is_set():
            if time.monotonic() - checked > STILL:
                with suppress(LedgerLost):  # the stream says so itself
                    await require_still()
                checked = time.monotonic()
            for message in await send_next():
                yield message
    except (LedgerLost, UnreadableEvent) as error:
        yield lost(str(error))
    except (TurnedAway, Refusal) as error:
        yield {"event": "ended", "data": in_words(error)}
