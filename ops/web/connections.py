"""Connections that do not wait for ever: each request arrives, and each answer is taken, in time.

The limits hold for every request of a connection, so that strangers cannot use the connections up.
"""

import asyncio
from asyncio import TimerHandle
from typing import Any, ClassVar

from msgspec import Struct
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEAD = 64 << 10  # bytes of a request that are neither its whole head nor its body
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n"


class Patience(Struct, frozen=True):
    """For how many seconds a connection may keep the server waiting."""

    head: float = 10.0  # from connecting, or from the first byte of another request, to its head
    idle: float = 30.0  # from an answer to the first byte of another request
    taking: float = 30.0  # while whoever asked takes nothing of the answer


class Taken(asyncio.Protocol):
    """A connection that is broken where nothing of what waits for its other end is taken."""

    open_now: ClassVar[int] = 0  # connections, wires too
    patience = Patience()
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _taking: TimerHandle | None = None  # runs while nothing of the answer is taken

    def pause_writing(self) -> None:
        """More of the answer waits than the network takes."""
        super().pause_writing()
        self._taking = self.loop.call_later(self.patience.taking, self.transport.abort)

    def resume_writing(self) -> None:
        """The network took what waited."""
        _stop(self._taking)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        Taken.open_now -= 1
        _stop(self._taking)
        super().connection_lost(exc)


class Wired(Taken, WebSocketsSansIOProtocol):
    """A connection that became a wire."""

    def shutdown(self) -> None:
        """The server ends: what came before is answered, and the wire ends then."""
        if self.handshake_complete and not self.close_sent:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1012})
        else:
            super().shutdown()


class Connection(Taken, HttpToolsProtocol):
    """One connection; it is closed when whoever asks is too slow."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.timeout_keep_alive = self.patience.idle  # type: ignore[assignment]
        self._unread = 0  # bytes since the last head or piece of a body
        self._head: TimerHandle | None = None  # runs while a head is awaited
        self._wired = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connected."""
        Taken.open_now += 1
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Some bytes came."""
        self._unread += len(data)
        super().data_received(data)
        if self._wired:
            return
        if self.cycle is not None and not self.cycle.response_complete:
            _stop(self._head)
            self._head = None
        elif self._head is None:
            self._await_head()
        if self._unread > HEAD and not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_headers_complete(self) -> None:
        """A whole head came."""
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of a body came."""
        self._unread = 0
        super().on_body(body)

    def _await_head(self) -> None:
        self._head = self.loop.call_later(self.patience.head, self.timeout_keep_alive_handler)

    def handle_websocket_upgrade(self) -> None:
        """It becomes a wire, and waits as one."""
        self._wired = True
        _stop(self._head)
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        _stop(self._head)
        super().connection_lost(exc)


def _stop(timer: TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
