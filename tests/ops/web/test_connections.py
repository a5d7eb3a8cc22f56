"""Whoever is slow loses the connection, at the second request as at the first."""

import asyncio
import socket
import threading
import time
from contextlib import closing, contextmanager, suppress

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route, WebSocketRoute

from ops.web.connections import HEAD, Connection, Patience, Wired
from tests.waiting import until

ASKS = b"GET /short HTTP/1.1\r\nHost: house\r\n\r\n"
BRIEF = Patience(head=0.4, idle=1.5, taking=0.5)
LONG = BRIEF.head + BRIEF.idle + 10.0  # seconds: then it was kept for ever, or the machine stood


class Brief(Connection):
    """As the server's own, with less patience."""

    patience = BRIEF


class BriefWired(Wired):
    """The same for a wire."""

    patience = BRIEF


async def short(_):
    return PlainTextResponse("here")


async def endless(_):
    async def pieces():
        while True:
            yield b"x" * 65_536
            await asyncio.sleep(0)

    return StreamingResponse(pieces())


async def still(socket):
    await socket.accept()
    await asyncio.sleep(LONG)


async def flood(socket):
    await socket.accept()
    while True:
        await socket.send_bytes(b"x" * 65_536)
        await asyncio.sleep(0)


@contextmanager
def served():
    """A server of two addresses, whose connections have little patience: its port."""
    app = Starlette(
        routes=[
            Route("/short", short, methods=["GET", "POST"]),
            Route("/endless", endless),
            WebSocketRoute("/flood", flood),
            WebSocketRoute("/still", still),
        ]
    )
    config = uvicorn.Config(
        app, http=Brief, ws=BriefWired, log_config=None, access_log=False, lifespan="off"
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0), backlog=1_000) as listens:
        thread = threading.Thread(target=server.run, args=([listens],))
        thread.start()
        try:
            yield listens.getsockname()[1]
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join(30)


@pytest.fixture(scope="module")
def port():
    with served() as port:
        yield port


def connected(port):
    return socket.create_connection(("127.0.0.1", port), timeout=LONG)


def asks(line, request=ASKS):
    """A request is sent, and its short answer comes."""
    line.sendall(request)
    answer = b""
    while not answer.endswith(b"here"):
        piece = line.recv(1_000)
        assert piece, answer
        answer += piece
    assert answer.startswith(b"HTTP/1.1 200 ")


def answered(port):
    """A connection whose first request was answered."""
    line = connected(port)
    asks(line)
    return line


def is_closed(line):
    """Whether the other end closed it; what was still on its way is read."""
    line.setblocking(False)
    try:
        while line.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def ends_within(line, most):
    """Whether the other end closed it before so many bytes: more than wait between the two."""
    taken = 0
    try:
        while taken < most and (piece := line.recv(1 << 20)):
            taken += len(piece)
    except OSError:
        return True
    return taken < most


def drips(lines, piece):
    """Sends one byte of a piece on each line again and again, until none is open: how many were."""
    ends, at = time.monotonic() + LONG, 0
    lines = list(lines)
    while lines and time.monotonic() < ends:
        for line in [*lines]:
            if is_closed(line):
                lines.remove(line)
                line.close()
                continue
            with suppress(OSError):
                line.send(piece[at % len(piece) :][:1])
        at += 1
        time.sleep(0.05)
    for line in lines:
        line.close()
    return len(lines)


@pytest.mark.parametrize(
    "piece",
    [b"GET /short HTTP/1.1\r\nHost: house\r\nX: " + b"y" * 10_000, b"\r\n"],
    ids=["a head", "empty lines"],
)
@pytest.mark.parametrize("begun", [connected, answered], ids=["first", "second"])
def test_a_head_that_comes_byte_by_byte_is_not_waited_for(port, begun, piece):
    assert drips([begun(port)], piece) == 0


def test_three_hundred_slow_second_requests_hold_no_connection(port):
    lines = [answered(port) for _ in range(300)]

    assert drips(lines, b"GET /short HTTP/1.1\r\nX: " + b"y" * 10_000) == 0


def test_the_body_of_a_request_that_was_answered_is_not_waited_for(port):
    line = connected(port)
    asks(line, b"POST /short HTTP/1.1\r\nHost: house\r\nContent-Length: 100000\r\n\r\n")

    assert drips([line], b"z") == 0


def test_a_connection_on_which_nothing_more_is_asked_is_closed(port):
    with closing(answered(port)) as line:
        until(lambda: is_closed(line))


def test_whoever_asks_in_time_keeps_the_connection(port):
    with closing(answered(port)) as line:
        for _ in range(4):
            time.sleep(BRIEF.head / 2)
            asks(line)


def test_a_head_without_end_is_refused(port):
    with closing(answered(port)) as line:
        try:
            line.sendall(b"GET /short HTTP/1.1\r\nX: " + b"y" * (40 * HEAD))
        except OSError:
            return  # it was closed while it still sent
        assert line.recv(1_000).startswith(b"HTTP/1.1 431 ")


def test_an_answer_that_nobody_takes_is_given_up(port):
    with closing(connected(port)) as line:
        line.sendall(ASKS.replace(b"/short", b"/endless"))
        time.sleep(BRIEF.taking * 4)
        assert ends_within(line, 64 << 20)


# Wires
def wired(line, address):
    """The same connection, as a wire."""
    line.sendall(
        b"GET %b HTTP/1.1\r\nHost: house\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        % address
    )
    assert line.recv(12) == b"HTTP/1.1 101"
    return line


def test_what_nobody_takes_from_a_wire_is_given_up(port):
    with closing(wired(answered(port), b"/flood")) as line:
        time.sleep(BRIEF.taking * 4)
        assert ends_within(line, 64 << 20)


@pytest.mark.parametrize("begun", [connected, answered], ids=["first", "second"])
def test_a_wire_is_no_head_that_does_not_come(port, begun):
    with closing(wired(begun(port), b"/still")) as line:
        time.sleep(BRIEF.head + BRIEF.idle)
        assert not is_closed(line)
