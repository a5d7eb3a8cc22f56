"""Wires of terminals: what comes on one is answered as if it had come as a request by itself.

See `ops/door/wire.py`. Whoever may no longer come in is refused at their next request, as ever.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from itertools import count

import anyio.to_thread
from msgspec import structs
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ops.door.wire import HALF, fresh_half, key_of, read
from ops.web.callers import Caller
from ops.web.house import House
from ops.web.requests import address_of, target_of
from ops.web.turned_away import NotTrusted, TurnedAway
from ops.words.failure import Failure

IDLE = 30.0  # seconds from an answer to the next request
REFUSED = 1008  # of a WebSocket: a message is not what it should be
Handler = Callable[[Request, Caller, bytes], Awaitable[Response]]
Act = Callable[[], Awaitable[Response]]


class Wires:
    """Opens wires, and answers what comes on them."""

    def __init__(
        self,
        house: House,
        handlers: Mapping[str, tuple[str, Handler]],
        in_words: Callable[[str, Act], Awaitable[Response]],
    ) -> None:
        """`handlers`: by address, with the kind of request. `in_words`: see `Doors`."""
        self._house = house
        self._handlers = handlers
        self._in_words = in_words

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Opens a wire for whoever may come in, and answers until it ends."""
        opening = HTTPConnection(scope)
        try:
            caller = await self._caller(opening)
            secret, half = fresh_half()
            key = key_of(secret, opening.query_params.get("half", ""), target_of(opening))
            leave = self._house.rooms.wires.enter(caller.terminal)
        except (TurnedAway, Failure, ValueError) as error:
            status = error.status if isinstance(error, TurnedAway) else 503
            self._house.meters.refused.labels(str(status)).inc()
            await Response(status_code=status)(scope, receive, send)
            return
        try:
            await receive()  # what announced it
            await send({"type": "websocket.accept", "headers": [(HALF.encode(), half.encode())]})
            await self._carry(caller, key, receive, send)
        except TimeoutError:
            return
        finally:
            leave()

    async def _caller(self, opening: HTTPConnection) -> Caller:
        """Whoever signed the opening of a wire, and may come in. Raises TurnedAway, Failure."""
        caller = self._house.callers.caller(
            "GET", target_of(opening), opening.headers, b"", address_of(opening)
        )
        if not caller.terminal:
            raise NotTrusted("A wire is opened by a terminal's key.")
        await anyio.to_thread.run_sync(self._house.admitted, caller)
        return caller

    async def _carry(self, caller: Caller, key: bytes, receive: Receive, send: Send) -> None:
        """Answers each request of a wire until it ends. Raises TimeoutError."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as silence:
            for n in count(1):
                silence.reschedule(loop.time() + IDLE)
                message = await receive()
                silence.reschedule(None)
                if message["type"] != "websocket.receive":
                    return
                asked = read(key, n, message.get("bytes") or b"")
                if asked is None:
                    self._house.meters.refused.labels("401").inc()
                    await send({"type": "websocket.close", "code": REFUSED})
                    return
                one = structs.replace(caller, once=f"{caller.once}.{n}")
                answer = await self._answer(one, *asked)
                content = str(answer.status_code).encode() + b" " + bytes(answer.body)
                await send({"type": "websocket.send", "bytes": content})

    async def _answer(self, caller: Caller, target: str, body: bytes) -> Response:
        """The answer to one request; what goes wrong is answered in words."""
        path, _, query = target.partition("?")
        kind, handler = self._handlers.get(path, ("wire", _nothing_there))
        request = Request({"type": "http", "path": path, "query_string": query.encode()})

        async def answer() -> Response:
            mine = caller
            if not self._house.knows(mine):
                mine = await anyio.to_thread.run_sync(self._house.admitted, mine)
            return await handler(request, mine, body)

        return await self._in_words(kind, answer)


async def _nothing_there(*_: object) -> Response:
    return Response(b"{}", 404)
