"""The server's addresses, and what each of them answers."""

import asyncio
import hashlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from functools import partial, wraps
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from domain.rules.refusals import Refusal
from ops import VERSION
from ops.commands.reader import Asked as AskedToRead
from ops.commands.rights import Rights
from ops.commands.schema import text as schema_text
from ops.door.wire import TARGET as WIRE
from ops.handlers.answer import refused
from ops.web.boards import Boards, require_table
from ops.web.callers import Caller
from ops.web.events import EventStream
from ops.web.front import Front
from ops.web.house import House
from ops.web.lines import FEW, Wanted
from ops.web.log import LinesLogged, log, mistake, name_of
from ops.web.log_tiles import LogTiles
from ops.web.news import News
from ops.web.pages.addresses import no_page
from ops.web.pages.addresses import routes as pages
from ops.web.pages.desk import Desk
from ops.web.pages.guard import Guard
from ops.web.pages.visitor import require_same_site
from ops.web.requests import (
    SLOWEST,
    Streamed,
    address_of,
    after_first,
    body_of,
    number,
    read,
    target_of,
    whole,
)
from ops.web.rooms import Leave, Room
from ops.web.shells import Answered, Asked
from ops.web.streams import SILENT, Message, while_they_may
from ops.web.tables import (
    TableStream,
    answered,
    content,
    question_of,
    record_start,
    require_terminal,
)
from ops.web.tokens import COUNTS, NOBODY, Tokens, has
from ops.web.turned_away import NotTrusted, TurnedAway
from ops.web.wires import Wires
from ops.web.witnessing import Witnessing
from ops.words.failure import Failure
from ops.words.language import shown

if TYPE_CHECKING:
    from ops.web.line_answer import LineAnswer

THREADS = 64  # for lines
SHORT = 8 << 10  # bytes of a request that are checked at once
_HTTP = {"NotSignedOn": 401, "NotPermitted": 403, "NotFound": 404}
_SAFE = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
COMMANDS, QUESTIONS = "/api/commands", "/api/questions"
_LINES = "application/x-ndjson"
Handler = Callable[[Request, Caller, bytes], Awaitable[Response]]
Plain = Callable[[Request], Awaitable[Response]]


