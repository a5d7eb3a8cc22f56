"""A coup as a story: its events one by one, the cards as they lie, the rule beside each."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.events import coup as coup_events
from domain.events import coup_coupons, coup_wagers
from domain.review.replay import Line, Replay
from domain.rules import addresses
from domain.rules.refusals import BadValue, NotFound
from domain.rules.rulebook import RULEBOOK
from domain.rules.settlement import Payment
from domain.rules.wording import Words
from ops.commands.house_events import house
from ops.door.fresh_id import fresh_id
from ops.ledger.database import Database
from ops.ledger.recorder import flush_to_show
from ops.proof.on_record import covering
from ops.replay import cited, story
from ops.replay.find_coup import coups_around
from ops.replay.page_words import before_words, computation, difference, line_words
from ops.reports.aliases import names_of
from ops.web.pages import what_if
from ops.web.pages.desk import Desk
from ops.web.pages.forms import file_of
from ops.web.pages.visitor import Visitor
from ops.web.shells import Asked
from ops.words import coupons_on_pages, coups
from ops.words import what_if as what_if_words
from ops.words.language import _, shown
from ops.words.pages import signed_words

_DIGITS = 18  # of a number, which the database then holds


class Event(Struct, frozen=True):
    """An event of the coup as a line of its story."""

    n: int
    at: datetime
    words: str
    position: int
    rule: str
    sentence: str  # of the rule
    begins: bool  # whether something new begins: bets, cards, payments
    on_another_day: bool  # than the first one


class Row(Struct, frozen=True):
    """A wager with its payment, as far as the story goes."""

    seat: int
    patron: str
    spot: str
    stake: int
    placed: datetime
    entered: str  # that it was entered late, if it was
    computation: str
    rules: tuple[str, ...]  # the numbers of those by which it was paid
    paid: int | None
    before: str  # what stood before it was put right


class CouponRow(Struct, frozen=True):
    """A coupon that was laid, what became of it as far as the story goes, and its chips."""

    seat: int
    patron: str
    coupon: str
    words: str  # its kind, its worth, and its spot
    became: str
    paid: int | None


class Story(Struct, frozen=True):
    """The coup up to one of its events."""

    address: addresses.Coup
    zone: ZoneInfo
    currency: str
    rules: str
    dealer: str
    supervisor: str
    events: list[Event]
    shown: int  # events so far
    hands: dict[str, list[str | None]]  # None: face down
    totals: dict[str, int | None]
    outcome: str
    outcome_of: str
    steps: list[tuple[str, str]]  # why each third card came or not, and its rule; a natural's once
    rows: list[Row]
    coupons: list[CouponRow]
    exceptions: list[Event]
    afterwards: list[Event]
    verdict: list[str]
    agrees: bool
    chain_good: bool
    signed: str  # that a checkpoint covers it, or ''
    patrons: list[str]
    before: str | None  # the coup before, and the one after
    after: str | None
    first_position: int
    last_position: int


def read(
    database: Database,
    name: str,
    shown_events: int | None,
    patron: str | None,
    at: int | None = None,
) -> Story:
    """A coup, up to one of its events; for a patron theirs alone.

    `at`: up to the event at this position of the ledger, or the next one of the coup.
    Refuses: BadValue, NotFound. Raises LedgerLost.
    """
    address = addresses.Coup.parse(name)
    with database.session("sabot_auditor") as connection:
        zone = ZoneInfo(house(connection).zone)
        record = story.find(connection, address)
        around = coups_around(connection, address)
        before, after = around.beside(address, -1), around.beside(address, 1)
        signed = covering(connection, record.last_position) if record.chain_good else None
        if patron is not None:
            record = record.shown_to(names_of(connection, patron, record.patrons))
        flush_to_show(connection)
    if record.whole is None:
        raise NotFound(what=Words("beginning of coup {coup} on record", coup=name))
    events = len(record.open_lines)
    if at is not None:
        shown_events = 1 + sum(each.position < at for each in record.open_lines)
    elif shown_events is not None and not 1 <= shown_events <= events:
        raise NotFound(what=Words("event {n} of coup {coup}", n=shown_events, coup=name))
    shown_events = events if shown_events is None else min(shown_events, events)
    return _story(
        record.up_to(shown_events),
        shown_events,
        zone,
        (str(before) if before else None, str(after) if after else None),
        signed_words(signed.size, len(signed.cosignatures)) if signed else "",
    )


def _story(
    record: story.CoupRecord,
    shown_events: int,
    zone: ZoneInfo,
    beside: tuple[str | None, str | None],
    signed: str,
) -> Story:
    replay = record.replay
    assert replay is not None
    opened = replay.opened.event
    currency = replay.rules.currency
    hands, totals = _hands(record, replay)
    return Story(
        address=record.address,
        zone=zone,
        currency=currency,
        rules=opened.rules,
        dealer=opened.dealer or "",
        supervisor=opened.supervisor or "",
        events=list(_events(record, record.open_lines, zone, currency)),
        shown=shown_events,
        hands=hands,
        totals=totals,
        outcome=_outcome(replay),
        outcome_of=replay.resulted.event.outcome if replay.resulted else "",
        steps=list(dict.fromkeys((shown(step.why), step.rule) for step in record.steps)),
        rows=list(_rows(replay)),
        coupons=list(_coupons(replay)),
        exceptions=list(_events(record, record.exceptions, zone, currency)),
        afterwards=list(_events(record, _not_of_the_story(record), zone, currency)),
        verdict=list(_verdict(record, currency)),
        agrees=not record.disagreements,
        chain_good=record.chain_good,
        signed=signed,
        patrons=sorted(record.patrons),
        before=beside[0],
        after=beside[1],
        first_position=record.first_position,
        last_position=record.last_position,
    )


def _not_of_the_story(record: story.CoupRecord) -> list[Line]:
    """What followed the coup and is not among its own events already."""
    there = {line.position for line in record.open_lines}
    return [line for line in record.afterwards if line.position not in there]


def _outcome(replay: Replay) -> str:
    if replay.resulted is None:
        return _("Void: every wager is returned") if replay.voided else ""
    event = replay.resulted.event
    return coups.outcome(event.outcome, event.player_total, event.banker_total)


def _events(
    record: story.CoupRecord, lines: Sequence[Line], zone: ZoneInfo, currency: str
) -> Iterator[Event]:
    before, first = "", record.lines[0].at.astimezone(zone).date()
    for n, line in enumerate(lines, 1):
        rule = str(getattr(line.event, "rule", "") or "")
        kind = _kind(line)
        known = RULEBOOK.get(rule)
        words = line_words(record, line, currency)
        yield Event(
            n=n,
            at=line.at,
            words=words,
            position=line.position,
            rule="" if rule in words else rule,
            sentence=_(known.sentence) if known else "",
            begins=kind != before,
            on_another_day=line.at.astimezone(zone).date() != first,
        )
        before = kind


def _kind(line: Line) -> str:
    if isinstance(line.event, coup_events.CardDealt):
        return "cards"
    if type(line.event).__name__.startswith("Wager") and "Settled" not in type(line.event).__name__:
        return "wagers"
    return type(line.event).__name__


def _hands(
    record: story.CoupRecord, replay: Replay
) -> tuple[dict[str, list[str | None]], dict[str, int | None]]:
    hands: dict[str, list[str | None]] = {"player": [], "banker": []}
    totals: dict[str, int | None] = {"player": None, "banker": None}
    for dealt in replay.cards:
        event = dealt.line.event
        down = event.n in record.face_down
        hands[event.hand].append(None if down else event.card)
        totals = {"player": dealt.player_total, "banker": dealt.banker_total}
    for hand, cards in hands.items():
        if None in cards:
            totals[hand] = None
    return hands, totals


def _goes_on(count: coup_wagers.WagerUndecided | None) -> str:
    """How a bet on several coups is doing that the coup does not decide (R-BET-9)."""
    if count is None:
        return ""
    return _("{won} of {counted} won, goes on", won=count.won, counted=count.counted)


def _entered(replay: Replay, wager: Line) -> str:
    """That a wager was entered after the card that closed its betting; '' if not."""
    card = replay.closed_by(wager.event.spot)
    return coups.entered_late(wager.position, card.position, replay.known_from) if card else ""


def _rows(replay: Replay) -> Iterator[Row]:
    paid = replay.paid_last
    goes_on = {(each.event.seat, each.event.spot): each.event for each in replay.undecided}
    returned = {(each.event.seat, each.event.spot): each.event.stake for each in replay.returned}
    for line in replay.wagers:
        event = line.event
        whose = event.seat, event.spot
        rules: tuple[str, ...] = ()
        how, came = _goes_on(goes_on.get(whose)), None
        if whose in returned:
            how, came = _("returned"), returned[whose]
        elif payment := paid.get(whose):
            how = computation(Payment.of(payment), replay.rules, stake=payment.stake)
            came, rules = payment.paid, cited.of_event(replay, payment)
        yield Row(
            seat=event.seat,
            patron=shown(event.patron),
            spot=event.spot,
            stake=event.amount,
            placed=line.at,
            entered=_entered(replay, line),
            computation=how,
            rules=rules,
            paid=came,
            before=before_words(replay, event),
        )


def _coupons(replay: Replay) -> Iterator[CouponRow]:
    """Each coupon once, as the last line about it has it."""
    last = {line.event.coupon: line.event for line in replay.coupons}
    for event in last.values():
        paid = None
        if isinstance(event, coup_coupons.PaidCoupon):
            became, paid = coupons_on_pages.became(event.ended, used=event.used), event.paid
        elif isinstance(event, coup_coupons.CouponLaid):
            became = ""
        else:
            is_void = isinstance(event, coup_coupons.CouponReturned)
            became = coupons_on_pages.RETURNED if is_void else coupons_on_pages.TAKEN_BACK
        currency = replay.rules.currency
        yield CouponRow(
            seat=event.seat,
            patron=shown(event.patron),
            coupon=event.coupon,
            words=shown(
                coupons_on_pages.lying_words(event.kind, event.worth, event.spot, currency)
            ),
            became=_(became) if became else "",
            paid=paid,
        )


def _verdict(record: story.CoupRecord, currency: str) -> Iterator[str]:
    """Whether the record agrees with today's rules, and whether its chain is whole."""
    if record.face_down:
        return
    for each in record.disagreements:
        what, recorded, today = difference(each, currency)
        sides = _("recorded {recorded}, today {today}", recorded=recorded, today=today)
        yield f"{what}: {sides}"
    if record.disagreements:
        yield _("Adjudicated again today: DOES NOT AGREE.")
    else:
        yield _("Adjudicated again today: agrees, line by line.")
    places = {"first": f"#{record.first_position}", "last": f"#{record.last_position}"}
    if record.chain_good:
        yield _("Record {first}–{last}, chain good.", **places)
    else:
        yield _("Record {first}–{last}, CHAIN BROKEN.", **places)


