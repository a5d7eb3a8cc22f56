"""What somebody looks for and may open, with the page about each."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import datetime
from urllib.parse import quote, urlencode

from msgspec import Struct

from domain.aggregates.ticket import Ticket
from domain.rules.wording import Words
from ops.commands.reader import Asked
from ops.commands.rights import Rights
from ops.finding.hits import LONGEST, MOST_NAMES, Hit, find
from ops.finding.near import near
from ops.finding.opening import PAGE_OF, opens
from ops.finding.pages import page_of_command
from ops.finding.worded import worded
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger, flush_to_show
from ops.ledger.secrets import People

_PAGES = {
    **PAGE_OF,
    "rule": "/rules/",
    "report": "/reports/",
    "topic": "/manual/",
    "alerts": "/alerts?kind=",
    "page": "",
}
_NAMED = ("patron", "staff")  # of which there are many
_SHORTEST = 2  # letters of a name that is looked for


class Result(Struct, frozen=True):
    """Something that there is, with the address of its page."""

    kind: str
    name: str
    href: str
    line: Words | str


class Results(Struct, frozen=True):
    """What somebody may mean and may open; `more`: there are more names than these.

    `near`: if nothing is named so, what is one slip of the keys away.
    """

    hits: list[Result]
    more: bool = False
    near: list[Result] = []


def search(
    database: Database,
    text: str,
    rights: Rights,
    note: Callable[[Asked], object],
    now: datetime,
) -> Results:
    """What somebody may mean and may open; `note`: records that they read a name.

    Raises LedgerLost.
    """
    with database.session("sabot_auditor") as connection:
        hits = find(connection, text, now)
        flush_to_show(connection)
    by_kind_and_name = {(hit.kind, hit.name): hit for hit in hits}
    for hit in _named(database, text, rights, note):
        by_kind_and_name.setdefault((hit.kind, hit.name), hit)
    mine = _opened(by_kind_and_name.values(), rights)
    if not mine:
        with database.session("sabot_auditor") as connection:
            mine = _opened(worded(connection, text, now), rights)
            others = [] if mine else near(connection, text, now)
            flush_to_show(connection)
        return Results(mine, near=_opened(others, rights))
    # Whoever may open the event itself is not sent to its coup.
    events = [each for each in mine if each.kind == "position"]
    return Results(events) if text.startswith("#") and events else _not_too_many(mine)


def _opened(hits: Iterable[Hit], rights: Rights) -> list[Result]:
    """Those that the reader may open."""
    pages = (Result(hit.kind, hit.name, _page(hit, rights), hit.line) for hit in hits)
    return [each for each in pages if opens(rights, each.href)]


def _not_too_many(results: list[Result]) -> Results:
    """The first results of each kind of which there are many names."""
    many, shown = Counter[str](), list[Result]()
    for each in results:
        many[each.kind] += 1
        if each.kind not in _NAMED or many[each.kind] <= MOST_NAMES:
            shown.append(each)
    return Results(shown, more=len(shown) < len(results))


def _named(
    database: Database, text: str, rights: Rights, note: Callable[[Asked], object]
) -> Iterator[Hit]:
    """Patrons and staff by their own names, for who may read those."""
    name = " ".join(text.split())[:LONGEST]
    if len(name) < _SHORTEST:
        return
    kinds = [
        kind
        for kind in _NAMED
        if rights.may_read(Asked(f"{kind} name")) and opens(rights, f"{_PAGES[kind]}x")
    ]
    with closing(Ledger(database)) as ledger:
        people = People(ledger)
        looked_up = {"patron": people.patrons_named, "staff": people.staff_named}
        named = {kind: [*looked_up[kind](name, MOST_NAMES + 1).items()] for kind in kinds}
    for kind, numbers in named.items():
        for number, _ in numbers[:MOST_NAMES]:  # one more is counted, and not shown
            note(Asked(f"{kind} name", about={kind: number}))
        yield from (Hit(kind, number, known) for number, known in numbers)


def _page(hit: Hit, rights: Rights) -> str:
    """The address of the page about it; a report is narrowed to their table if it must be."""
    if hit.kind == "ticket":
        return f"/ledger?stream={Ticket.stream(hit.name)}"
    if hit.kind == "form":
        table, _, day = hit.of.partition("/")
        if hit.name.startswith("JP"):
            return f"/reports/progressives?{urlencode({'day': day})}"
        return f"/reports/vigorish?{urlencode({'table': table, 'day': day})}"
    if hit.kind == "command":
        return page_of_command(hit.name)
    page = _PAGES[hit.kind] + quote(hit.name, safe="/#") + (f"?at={hit.at}" if hit.at else "")
    if hit.kind == "report" and rights.table and not opens(rights, page):
        return f"{page}?table={quote(rights.table)}"
    return page
