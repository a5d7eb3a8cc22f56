"""Coupons: those that the house issued, what became of each, and the forms to issue and to void."""

from datetime import datetime
from urllib.parse import quote
from zoneinfo import ZoneInfo

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.aggregates.coup import Coup
from domain.aggregates.coupon import Coupon
from domain.events import coupon as events
from domain.events.coup_coupons import OfCoupon
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.coupons import KINDS
from domain.rules.refusals import NotFound
from domain.rules.wording import Words, by_the_clock
from ops.commands.house_events import house
from ops.handlers.answer import Answer
from ops.ledger.database import Database
from ops.ledger.facts import facts_naming
from ops.ledger.mapper import fields_of
from ops.ledger.recorder import flush_to_show
from ops.ledger.streams import line_of_fact, name_of, read_lines
from ops.reports.paging import Turn
from ops.web.pages import acts, reports
from ops.web.pages.desk import Desk
from ops.web.pages.forms import read_form
from ops.web.pages.visitor import Visitor
from ops.words.language import shown
from ops.words.own_sentences import own_sentence
from ops.words.rule_terms import kind_called
from projections import REPORTS

PAGE = "/coupons"
REPORT = REPORTS["promotions"]
_ISSUES = ("coupon", "kind", "worth", "last_day")
_VOIDS = ("coupon", "reason")
# What the coup's own events say already.
_OF_A_COUP = (events.LaidOn, events.WentBack, events.Collected)


class CouponEvent(Struct, frozen=True):
    """Something that happened to a coupon; `coup`: on which, or ''."""

    at: datetime
    words: str
    coup: str
    position: int


class Story(Struct, frozen=True):
    """A coupon, and everything that happened to it."""

    coupon: str
    events: list[CouponEvent]
    may_void: bool  # it is not used, not void and on no table
    zone: ZoneInfo


def read(database: Database, number: str) -> Story:
    """What happened to a coupon. Refuses: NotFound. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        own = read_lines(connection, Coupon.stream(number))
        laid_on = {each.event.coup for each in own if isinstance(each.event, events.LaidOn)}
        coups = [Coup.stream(addresses.Coup.parse(each)) for each in laid_on]
        facts = map(line_of_fact, facts_naming(connection, coups, number))
        flush_to_show(connection)
    issued = own[0].event if own else None
    if not isinstance(issued, events.Issued) or issued.coupon != number:
        raise NotFound(what=Words("coupon {coupon}", coupon=number))
    state = events.State(issued)
    for line in own[1:]:
        if isinstance(line.event, events.Event):
            line.event.apply(state)
    on_coups = [each for each in facts if isinstance(each.event, OfCoupon)]
    lines = [
        *(each for each in own if not isinstance(each.event, _OF_A_COUP)),
        *(each for each in on_coups if each.event.coupon == number),
    ]

    def words(line: Line) -> str:
        event = {"type": name_of(line), **fields_of(line.event)}
        return shown(by_the_clock(own_sentence(event, of.currency), of.clock.local))

    return Story(
        coupon=number,
        events=[
            CouponEvent(each.at, words(each), getattr(each.event, "coup", ""), each.position)
            for each in sorted(lines, key=lambda line: line.position)
        ],
        may_void=not (state.void or state.coup),
        zone=ZoneInfo(of.zone),
    )


async def list_coupons(desk: Desk, request: Request, who: Visitor) -> Response:
    """The coupons of the house, the last issued first, and the form to issue one."""
    counted = await desk.counted([REPORT])
    turn = Turn.of(request.query_params)
    sheet = await desk.in_thread(
        lambda: reports.read(desk.database, REPORT, {}, turn, counted=counted)
    )
    kinds = [(each, shown(kind_called(each))) for each in KINDS]
    return desk.page(request, who, "coupons.html", counted=counted, sheet=sheet, kinds=kinds)


async def show_coupon(desk: Desk, request: Request, who: Visitor) -> Response:
    """A coupon: where it was laid last, what it was paid, and everything that happened to it."""
    number = request.path_params["coupon"]
    story = await desk.in_thread(lambda: read(desk.database, number))
    counted = await desk.counted([REPORT])
    sheet = await desk.in_thread(
        lambda: reports.read(
            desk.database, REPORT, {}, about=number, named_in="coupon", counted=counted
        )
    )
    return desk.page(request, who, "coupon.html", counted=counted, story=story, sheet=sheet)


async def issue(desk: Desk, request: Request, who: Visitor) -> Response:
    """Issues a coupon."""
    return await _done(desk, request, who, "coupon.issue", _ISSUES)


async def make_void(desk: Desk, request: Request, who: Visitor) -> Response:
    """Voids a coupon."""
    return await _done(desk, request, who, "coupon.void", _VOIDS)


async def _done(
    desk: Desk, request: Request, who: Visitor, command: str, fields: tuple[str, ...]
) -> Response:
    form = await read_form(request)
    typed = acts.given(form, *fields)
    answer = await acts.act(desk, request, who, acts.read(command, typed, form, who), form, PAGE)
    done = isinstance(answer, Answer) and answer.ok
    then = f"{PAGE}/{quote(typed['coupon'], safe='')}" if done else PAGE
    return acts.go_on(answer, then)
