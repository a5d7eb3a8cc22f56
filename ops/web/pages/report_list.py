"""The list of reports, by who asks for them."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from ops.finding.opening import reports_for
from ops.web.pages.desk import Desk
from ops.web.pages.visitor import Visitor
from ops.words import aml_on_pages, pages
from ops.words.columns import about_here, title_here
from ops.words.language import shown
from ops.words.report_groups import grouped
from projections import REPORTS

_EACH_AT: Mapping[str, tuple[str, str]] = {  # by report: the page where what it lists begins
    "promotions": ("/coupons", pages.EACH_COUPON),
    "incidents": ("/incidents", pages.EACH_INCIDENT),
    "inquiries": ("/inquiries", pages.EACH_INQUIRY),
    "aml-cases": ("/aml", aml_on_pages.EACH_CASE),
}


async def list_reports(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every report that they may read, by who asks for it."""
    every = reports_for(who.rights)
    groups = [
        (shown(group), [_line_of(name, every[name]) for name in names])
        for group, names in grouped(every, who.rights.role).items()
    ]
    return desk.page(request, who, "reports.html", groups=groups)


def _line_of(name: str, href: str) -> tuple[str, str, str, tuple[str, str] | None]:
    """A report in the list, and the page about each thing in it, if there is one."""
    at, each = _EACH_AT.get(name, ("", ""))
    beside = (at, shown(each)) if at else None
    return href, title_here(REPORTS[name]), about_here(REPORTS[name]), beside
