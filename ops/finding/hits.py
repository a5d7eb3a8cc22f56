"""Finds what people look for by what they write: `B01 17`, `P-10417`, `C-2026-0007`, `#48213`.

What there is, whoever asks: whoever shows it leaves out what may not be opened.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from msgspec import Struct

from domain.aggregates.aml_case import AmlCase
from domain.aggregates.coup import Coup
from domain.aggregates.coupon import Coupon
from domain.aggregates.dispute import Dispute
from domain.aggregates.forms import FormBook
from domain.aggregates.incident import Incident
from domain.aggregates.inquiry import Inquiry
from domain.aggregates.shoe import Shoe
from domain.aggregates.slips import SlipBook
from domain.aggregates.staff import StaffMember
from domain.aggregates.table import Table
from domain.aggregates.table_day import TableDay
from domain.aggregates.ticket import Ticket
from domain.events import coup as coup_events
from domain.events import coupon as coupon_events
from domain.events import staff_member
from domain.events import table as table_events
from domain.rules import addresses
from domain.rules.cards import SPELLINGS
from domain.rules.refusals import SENSELESS, BadValue
from domain.rules.roles import role_label
from domain.rules.rulebook import RULEBOOK
from domain.rules.wording import Moment, Words, by_the_clock
from ops.commands.house_events import house
from ops.finding.opening import STAFF
from ops.ledger.facts import facts_naming, facts_of_each
from ops.ledger.mapper import UnknownEvent, as_answer, event_of
from ops.ledger.reading import head_of, read_spans
from ops.ledger.searching import (
    Traits,
    first_of_each,
    has_day,
    last_of_each,
    read_newest_having,
)
from ops.ledger.streams import line_of_fact, lines, read_lines
from ops.manual.sections import commands
from ops.manual.topics import topic
from ops.reports.moments import Typed
from ops.reports.names import names_like, names_with
from ops.words.own_sentences import own_sentence
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

MOST_NAMES = 20  # that are shown
LONGEST = 100  # characters that are looked for
DAYS = 7  # of a table, the last ones, on which its coups are looked for
_NEWEST = 20  # events that name somebody, of which one has to name them as staff
_SHOES = 40  # of one table day
_COUPS = 200  # of one shoe: more than its cards are enough for
_TABLE = r"(?P<table>[A-Za-z0-9][A-Za-z0-9_-]{0,15})"
_BETWEEN = r"[\s/,:.]+"
_COUP = re.compile(
    rf"{_TABLE}{_BETWEEN}(?:(?:shoe\s*)?(?P<shoe>\d{{1,3}}){_BETWEEN})?"
    r"(?:coup\s*|#\s*)?(?P<coup>\d{1,4})",
    re.IGNORECASE,
)
_SHOE = re.compile(rf"{_TABLE}{_BETWEEN}(?:shoe\s*)?(?P<shoe>\d{{1,3}})", re.IGNORECASE)
_SLIP = re.compile(r"(?:slip\s*)?(?P<year>[0-9]{4})-(?P<number>[0-9]{1,6})", re.IGNORECASE)
_STAFF = re.compile(r"[A-Za-z]{1,3}-?[0-9]{1,5}")  # as houses number people
_AT = re.compile(
    rf"{_TABLE}[\s,]+(?P<at>(?:\d{{4}}-\d\d-\d\d[T\s])?\d{{1,2}}:\d\d(?::\d\d)?)", re.IGNORECASE
)
_CARD = re.compile(rf"{_TABLE}[\s,]+(?P<card>\S{{2,4}})", re.IGNORECASE)
_CARDS = tuple(
    each.TOPIC
    for each in (coup_events.CardDealt, coup_events.HandTurned, coup_events.CardCorrected)
)
_DOWN = b'"face_down":true'  # such a card is nobody's to see
_POSITION = re.compile(r"#?\s*([1-9][0-9]{0,14})")


class Hit(Struct, frozen=True):
    """Something that there is: of a kind, by its name; `line`: what is known of it at a glance.

    `at`: the position of the event that was meant, of a coup.
    """

    kind: str
    name: str
    line: Words | str = ""
    at: int = 0
    of: str = ""  # the table day, of a form


_Finder = Callable[["psycopg.Connection[Any]", str, datetime], Iterable[Hit]]


def find(connection: "psycopg.Connection[Any]", text: str, now: datetime) -> list[Hit]:
    """What somebody may mean, what they named exactly first; each once."""
    text = " ".join(text.split())[:LONGEST]
    hits = (hit for finder in _FINDERS for hit in finder(connection, text, now)) if text else ()
    return list({(hit.kind, hit.name): hit for hit in hits}.values())


def _positions(connection: "psycopg.Connection[Any]", text: str, _: datetime) -> Iterator[Hit]:
    """The event at a position, and the coup that it is about."""
    if not (typed := _POSITION.fullmatch(text)):
        return
    position = int(typed[1])
    for event in read_spans(connection, [range(position, position + 1)]):
        line: Words | str = event.topic
        with suppress(*SENSELESS, UnknownEvent):  # somebody altered it
            known = as_answer(event_of(event))
            of = house(connection)
            line = by_the_clock(own_sentence(known, of.currency), of.clock.local)
            yield Hit("position", str(position), line)
            if coup := known.get("coup"):
                # Without a line: its cards may be face down.
                yield Hit("coup", str(addresses.Coup.parse(coup)), at=position)
            return
        yield Hit("position", str(position), line)


def _addresses(connection: "psycopg.Connection[Any]", text: str, _: datetime) -> Iterator[Hit]:
    """What is named by its whole address."""
    with suppress(BadValue):
        yield from _there(connection, "coup", [(text, Coup.stream(addresses.Coup.parse(text)))])
    with suppress(BadValue):
        yield from _there(connection, "shoe", [(text, Shoe.stream(addresses.Shoe.parse(text)))])
    with suppress(BadValue):
        case = str(addresses.Case.parse(text.upper()))
        yield from _there(connection, "case", [(case, Dispute.stream(addresses.Case.parse(case)))])
    with suppress(BadValue):
        one = addresses.Inquiry.parse(text.upper())
        yield from _there(connection, "inquiry", [(str(one), Inquiry.stream(one))])
    with suppress(BadValue):
        report = addresses.Incident.parse(text.upper())
        yield from _there(connection, "incident", [(str(report), Incident.stream(report))])
    with suppress(BadValue):
        suspected = addresses.AmlCase.parse(text.upper())
        yield from _there(connection, "aml_case", [(str(suspected), AmlCase.stream(suspected))])
    with suppress(BadValue):
        form = addresses.Form.parse(text.upper())
        for fact in facts_naming(connection, [FormBook.stream(form.year)], str(form))[:1]:
            yield Hit("form", str(form), of=line_of_fact(fact).event.table_day)
    with suppress(BadValue):
        alert = addresses.Alert.parse(text.lower())
        if read_spans(connection, [range(alert.position, alert.position + 1)]):
            yield Hit("alert", str(alert))
    with suppress(BadValue):
        day = addresses.parse_day(text)
        if has_day(connection, day):
            yield Hit("day", text)
    with suppress(BadValue):
        stream = TableDay.stream(addresses.day_of_stay(text))
        if "/stay-" in text and facts_naming(connection, [stream], text):
            yield Hit("stay", text)


def _spoken(connection: "psycopg.Connection[Any]", text: str, _: datetime) -> Iterator[Hit]:
    """A table; its coups and shoes of the last day that has them, as people write them."""
    if addresses.TABLE_CODE.fullmatch(text) and (days := days_of(connection, text)):
        yield Hit("table", days[0].table)
    if typed := _COUP.fullmatch(text):
        number, shoe = int(typed["coup"]), typed["shoe"]
        shoes = [int(shoe)] if shoe else range(1, _SHOES)
        for day in days_of(connection, typed["table"]):
            asked = [addresses.Coup(addresses.Shoe(day, each), number) for each in shoes]
            hits = [*_there(connection, "coup", [(str(each), Coup.stream(each)) for each in asked])]
            yield from hits
            if hits:
                break
    if typed := _SHOE.fullmatch(text):
        for day in days_of(connection, typed["table"]):
            one = addresses.Shoe(day, int(typed["shoe"]))
            if hits := [*_there(connection, "shoe", [(str(one), Shoe.stream(one))])]:
                yield from hits
                break


def _at_a_time(connection: "psycopg.Connection[Any]", text: str, now: datetime) -> Iterator[Hit]:
    """What was dealt at a table at a time, as in `B01 21:14` or `B01 2026-11-21 21:14`.

    The coup that was the newest then, and each that was opened in that minute or second. Without a
    date: on the last gaming day on which there was a coup by then.
    """
    typed = _AT.fullmatch(text)
    if not typed or not (at := Typed.of(typed["at"])):
        return
    clock = house(connection).clock
    lasts = timedelta(seconds=1 if typed["at"].count(":") > 1 else 60)
    days = days_of(connection, typed["table"], most=None)
    for n, day in enumerate(days if at.date_and_time else days[:DAYS]):
        if at.time_of_day:
            moments = clock.moments(day.day, at.time_of_day)
        else:
            moments = [at.today(clock, now)]
        begins, ends = moments[0], moments[-1] + lasts
        if begins > now or clock.day_of(begins) != day.day:
            continue
        dealt = _dealt_on(connection, days[n:])
        opened = sorted((when, str(coup)) for coup, when in dealt if when < ends)
        before = [each for each in opened if each[0] <= begins][-1:]
        for when, coup in [*before, *(each for each in opened if each[0] > begins)]:
            line = Words("opened at {moment}", moment=Moment(clock.local(when)))
            yield Hit("coup", coup, line)
        if opened:
            return


def _dealt_on(
    connection: "psycopg.Connection[Any]", days: Sequence[addresses.TableDay]
) -> Iterator[tuple[addresses.Coup, datetime]]:
    """The coups that were opened on the first of these days, each with its moment.

    A shoe that came along from an earlier one has that one's address.
    """
    for day in days:
        opened = [*_opened(connection, day)]
        yield from (each[:2] for each in opened if each[2] == days[0].day)
        if day != days[0] and all(on == day.day for _, _, on in opened):
            break


def last_dealt(
    connection: "psycopg.Connection[Any]", days: Sequence[addresses.TableDay]
) -> addresses.Coup | None:
    """The coup that was opened last on the first of these days; None: none was."""
    opened = [(when, coup) for coup, when in _dealt_on(connection, days)]
    return max(opened)[1] if opened else None


def _with_card(connection: "psycopg.Connection[Any]", text: str, _: datetime) -> Iterator[Hit]:
    """The coups in which a card came, as in `B01 KH`, newest first: of the last day with any."""
    typed = _CARD.fullmatch(text)
    if not typed or (card := SPELLINGS.get(typed["card"].upper())) is None:
        return
    clock, named = house(connection).clock, f'"{card}"'.encode()
    for day in days_of(connection, typed["table"]):
        dealt = sorted(((when, coup) for coup, when, _ in _opened(connection, day)), reverse=True)
        facts = facts_of_each(connection, [Coup.stream(coup) for _, coup in dealt], topics=_CARDS)
        some = False
        for (when, coup), cards in zip(dealt, facts, strict=True):
            if any(named in each.state and _DOWN not in each.state for each in cards):
                some = True
                line = Words("opened at {moment}", moment=Moment(clock.local(when)))
                yield Hit("coup", str(coup), line)
        if some:
            return


def _opened(
    connection: "psycopg.Connection[Any]", day: addresses.TableDay
) -> Iterator[tuple[addresses.Coup, datetime, date]]:
    """The coups of a day's shoes, each with the moment and the day on which it was opened."""
    shoes = [addresses.Shoe(day, number) for number in range(1, _SHOES)]
    there = last_of_each(connection, [*map(Shoe.stream, shoes)])
    coups = {
        Coup.stream(coup): coup
        for shoe in shoes
        if Shoe.stream(shoe) in there
        for coup in (addresses.Coup(shoe, number) for number in range(1, _COUPS))
    }
    first = first_of_each(connection, [*coups])
    for recorded, line in zip(first, lines(first), strict=True):
        if isinstance(line.event, coup_events.Opened):
            at = line.event.timestamp
            yield coups[recorded.originator_id], at, recorded.gaming_day


