"""What each page of the house shows: this decides who may open it, and who sees a link to it."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.routing import compile_path

from domain.rules import addresses
from domain.rules.refusals import NotFound, Refusal
from domain.rules.wording import Words
from ops.commands.reader import Asked
from ops.commands.rights import Rights
from ops.group.questions import REPORTS as OF_GROUP
from ops.group.questions import GroupReport
from ops.reports.narrowings import options_of, require
from projections import REPORTS, Report

Asks = Callable[[Mapping[str, Any], Mapping[str, str]], tuple[Asked, ...]]
# Of which reports a page about one thing is made.
OF_PATRON = (
    *("commission", "ratings", "disputes", "wagers", "cash-log", "limits-used", "limits"),
    *("promotions", "exceptions"),
)
OF_STAY = ("ratings", "commission", "wagers", "vigorish")
OF_DAY = (
    *("table-win", "commission", "promotions", "measures", "exceptions", "dealers", "disputes"),
    "audits",
)
# Further reports on these pages, each for whoever may read it. Without a right to one of those
# above nobody opens the page.
ALSO_OF_PATRON = ("incidents", "left-open")
ALSO_OF_STAY = ("cash-log",)
ALSO_OF_DAY = ("slips", "cash-log", "incidents", "left-open", "unfinished")
_ABOUT_STAFF = ("dealers", "access")  # who reads one of these may open somebody's page
OF_STAFF = (*_ABOUT_STAFF, "exceptions", "voids", "adjustments", "disputes")
OF_SHOE = ("shoe-log", "coup", "cards")
OF_SLIP = ("slips",)
# The reports that name everything that has such a page; the first that names any is the list.
LISTED_IN: Mapping[str, tuple[str, ...]] = {
    "/coups": ("coup",),
    "/shoes": ("shoe-log",),
    "/patrons": ("ratings", "commission"),
    "/stays": ("ratings", "commission"),
    "/days": ("audits", "table-win", "commission"),
    "/staff": ("staff", *_ABOUT_STAFF),
}
ALL = "all"  # a group's report that is divided by nothing
# Columns with the number of one member of staff.
STAFF = (
    *("staff", "dealer", "supervisor", "cashier", "runner", "requested_by", "approved_by"),
    "asked_by",
    *("counted_by", "signed_by", "opened_by", "decided_by", "closed_by", "acknowledged_by"),
    *("inspected_by", "verified_by", "prepared_by", "audited_by"),
)
# The page about something, by the column of a report that names it.
PAGE_OF = {
    "coup": "/coups/",
    "shoe": "/shoes/",
    "patron": "/patrons/",
    "stay": "/stays/",
    "table": "/tables/",
    "day": "/days/",
    **dict.fromkeys(STAFF, "/staff/"),
    "case": "/cases/",
    "inquiry": "/inquiries/",
    "incident": "/incidents/",
    "aml_case": "/aml/",
    "alert": "/alerts/",
    "slip": "/slips/",
    "coupon": "/coupons/",
    "position": "/ledger/",
}


class _Number(IntegerConvertor):
    """A number in an address, as long as the database holds one."""

    regex = "[0-9]{1,18}"


register_url_convertor("number", _Number())


def page_about(kind: str, name: object) -> str:
    """The address of the page about something; `kind`: one of `PAGE_OF`."""
    return f"{PAGE_OF[kind]}{quote(str(name), safe='/')}"


def named(name: str) -> Report:
    """A report by its name. Refuses: NotFound."""
    if name not in REPORTS:
        raise NotFound(what=Words("report {name}", name=name))
    return REPORTS[name]


def asked_for(report: Report, query: Mapping[str, str]) -> dict[str, str | None]:
    """What somebody narrows a report to. Refuses: BadValue, BadAddress."""
    names = (*options_of(report), "as_of")
    asked = {name: query.get(name, "").strip() or None for name in names}
    require(asked)
    return asked


def of_stay(stay: str) -> dict[str, str | None]:
    """What the reports of a stay are narrowed to. Refuses: BadAddress."""
    day = addresses.TableDay.parse(stay.rpartition("/")[0])
    return {"table": day.table, "day": day.day.isoformat()}


def _one(what: str, *names: str) -> Asks:
    def asks(path: Mapping[str, Any], query: Mapping[str, str]) -> tuple[Asked, ...]:
        return (Asked(what, about={name: path.get(name) or query.get(name) for name in names}),)

    return asks


def _alert(path: Mapping[str, Any], query: Mapping[str, str]) -> tuple[Asked, ...]:
    kind = addresses.kind_of_alert(path["alert"])
    return (Asked("board", about={"table": query.get("table")}, alert=kind),)


def _report(path: Mapping[str, Any], query: Mapping[str, str]) -> tuple[Asked, ...]:
    report = named(path["report"])
    return (Asked(f"report {report.name}", about=asked_for(report, query)),)


def _reports(names: tuple[str, ...], about: Mapping[str, str | None]) -> tuple[Asked, ...]:
    return tuple(Asked(f"report {name}", about=about) for name in names)


def _coup(path: Mapping[str, Any], query: Mapping[str, str]) -> tuple[Asked, ...]:
    return (Asked("replay", about={"coup": path["coup"], "patron": query.get("for") or None}),)


def question(path: Mapping[str, Any]) -> GroupReport:
    """A report over the houses of a group, by its name. Refuses: NotFound."""
    name = path["question"]
    if name not in OF_GROUP:
        raise NotFound(what=Words("report {name}", name=name))
    return OF_GROUP[name]


def divided(report: GroupReport, query: Mapping[str, str]) -> tuple[str, ...]:
    """By what it is to be divided: `per=property,day`, `per=all` for nothing. Refuses: BadValue."""
    typed = query.get("per", "").strip()
    return report.required_per(
        [] if typed == ALL else typed.split(",") if typed else report.usually
    )


def _of_group(path: Mapping[str, Any], query: Mapping[str, str]) -> tuple[Asked, ...]:
    report = question(path)
    how = path.get("form", "screen")
    reading = report.reading(divided(report, query))
    return (Asked(reading, "json" if how == "json" else "screen", dict(query)),)


# By address, the readings of which each opens the page; every other page is for everybody.
READINGS: Mapping[str, Asks] = {
    "/": _one("board", "table"),
    "/alerts": lambda _, query: (
        Asked("report alerts", about={name: query.get(name) for name in ("table", "from", "to")}),
        Asked("board", about={"table": query.get("table")}),
    ),
    "/alerts/{alert:path}": _alert,
    "/tables": _one("board", "table"),
    "/tables/{table}": _one("board", "table"),
    "/coups/{coup:path}": _coup,
    "/shoes/{shoe:path}": lambda path, _: _reports(
        OF_SHOE, {"shoe": str(addresses.Shoe.parse(path["shoe"]))}
    ),
    "/cases": _one("dispute list"),
    "/cases/{case}": _one("dispute show", "case"),
    "/reports/{report}": _report,
    "/patrons/{patron:path}": lambda path, _: _reports(OF_PATRON, {"patron": path["patron"]}),
    "/stays/{stay:path}": lambda path, _: _reports(OF_STAY, of_stay(path["stay"])),
    "/days/{day}": lambda path, _: _reports(
        OF_DAY, {"day": addresses.parse_day(path["day"]).isoformat()}
    ),
    "/staff/{staff}": lambda _, __: _reports(_ABOUT_STAFF, {}),
    "/slips": _one("report slips", "table"),
    "/slips/{slip}": lambda _, __: _reports(OF_SLIP, {}),
    "/coupons": _one("report promotions"),
    "/coupons/{coupon:path}": _one("report promotions"),
    "/incidents": _one("report incidents"),
    "/incidents/{incident}": _one("incident show", "incident"),
    "/inquiries": _one("report inquiries"),
    "/inquiries/{inquiry}": _one("inquiry show", "inquiry"),
    "/group": _one("group list"),
    "/group.json": _one("group list"),
    "/group/{question}": _of_group,
    "/group/{question}.{form}": _of_group,
    "/aml": _one("report aml-cases"),
    "/aml/{aml_case}": lambda path, _: (Asked("aml show", about={"case": path["aml_case"]}),),
    "/find": _one("find"),
    "/ledger": _one("export events", "table", "patron"),
    "/ledger/{position:number}": _one("export events", "table"),
}
# Of files that a process of their own makes, which asks and records for itself.
FILES: Mapping[str, Asks] = {
    "/coups/{coup:path}/pack.{form}": _coup,
    "/coups/{coup:path}.json": _coup,
    "/reports/{report}.{form}": _report,
}
_PATHS = [(*compile_path(path)[::2], asks) for path, asks in {**FILES, **READINGS}.items()]


@lru_cache(maxsize=500)
def reports_for(rights: Rights) -> Mapping[str, str]:
    """The address of each report that somebody may read, narrowed to their table if it must be."""
    offered: dict[str, str] = {}
    for name in REPORTS:
        places = (f"/reports/{name}", f"/reports/{name}?{urlencode({'table': rights.table})}")
        if href := next((each for each in places if opens(rights, each)), ""):
            offered[name] = href
    return offered


def lists_for(rights: Rights, of: str) -> list[str]:
    """The addresses of the reports that somebody may read and that name what has such pages.

    >>> lists_for(Rights("pit-boss"), "/shoes")
    ['/reports/shoe-log']
    """
    offered = reports_for(rights)
    return [offered[name] for name in LISTED_IN[of] if name in offered]


@lru_cache(maxsize=20_000)
def opens(rights: Rights, href: str) -> bool:
    """Whether an address of this house shows somebody what it is about."""
    place = urlsplit(href)
    if place.path == "/reports":
        return bool(reports_for(rights))
    if place.path in LISTED_IN:
        return bool(lists_for(rights, place.path))
    for pattern, convertors, asks in _PATHS:
        if match := pattern.match(place.path):
            path = {
                name: convertors[name].convert(each) for name, each in match.groupdict().items()
            }
            try:
                return any(map(rights.may_read, asks(path, dict(parse_qsl(place.query)))))
            except Refusal:  # the address names nothing that can be read
                return False
    return True
