"""What somebody looks for and may open, with the page about each."""

from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import quote

from msgspec import Struct

from domain.aggregates.ticket import Ticket
from domain.rules.wording import Words
from ops.commands.reader import Asked
from ops.commands.rights import Rights
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger, flush_to_show
from ops.ledger.secrets import People
from ops.replay.finding import LONGEST, Hit, find
from ops.web.pages.markdown import page_of_command
from ops.web.pages.opening import PAGE_OF, opens

_PAGES = {
    **PAGE_OF,
    "alert": "/alerts/",
    "rule": "/rules/",
    "report": "/reports/",
    "topic": "/manual/",
}
_SHORTEST = 2  # letters of a name that is looked for


class Result(Struct, frozen=True):
    """Something that there is, with the address of its page."""

    kind: str
    name: str
    href: str
    line: Words | str


def search(
    database: Database, text: str, rights: Rights, note: Callable[[Asked], object]
) -> list[Result]:
    """What somebody may mean and may open; `note`: records that they read a patron's name.

    Raises LedgerLost.
    """
    with database.session("sabot_auditor") as connection:
        hits = find(connection, text)
        flush_to_show(connection)
    hits += _named(database, text, rights, note)
    pages = [Result(hit.kind, hit.name, _page(hit, rights), hit.line) for hit in hits]
    mine = [each for each in pages if opens(rights, each.href)]
    # Whoever may open the event itself is not sent to its coup.
    events = [each for each in mine if each.kind == "position"]
    return events if text.startswith("#") and events else mine


def _named(
    database: Database, text: str, rights: Rights, note: Callable[[Asked], object]
) -> Iterator[Hit]:
    """Patrons by their own names, for who may read those."""
    name = " ".join(text.split())[:LONGEST]
    if len(name) < _SHORTEST or not rights.may_read(Asked("patron name")):
        return
    with closing(Ledger(database)) as ledger:
        named = People(ledger).patrons_named(name)
    for patron, known in named.items():
        note(Asked("patron name", about={"patron": patron}))
        yield Hit("patron", patron, known)


def _page(hit: Hit, rights: Rights) -> str:
    """The address of the page about it; a report is narrowed to their table if it must be."""
    if hit.kind == "ticket":
        return f"/ledger?stream={Ticket.stream(hit.name)}"
    if hit.kind == "command":
        return page_of_command(hit.name)
    page = _PAGES[hit.kind] + quote(hit.name, safe="/")
    if hit.kind == "report" and rights.table and not opens(rights, page):
        return f"{page}?table={quote(rights.table)}"
    return page
