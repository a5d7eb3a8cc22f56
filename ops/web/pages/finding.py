"""One search for everything that has a page; what is found alone is opened at once."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ops.commands.reader import Asked
from ops.finding.hits import MOST_NAMES
from ops.finding.opening import opens
from ops.finding.search import search
from ops.ledger import clock
from ops.web.pages.alerts import alert_named
from ops.web.pages.desk import Desk
from ops.web.pages.visitor import Visitor
from ops.words import found as words

# By kind: an address of that kind, and what to type.
_EXAMPLES = (
    ("/patrons/P-1", words.PATRON, "P-10417"),
    ("/coups/{table}/2026-11-21/1/1", words.COUP, "{table} 17"),
    ("/coups/{table}/2026-11-21/1/1", words.COUP_AT, "{table} 21:14"),
    ("/coups/{table}/2026-11-21/1/1", words.CARD, "{table} KH"),
    ("/shoes/{table}/2026-11-21/1", words.SHOE, "{table} shoe 2"),
    ("/cases/C-2026-0001", words.CASE, "C-2026-0001"),
    ("/slips/2026-000001", words.SLIP, "2026-000001"),
    ("/staff/D-1", words.STAFF, "D-204"),
    ("/ledger/1", words.POSITION, "#1234"),
    ("/incidents/IR-2026-0001", words.INCIDENT, "IR-2026-0001"),
    ("/inquiries/I-2026-0001", words.INQUIRY, "I-2026-0001"),
    ("/aml/AML-2026-0001", words.AML_CASE, "AML-2026-0001"),
    ("/coupons/MP-1001", words.COUPON, "MP-1001"),
    ("/ledger?stream=", words.TICKET, "000123"),
    ("/alerts/late-bet/1", words.ALERT, "late-bet/48213"),
    ("/days/2026-11-21", words.DAY, "2026-11-21"),
    ("/reports", words.REPORT, "commission"),
    ("/rules/R-DRAW-3", words.RULE, "R-DRAW-3"),
    ("/manual", words.COMMAND, "dispute decide"),
)


async def find_something(desk: Desk, request: Request, who: Visitor) -> Response:
    """The page that is meant, or links to those that may be meant."""
    text = request.query_params.get("q", "").strip()

    def note(asked: Asked) -> None:
        desk.house.require_reader(who.caller, asked)

    now = clock.wall_clock()
    results = await desk.in_thread(lambda: search(desk.database, text, who.rights, note, now))
    hits = results.hits
    if any(each.kind == "alert" for each in hits):  # of which only those on the board have a page
        seen = (await desk.floor()).seen
        hits = [each for each in hits if each.kind != "alert" or alert_named(seen, each.name)]
    if len(hits) == 1:
        return RedirectResponse(hits[0].href, 303)
    more = words.more_names(MOST_NAMES) if results.more else ""
    table = who.rights.table or "B01"
    examples = [
        (kind, example.format(table=table))
        for page, kind, example in _EXAMPLES
        if opens(who.rights, page.format(table=table))
    ]
    return desk.page(
        request, who, "find.html",
        q=text, hits=hits, near=results.near, more=more, examples=examples,
    )  # fmt: skip
