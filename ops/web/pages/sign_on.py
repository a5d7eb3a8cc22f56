"""Who is who in a browser: the form to sign on, and the language of the pages."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ops.web.pages import visitor
from ops.web.pages.desk import Desk, Reply, reply_of
from ops.web.pages.forms import page_of_this_house, read_form
from ops.web.pages.visitor import Visitor
from ops.web.shells import Answered
from ops.words.language import LANGUAGES


async def ask_who(desk: Desk, request: Request, who: Visitor) -> Response:
    """The form to sign on."""
    then = page_of_this_house(request.query_params.get("then"))
    return desk.page(request, who, "sign_on.html", asks_new=False, then=then, number="")


async def sign_on(desk: Desk, request: Request, who: Visitor) -> Response:
    """Begins a sign-on in this browser; who signs on at a table begins at its page."""
    form = await read_form(request)
    number, table = form.get("staff", "").strip(), form.get("table", "").strip()
    then = page_of_this_house(form.get("then"))
    first = f"/tables/{quote(table, safe='')}" if table and then == "/" else then
    response: Response = RedirectResponse(first, 303)
    if who.open_house:
        visitor.set_cookie(request, response, visitor.SIGN_ON, f"{number}:open")
        return response
    typed = [form[each] for each in ("pin", "new", "again") if each in form]
    at_table = [f"--table={table}"] if table else []
    answer = await desk.act(who, ["staff", "sign-on", *at_table, "--", number], typed)
    if answer.token:
        visitor.set_cookie(request, response, visitor.SIGN_ON, answer.token)
        return response
    return desk.page(
        request, who, "sign_on.html", 422,
        reply=_why(answer),
        asks_new=bool(answer.asks), then=then, number=number, table=table,
    )  # fmt: skip


def _why(answer: Answered) -> Reply | None:
    """Why it is asked again; None where a PIN is to be chosen and none was refused yet."""
    if answer.asks is None:
        return reply_of(answer)
    return Reply("refused", answer.asks.before.strip()) if answer.asks.before else None


async def sign_off(desk: Desk, request: Request, who: Visitor) -> Response:
    """Ends the sign-on in this browser."""
    response: Response = RedirectResponse("/sign-on", 303)
    if who.number and not who.open_house:
        await desk.act(who, ["staff", "sign-off", "--", who.number])
    visitor.remove_cookie(request, response, visitor.SIGN_ON)
    return response


async def choose_language(_: Desk, request: Request, __: Visitor) -> Response:
    """Chooses a language in this browser."""
    form = await read_form(request)
    response = RedirectResponse(page_of_this_house(form.get("then")), 303)
    if (chosen := form.get("language", "")) in LANGUAGES:
        visitor.set_cookie(request, response, visitor.LANGUAGE, chosen, visitor.YEARS)
    return response