class Doors:
    """The handlers of requests, on one house."""

    def __init__(self, house: House, tokens: Tokens) -> None:
        self.house = house
        self._tokens = tokens
        self._tiles = LogTiles(house, tokens)
        self.witnessing = Witnessing(house)
        self.log = log()
        self._lines = LinesLogged(self.log)
        self.desk: Desk | None = None
        self.boards: Boards | None = None
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
        asked = dict(parse_qsl(request.scope["query_string"].decode()))  # a tenth of query_params
        wanted = Wanted(
            first=whole("first", asked.get("first", "1")),
            late=asked.get("late") == "1",
            until_refused=asked.get("until_refused") == "1",
        )
        answers = self._answers(caller, body, wanted)
        if len(body) <= SHORT:
            content = b"".join([each async for each in answers])
            return Response(content, media_type=_LINES)
        first = await anext(answers, b"")  # what is wrong from the beginning is no answer of lines
        return StreamingResponse(after_first(first, answers), media_type=_LINES)

    async def _answers(self, caller: Caller, body: bytes, wanted: Wanted) -> AsyncGenerator[bytes]:
        """The answers as they are sent, in pieces; a large piece is written in a thread."""
        async with aclosing(self.house.lines.answers(caller, body, wanted)) as pieces:
            async for answered in pieces:
                if len(answered) <= FEW:
                    yield self._written(answered, caller)
                else:
                    yield await anyio.to_thread.run_sync(self._written, answered, caller)

    def _written(self, answered: "Sequence[LineAnswer]", caller: Caller) -> bytes:
        """Some answers as they are sent."""
        self._note(answered, caller)
        return "".join(f"{each.answer}\n" for each in answered).encode()

    def _note(self, lines: "Sequence[LineAnswer]", caller: Caller) -> None:
        """Logs and counts lines with their answers; what fails there takes no answer away."""
        try:
            counted = self._lines.note(lines, caller.terminal)
            for labels, times in counted.items():
                self.house.meters.commands.labels(*labels).inc(times)
        except Exception as error:  # noqa: BLE001  (they are on record)
            mistake(self.log, error, request="commands")

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

    # Terminals at tables
    async def ask(self, _: Request, caller: Caller, body: bytes) -> Response:
        """The answer to a question of a terminal; whatever it records is on disk."""
        question = question_of(caller, body)
        answer = await self.house.at_tables.asked(caller, question)
        self._note(answered(question, answer), caller)
        return Response(content(answer), media_type="application/json")

    async def follow(self, request: Request, caller: Caller, _: bytes) -> Response:
        """A table as it changes, for a dealer's terminal; `by`: it was started just now."""
        require_terminal(caller)
        table, read = request.path_params["table"], number(request, "after", 0)
        stream = TableStream(self.house, caller, table, read or None)

        def begin() -> None:
            by = request.query_params.get("by")
            if by is not None:
                record_start(self.house, caller, "dealer", table, by)
            stream.check()

        leave = await _let_in(self.house.rooms.dealers, caller.terminal, begin)
        ending = anyio.Event()  # set when the server is told to stop
        return Streamed(stream.events(ending), SILENT, leave=leave, ending=ending)

    async def board(self, request: Request, caller: Caller, _: bytes) -> Response:
        """The board as it changes, for whoever may read it; `started`: it was opened just now."""
        table = request.query_params.get("table")
        asked = AskedToRead("board", "screen", {"table": table})

        rights = Rights()

        def begin() -> None:
            nonlocal rights
            rights = Rights(self.house.require_reader(caller, asked).role)
            require_table(self.house, caller, table)
            if "started" in request.query_params:
                record_start(self.house, caller, "board", None)

        who = caller.terminal or caller.address
        leave = await _let_in(self.house.rooms.screens, who, begin)
        assert self.boards is not None
        return self._streamed(caller, asked, leave, self.boards.stream(table, rights))

    def _streamed(
        self,
        caller: Caller,
        asked: AskedToRead,
        leave: Leave,
        send_next: Callable[[], Awaitable[Sequence[Message]]],
    ) -> Response:
        """A stream that goes on only while the caller may read this."""

        async def require_still() -> None:
            await anyio.to_thread.run_sync(
                lambda: self.house.require_reader(caller, asked, goes_on=True)
            )

        ending = anyio.Event()  # set when the server is told to stop
        messages = while_they_may(require_still, ending, send_next)
        return Streamed(messages, SILENT, leave=leave, ending=ending)

    # Readings
    async def reading(self, request: Request, caller: Caller, _: bytes) -> Response:
        """What a reading command answers as JSON."""
        words = request.path_params["words"].split("/")
        query = request.query_params.multi_items()
        return _as_json(await self.house.run(caller, Asked("", words, query=query)))

    async def events(self, request: Request, caller: Caller, _: bytes) -> Response:
        """What happens from a position on, as it happens; only to whoever may export events."""
        after = number(request, "after", 0)
        table = request.query_params.get("table")
        asked = AskedToRead("export events", "json", {"table": table})
        who = caller.terminal or caller.address
        leave = await _let_in(
            self.house.rooms.events, who, lambda: self.house.require_reader(caller, asked)
        )
        assert self.house.news is not None
        grows = EventStream(self.house.news, self.house.database, after, table)
        return self._streamed(caller, asked, leave, grows.next)

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
        news = self.house.news
        return self._health(self._lost() or (news.cannot_record if news else ""))

    async def reads(self, _: Request) -> Response:
        """Whether the record can be read now, here or on a standby."""
        return self._health(self._lost())

    def _lost(self) -> str:
        return self.house.news.lost if self.house.news else "the server is starting"

    def _health(self, why: str) -> Response:
        news = self.house.news
        lacks = [shown(each.words) for each in news.backups.lacks] if news else []
        body = {
            "ok": not why,
            "version": VERSION,
            **({"why": why} if why else {}),
            **({"missing": news.missing} if news and news.missing else {}),
            **({"backup": lacks} if lacks else {}),
        }
        return JSONResponse(body, 503 if why else 200, headers=_SAFE)

    async def metrics(self, request: Request) -> Response:
        """What the server counts, for its own machine and whoever has the token."""
        here = Caller(address=address_of(request)).is_here
        if not here and not has(request, self._tokens.metrics):
            return _refusal(403, "NotTrusted", COUNTS)
        if news := self.house.news:
            self.house.meters.position.set(news.head)
            await self._note_figures(news)
        self.house.meters.note_server(self.house.counted)
        for name, open_now in self.house.rooms.counted().items():
            self.house.meters.open.labels(name).set(open_now)
        return Response(self.house.meters.text(), media_type="text/plain; version=0.0.4")

    async def _note_figures(self, news: News) -> None:
        """Notes the figures of the ledger and the alerts of the board, if they can be read."""
        figures = await anyio.to_thread.run_sync(self.house.figures)
        self.house.meters.reachable.set(bool(figures) or not news.lost)
        floor = await self.the_desk().floor() if figures else None
        seen = floor.seen if floor and not floor.lost else None
        self.house.meters.note_figures(figures, seen.counted_alerts if seen else None, news.backups)

    # Every request
    def guarded(self, kind: str, handler: Handler) -> Plain:
        """A handler for whoever may come in; what goes wrong is answered in words."""

        @wraps(handler)
        async def answer(request: Request) -> Response:
            response = await self.in_words(kind, lambda: self._answered(request, handler))
            response.headers.update(_SAFE)
            return response

        return answer

    async def plain(self, kind: str, answer: Plain, request: Request) -> Response:
        """The answer to a request that nobody signs."""
        return await self.in_words(kind, lambda: answer(request))

    async def in_words(self, kind: str, answer: Callable[[], Awaitable[Response]]) -> Response:
        """An answer to a request; what goes wrong is answered in words."""
        with self.house.meters.timed(kind):
            try:
                response = await answer()
            except TurnedAway as error:
                name, words = type(error).__name__, str(error)
                response = _refusal(error.status, name, words, error.exit_status, error.wait)
            except Refusal as refusal:
                body = refused({"command": kind}, refusal).body
                response = JSONResponse(body, _HTTP.get(body["error"], 422))
            except Failure as error:
                why, name = getattr(error, "why", ""), type(error).__name__
                response = _refusal(503, name, str(error), error.status, why=why)
            except ClientDisconnect:
                response = Response(status_code=400)  # which nobody reads
            except Exception as error:  # noqa: BLE001  (who sent it gets words)
                mistake(self.log, error, request=kind)
                words = "The house server made a mistake at this request; its log says where."
                response = _refusal(500, "Mistake", words)
        if response.status_code >= 400:
            self.house.meters.refused.labels(str(response.status_code)).inc()
        return response

    async def _answered(self, request: Request, handler: Handler) -> Response:
        require_same_site(request.method, request.headers, by_browser=False)
        body, address, target = await body_of(request), address_of(request), target_of(request)

        def signed() -> Caller:
            return self.house.callers.caller(request.method, target, request.headers, body, address)

        # A large body takes a while to check: in a thread.
        caller = signed() if len(body) <= SHORT else await anyio.to_thread.run_sync(signed)
        if not self.house.knows(caller):
            caller = await anyio.to_thread.run_sync(self.house.admitted, caller)
        return await handler(request, caller, body)

    def routes(self) -> list[Route]:
        """The addresses of programs."""
        witness = partial(self.plain, "witness", self.witnessing.answer)
        return [
            Route(COMMANDS, self.guarded("commands", self.commands), methods=["POST"]),
            Route("/api/shell", self.guarded("shell", self.shell), methods=["POST"]),
            Route(QUESTIONS, self.guarded("questions", self.ask), methods=["POST"]),
            Route("/api/tables/{table}/now", self.guarded("table", self.follow)),
            Route("/api/board", self.guarded("board", self.board)),
            Route("/api/events", self.guarded("events", self.events)),
            Route("/api/schema", self.schema),
            Route("/api/{words:path}.json", self.guarded("reading", self.reading)),
            Route("/health", self.health),
            Route("/health/reading", self.reads),
            Route("/metrics", self.metrics),
            Route("/log/{path:path}", partial(self.plain, "log", self._tiles.answer)),
            Route("/witness/{path:path}", witness, methods=["GET", "POST"]),
        ]


