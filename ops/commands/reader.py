"""Checks who reads before anything is shown, and records what they asked for.

A database login of its own, as an auditor has one, reads as an auditor and needs no sign-on.
Everybody else reads by the token of their sign-on; in open house nobody is checked.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.events import property as property_events
from domain.rules.acts import reading_called
from domain.rules.permissions import OF_A_GROUPS_HOME, READINGS, Reading, of_alert
from domain.rules.refusals import SENSELESS, NotPermitted, Refusal
from domain.rules.wording import Words
from ops.commands.authority import Authority
from ops.commands.casino import Casino
from ops.commands.command import Command
from ops.commands.signed_on import Token
from ops.ledger import machine as place
from ops.ledger.database import Database, NotFit, one_line
from ops.ledger.fit import DISK_FULL
from ops.ledger.growth import has_happened
from ops.ledger.reading import UnreadableEvent
from ops.ledger.recorder import Ledger
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

How = Literal["screen", "json", "csv", "pdf", "export"]
_NOTE = "SELECT ledger.note_reading(%s, %s, %s, %s, %s, %s, %s)"
_AUDITOR = "auditor"  # as whom a login of its own reads
_LOGIN = "SELECT session_user::text, NOT pg_has_role(session_user, 'sabot_app', 'MEMBER')"


class Asked(Struct, frozen=True):
    """A reading: its command, its form, and what it is narrowed to.

    `alert`: the kind of the alert that it shows, which is not in the record of readings.
    """

    what: str
    how: How = "screen"
    about: Mapping[str, str | None] = field(default_factory=dict)
    alert: str = ""

    @property
    def act(self) -> Words:
        """What its reader does, after "may not"."""
        command, _, report = self.what.partition(" ")
        return reading_called(self.what, REPORTS[report].title if command == "report" else "")

    @property
    def table(self) -> str | None:
        """The code of the table that it is about, or None if it is about several."""
        named = next(filter(None, map(self.about.get, ("coup", "shoe", "table"))), None)
        return named.partition("/")[0] if named else None


class Reader(Struct, frozen=True):
    """Who reads; `own_login`: by a database login of their own. `checked`: not in open house.

    `role`: None in open house, '' where everybody may read.
    """

    who: str = ""
    own_login: bool = False
    checked: bool = True
    role: str | None = ""


def require_reader(database: Database, asked: Asked, token: Token) -> Reader:
    """The reader; records one line, also where they may not read, but none of nobody.

    Refuses: NotSignedOn, NotPermitted. Raises: LedgerLost, NotFit.
    """
    with closing(Casino(Ledger(database, "sabot_auditor"))) as casino:
        return _reader(casino, asked, token, goes_on=False)


def require_still_reader(casino: Casino, asked: Asked, token: Token) -> Reader:
    """The reader, who was recorded when they began; only a refusal is recorded now.

    Refuses: NotSignedOn, NotPermitted. Raises: LedgerLost, NotFit.
    """
    return _reader(casino, asked, token, goes_on=True)


def _reader(casino: Casino, asked: Asked, token: Token, *, goes_on: bool) -> Reader:
    reading = reading_for(asked)
    if reading is None:
        return Reader()
    return casino.ask(lambda: _require_reader(casino, reading, asked, token, goes_on=goes_on))


def reading_of(what: str) -> Reading | None:
    """Who may read by this command, or None if everybody may; each report declares its own."""
    command, _, report = what.partition(" ")
    if command == "report":
        return REPORTS[report].read_by
    return READINGS[what] if what in READINGS else OF_A_GROUPS_HOME[what]


def reading_for(asked: Asked) -> Reading | None:
    """Who may read this, or None if everybody may: of an alert only who may learn of it."""
    reading = reading_of(asked.what)
    if reading is None or not asked.alert:
        return reading
    return replace(reading, roles=tuple(filter(of_alert(asked.alert).is_for, reading.roles)))


def _require_reader(
    casino: Casino, reading: Reading, asked: Asked, token: Token, *, goes_on: bool
) -> Reader:
    with casino.ledger.connection() as connection:
        login, own_login = connection.execute(_LOGIN).fetchone() or ("", False)
        try:
            own = Reader(login, own_login, role=_AUDITOR) if own_login else None
            reader = own or _staff(casino, connection, reading, asked, token)
            _require_auditors(reader, reading, asked)
        except Refusal as refusal:
            if isinstance(refusal, NotPermitted):
                _note(connection, _day(casino), token.staff, asked, refusal.error)
            raise
        if not goes_on:
            with _without_room(checked=reader.checked):
                _note(connection, _day(casino), reader.who, asked)
    return reader


@contextmanager
def _without_room(*, checked: bool) -> Iterator[None]:
    """On a full disk who reads in open house is not noted; nobody else reads. Raises NotFit."""
    import psycopg

    try:
        yield
    except psycopg.errors.DiskFull as error:
        if checked:
            raise NotFit(
                f"Nothing was read, because each reading is noted first, and {DISK_FULL}."
            ) from error


def _staff(
    casino: Casino,
    connection: "psycopg.Connection[Any]",
    reading: Reading,
    asked: Asked,
    token: Token,
) -> Reader:
    """The person signed on; in open house the staff number of the token, unchecked.

    If the settings are unreadable, the house is open unless the record shows that it was closed.
    """
    try:
        holder = Authority(casino, token).require_reading(reading, asked.act, asked.table)
    except UnreadableEvent:
        if has_happened(connection, "", [property_events.HouseClosed.TOPIC]):
            raise
        holder = None
    if holder is None:
        return Reader(token.staff, checked=False, role=None)
    return Reader(holder.staff, role=holder.role)


def _require_auditors(reader: Reader, reading: Reading, asked: Asked) -> None:
    """Refuses a login of its own what auditors may not read. Refuses: NotPermitted."""
    if reader.own_login and _AUDITOR not in reading.roles:
        why = Words("this database login has an auditor's rights")
        raise NotPermitted(who=reader.who, act=asked.act, why=why)


def _day(casino: Casino) -> date:
    """The gaming day now; by a new house's settings if those on record are unreadable."""
    casino.begin(Command())
    new = Property.establish(casino.asked)
    try:
        house = casino.find(Property, PROPERTY_STREAM, rely=False) or new
        return house.clock.day_of(casino.asked)
    except (UnreadableEvent, *SENSELESS):
        return new.clock.day_of(casino.asked)


def _note(
    connection: "psycopg.Connection[Any]",
    day: date,
    who: str,
    asked: Asked,
    refused: str | None = None,
) -> None:
    import psycopg
    from psycopg.types.json import Jsonb

    about = Jsonb({name: value for name, value in asked.about.items() if value})
    values = (day, who, place.here().machine, asked.what, asked.how, about, refused)
    try:
        connection.execute(_NOTE, values)
    except psycopg.errors.ConfigurationLimitExceeded as error:
        raise NotFit(f"Nothing was read: {one_line(error)}.") from error
