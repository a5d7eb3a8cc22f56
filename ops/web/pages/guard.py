"""What every request for a page goes through; whatever goes wrong is a page in words."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any
from urllib.parse import quote, unquote, urlencode

import psycopg
from msgspec.structs import replace
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response

from domain.rules.refusals import BadValue, NotFound, NotPermitted, NotSignedOn, Refusal
from domain.rules.wording import Words
from ops.commands.rights import OF_OPEN_HOUSE
from ops.ledger.database import one_line
from ops.reports.readable import RowsUnreadable
from ops.typed.shell import with_forms
from ops.web.log import mistake
from ops.web.pages import visitor
from ops.web.pages.acts import NotDone
from ops.web.pages.desk import Desk, Reply, as_fields, nav_of
from ops.web.pages.form_again import Handler, Pages, require_reading
from ops.web.pages.forms import ShownToAnother, page_before
from ops.web.pages.viewer import drawn_for
from ops.web.pages.visitor import Visitor
from ops.web.requests import address_of
from ops.web.turned_away import NotTrusted, TurnedAway
from ops.words import pages as words
from ops.words.failure import Failure, in_words, plain_words
from ops.words.language import _, reading, shown

ENDED = "event: ended\ndata: sign-on\n\n"  # a page that goes on then asks for another sign-on
_STATUS = {NotSignedOn: 401, NotPermitted: 403, NotFound: 404}


class Guard:
    """Lets in whoever may look."""

    def __init__(self, desk: Callable[[], Desk], log: Any) -> None:
        """`desk`: asked for at each request, because it begins with the server."""
        self._desk = desk
        self._log = log
        self._pages = Pages()

    def __call__(
        self, handler: Handler, at: str, *, reads: bool = False, to_anybody: bool = False
    ) -> Callable[[Request], Awaitable[Response]]:
        """The handler at an address, behind the guard; who reads is recorded.

        `to_anybody`: a closed house shows it to every browser. `reads`: it records nothing.
        """
        if reads:
            self._pages.add(at, handler)

        @wraps(handler)
        async def answer(request: Request) -> Response:
            desk, who = self._desk(), Visitor(visitor.NOBODY_YET)
            with desk.house.meters.timed("page"):
                try:
                    who = visitor.visitor_of(request, address_of(request))
                    with reading(who.language):
                        who = await _admitted(desk, request, who, to_anybody=to_anybody)
                    with drawn_for(who.viewer):
                        response = await self._handled(handler, at, desk, request, who)
                except Exception as error:  # noqa: BLE001  (whoever looks gets words)
                    with drawn_for(who.viewer):
                        response = self._wrong(desk, request, who, error)
            if who.fresh:
                visitor.set_cookie(request, response, visitor.BROWSER, who.fresh, visitor.YEARS)
            if response.status_code >= 400:
                desk.house.meters.refused.labels(str(response.status_code)).inc()
            return response

        return answer

    async def _handled(
        self, handler: Handler, at: str, desk: Desk, request: Request, who: Visitor
    ) -> Response:
        """The answer; where a form was refused, its page with the form as it was sent."""
        if plain := _without_empty(request):
            return RedirectResponse(plain, 303)
        request.state.signed_on = who.number
        try:
            await require_reading(desk, request, who, at)
            return await handler(desk, request, who)
        except ShownToAnother as shown_to:
            why = Words(words.SHOWN_TO_ANOTHER, one=str(shown_to), other=who.number)
            not_done = NotDone(why, "", 409, page_before(request))
            pages = [not_done.then]
        except NotDone as refused:
            not_done, pages = refused, [page_before(request), refused.then]
        except BadValue as refused:
            if request.method != "GET" or not request.url.query:
                raise
            not_done = NotDone(refused.words, refused.rule or "", 422, page_before(request))
            pages = [request.url.path]
        if again := await self._pages.again(desk, request, who, not_done, pages):
            return again
        reply = Reply("refused", as_fields(with_forms(shown(not_done.why))), not_done.rule)
        return desk.not_done(request, who, not_done.status, reply, not_done.then)

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


def _without_empty(request: Request) -> str:
    """The address of a page without the names that have no value; '' if each has one."""
    given = request.query_params.multi_items()
    named = [(name, value) for name, value in given if value]
    if request.method != "GET" or len(named) == len(given):
        return ""
    path = quote(request.url.path)
    return f"{path}?{urlencode(named)}" if named else path


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