def _number(query: Mapping[str, str], name: str) -> int | None:
    """A number in an address, None if it is not asked for. Refuses: BadValue."""
    text = query.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
        raise BadValue(field=name, value=repr(text), why=Words("write a number, from 1"))
    return int(text)


async def show_coup(desk: Desk, request: Request, who: Visitor) -> Response:
    """A coup as a story, up to one of its events."""
    name, query = request.path_params["coup"], request.query_params
    patron = query.get("for") or None
    upto, at = _number(query, "event"), _number(query, "at")
    story = await desk.in_thread(lambda: read(desk.database, name, upto, patron, at))
    if patron and not story.patrons:
        raise NotFound(what=Words("patron {name} at coup {coup}", name=patron, coup=story.address))
    here = f"/coups/{story.address}?" + (f"{urlencode({'for': patron})}&" if patron else "")
    asked_if = "" if patron else query.get("what-if", "")[:200]
    answer_if = None
    if asked_if:
        answer_if = await desk.in_thread(lambda: what_if.read(desk.database, name, asked_if))
    many = len(story.events)
    table = story.address.shoe.table_day.table
    return desk.page(
        request, who, "coup.html",
        story=story, here=here, patron=patron,
        names=[] if patron else story.patrons,
        asked_if=asked_if, answer_if=answer_if, wi=what_if_words,
        can_hold=(await desk.floor()).can_be_held(table),
        first=f"{here}event=1" if story.shown > 1 else "",
        previous=f"{here}event={story.shown - 1}" if story.shown > 1 else "",
        next=f"{here}event={story.shown + 1}" if story.shown < many else "",
        last=here.rstrip("?&") if story.shown < many else "",
    )  # fmt: skip


async def export_coup(desk: Desk, request: Request, who: Visitor) -> Response:
    """The pack of a coup, which a stranger can check; `for`: a patron's, their paper alone."""
    name, form = request.path_params["coup"], request.path_params["form"]
    patron = request.query_params.get("for")
    theirs = [f"--for={patron}"] if patron else []
    answer = await desk.made(who, ["replay", "--export=pack", *theirs, "--", name])
    called = "-".join(filter(None, [name.replace("/", "-"), patron]))
    return file_of(desk, request, who, answer, f".{form}", f"/coups/{name}", called=called)


async def coup_as_data(desk: Desk, request: Request, who: Visitor) -> Response:
    """A coup as JSON."""
    return await _data(desk, who, ["replay"], [("coup", request.path_params["coup"])])


async def _data(
    desk: Desk, who: Visitor, words: list[str], query: list[tuple[str, str]]
) -> Response:
    answer = await desk.house.run(who.caller, Asked(fresh_id(), words, query=query))
    status = 200 if answer.status == 0 else 422
    return Response(answer.out or answer.err, status, media_type="application/json")