class Application:
    """The server's application. Lines of commands skip the routes of all other addresses."""

    def __init__(self, doors: Doors, others: Starlette) -> None:
        self._commands = Front(_straight(doors.guarded("commands", doors.commands)))
        on_a_wire = {
            COMMANDS: ("commands", doors.commands),
            QUESTIONS: ("questions", doors.ask),
        }
        self._wires = Front(Wires(doors.house, on_a_wire, doors.in_words))
        self.others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        asked = scope["type"], scope.get("method"), scope.get("path")
        app: ASGIApp = self.others
        if asked == ("http", "POST", COMMANDS):
            app = self._commands
        elif asked == ("websocket", None, WIRE):
            app = self._wires
        await app(scope, receive, send)


def _straight(answer: Callable[[Request], Awaitable[Response]]) -> ASGIApp:
    """An application of one address; `answer` also answers whatever goes wrong."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await answer(Request(scope, receive, send))
        await response(scope, receive, send)

    return app


def application(house: House, tokens: Tokens = NOBODY) -> Application:
    """The server's application."""
    doors = Doors(house, tokens)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        house.news = News(house.database)
        doors.desk = Desk(house)
        doors.boards = Boards(doors.desk.watch)
        await house.news.begun(SLOWEST)
        doors.witnessing.begin()
        try:
            yield
        finally:
            doors.witnessing.end()
            doors.desk.close()
            house.news.close()
            house.close()

    guard = Guard(doors.the_desk, doors.log)
    nothing_there = _nothing_there(guard)
    others = Starlette(
        routes=[*doors.routes(), *pages(guard)],
        lifespan=lifespan,
        middleware=[Middleware(Front)],
        exception_handlers={404: nothing_there, 405: nothing_there},
    )
    return Application(doors, others)


