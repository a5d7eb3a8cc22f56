"""What somebody may have meant whose words name nothing: what is one slip of the keys away.

A letter too few, one too many, another one, or two exchanged; a number without its noughts or its
hyphens, as in `C 2026 7`; or a day without its year, as in `29 Nov`.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime
from difflib import get_close_matches
from itertools import chain, product
from string import ascii_uppercase, digits
from typing import TYPE_CHECKING, Any

from domain.aggregates.coupon import Coupon
from domain.aggregates.staff import StaffMember
from domain.aggregates.table import Table
from domain.rules import addresses
from domain.rules.wording import Words
from ops.finding.hits import Hit, find
from ops.ledger.searching import has_day, last_of_each
from ops.manual.sections import commands
from ops.reports.names import names_like
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

MOST = 8  # that are shown
_LONGEST = 20  # characters of a name that is looked for with slips
_ALIKE = 0.84  # of two names that are spelled nearly the same
_KEYS = ascii_uppercase + digits + "-"
_NUMBERED = re.compile(r"(?P<series>C|I|IR|AML)[\s-]*(?P<year>\d{4})[\s-]+(?P<number>\d{1,6})")
_DAYS = ("%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%d.%m. %Y", "%d.%m %Y")


def near(connection: "psycopg.Connection[Any]", text: str, now: datetime) -> list[Hit]:
    """What is near to the words, each once: what is on record, then reports and commands."""
    hits = chain(_on_record(connection, text, now), _spoken(connection, text, now), _books(text))
    return list({(hit.kind, hit.name): hit for hit in hits}.values())[:MOST]


def _on_record(connection: "psycopg.Connection[Any]", text: str, now: datetime) -> Iterator[Hit]:
    """Nothing for words that are too long to be a name."""
    words = " ".join(text.upper().split())
    if typed := _NUMBERED.fullmatch(words):
        whole = f"{typed['series']}-{typed['year']}-{int(typed['number']):04}"
        yield from find(connection, whole, now)
        return
    name, _, rest = words.partition(" ")
    if len(name) > _LONGEST:
        return
    slips = sorted({*_slips(name)})
    for table in _tables(connection, slips):
        yield from find(connection, f"{table} {rest}", now) if rest else [Hit("table", table)]
    if not rest:
        yield from _people_and_papers(connection, slips)


def _spoken(connection: "psycopg.Connection[Any]", text: str, now: datetime) -> Iterator[Hit]:
    """A gaming day without its year, as people say it."""
    words = " ".join(text.upper().split())
    years = (now.year, now.year - 1)
    for day in _days(words, years):
        if has_day(connection, day):
            yield Hit("day", f"{day}")


def _days(words: str, years: tuple[int, ...]) -> Iterator[date]:
    """The days that are written without their year."""
    for year, form in product(years, _DAYS):
        with suppress(ValueError):
            yield datetime.strptime(f"{words} {year}", form).date()  # noqa: DTZ007


def _books(text: str) -> Iterator[Hit]:
    """Reports and commands whose names are spelled nearly so, with a hyphen or none."""
    spelled = text.lower().replace(" ", "-")
    for each in get_close_matches(spelled, REPORTS, n=2, cutoff=_ALIKE):
        yield Hit("report", each, Words(REPORTS[each].about))
    for each in get_close_matches(text.lower().removeprefix("sabot "), commands(), cutoff=_ALIKE):
        yield Hit("command", each, commands()[each])


def _slips(name: str) -> Iterator[str]:
    """Every name from which one slip leads to this one."""
    for n in range(len(name) + 1):
        before, after = name[:n], name[n:]
        yield from (f"{before}{key}{after}" for key in _KEYS)
        if after:
            yield before + after[1:]
            yield from (f"{before}{key}{after[1:]}" for key in _KEYS)
            yield f"{before}{after[1:2]}{after[0]}{after[2:]}"


def _tables(connection: "psycopg.Connection[Any]", names: list[str]) -> Iterator[str]:
    streams = {Table.stream(each): each for each in names if addresses.TABLE_CODE.fullmatch(each)}
    for stream in last_of_each(connection, [*streams]):
        yield streams[stream]


def _people_and_papers(connection: "psycopg.Connection[Any]", names: list[str]) -> Iterator[Hit]:
    for each in names_like(connection, *names):
        yield Hit("patron", each)
    streams = {
        of(each): Hit(kind, each)
        for kind, of in (("staff", StaffMember.stream), ("coupon", Coupon.stream))
        for each in names
    }
    for stream in last_of_each(connection, [*streams]):
        yield streams[stream]
