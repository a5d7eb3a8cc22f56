"""What every request for a page goes through; whatever goes wrong is a page in words."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any
from urllib.parse import quote, unquote

import psycopg
from msgspec.structs import replace
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response

from domain.rules.refusals import NotFound, NotPermitted, NotSignedOn, Refusal
from ops.commands.rights import OF_OPEN_HOUSE
from ops.finding.opening import READINGS
from ops.ledger.database import one_line
from ops.reports.readable import RowsUnreadable
from ops.web.log import mistake
from ops.web.pages import visitor
from ops.web.pages.desk import Desk, Reply, as_fields, nav_of
from ops.web.pages.forms import page_before
from ops.web.pages.taking import require_known
from ops.web.pages.viewer import drawn_for
from ops.web.pages.visitor import Visitor
from ops.web.requests import address_of
from ops.web.turned_away import NotTrusted, TurnedAway
from ops.words import pages as words
from ops.words.failure import Failure, in_words, plain_words
from ops.words.language import _, reading, shown

ENDED = "event: ended\ndata: sign-on\n\n"  # a page that goes on then asks for another sign-on
_STATUS = {NotSignedOn: 401, NotPermitted: 403, NotFound: 404}
Handler = Callable[[Desk, Request, Visitor], Awaitable[Response]]


class Guard:
    """Lets in whoever may look."""

    def __init__(self, desk: Callable[[], Desk], log: Any) -> None:
        """`desk`: asked for at each request, because it begins with the server."""
        self._desk = desk
        self._log = log

    def __call__(
        self, handler: Handler, at: str, *, to_anybody: bool = False
    ) -> Callable[[Request], Awaitable[Response]]:
        """The handler at an address, behind the guard; who reads is recorded.

        `to_anybody`: a closed house shows it to every browser.
        """

        @wraps(handler)
        async def answer(request: Request) -> Response:
            desk, who = self._desk(), Visitor(visitor.NOBODY_YET)
            with desk.house.meters.timed("page"):
                try:
                    who = visitor.visitor_of(request, address_of(request))
                    with reading(who.language):
                        who = await _admitted(desk, request, who, to_anybody=to_anybody)
                    with drawn_for(who.viewer):
                        await _require(desk, request, who, at)
                        response = await handler(desk, request, who)
                except Exception as error:  # noqa: BLE001  (whoever looks gets words)
                    with drawn_for(who.viewer):
                        response = self._wrong(desk, request, who, error)
            if who.fresh:
                visitor.set_cookie(request, response, visitor.BROWSER, who.fresh, visitor.YEARS)
            if response.status_code >= 400:
                desk.house.meters.refused.labels(str(response.status_code)).inc()
            return response

        return answer

    def _wrong(self, desk: Desk, request: Request, who: Visitor, error: Exception) -> Response:
        if isinstance(error, ClientDisconnect):
            return Response(status_code=400)  # which nobody reads
        going_on = request.url.path.startswith("/live/")
        if isinstance(error, NotSignedOn) and going_on:
            return Response(ENDED, media_type="text/event-stream")
        if isinstance(error, NotPermitted) and request.url.path == "/":
            first = next(nav_of(who.rights))  # the first page that they may see
            return RedirectResponse(first[0], 303)
        if isinstance(error, NotSignedOn) and request.method == "GET":
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"/sign-on?then={quote(request.url.path + query)}", 303)
        status, text, rule = 500, shown(words.MISTAKE), ""
        if isinstance(error, TurnedAway):
            status, text = error.status, _(str(error))
        elif isinstance(error, Refusal):
            status, text = _STATUS.get(type(error), 422), as_fields(plain_words(error))
            rule = error.rule or ""
        elif isinstance(error, Failure):
            status, text = 503, in_words(error)
        elif isinstance(error, psycopg.DataError):  # a value of a row that no program writes
            status, text = 503, in_words(RowsUnreadable(one_line(error)))
            mistake(self._log, error, request="page")
        else:
            mistake(self._log, error, request="page")
        if going_on:
            return Response(text, status, media_type="text/plain")
        heading = words.NOT_LET_IN if isinstance(error, TurnedAway) and status == 403 else None
        return desk.not_done(
            request, who, status, Reply("refused", text, rule), page_before(request), heading
        )


async def _require(desk: Desk, request: Request, who: Visitor, at: str) -> None:
    """Checks what is asked for, and records who reads.

    Refuses: NotSignedOn, NotPermitted, NotFound, BadValue. Raises NotTrusted.
    """
    if request.method == "POST":
        return
    asks = READINGS.get(at)
    asked = asks(request.path_params, request.query_params) if asks else ()
    for each in list(filter(who.rights.may_read, asked)) or asked[:1]:  # which says why not
        await desk.require(who, each)
    require_known(at, request.path_params, request.query_params)


async def _admitted(desk: Desk, request: Request, who: Visitor, *, to_anybody: bool) -> Visitor:
    """The visitor, if their browser may come in. Raises NotTrusted, LedgerLost."""
    asked = f"{request.url.path}{''.join(map(''.join, request.query_params.multi_items()))}"
    if not all(map(str.isprintable, unquote(asked))):
        raise NotTrusted(shown(words.NO_ADDRESS), 400)
    is_open = await desk.in_thread(desk.house.is_open)
    if to_anybody and not is_open:
        return who
    uses = not request.url.path.startswith("/live/")
    caller = await desk.in_thread(lambda: desk.house.admitted(who.caller, uses=uses))
    language = who.language
    if who.number and not who.chosen and not is_open:
        language = await desk.in_thread(lambda: desk.house.language_of(caller)) or language
    rights = OF_OPEN_HOUSE
    if not is_open:
        rights = await desk.in_thread(lambda: desk.house.rights_of(caller))
    return replace(who, caller=caller, language=language, rights=rights)
