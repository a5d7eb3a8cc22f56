"""Who is who in a browser: the form to sign on, and the language of the pages."""

from collections.abc import Mapping
from urllib.parse import quote, unquote

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from domain.rules.pins import HOW_LONG, SHORTEST_PIN, weakness
from domain.rules.refusals import NotPermitted
from domain.rules.wording import Words
from ops.commands.read import read
from ops.commands.signed_on import Token
from ops.handlers import sign_on as signing
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import awaits_code
from ops.web.pages import acts, visitor
from ops.web.pages.desk import Desk, Reply
from ops.web.pages.forms import page_of_this_house, read_form
from ops.web.pages.visitor import Visitor
from ops.words.language import LANGUAGES, _, shown


async def ask_who(desk: Desk, request: Request, who: Visitor) -> Response:
    """The form to sign on."""
    then = page_of_this_house(request.query_params.get("then"))
    return desk.page(
        request, who, "sign_on.html",
        asks_new=False, elsewhere=False, then=then, number="", table=_table_of(then),
    )  # fmt: skip


def _table_of(page: str) -> str:
    """The table whose page it is, where a dealer is likely to sign on; '' of any other page."""
    above, __, table = unquote(page).rpartition("/")
    return table if above == "/tables" else ""


async def sign_on(desk: Desk, request: Request, who: Visitor) -> Response:
    """Begins a sign-on in this browser; who signs on at a table begins at its page."""
    form = await read_form(request)
    number, table = form.get("staff", "").strip(), form.get("table", "").strip()
    then = page_of_this_house(form.get("then"))
    first = f"/tables/{quote(table, safe='')}" if table and then == "/" else then
    response: Response = RedirectResponse(first, 303)
    if who.open_house:
        read({"command": "staff.sign-on", "staff": number})  # refuses a number that is none
        visitor.set_cookie(request, response, visitor.SIGN_ON, f"{number}:open")
        return response
    signed_on = await desk.in_thread(
        lambda: desk.house.lines.use(
            who.caller, lambda dispatcher: _signed_on(dispatcher, number, table, form), ends=True
        )
    )
    if isinstance(signed_on, Token):
        visitor.set_cookie(request, response, visitor.SIGN_ON, signed_on.text)
        return response
    return desk.page(
        request, who, "sign_on.html", 422,
        reply=Reply("refused", signed_on.why) if signed_on.why else None,
        asks_new=signed_on.asks_new, elsewhere=signed_on.elsewhere, how_long=HOW_LONG,
        then=then, number=number, table=table,
    )  # fmt: skip


class _Again(Struct, frozen=True):
    """The form is to be filled in again.

    `asks_new`: with the one-time code and a new PIN. `elsewhere`: they are signed on at another
    place, and may sign off there.
    """

    why: str = ""
    asks_new: bool = False
    elsewhere: bool = False


def _signed_on(
    dispatcher: Dispatcher, staff: str, table: str, form: Mapping[str, str]
) -> Token | _Again:
    """The token of a new sign-on, or what is to be typed again; nothing before it reveals a PIN."""
    pin, new = form.get("pin", ""), None
    if awaits_code(dispatcher, staff):
        new, again = form.get("new", ""), form.get("again", "")
        if not new:
            return _Again(asks_new=True)
        if weak := weakness(new, staff, SHORTEST_PIN):
            why = Words("The new PIN is {weak}: choose another.", weak=weak)
            return _Again(shown(why), asks_new=True)
        if new != again:
            return _Again(_("The two PINs differ."), asks_new=True)
    if form.get("elsewhere"):
        answer = signing.sign_off(dispatcher, staff, pin)
        if not answer.ok:
            return _Again(acts.reply_of(answer).words, elsewhere=True)
    answer, token = signing.sign_on(dispatcher, staff, pin, new, table or None)
    if answer.ok:
        return token
    elsewhere = answer.error == NotPermitted.__name__ and signing.is_signed_on(dispatcher, staff)
    return _Again(acts.reply_of(answer).words, elsewhere=elsewhere)


async def sign_off(desk: Desk, request: Request, who: Visitor) -> Response:
    """Ends the sign-on in this browser."""
    response: Response = RedirectResponse("/sign-on", 303)
    if who.number and not who.open_house:
        line = {"command": "staff.sign-off", "staff": who.number}
        await desk.in_thread(lambda: desk.house.lines.answer(who.caller, line))
    visitor.remove_cookie(request, response, visitor.SIGN_ON)
    return response


async def choose_language(__: Desk, request: Request, ___: Visitor) -> Response:
    """Chooses a language in this browser."""
    form = await read_form(request)
    response = RedirectResponse(page_of_this_house(form.get("then")), 303)
    if (chosen := form.get("language", "")) in LANGUAGES:
        visitor.set_cookie(request, response, visitor.LANGUAGE, chosen, visitor.YEARS)
    return response
