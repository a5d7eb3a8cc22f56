"""The record as a log of signed tiles (C2SP tlog-tiles), as `sabot audit export` writes it.

`checkpoint` is the newest one that the house signed. Nothing is served of what is not signed yet.

>>> asked_for("tile/0/x001/x234/067"), asked_for("tile/entries/000.p/17")
(Asked(level=0, index=1234067, width=256), Asked(level='entries', index=0, width=17))
>>> asked_for("tile/0/1"), asked_for("tile/0/000.p/256")
(None, None)
"""

import re
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ops.proof import on_record
from ops.proof.checkpoint import Checkpoint
from ops.proof.stored import entries_of, tiles_of
from ops.proof.tiles import CHECKPOINT, ENTRIES, NEWS, bundle, tile_path
from ops.proof.tree import WIDTH, width_of
from ops.web.requests import Streamed, address_of
from ops.web.streams import BEAT, SILENT, Message, while_they_may
from ops.web.tokens import EVENTS, LOG, Tokens, has
from ops.web.turned_away import NotThere, NotTrusted

if TYPE_CHECKING:
    import psycopg

    from ops.web.house import House

_PATH = re.compile(r"tile/(entries|[0-9]{1,2})/((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([0-9]{1,3}))?")
APART = 0.05  # seconds between two looks for a checkpoint, while events come
_DEEPEST = 4  # groups of three digits
_NO_CHECKPOINT = "Nothing is signed yet: the house runs `sabot audit checkpoint`."
_NO_TILE = "There is no such tile under the newest checkpoint."


class Asked(Struct, frozen=True):
    """A tile, or a bundle of entries, as its path names it."""

    level: int | str
    index: int
    width: int


def asked_for(path: str) -> Asked | None:
    """What a path asks for; None for one that names no tile."""
    match = _PATH.fullmatch(path)
    if match is None or path.count("x") > _DEEPEST:
        return None
    level = match[1] if match[1] == ENTRIES else int(match[1])
    asked = Asked(level, int(re.sub("[x/]", "", match[2])), int(match[3] or WIDTH))
    # A number has one spelling, and so has a tile.
    return asked if tile_path(level, asked.index, asked.width) == path else None


class LogTiles:
    """Reads checkpoint and tiles from the database, for who has a token."""

    def __init__(self, house: "House", tokens: Tokens) -> None:
        self._house = house
        self._tokens = tokens
        self._size = 0  # of the newest checkpoint that was read

    async def answer(self, request: Request) -> Response:
        """What an address under `/log/` answers. Raises NotTrusted, NotThere."""
        path = request.path_params["path"]
        self._require_token(request, path)
        if path == NEWS:
            return self._stream(request)
        if path == CHECKPOINT:
            content = await anyio.to_thread.run_sync(self.checkpoint)
            return _sent(content, _NO_CHECKPOINT, "text/plain; charset=utf-8")
        content = await anyio.to_thread.run_sync(self.tile, path)
        return _sent(content, _NO_TILE, "application/octet-stream")

    def _require_token(self, request: Request, path: str) -> None:
        """Requires the token of the log, or that of a witness for what has no event.

        Raises NotTrusted.
        """
        if has(request, self._tokens.log):
            return
        if not has(request, self._tokens.witness):
            raise NotTrusted(LOG, 403)
        if ENTRIES in path:
            raise NotTrusted(EVENTS, 403)

    def _stream(self, request: Request) -> Response:
        """Each new checkpoint's size, as soon as it is signed: it wakes who pulls, no more."""
        leave = self._house.rooms.events.enter(address_of(request))
        ending = anyio.Event()  # set when the server is told to stop
        at, known = 0, 0

        async def require_still() -> None:
            """The token is that of the whole server."""

        async def send_next() -> list[Message]:
            nonlocal at, known
            news = self._house.news
            assert news is not None
            if not await news.beyond(at, BEAT):
                return []
            await anyio.sleep(APART)
            at = news.head
            content = await anyio.to_thread.run_sync(self.checkpoint)
            size = Checkpoint.of(content.decode()).size if content else 0
            if size == known:
                return []
            known = size
            return [{"event": CHECKPOINT, "data": str(size)}]

        messages = while_they_may(require_still, ending, send_next)
        return Streamed(messages, SILENT, leave=leave, ending=ending)

    def checkpoint(self) -> bytes | None:
        """The newest checkpoint with its cosignatures; None if nothing is signed yet."""
        with self._house.database.session("sabot_auditor") as connection:
            return self._newest(connection)

    def tile(self, path: str) -> bytes | None:
        """What the path names; None if there is nothing of that name yet.

        Raises NotGrown, UnreadableEvent, Archived.
        """
        asked = asked_for(path)
        if asked is None:
            return None
        with self._house.database.session("sabot_auditor") as connection:
            if not self._covers(asked):
                self._newest(connection)
            return _read(connection, asked) if self._covers(asked) else None

    def _newest(self, connection: "psycopg.Connection[Any]") -> bytes | None:
        signed = on_record.newest(connection)
        if signed is None:
            return None
        self._size = Checkpoint.of(signed.note).size
        return signed.whole.encode()

    def _covers(self, asked: Asked) -> bool:
        level = 0 if asked.level == ENTRIES else int(asked.level)
        return 0 < asked.width <= width_of(level, asked.index, self._size)


def _sent(content: bytes | None, otherwise: str, media_type: str) -> Response:
    if content is None:
        raise NotThere(otherwise)
    return Response(content, media_type=media_type)


def _read(connection: "psycopg.Connection[Any]", asked: Asked) -> bytes:
    if asked.level == ENTRIES:
        after = asked.index * WIDTH
        return bundle(entries_of(connection, after, after + asked.width), after)
    return tiles_of(connection)(int(asked.level), asked.index, asked.width)
