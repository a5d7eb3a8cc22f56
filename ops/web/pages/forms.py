"""What the handlers of forms share: what was sent, who gives the command, where one goes on."""

from base64 import b64decode
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from ops.web.pages.desk import Desk, Reply, words_made
from ops.web.pages.visitor import Visitor
from ops.web.requests import body_of
from ops.web.shells import Answered

FORM = 64 << 10  # bytes of what a form sends
SHOWN_TO = "shown-to"  # the field of a form that has whom it was shown to, by staff number
_KINDS = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".xml": "application/xml",
}


class ShownToAnother(Exception):
    """A form was shown to this person, and another one is signed on in the browser now."""


async def read_form(request: Request) -> dict[str, str]:
    """What a form sent: each field once, on one line.

    Raises NotTrusted if it is too large, ShownToAnother.
    """
    body = await body_of(request, FORM)
    sent = parse_qs(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=100)
    request.state.sent = {name: each[-1] for name, each in sent.items()}
    here, shown_to = request.state.signed_on, request.state.sent.pop(SHOWN_TO, "")
    if here and shown_to not in ("", here):
        raise ShownToAnother(shown_to)
    return {name: each.replace("\r\n", " ") for name, each in request.state.sent.items()}


def page_of_this_house(path: str | None) -> str:
    """A path of this house to go on at; anything else is the pit."""
    if path and path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable():
        return path
    return "/"


def page_before(request: Request) -> str:
    """The page whose form was sent; the pit if nothing was sent, or if no page says so."""
    page = urlsplit(request.headers.get("referer", ""))
    if request.method != "POST" or page.netloc != request.headers.get("host", ""):
        return "/"
    return page_of_this_house(f"{page.path}?{page.query}" if page.query else page.path)


def file_of(
    desk: Desk,
    request: Request,
    who: Visitor,
    answer: Answered,
    ending: str,
    then: str,
    called: str = "",
) -> Response:
    """The file of this kind that a command wrote, or the page of its refusal.

    `called`: its name without its ending, if not the one that the command gave it.
    """
    written = next((each for each in answer.files if each.path.endswith(ending)), None)
    if written is None:
        return desk.not_done(request, who, 422, Reply("refused", words_made(answer)), then)
    name = f"{called}{ending}" if called else written.path.rpartition("/")[2]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(b64decode(written.content), 200, headers, _KINDS[ending])


async def exported(
    desk: Desk, request: Request, who: Visitor, command: str, name: str, then: str
) -> Response:
    """The file of a case or an inquiry that its form asks for; that it was made is recorded."""
    ending = ".json" if (await read_form(request)).get("form") == "json" else ".pdf"
    by = [f"--by={who.number}"] if who.open_house and who.number else []
    answer = await desk.made(who, [command, "export", "--into=packs", *by, "--", name])
    return file_of(desk, request, who, answer, ending, then)
