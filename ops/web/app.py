"""The server's addresses, and what each of them answers."""

import asyncio
import hashlib
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from functools import wraps
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from domain.rules.refusals import Refusal
from ops import VERSION
from ops.commands.reader import Asked as AskedToRead
from ops.commands.schema import text as schema_text
from ops.handlers.answer import refused
from ops.handlers.several import TOGETHER
from ops.ledger.database import LedgerLost
from ops.ledger.mapper import as_answer, event_of
from ops.ledger.reading import UnreadableEvent
from ops.web.callers import Caller
from ops.web.front import Front
from ops.web.house import House
from ops.web.lines import FEW, Wanted
from ops.web.log import LinesLogged, log, mistake, name_of
from ops.web.news import News, read_after
from ops.web.pages.addresses import routes as pages
from ops.web.pages.desk import Desk
from ops.web.pages.guard import Guard
from ops.web.pages.visitor import require_same_site
from ops.web.requests import SLOWEST, Streamed, address_of, body_of, read
from ops.web.screens import Frame, Opening
from ops.web.shells import Answered, Asked
from ops.web.turned_away import NotTrusted, TurnedAway
from ops.words.failure import Failure, in_words

if TYPE_CHECKING:
    from ops.ledger.chain import Recorded
    from ops.web.line_answer import LineAnswer

SILENT = 15.0  # seconds between two signs of life of a stream of events
BEAT = 1.0  # seconds between two signs of life of a screen
PIECE = 500  # events in one read
AT_ONCE = 20  # of those, before others have their turn
THREADS = 64  # for lines
DIGITS = 18  # of a number in an address, which the database can hold
STILL = 2.0  # seconds for which whoever has a stream is not checked again
_IDLE = "The sign-on has ended after {n} minutes in which nothing was asked here. Sign on again."
_COUNTS = (
    "The counters are for this machine. From elsewhere they are asked for with the token of "
    "`sabot serve --metrics-token FILE`, as `Authorization: Bearer TOKEN`."
)
_HTTP = {"NotSignedOn": 401, "NotPermitted": 403, "NotFound": 404}
_NAMED = re.compile(r"(?P<error>[A-Z][A-Za-z]+)(?: \(R-[A-Z0-9-]+\))?: (?P<words>.*)")
_SAFE = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
_LINES = "application/x-ndjson"
Handler = Callable[[Request, Caller, bytes], Awaitable[Response]]


