"""The addresses of the pages, and what each of them shows or does."""

import re
from base64 import b64decode
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.rulebook import RULEBOOK
from ops.roads import road, svg
from ops.terminal.pit.books import Books
from ops.web.pages import cases, coup, ledger, pit, reports, table, visitor
from ops.web.pages.desk import Desk, Reply, fresh_id, reply_of
from ops.web.pages.guard import Guard, Handler
from ops.web.pages.live import View
from ops.web.pages.visitor import Visitor
from ops.web.requests import body_of
from ops.web.shells import Answered, Asked
from ops.words.columns import ABOUT
from ops.words.language import LANGUAGES
from projections import REPORTS

FORM = 64 << 10  # bytes of what a form sends
# Of what a page about a patron, a day or a person is made: reports, and what narrows them.
_PATRON = ("commission", "ratings", "wagers", "cash-log", "exceptions")
_DAY = ("table-win", "commission", "measures", "exceptions", "dealers", "disputes", "audits")
_STAFF = ("dealers", "access")
_SHOE = ("shoe-log", "coup", "cards")
_CASE = re.compile(r"\bC-\d{4}-\d{4,}\b")
_FEW = 50  # rows of a report on such a page


# The pit
async def show_pit(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every table now."""
    await desk.require(who, "board", {"table": None})
    view, wanted = _pit(request, who)
    query = urlencode({"search": wanted.search, "sort": wanted.sort})
    return await desk.going_on(
        request, who, "pit.html", view, wanted=wanted, stream=f"/live/pit?{query}"
    )


async def follow_pit(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes in the pit, as it changes."""
    view, _ = _pit(request, who)
    return await desk.stream(view, who, "board", {"table": None})


def _pit(request: Request, who: Visitor) -> tuple[View, pit.Wanted]:
    sort = request.query_params.get("sort", "need")
    wanted = pit.Wanted(
        search=request.query_params.get("search", "")[:80],
        sort=sort if sort in pit.SORTS else "need",
        may_acknowledge=bool(who.number) or who.open_house,
    )
    return pit.view(who.language, wanted), wanted


async def acknowledge(desk: Desk, request: Request, who: Visitor) -> Response:
    """Takes an alert off the board."""
    form = await _form(request)
    asked = ["alert", "acknowledge", *_by(who), "--", form.get("alert", "")]
    answer = await desk.act(who, asked, form_id=form.get("id", ""))
    return desk.done(request, who, answer, _then(form.get("then")))


# A table, and the display for patrons
async def show_table(desk: Desk, request: Request, who: Visitor) -> Response:
    """A table now."""
    code = request.path_params["table"]
    await desk.require(who, "board", {"table": code})
    floor = await desk.floor()
    if floor.seen and all(each.table != code for each in floor.seen.tables):
        raise NotFound(what=f"table {code} on this gaming day")
    view = table.view(who.language, code)
    return await desk.going_on(request, who, "table.html", view, code=code)


async def follow_table(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes at a table."""
    code = request.path_params["table"]
    return await desk.stream(table.view(who.language, code), who, "board", {"table": code})


async def show_wall(desk: Desk, request: Request, who: Visitor) -> Response:
    """The display for patrons; it names nobody and needs no sign-on."""
    code = request.path_params.get("table", "")
    view = table.wall_view(who.language, code)
    return await desk.going_on(request, who, "wall.html", view, code=code)


async def follow_wall(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes on the display."""
    view = table.wall_view(who.language, request.path_params.get("table", ""))
    return await desk.stream(view, who, "road", {})


async def draw_road(desk: Desk, request: Request, _: Visitor) -> Response:
    """All roads of a shoe as a picture."""
    shoe = addresses.Shoe.parse(request.path_params["shoe"])
    drawn = await desk.in_thread(lambda: road.find(desk.database, shoe))
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(svg.picture(str(shoe), drawn.roads), 200, headers, "image/svg+xml")


# A coup, a shoe
async def show_coup(desk: Desk, request: Request, who: Visitor) -> Response:
    """A coup as a story, up to one of its events."""
    name, query = request.path_params["coup"], request.query_params
    patron = query.get("for") or None
    await desk.require(who, "replay", {"coup": name, "patron": patron})
    number = query.get("event", "")
    upto = int(number) if number.isascii() and number.isdecimal() and len(number) < 6 else None
    story = await desk.in_thread(lambda: coup.read(desk.database, name, upto, patron))
    here = f"/coups/{story.address}?" + (f"{urlencode({'for': patron})}&" if patron else "")
    asked_if, answer_if = query.get("what-if", "")[:200], ""
    if asked_if:
        asked = ["replay", "--what-if", asked_if, "--", name]
        answer = await desk.act(who, asked)
        answer_if = reply_of(answer).words
    many = len(story.events)
    return desk.page(
        request, who, "coup.html",
        story=story, here=here, patron=patron,
        names=[] if patron else story.patrons,
        asked_if=asked_if, answer_if=answer_if,
        first=f"{here}event=1" if story.shown > 1 else "",
        previous=f"{here}event={story.shown - 1}" if story.shown > 1 else "",
        next=f"{here}event={story.shown + 1}" if story.shown < many else "",
        last=here.rstrip("?&") if story.shown < many else "",
    )  # fmt: skip


async def export_coup(desk: Desk, request: Request, who: Visitor) -> Response:
    """The pack of a coup, which a stranger can check."""
    name, form = request.path_params["coup"], request.path_params["form"]
    answer = await desk.act(who, ["replay", "--export=pack", "--", name])
    return _file(desk, request, who, answer, f".{form}", f"/coups/{name}")


async def coup_as_data(desk: Desk, request: Request, who: Visitor) -> Response:
    """A coup as JSON."""
    return await _data(desk, who, ["replay"], [("coup", request.path_params["coup"])])


async def show_shoe(desk: Desk, request: Request, who: Visitor) -> Response:
    """A shoe: its roads, its coups, its cards."""
    shoe = str(addresses.Shoe.parse(request.path_params["shoe"]))
    await desk.in_thread(lambda: Books(desk.database).shoe(shoe))  # refuses one that there is not
    return await _sheets(desk, request, who, _SHOE, {"shoe": shoe}, title=shoe, picture=shoe)


async def show_rule(desk: Desk, request: Request, who: Visitor) -> Response:
    """A rule by its number."""
    number = request.path_params["rule"]
    if number not in RULEBOOK:
        raise NotFound(what=f"rule {number}")
    return desk.page(request, who, "rule.html", rule=RULEBOOK[number])


# Cases
async def list_cases(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every case, with its deadlines."""
    await desk.require(who, "dispute list", {})
    report = REPORTS["disputes"]
    sheet = await desk.in_thread(lambda: reports.read(desk.database, report, {}))
    return desk.page(request, who, "cases.html", sheet=sheet)


async def show_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """A case, and what may be done next."""
    name = request.path_params["case"]
    await desk.require(who, "dispute show", {"case": name})
    case = await desk.in_thread(lambda: cases.read(desk.database, name))
    return desk.page(request, who, "case.html", case=case)


async def open_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """Opens a case about a coup."""
    form = await _form(request)
    answer = await desk.act(who, _given("open", form, who), form_id=form.get("id", ""))
    opened = _CASE.search(answer.out)
    return desk.done(request, who, answer, f"/cases/{opened[0]}" if opened else "/cases")


async def act_on_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """What a form asks for: a note, a decision by two people, and so on."""
    form, name = await _form(request), request.path_params["case"]
    form["case"] = name
    typed = [form["pin"]] if form.get("pin") else []
    asked = _given(request.path_params["act"], form, who)
    answer = await desk.act(who, asked, typed, form.get("id", ""))
    if answer.asks:
        text = Reply("refused", answer.asks.words)
        return desk.page(request, who, "reply.html", 422, reply=text, then=f"/cases/{name}")
    return desk.done(request, who, answer, f"/cases/{name}")


async def export_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """The file of a case for the regulator; that it was made is recorded."""
    name, form = request.path_params["case"], (await _form(request)).get("form", "pdf")
    answer = await desk.act(who, ["dispute", "export", "--into=packs", *_by(who), "--", name])
    return _file(
        desk, request, who, answer, ".json" if form == "json" else ".pdf", f"/cases/{name}"
    )


def _given(act: str, form: dict[str, str], who: Visitor) -> list[str]:
    """The command of a form, with whoever gives it."""
    words = cases.words_of(act, form)
    at = words.index("--")
    return [*words[:at], *_by(who), *words[at:]]


# Reports
async def list_reports(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every report."""
    return desk.page(request, who, "reports.html", about={name: ABOUT[name] for name in REPORTS})


async def show_report(desk: Desk, request: Request, who: Visitor) -> Response:
    """A report, narrowed as the form says."""
    report = reports.named(request.path_params["report"])
    asked = reports.asked_for(report, request.query_params)
    await desk.require(who, f"report {report.name}", asked)
    sheet = await desk.in_thread(lambda: reports.read(desk.database, report, asked))
    query = urlencode({name: value for name, value in asked.items() if value})
    return desk.page(request, who, "report.html", sheet=sheet, asked=asked, query=query)


async def export_report(desk: Desk, request: Request, who: Visitor) -> Response:
    """A report as JSON, CSV or PDF, from the same address."""
    report, form = reports.named(request.path_params["report"]), request.path_params["form"]
    asked = reports.asked_for(report, request.query_params)
    narrowed = [f"--{name.replace('_', '-')}={value}" for name, value in asked.items() if value]
    how = {"json": "--json", "csv": "--csv", "pdf": "--pdf=report.pdf"}[form]
    answer = await desk.act(who, ["report", report.name, how, *narrowed])
    if answer.status or form == "pdf":
        return _file(desk, request, who, answer, ".pdf", f"/reports/{report.name}")
    kind = {"json": "application/json", "csv": "text/csv"}[form]
    name = f"{report.name}.{form}"
    return Response(
        answer.out, 200, {"Content-Disposition": f'attachment; filename="{name}"'}, kind
    )


async def show_patron(desk: Desk, request: Request, who: Visitor) -> Response:
    """A patron: what they owe, their play, their cash."""
    patron = request.path_params["patron"]
    return await _sheets(desk, request, who, _PATRON, {"patron": patron}, title=patron)


async def show_day(desk: Desk, request: Request, who: Visitor) -> Response:
    """A gaming day."""
    day = addresses.parse_day(request.path_params["day"]).isoformat()
    return await _sheets(desk, request, who, _DAY, {"day": day}, title=day)


async def show_staff(desk: Desk, request: Request, who: Visitor) -> Response:
    """A person of the house: their stints, their sign-ons."""
    staff = request.path_params["staff"]
    return await _sheets(desk, request, who, _STAFF, {}, title=staff, about=staff)


async def _sheets(
    desk: Desk,
    request: Request,
    who: Visitor,
    names: tuple[str, ...],
    asked: dict[str, str | None],
    *,
    title: str,
    picture: str = "",
    about: str = "",
) -> Response:
    """A page of several reports about one thing; those that may not be read are left out."""
    sheets = []
    for name in names:
        report = REPORTS[name]
        if not await desk.in_thread(lambda: desk.house.may_read(who.caller, f"report {name}")):  # noqa: B023
            continue
        await desk.require(who, f"report {name}", asked)
        sheets.append(
            await desk.in_thread(lambda: reports.read(desk.database, report, asked, _FEW, about))  # noqa: B023
        )
    if not sheets:
        await desk.require(who, f"report {names[0]}", asked)  # which says why not
    query = urlencode({name: value for name, value in asked.items() if value})
    return desk.page(
        request, who, "sheets.html", title=title, sheets=sheets, picture=picture, query=query
    )


# The ledger
async def list_events(desk: Desk, request: Request, who: Visitor) -> Response:
    """Events, the newest first."""
    query = request.query_params
    until = query.get("until", "")
    sought = ledger.Sought(
        table=query.get("table", ""),
        kind=query.get("kind", ""),
        actor=query.get("actor", ""),
        until=int(until) if until.isascii() and until.isdecimal() and len(until) < 16 else None,
    )
    await desk.require(who, "export events", {"table": sought.table or None})
    page = await desk.in_thread(lambda: ledger.read(desk.database, sought))
    given = {"table": sought.table, "kind": sought.kind, "actor": sought.actor}
    return desk.page(request, who, "ledger.html", page=page, sought=sought, query=urlencode(given))


async def show_event(desk: Desk, request: Request, who: Visitor) -> Response:
    """One event."""
    position = request.path_params["position"]
    await desk.require(who, "export events", {"table": None})
    event = await desk.in_thread(lambda: ledger.find(desk.database, position))
    return desk.page(request, who, "event.html", event=event)


# Who is who
async def ask_who(desk: Desk, request: Request, who: Visitor) -> Response:
    """The form to sign on."""
    then = _then(request.query_params.get("then"))
    return desk.page(request, who, "sign_on.html", asks_new=False, then=then, number="")


async def sign_on(desk: Desk, request: Request, who: Visitor) -> Response:
    """Begins a sign-on in this browser."""
    form = await _form(request)
    number, then = form.get("staff", "").strip(), _then(form.get("then"))
    response: Response = RedirectResponse(then, 303)
    if who.open_house:
        visitor.set_cookie(request, response, visitor.SIGN_ON, f"{number}:open")
        return response
    typed = [form[each] for each in ("pin", "new", "again") if each in form]
    answer = await desk.act(who, ["staff", "sign-on", "--", number], typed)
    if answer.token:
        visitor.set_cookie(request, response, visitor.SIGN_ON, answer.token)
        return response
    return desk.page(
        request, who, "sign_on.html", 422,
        reply=None if answer.asks else reply_of(answer),
        asks_new=bool(answer.asks), then=then, number=number,
    )  # fmt: skip


async def sign_off(desk: Desk, request: Request, who: Visitor) -> Response:
    """Ends the sign-on in this browser."""
    response: Response = RedirectResponse("/sign-on", 303)
    if who.number and not who.open_house:
        await desk.act(who, ["staff", "sign-off", "--", who.number])
    visitor.remove_cookie(request, response, visitor.SIGN_ON)
    return response


async def choose_language(_: Desk, request: Request, __: Visitor) -> Response:
    """Chooses a language in this browser."""
    form = await _form(request)
    response = RedirectResponse(_then(form.get("then")), 303)
    if (chosen := form.get("language", "")) in LANGUAGES:
        visitor.set_cookie(request, response, visitor.LANGUAGE, chosen, visitor.YEARS)
    return response


# What handlers share
def _by(who: Visitor) -> list[str]:
    """In open house the number of whoever acts is part of the command."""
    return [f"--by={who.number}"] if who.open_house and who.number else []


def _then(path: str | None) -> str:
    """A path of this house to go on at; anything else is the pit."""
    if path and path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable():
        return path
    return "/"


async def _form(request: Request) -> dict[str, str]:
    """What a form sent; each field once. Raises NotTrusted if it is too large."""
    body = await body_of(request, FORM)
    sent = parse_qs(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=100)
    return {name: each[-1] for name, each in sent.items()}


async def _data(
    desk: Desk, who: Visitor, words: list[str], query: list[tuple[str, str]]
) -> Response:
    answer = await desk.house.run(who.caller, Asked(fresh_id(), words, query=query))
    status = 200 if answer.status == 0 else 422
    return Response(answer.out or answer.err, status, media_type="application/json")


def _file(
    desk: Desk, request: Request, who: Visitor, answer: Answered, ending: str, then: str
) -> Response:
    """The file of this kind that a command wrote, or the page of its refusal."""
    written = next((each for each in answer.files if each.path.endswith(ending)), None)
    if written is None:
        return desk.page(request, who, "reply.html", 422, reply=reply_of(answer), then=then)
    name = written.path.rpartition("/")[2]
    kind = "application/pdf" if ending == ".pdf" else "application/json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(b64decode(written.content), 200, headers, kind)


def routes(guard: Guard) -> list[BaseRoute]:
    """Every address of the pages."""

    def get(path: str, handler: Handler) -> Route:
        return Route(path, guard(handler))

    def post(path: str, handler: Handler) -> Route:
        return Route(path, guard(handler), methods=["POST"])

    static: Any = StaticFiles(directory=str(files("ops.web.pages").joinpath("static")))
    return [
        get("/", show_pit),
        get("/live/pit", follow_pit),
        post("/alerts/acknowledge", acknowledge),
        get("/tables/{table}", show_table),
        get("/live/tables/{table}", follow_table),
        get("/wall", show_wall),
        get("/wall/{table}", show_wall),
        get("/live/wall", follow_wall),
        get("/live/wall/{table}", follow_wall),
        get("/roads/{shoe:path}.svg", draw_road),
        get("/coups/{coup:path}/pack.{form}", export_coup),
        get("/coups/{coup:path}.json", coup_as_data),
        get("/coups/{coup:path}", show_coup),
        get("/shoes/{shoe:path}", show_shoe),
        get("/rules/{rule}", show_rule),
        get("/cases", list_cases),
        post("/cases", open_case),
        get("/cases/{case}", show_case),
        post("/cases/{case}/export", export_case),
        post("/cases/{case}/{act}", act_on_case),
        get("/reports", list_reports),
        get("/reports/{report}.json", _as("json", export_report)),
        get("/reports/{report}.csv", _as("csv", export_report)),
        get("/reports/{report}.pdf", _as("pdf", export_report)),
        get("/reports/{report}", show_report),
        get("/patrons/{patron}", show_patron),
        get("/days/{day}", show_day),
        get("/staff/{staff}", show_staff),
        get("/ledger", list_events),
        get("/ledger/{position:int}", show_event),
        get("/sign-on", ask_who),
        post("/sign-on", sign_on),
        post("/sign-off", sign_off),
        post("/language", choose_language),
        Mount("/static", static, name="static"),
    ]


def _as(form: str, handler: Handler) -> Handler:
    async def handled(desk: Desk, request: Request, who: Visitor) -> Response:
        request.path_params["form"] = form
        return await handler(desk, request, who)

    return handled
