"""What is refused comes again in its form: the page it was sent from, as it was filled in."""

import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Route

from domain.rules.refusals import MissingField, Refusal
from domain.rules.wording import Words
from ops.finding.opening import READINGS
from ops.typed.shell import with_forms
from ops.web.pages.acts import NotDone
from ops.web.pages.desk import Desk, Reply, as_fields
from ops.web.pages.refilled import FormSeen, Sent, filled_in, form_in
from ops.web.pages.render import fragment
from ops.web.pages.taking import require_known
from ops.web.pages.visitor import Visitor
from ops.web.turned_away import TurnedAway
from ops.words.language import shown

Handler = Callable[[Desk, Request, Visitor], Awaitable[Response]]
# A field, as it is typed elsewhere.
_NAMED = re.compile(r"`(?:--)?([a-z][a-z_-]*)`|--([a-z][a-z-]*)")
_NEEDS = MissingField.__doc__


class Pages:
    """The pages that are read, by their addresses, each with its handler."""

    def __init__(self) -> None:
        self._routes: list[tuple[Route, Handler]] = []

    def add(self, at: str, handler: Handler) -> None:
        """Learns of a page."""
        self._routes.append((Route(at, _nobody), handler))

    async def again(
        self, desk: Desk, request: Request, who: Visitor, refused: NotDone, at: Iterable[str]
    ) -> Response | None:
        """The first of these pages that has the form which was sent; None: none of them has."""
        typed = getattr(request.state, "sent", None) or dict(request.query_params)
        sent = Sent(request.method.lower(), request.url.path, typed)
        for address in dict.fromkeys(at):
            page = await self._page(desk, request, who, address)
            if page and (form := form_in(page, sent)):
                field, reply = _reply(refused, form)
                line = str(fragment("reply_parts.html", "line", reply=reply))
                text = filled_in(page, form, typed, field, line, address)
                return HTMLResponse(text, refused.status)
        return None

    async def _page(self, desk: Desk, request: Request, who: Visitor, address: str) -> str:
        """A page as whoever sent the form may see it; '' if they may not, or if there is none."""
        place = urlsplit(address)
        scope = {
            **request.scope,
            "method": "GET",
            "path": unquote(place.path),
            "raw_path": place.path.encode(),
            "query_string": place.query.encode(),
        }
        for route, handler in self._routes:
            match, more = route.matches(scope)
            if match is Match.FULL:
                asked = Request({**scope, **more})
                with suppress(Refusal, TurnedAway):
                    await require_reading(desk, asked, who, route.path)
                    response = await handler(desk, asked, who)
                    is_page = isinstance(response, HTMLResponse) and response.status_code == 200
                    return bytes(response.body).decode() if is_page else ""
                return ""
        return ""


def _reply(refused: NotDone, form: FormSeen) -> tuple[str, Reply]:
    """The field that a refusal names, as the form has it, and the refusal in the form's words."""
    why = refused.why
    values = dict(why.values) if isinstance(why, Words) else {}
    field = form.named(str(values.get("field", "")))
    label = form.labels.get(field, "")
    if label and isinstance(why, Words):
        filled = {**values, "field": label}
        missing = why.template == _NEEDS
        why = Words("Fill in {field}.", field=label) if missing else Words(why.template, **filled)

    def labelled(name: re.Match[str]) -> str:
        return form.labels.get(form.named(name[1] or name[2])) or name[0]

    text = as_fields(_NAMED.sub(labelled, with_forms(shown(why))))
    return field, Reply("refused", text, refused.rule)


async def require_reading(desk: Desk, request: Request, who: Visitor, at: str) -> None:
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


async def _nobody(_: Request) -> Response:
    """Stands for a handler where only an address is compared."""
    raise NotImplementedError
