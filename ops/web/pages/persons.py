"""Who a patron or somebody of the house is, and at which tables they are now."""

from collections.abc import Iterator
from contextlib import closing, suppress
from zoneinfo import ZoneInfo

import psycopg
from msgspec import Struct

from ops.board.rows import Seen
from ops.commands.house_events import house
from ops.commands.reader import Asked
from ops.ledger import clock
from ops.ledger.database import Database, RoleDenied
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People
from ops.reports.names import patrons_of
from ops.web.pages.desk import Desk
from ops.web.pages.viewer import opens
from ops.web.pages.visitor import Visitor
from ops.words.language import shown
from ops.words.pauses import pause_soon
from projections import REPORTS
from projections.people.patrons import BARRED


class Place(Struct, frozen=True):
    """A table where somebody is; `seats`: of a patron."""

    table: str
    seats: tuple[str, ...] = ()


class Person(Struct, frozen=True):
    """What stands above the reports about somebody, as far as the reader may know it."""

    name: str = ""
    places: tuple[Place, ...] = ()
    barred: str = ""  # that they may not play, and since when


NOBODY = Person()


async def person_of(desk: Desk, who: Visitor, kind: str, number: str) -> Person:
    """A `patron` or somebody of the `staff` by their number; that a name is read is recorded."""
    asked, name = Asked(f"{kind} name", about={kind: number}), ""
    if who.rights.may_read(asked):
        await desk.require(who, asked)
        name = await desk.in_thread(lambda: _name(desk.database, kind, number))
    places = _seats_of if kind == "patron" else _tables_of
    seen = (await desk.floor()).seen
    here = places(seen, number) if seen else ()
    barred = ""
    if kind == "patron" and who.rights.may_read(Asked("report limits-used")):
        await desk.counted([REPORTS["limits-used"]])
        barred = await desk.in_thread(lambda: _barred(desk.database, number))
    return Person(name, tuple(each for each in here if opens(f"/tables/{each.table}")), barred)


def _barred(database: Database, patron: str) -> str:
    """That a patron may not play, and since when; '' if they may. Raises LedgerLost."""
    with database.session("sabot_auditor") as connection:
        row = connection.execute(BARRED, {"patron": patron}).fetchone()
        now = clock.record_clock(connection).astimezone(ZoneInfo(house(connection).zone))
    return shown(pause_soon("no-play", row[0], now)) if row else ""


def _name(database: Database, kind: str, number: str) -> str:
    """The name that is stored, or ''; an alias has that of its patron. Raises LedgerLost."""
    with closing(Ledger(database)) as ledger:
        people = People(ledger)
        with suppress(RoleDenied, psycopg.errors.InsufficientPrivilege):
            if kind == "staff":
                return people.name(number) or ""
            with database.session("sabot_auditor") as connection:
                patron = patrons_of(connection, [number])[number]
            return people.patron_name(patron) or ""
    return ""


def _seats_of(seen: Seen, patron: str) -> Iterator[Place]:
    for row in seen.open_tables:
        if seats := tuple(seat for seat, each in row.seats.by.items() if each == patron):
            yield Place(row.table, seats)


def _tables_of(seen: Seen, staff: str) -> Iterator[Place]:
    for each in seen.on_the_floor:
        if each.staff == staff:
            yield from map(Place, each.tables)
