"""The addresses of the pages, and the handler of each."""

from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ops.finding.opening import LISTED_IN
from ops.web.pages import (
    alert_list,
    alerts,
    aml,
    cases,
    chips,
    coup,
    coupons,
    finding,
    group,
    incidents,
    inquiries,
    ledger,
    lists,
    manual,
    pit,
    play,
    report_list,
    reports,
    rules,
    settling,
    sheets,
    sign_on,
    table,
    wall,
    watch,
)
from ops.web.pages.desk import Desk
from ops.web.pages.form_again import Handler
from ops.web.pages.guard import Guard
from ops.web.pages.visitor import Visitor
from ops.web.turned_away import NotTrusted
from ops.words import pages as words
from ops.words.language import shown


class _Static(StaticFiles):
    """Files that a browser keeps, and asks for again whether they are still the same."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        """A file, or that it is still the same."""
        response = super().file_response(*args, **more)
        response.headers["Cache-Control"] = "no-cache"
        return response


GET, POST, ANYBODY = "GET", "POST", "to anybody"
PAGES: tuple[tuple[str, str, Handler], ...] = (
    (GET, "/", pit.show_pit),
    (GET, "/live/pit", pit.follow_pit),
    (GET, "/alerts", alert_list.list_alerts),
    (POST, "/alerts/acknowledge", alerts.acknowledge),
    (GET, "/alerts/{alert:path}", alerts.show_alert),
    (GET, "/tables", lists.list_tables),
    (GET, "/tables/{table}", table.show_table),
    (POST, "/tables/{table}/shift-count", chips.count_shift),
    (GET, "/live/tables/{table}", table.follow_table),
    (GET, "/wall", wall.show_wall),
    (GET, "/wall/{table}", wall.show_wall),
    (GET, "/live/wall", wall.follow_wall),
    (GET, "/live/wall/{table}", wall.follow_wall),
    (GET, "/play", play.find_place),
    (GET, "/play/{table}/{seat:number}", play.show_place),
    (GET, "/live/play/{table}/{seat:number}", play.follow_place),
    (POST, "/play/{table}/{seat:number}/bets", play.bet),
    (POST, "/play/{table}/{seat:number}/deal", play.deal),
    (POST, "/play/{table}/{seat:number}/money", play.take_money),
    (GET, "/play/{table}/{seat:number}/past", play.past),
    (GET, "/play/{table}/{seat:number}/shoes/{shoe:path}.json", play.opened_shoe),
    (ANYBODY, "/watch", lists.lead_to_display),
    (ANYBODY, "/watch/{table}", watch.show_watch),
    (ANYBODY, "/live/watch/{table}", watch.follow_watch),
    (GET, "/roads/{shoe:path}.svg", wall.draw_road),
    (GET, "/coups/{coup:path}/pack.{form}", coup.export_coup),
    (GET, "/coups/{coup:path}.json", coup.coup_as_data),
    (GET, "/coups/{coup:path}", coup.show_coup),
    (GET, "/coupons", coupons.list_coupons),
    (POST, "/coupons", coupons.issue),
    (POST, "/coupons/void", coupons.make_void),
    (GET, "/coupons/{coupon:path}", coupons.show_coupon),
    (GET, "/incidents", incidents.list_incidents),
    (POST, "/incidents", incidents.FILES.open),
    (GET, "/incidents/{incident}", incidents.show_incident),
    (POST, "/incidents/{incident}/export", incidents.FILES.export),
    (POST, "/incidents/{incident}/{act}", incidents.FILES.act),
    (GET, "/inquiries", inquiries.list_inquiries),
    (POST, "/inquiries", inquiries.FILES.open),
    (GET, "/inquiries/{inquiry}", inquiries.show_inquiry),
    (POST, "/inquiries/{inquiry}/export", inquiries.FILES.export),
    (POST, "/inquiries/{inquiry}/{act}", inquiries.FILES.act),
    (GET, "/aml", aml.list_cases),
    (POST, "/aml", aml.FILES.open),
    (GET, "/aml/{aml_case}", aml.show_case),
    (POST, "/aml/{aml_case}/export", aml.FILES.export),
    (POST, "/aml/{aml_case}/files/{kind}", aml.make_report),
    (POST, "/aml/{aml_case}/{act}", aml.FILES.act),
    (GET, "/shoes/{shoe:path}", sheets.show_shoe),
    (GET, "/rules", lists.list_rules),
    (GET, "/rules/{rule}", rules.show_rule),
    (GET, "/cases", cases.list_cases),
    (POST, "/cases", cases.open_case),
    (GET, "/cases/{case}", cases.show_case),
    (POST, "/cases/{case}/export", cases.export_case),
    (POST, "/cases/{case}/{act}", cases.act_on_case),
    (GET, "/reports", report_list.list_reports),
    (GET, "/reports/{report}.{form}", reports.export_report),
    (GET, "/reports/{report}", reports.show_report),
    (GET, "/group", group.list_houses),
    (GET, "/group.json", group.houses_as_data),
    (GET, "/group/{question}.{form}", group.export_sums),
    (GET, "/group/{question}", group.show_sums),
    (POST, "/patrons/{patron:path}/settle", settling.settle),
    (GET, "/patrons/{patron:path}", sheets.show_patron),
    (GET, "/stays/{stay:path}", sheets.show_stay),
    (GET, "/days/{day}", sheets.show_day),
    (GET, "/staff/{staff}", sheets.show_staff),
    *((GET, each, lists.list_things) for each in LISTED_IN),
    (GET, "/slips", chips.list_slips),
    (POST, "/slips", chips.ask_for),
    (GET, "/slips/{slip}", chips.show_slip),
    (POST, "/slips/{slip}/{act}", chips.act_on_slip),
    (GET, "/manual", manual.list_topics),
    (GET, "/manual/{topic}", manual.show_topic),
    (GET, "/find", finding.find_something),
    (GET, "/ledger", ledger.list_events),
    (GET, "/ledger/{position:number}", ledger.show_event),
    (GET, "/sign-on", sign_on.ask_who),
    (POST, "/sign-on", sign_on.sign_on),
    (POST, "/sign-off", sign_on.sign_off),
    (POST, "/language", sign_on.choose_language),
)


async def _icon(_: Request) -> Response:
    """For who asks where browsers used to find it."""
    return RedirectResponse("/static/icon.svg", 301)


async def no_page(_: Desk, request: Request, __: Visitor) -> Response:
    """Answers any other address. Raises NotTrusted."""
    raise NotTrusted(shown(words.NO_PAGE), 405 if request.method == "POST" else 404)


def routes(guard: Guard) -> list[BaseRoute]:
    """Every address of the pages."""
    static: Any = _Static(directory=str(files("ops.web.pages").joinpath("static")))
    pages = (
        Route(
            path,
            guard(handler, path, reads=way != POST, to_anybody=way == ANYBODY),
            methods=[POST if way == POST else GET],
        )
        for way, path, handler in PAGES
    )
    icon = Route("/favicon.ico", _icon)
    return [*pages, icon, Mount("/static", static, name="static")]