class Doors:
    """The handlers of requests, on one house."""

    def __init__(self, house: House, metrics_token: str) -> None:
        self.house = house
        self._metrics_token = metrics_token
        self.log = log()
        self._lines = LinesLogged(self.log)
        self.news: News | None = None
        self.desk: Desk | None = None
        self._schema: asyncio.Future[tuple[bytes, str]] | None = None

    def the_desk(self) -> Desk:
        """The desk of the pages, which is there while the server runs."""
        assert self.desk is not None
        return self.desk

    # Commands
    async def commands(self, request: Request, caller: Caller, body: bytes) -> Response:
        """One answer for each line of the request, in order, each on disk.

        There may be fewer answers than lines: the rest was not decided.
        """
        wanted = Wanted(
            first=_number(request, "first", 1),
            late=request.query_params.get("late") == "1",
            until_refused=request.query_params.get("until_refused") == "1",
        )
        answers = self._answers(caller, body, wanted)
        if body.count(b"\n") <= TOGETHER:
            content = b"".join([each async for each in answers])
            return Response(content, media_type=_LINES)
        first = await anext(answers, b"")  # what is wrong from the beginning is no answer of lines
        return StreamingResponse(_with(first, answers), media_type=_LINES)

    async def _answers(self, caller: Caller, body: bytes, wanted: Wanted) -> AsyncGenerator[bytes]:
        """The answers as they are sent, in pieces; a large piece is written in a thread."""
        async with aclosing(self.house.lines.answers(caller, body, wanted)) as pieces:
            async for answered in pieces:
                if len(answered) <= FEW:
                    yield self._written(answered, caller)
                else:
                    yield await anyio.to_thread.run_sync(self._written, answered, caller)

    def _written(self, answered: "Sequence[LineAnswer]", caller: Caller) -> bytes:
        """Some answers as they are sent; what is logged of them takes none away."""
        try:
            counted = self._lines.note(answered, caller.terminal)
            for labels, times in counted.items():
                self.house.meters.commands.labels(*labels).inc(times)
        except Exception as error:  # noqa: BLE001  (they are on record)
            mistake(self.log, error, request="commands")
        return "".join(f"{each.answer}\n" for each in answered).encode()

    async def shell(self, _: Request, caller: Caller, body: bytes) -> Response:
        """A command of the shell, as a terminal typed it: what it writes, and its exit status."""
        if not caller.terminal:
            raise NotTrusted("Commands of a shell are signed by a terminal's key.")
        asked = read(body, Asked)
        asked = msgspec.structs.replace(asked, id=asked.id or caller.id_of(1), query=None)
        begun = time.perf_counter()
        answer = await self.house.run(caller, asked)
        self.log.info(
            "shell",
            command=name_of(asked.words),
            status=answer.status,
            asks=answer.asks is not None,
            seconds=round(time.perf_counter() - begun, 3),
            terminal=caller.terminal,
        )
        return Response(msgspec.json.encode(answer), media_type="application/json")

    # Full screens
    async def open_screen(self, _: Request, caller: Caller, body: bytes) -> Response:
        """Opens a full screen for a terminal: its name."""
        if not caller.terminal:
            raise NotTrusted("Commands of a shell are signed by a terminal's key.")
        opening = read(body, Opening)
        name = await self.house.open_screen(caller, opening)
        self.log.info("screen", command=name_of(opening.words), terminal=caller.terminal)
        return JSONResponse({"screen": name})

    async def screen(self, request: Request, caller: Caller, _: bytes) -> Response:
        """The frames of a screen after a number, as they come."""
        screen = self.house.screens.of(caller, request.path_params["name"])
        after = _number(request, "after", 0)
        screen.require_all_after(after)
        frames = self._frames(screen.frames(after), caller)
        return Streamed(frames, BEAT)

    async def _frames(
        self, frames: AsyncIterator[Frame], caller: Caller
    ) -> AsyncIterator[dict[str, Any]]:
        """The frames as events, as long as the terminal may come in."""
        admitted = time.monotonic()
        async for each in frames:
            if time.monotonic() - admitted > STILL:
                try:
                    await anyio.to_thread.run_sync(lambda: self.house.admitted(caller, uses=False))
                except (TurnedAway, LedgerLost):
                    return  # the terminal asks again, and is told why
                admitted = time.monotonic()
            yield {"id": str(each.number), "event": each.kind, "data": each.text}

    async def type(self, request: Request, caller: Caller, body: bytes) -> Response:
        """What was typed at a screen, from an offset on."""
        screen = self.house.screens.of(caller, request.path_params["name"])
        if caller.idle:
            raise NotTrusted(_IDLE.format(n=caller.idle), 403)
        no_more = request.query_params.get("end") == "1"
        screen.type(_number(request, "at", 0), body, no_more=no_more)
        return Response(status_code=204)

    async def size(self, request: Request, caller: Caller, _: bytes) -> Response:
        """How large a screen is now."""
        screen = self.house.screens.of(caller, request.path_params["name"])
        screen.size(_number(request, "columns", 80), _number(request, "rows", 24))
        return Response(status_code=204)

    async def close_screen(self, request: Request, caller: Caller, _: bytes) -> Response:
        """Ends a screen, as when its terminal hangs up."""
        self.house.screens.of(caller, request.path_params["name"]).close()
        return Response(status_code=204)

    # Readings
    async def reading(self, request: Request, caller: Caller, _: bytes) -> Response:
        """What a reading command answers as JSON."""
        words = request.path_params["words"].split("/")
        query = [*request.query_params.multi_items()]
        asked = Asked("", words, query=query)
        return _as_json(await self.house.run(caller, asked))

    async def events(self, request: Request, caller: Caller, _: bytes) -> Response:
        """What happens from a position on, as it happens; only to whoever may export events."""
        after = _number(request, "after", 0)
        table = request.query_params.get("table")
        asked = AskedToRead("export events", "json", {"table": table})
        leave = self.house.rooms.events.enter(caller.terminal or caller.address)
        try:
            await anyio.to_thread.run_sync(self.house.require_reader, caller, asked)
        except BaseException:
            leave()
            raise
        ending = anyio.Event()  # set when the server is told to stop

        async def require_still() -> None:
            await anyio.to_thread.run_sync(
                lambda: self.house.require_reader(caller, asked, goes_on=True)
            )

        events = self._stream(after, table, ending, require_still)
        return Streamed(events, SILENT, leave=leave, ending=ending)

    async def _stream(
        self,
        after: int,
        table: str | None,
        ending: anyio.Event,
        require_still: Callable[[], Awaitable[None]],
    ) -> AsyncIterator[dict[str, Any]]:
        assert self.news is not None
        checked = time.monotonic()
        try:
            while not ending.is_set():
                if time.monotonic() - checked > STILL:
                    await require_still()
                    checked = time.monotonic()
                if self.news.lost:
                    yield {"event": "lost", "data": self.news.lost}
                    await asyncio.sleep(BEAT)
                    continue
                if not await self.news.beyond(after, BEAT):
                    continue
                read = self.news.after(after)
                if read is None:
                    read = await anyio.to_thread.run_sync(
                        read_after, self.house.database, after, PIECE
                    )
                while read:
                    sent, done = await _in_turn(read[:AT_ONCE], table)
                    for each in sent:
                        yield each
                    after, read = read[done - 1].position, read[done:]
        except (LedgerLost, UnreadableEvent) as error:
            yield {"event": "lost", "data": str(error)}
        except (TurnedAway, Refusal) as error:
            yield {"event": "ended", "data": in_words(error)}

    # About the server
    async def schema(self, request: Request) -> Response:
        """The JSON Schema of commands, answers, events and errors; nothing if it is still theirs.

        It is made once, in a thread: anybody may ask for it.
        """
        if self._schema is None:
            self._schema = asyncio.ensure_future(asyncio.to_thread(_schema))
        content, tag = await asyncio.shield(self._schema)
        headers = {**_SAFE, "ETag": tag}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type="application/schema+json", headers=headers)

    async def health(self, _: Request) -> Response:
        """Whether commands can be recorded now."""
        lost = self.news.lost if self.news else "the server is starting"
        body = {"ok": not lost, "version": VERSION} | ({"why": lost} if lost else {})
        return JSONResponse(body, 503 if lost else 200, headers=_SAFE)

    async def metrics(self, request: Request) -> Response:
        """What the server counts, for its own machine and whoever has the token."""
        here = Caller(address=address_of(request)).is_here
        _, _, token = request.headers.get("authorization", "").partition(" ")
        allowed = self._metrics_token
        if not here and not (allowed and compare_digest(token.encode(), allowed.encode())):
            return _refusal(403, "NotTrusted", _COUNTS)
        if self.news:
            self.house.meters.position.set(self.news.head)
            self.house.meters.reachable.set(not self.news.lost)
            await anyio.to_thread.run_sync(self.house.note_round)
        for name, open_now in self.house.rooms.counted().items():
            self.house.meters.open.labels(name).set(open_now)
        return Response(self.house.meters.text(), media_type="text/plain; version=0.0.4")

    # Every request
    def guarded(self, kind: str, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """A handler for whoever may come in; what goes wrong is answered in words."""

        @wraps(handler)
        async def answer(request: Request) -> Response:
            with self.house.meters.timed(kind):
                try:
                    response = await self._answered(request, handler)
                except TurnedAway as error:
                    name, words = type(error).__name__, str(error)
                    response = _refusal(error.status, name, words, error.exit_status, error.wait)
                except Refusal as refusal:
                    body = refused({"command": kind}, refusal).body
                    response = JSONResponse(body, _HTTP.get(body["error"], 422))
                except Failure as error:
                    response = _refusal(503, type(error).__name__, str(error), error.status)
                except ClientDisconnect:
                    response = Response(status_code=400)  # which nobody reads
                except Exception as error:  # noqa: BLE001  (who sent it gets words)
                    mistake(self.log, error, request=kind)
                    words = "The house server made a mistake at this request; its log says where."
                    response = _refusal(500, "Mistake", words)
            if response.status_code >= 400:
                self.house.meters.refused.labels(str(response.status_code)).inc()
            response.headers.update(_SAFE)
            return response

        return answer

    async def _answered(self, request: Request, handler: Handler) -> Response:
        require_same_site(request.method, request.headers, by_browser=False)
        body, address = await body_of(request), address_of(request)
        target = request.url.path + (f"?{request.url.query}" if request.url.query else "")

        def admitted() -> Caller:  # in a thread: a large body takes a while to check
            signed = request.method, target, request.headers, body, address
            return self.house.admitted(self.house.callers.caller(*signed))

        return await handler(request, await anyio.to_thread.run_sync(admitted), body)

    def routes(self) -> list[Route]:
        """The addresses of programs."""
        return [
            Route("/api/commands", self.guarded("commands", self.commands), methods=["POST"]),
            Route("/api/shell", self.guarded("shell", self.shell), methods=["POST"]),
            Route("/api/screens", self.guarded("screen", self.open_screen), methods=["POST"]),
            Route("/api/screens/{name}", self.guarded("frames", self.screen)),
            Route("/api/screens/{name}/keys", self.guarded("keys", self.type), methods=["POST"]),
            Route("/api/screens/{name}/size", self.guarded("size", self.size), methods=["POST"]),
            Route(
                "/api/screens/{name}/end",
                self.guarded("screen", self.close_screen),
                methods=["POST"],
            ),
            Route("/api/events", self.guarded("events", self.events)),
            Route("/api/schema", self.schema),
            Route("/api/{words:path}.json", self.guarded("reading", self.reading)),
            Route("/health", self.health),
            Route("/metrics", self.metrics),
        ]


def application(house: House, metrics_token: str = "") -> Starlette:
    """The server's application; `metrics_token`: who has it may read `/metrics` from elsewhere."""
    doors = Doors(house, metrics_token)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        doors.news = News(house.database)
        doors.desk = Desk(house)
        await doors.news.begun(SLOWEST)
        try:
            yield
        finally:
            doors.desk.close()
            doors.news.close()
            house.close()

    return Starlette(
        routes=[*doors.routes(), *pages(Guard(doors.the_desk, doors.log))],
        lifespan=lifespan,
        middleware=[Middleware(Front)],
        exception_handlers={404: _nothing_there, 405: _nothing_there},
    )


def _schema() -> tuple[bytes, str]:
    """The schema as it is sent, and its tag."""
    content = schema_text().encode()
    return content, f'"{hashlib.sha256(content).hexdigest()}"'


async def _nothing_there(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return JSONResponse({"ok": False, "error": "NotFound"}, status, headers=_SAFE)


async def _with(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    async with aclosing(rest):
        yield first
        async for each in rest:
            yield each


def _as_json(answer: Answered) -> Response:
    try:
        body: Any = msgspec.json.decode(answer.out)
    except msgspec.MsgspecError:
        words = (answer.err.strip().splitlines() or ["There is no answer."])[-1]
        if named := _NAMED.fullmatch(words):
            return _refusal(_HTTP.get(named["error"], 422), named["error"], named["words"])
        return _refusal(422, "UsageError", words.removeprefix("Error: "))
    of_refusal = isinstance(body, Mapping) and body.get("ok") is False and "error" in body
    status = _HTTP.get(body["error"], 422) if of_refusal else 200
    return Response(answer.out, status, media_type="application/json")


def _refusal(status: int, error: str, words: str, exit_status: int = 1, wait: int = 0) -> Response:
    """The answer to a request that was not answered; `wait`: seconds until it may come again."""
    body = {"ok": False, "error": error, "message": words, "exit_status": exit_status}
    if not wait:
        return JSONResponse(body, status)
    return JSONResponse(body | {"wait": wait}, status, {"Retry-After": str(wait)})


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, str(default))
    if not (text.isdecimal() and text.isascii() and len(text) <= DIGITS):
        raise NotTrusted(f"`{name}` is a whole number, as in 48213.", 400)
    return int(text)


async def _in_turn(
    read: "Sequence[Recorded]", table: str | None
) -> tuple[list[dict[str, Any]], int]:
    """Some events as they are sent, and how many were read; several are made in a thread.

    So nobody waits for them. They end before one that cannot be read. Raises UnreadableEvent if
    that is the first.
    """

    def made() -> tuple[list[dict[str, Any]], int]:
        sent = []
        for done, each in enumerate(read):
            try:
                if table is None or each.table_code == table:
                    sent.append({"id": str(each.position), "data": _event(each)})
            except UnreadableEvent:
                if not done:
                    raise
                return sent, done
        return sent, len(read)

    return made() if len(read) == 1 else await anyio.to_thread.run_sync(made)


def _event(recorded: "Recorded") -> str:
    body = {
        "position": recorded.position,
        "table": recorded.table_code,
        "day": str(recorded.gaming_day),
        "actor": recorded.actor,
        "at": recorded.recorded_at.isoformat(),
        "command_id": recorded.command_id,
        **as_answer(event_of(recorded)),
    }
    return msgspec.json.encode(body).decode()
