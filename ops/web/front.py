"""What stands before every address: a head that cannot be read is refused, each answer is safe."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}
_RAW = [(name.lower().encode(), value.encode()) for name, value in SAFE.items()]
_WORDS = "The request cannot be read: its {part} is none. A browser or a terminal sends a true one."


class Front:
    """The application behind it gets requests whose address, `Host` and `Origin` can be read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.get("headers", [])
                named = {name.lower() for name, _ in given}
                message["headers"] = [*given, *(each for each in _RAW if each[0] not in named)]
            await send(message)

        app = self._app
        if part := _unreadable(scope):
            words = _WORDS.format(part=part)
            body = {"ok": False, "error": "NotTrusted", "message": words, "exit_status": 1}
            app = JSONResponse(body, 400)
        await app(scope, receive, safely if scope["type"] == "http" else send)


def _unreadable(scope: Scope) -> str:
    """The part of the request's head that cannot be read, '' if all of it can."""
    if not scope["query_string"].isascii():
        return "address"
    headers = Headers(scope=scope)
    for name in ("Host", "Origin"):
        given = headers.getlist(name)
        if len(given) > 1 or not all(map(_is_place, given)):
            return f"`{name}`"
    return ""


def _is_place(text: str) -> bool:
    """Whether a `Host` or an `Origin` can be taken apart."""
    try:
        split = urlsplit(text if "//" in text else f"//{text}")
        return split.port is None or bool(split.hostname)
    except ValueError:
        return False