def _schema() -> tuple[bytes, str]:
    """The schema as it is sent, and its tag."""
    content = schema_text().encode()
    return content, f'"{hashlib.sha256(content).hexdigest()}"'


def _nothing_there(guard: Guard) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Answers an unknown address: a page for a browser, JSON for a program."""

    page = guard(no_page, "")

    async def answer(request: Request, error: Exception) -> Response:
        if "text/html" in request.headers.get("accept", ""):
            return await page(request)
        status = getattr(error, "status_code", 404)
        return JSONResponse({"ok": False, "error": "NotFound"}, status, headers=_SAFE)

    return answer


def _as_json(answer: Answered) -> Response:
    try:
        body: Any = msgspec.json.decode(answer.out)
    except msgspec.MsgspecError:
        words = answer.err.strip() or "There is no answer."
        return _refusal(422, "UsageError", words)
    of_refusal = isinstance(body, Mapping) and body.get("ok") is False and "error" in body
    status = _HTTP.get(body["error"], 422) if of_refusal else 200
    return Response(answer.out, status, media_type="application/json")


def _refusal(
    status: int, error: str, words: str, exit_status: int = 1, wait: int = 0, why: str = ""
) -> Response:
    """The answer to a request that was not answered; `wait`: seconds until it may come again.

    `why`: why the ledger cannot be reached.
    """
    body = {"ok": False, "error": error, "message": words, "exit_status": exit_status}
    body |= {"why": why} if why else {}
    if not wait:
        return JSONResponse(body, status)
    return JSONResponse(body | {"wait": wait}, status, {"Retry-After": str(wait)})


async def _let_in(room: Room, who: str, begin: Callable[[], object]) -> Leave:
    """Takes a place in a room and calls `begin` in a thread; if that raises, leaves the room."""
    leave = room.enter(who)
    try:
        await anyio.to_thread.run_sync(begin)
    except BaseException:
        leave()
        raise
    return leave
