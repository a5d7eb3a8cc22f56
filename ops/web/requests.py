"""What every request has in common: where it came from, its body, and answers that do not end."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import anyio
from sse_starlette import EventSourceResponse
from starlette.requests import Request

from ops.web.turned_away import NotTrusted

LARGEST = 1 << 20  # bytes of a request
SLOWEST = 10.0  # seconds for a request to arrive
GRACE = 3.0  # seconds for a stream to end by itself when the server ends
_OF_PROXIES = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


def address_of(request: Request) -> str:
    """Where a request came from; whoever sends the header of a proxy can write anything into it."""
    if any(name in request.headers for name in _OF_PROXIES):
        return "behind a proxy"
    return request.client.host if request.client else ""


async def body_of(request: Request, largest: int = LARGEST) -> bytes:
    """The request's body. Raises NotTrusted for one that is too large, or too slow to arrive."""
    body = bytearray()
    try:
        async with asyncio.timeout(SLOWEST):
            async for piece in request.stream():
                body += piece
                if len(body) > largest:
                    raise NotTrusted("The request is too large: send fewer lines at once.", 413)
    except TimeoutError:
        raise NotTrusted("The request took too long to arrive.", 408) from None
    return bytes(body)


def streamed(
    events: AsyncIterator[dict[str, Any]],
    headers: Mapping[str, str],
    beat: float,
    ending: anyio.Event | None = None,
) -> EventSourceResponse:
    """A stream; `beat`: seconds between signs of life.

    `ending`: set when the server ends, so that the stream ends by itself; else it is cut off.
    """
    return EventSourceResponse(
        events,
        ping=beat,
        headers=headers,
        shutdown_event=ending,
        shutdown_grace_period=GRACE if ending else 0,
    )