def days_of(
    connection: "psycopg.Connection[Any]", table: str, most: int | None = DAYS
) -> list[addresses.TableDay]:
    """The last gaming days of a table, the newest first, under its code as it is on record.

    `most`: how many at most; None: all of them.
    """
    events = [line.event for line in read_lines(connection, Table.stream(table))]
    codes = [event.table for event in events if isinstance(event, table_events.Placed)]
    opened = [event.day for event in events if isinstance(event, table_events.DayOpened)]
    return [
        addresses.TableDay(code, addresses.parse_day(day))
        for code in codes[:1]
        for day in opened[::-1][:most]
    ]


def _there(
    connection: "psycopg.Connection[Any]", kind: str, asked: Sequence[tuple[str, UUID]]
) -> Iterator[Hit]:
    """Those of these names whose stream is on record."""
    last = last_of_each(connection, [stream for _, stream in asked])
    for name, stream in asked:
        if stream in last:
            yield Hit(kind, name)


def _people(connection: "psycopg.Connection[Any]", text: str, _: datetime) -> Iterator[Hit]:
    """Patrons by number or alias, also a part of it; a staff number."""
    known = {**names_like(connection, text), **names_with(connection, text, MOST_NAMES + 1)}
    for each in known.values():
        place = Words("last at {table}", table=f"{each.table}/{each.day}") if each.table else ""
        yield Hit("patron", each.name, place)
    for staff in dict.fromkeys((text, text.upper())):
        for line in read_lines(connection, StaffMember.stream(staff))[:1]:
            if isinstance(line.event, staff_member.Enrolled):
                yield Hit("staff", staff, role_label(line.event.role))
                return
    # Where nobody signs on, people are on record by the number that was given.
    if _STAFF.fullmatch(text) and names_staff(connection, text.upper()):
        yield Hit("staff", text.upper())


