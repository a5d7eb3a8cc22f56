"""The addresses of the pages, and the handler of each."""

from importlib.resources import files
from typing import Any

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ops.web.pages import (
    alerts,
    cases,
    coup,
    ledger,
    pit,
    play,
    reports,
    rules,
    sheets,
    sign_on,
    table,
    wall,
    watch,
)
from ops.web.pages.guard import Guard, Handler


class _Number(IntegerConvertor):
    """A number in an address, as long as the database holds one."""

    regex = "[0-9]{1,18}"


register_url_convertor("number", _Number())


class _Static(StaticFiles):
    """Files that a browser keeps, and asks for again whether they are still the same."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        """A file, or that it is still the same."""
        response = super().file_response(*args, **more)
        response.headers["Cache-Control"] = "no-cache"
        return response


def routes(guard: Guard) -> list[BaseRoute]:
    """Every address of the pages."""

    def get(path: str, handler: Handler) -> Route:
        return Route(path, guard(handler))

    def to_anybody(path: str, handler: Handler) -> Route:
        return Route(path, guard(handler, to_anybody=True))

    def post(path: str, handler: Handler) -> Route:
        return Route(path, guard(handler), methods=["POST"])

    static: Any = _Static(directory=str(files("ops.web.pages").joinpath("static")))
    return [
        get("/", pit.show_pit),
        get("/live/pit", pit.follow_pit),
        post("/alerts/acknowledge", alerts.acknowledge),
        get("/alerts/{alert:path}", alerts.show_alert),
        get("/tables/{table}", table.show_table),
        get("/live/tables/{table}", table.follow_table),
        get("/wall", wall.show_wall),
        get("/wall/{table}", wall.show_wall),
        get("/live/wall", wall.follow_wall),
        get("/live/wall/{table}", wall.follow_wall),
        get("/play/{table}/{seat:number}", play.show_place),
        get("/live/play/{table}/{seat:number}", play.follow_place),
        post("/play/{table}/{seat:number}/bets", play.bet),
        get("/play/{table}/{seat:number}/past", play.past),
        get("/play/{table}/{seat:number}/shoes/{shoe:path}.json", play.opened_shoe),
        to_anybody("/watch/{table}", watch.show_watch),
        to_anybody("/live/watch/{table}", watch.follow_watch),
        get("/roads/{shoe:path}.svg", wall.draw_road),
        get("/coups/{coup:path}/pack.{form}", coup.export_coup),
        get("/coups/{coup:path}.json", coup.coup_as_data),
        get("/coups/{coup:path}", coup.show_coup),
        get("/shoes/{shoe:path}", sheets.show_shoe),
        get("/rules/{rule}", rules.show_rule),
        get("/cases", cases.list_cases),
        post("/cases", cases.open_case),
        get("/cases/{case}", cases.show_case),
        post("/cases/{case}/export", cases.export_case),
        post("/cases/{case}/{act}", cases.act_on_case),
        get("/reports", reports.list_reports),
        get("/reports/{report}.{form}", reports.export_report),
        get("/reports/{report}", reports.show_report),
        get("/patrons/{patron}", sheets.show_patron),
        get("/stays/{stay:path}", sheets.show_stay),
        get("/days/{day}", sheets.show_day),
        get("/staff/{staff}", sheets.show_staff),
        get("/ledger", ledger.list_events),
        get("/ledger/{position:number}", ledger.show_event),
        get("/sign-on", sign_on.ask_who),
        post("/sign-on", sign_on.sign_on),
        post("/sign-off", sign_on.sign_off),
        post("/language", sign_on.choose_language),
        Mount("/static", static, name="static"),
    ]
