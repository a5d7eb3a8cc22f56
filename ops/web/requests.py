"""What every request has in common: where it came from, its body, and answers that do not end."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import TypeVar

import anyio
import msgspec
from sse_starlette import EventSourceResponse
from starlette.requests import HTTPConnection, Request
from starlette.types import Receive, Scope, Send

from ops.web.rooms import Leave
from ops.web.streams import Message
from ops.web.turned_away import NotTrusted

LARGEST = 1 << 20  # bytes of a request
DIGITS = 18  # of a number in an address, which the database can hold
SLOWEST = 10.0  # seconds for a request to arrive
GRACE = 3.0  # seconds for a stream to end by itself when the server ends
T = TypeVar("T")
_OF_PROXIES = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


def address_of(request: HTTPConnection) -> str:
    """Where a request came from; whoever sends the header of a proxy can write anything into it."""
    if any(name in request.headers for name in _OF_PROXIES):
        return "behind a proxy"
    return request.client.host if request.client else ""


def target_of(request: HTTPConnection) -> str:
    """The address that was asked for, as it was signed."""
    path, query = request.scope["raw_path"], request.scope["query_string"]
    return str((path + b"?" + query if query else path).decode("latin-1"))


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


def number(request: Request, name: str, default: int) -> int:
    """A whole number of the address. Raises NotTrusted."""
    return whole(name, request.query_params.get(name, str(default)))


def whole(name: str, text: str) -> int:
    """A whole number that came as text. Raises NotTrusted."""
    if not (text.isdecimal() and text.isascii() and len(text) <= DIGITS):
        raise NotTrusted(f"`{name}` is a whole number, as in 48213.", 400)
    return int(text)


async def after_first(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    """What goes on after a piece that was waited for."""
    async with aclosing(rest):
        yield first
        async for each in rest:
            yield each


def read(body: bytes, kind: type[T], what: str = "request") -> T:
    """What a body says. Raises NotTrusted for one that cannot be read."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise NotTrusted(f"The {what} cannot be read: {error}.", 400) from None
    except RecursionError:
        raise NotTrusted(f"The {what} cannot be read: it is nested too deeply.", 400) from None


class Streamed(EventSourceResponse):
    """An answer that goes on; it leaves its room when it is over, or never began."""

    def __init__(
        self,
        events: AsyncIterator[Message],
        beat: float,
        *,
        leave: Leave = lambda: None,
        ending: anyio.Event | None = None,
    ) -> None:
        """`beat`: seconds between signs of life. `leave`: from its room, see `rooms`.

        `ending`: set when the server ends, so that the stream ends by itself; else it is cut off.
        """
        super().__init__(
            events,
            ping=beat,
            shutdown_event=ending,
            shutdown_grace_period=GRACE if ending else 0,
        )
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()