def names_staff(connection: "psycopg.Connection[Any]", staff: str) -> bool:
    """Whether one of the newest events that have this number has it as that of staff."""
    traits = [Traits(actor=staff), Traits(names=[staff])]
    head = head_of(connection)
    newest = (
        event for each in traits for event in read_newest_having(connection, each, head, _NEWEST)
    )
    return any(
        staff == event.actor or staff in map(as_answer(event_of(event)).get, STAFF)
        for event in newest
    )


def _papers(connection: "psycopg.Connection[Any]", text: str, _: datetime) -> Iterator[Hit]:
    """A slip, a coupon, a ticket."""
    if typed := _SLIP.fullmatch(text):
        slip = f"{typed['year']}-{int(typed['number']):06}"
        if facts_naming(connection, [SlipBook.stream(int(typed["year"]))], slip):
            yield Hit("slip", slip)
    coupon = text.removeprefix("coupon ").strip()
    for line in read_lines(connection, Coupon.stream(coupon))[:1]:
        if isinstance(line.event, coupon_events.Issued):
            yield Hit("coupon", line.event.coupon)
    ticket = text.removeprefix("ticket ").strip()
    if last_of_each(connection, [Ticket.stream(ticket)]):
        yield Hit("ticket", ticket)


def _books(_: "psycopg.Connection[Any]", text: str, __: datetime) -> Iterator[Hit]:
    """A rule by its number; a topic of the manual, a command, reports by their names."""
    if rule := RULEBOOK.get(text.upper()):
        yield Hit("rule", rule.number, Words(rule.sentence))
    if page := topic(text.lower()):
        yield Hit("topic", page.name, page.title)
    if what := commands().get(text.lower().removeprefix("sabot ")):
        yield Hit("command", text.lower().removeprefix("sabot "), what)
    name = re.sub(r"[\s_]+", "-", text.lower())
    named = [name] if name in REPORTS else [each for each in REPORTS if f"-{name}" in f"-{each}"]
    for each in named if len(name) > 1 else ():
        yield Hit("report", each, Words(REPORTS[each].about))


_FINDERS: tuple[_Finder, ...] = (
    *(_positions, _addresses, _spoken, _at_a_time, _with_card, _people, _papers, _books),
)
