"""Who may read: checked before anything is shown, and put on record with what they asked for.

An auditor may have a database login of their own. Such a login reads what auditors may read, and
does not sign on. Everybody else reads with the token of their sign-on, or in open house without
a name.
"""

import platform
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.events import property as property_events
from domain.rules.permissions import READINGS, Reading
from domain.rules.refusals import SENSELESS, NotPermitted, Refusal
from ops.commands.authority import Authority, Token
from ops.commands.casino import Casino
from ops.commands.command import Command
from ops.ledger.database import Database, NotFit, one_line
from ops.ledger.reading import UnreadableEvent
from ops.ledger.recorder import Ledger
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

How = Literal["screen", "json", "csv", "pdf", "export"]
_NOTE = "SELECT ledger.note_reading(%s, %s, %s, %s, %s, %s, %s)"
_CLOSED = "SELECT FROM ledger.events WHERE topic = %s LIMIT 1"
_LOGIN = "SELECT session_user::text, NOT pg_has_role(session_user, 'sabot_app', 'MEMBER')"


class Asked(Struct, frozen=True):
    """A reading command: its name, its form of output, and what it is narrowed to."""

    what: str
    how: How = "screen"
    about: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def table(self) -> str | None:
        """The code of the one table that it reads, also out of a shoe's or coup's address."""
        named = next(filter(None, map(self.about.get, ("coup", "shoe", "table"))), None)
        return named.partition("/")[0] if named else None


class Reader(Struct, frozen=True):
    """Whoever reads. `own_login`: they use a database login that is not the application's."""

    who: str = ""
    own_login: bool = False


def require_reader(database: Database, asked: Asked, token: Token) -> Reader:
    """Whoever reads, if they may. Each call records one line, also when it refuses.

    Refuses: NotSignedOn, NotPermitted. Raises: LedgerLost, NotFit.
    """
    reading = reading_of(asked.what)
    if reading is None:
        return Reader()
    casino = Casino(Ledger(database, "sabot_auditor"))
    with closing(casino):
        return casino.ask(lambda: _require_reader(casino, reading, asked, token))


def reading_of(what: str) -> Reading | None:
    """Who may use a reading command; each report declares this itself. None: anybody."""
    command, _, report = what.partition(" ")
    return REPORTS[report].read_by if command == "report" else READINGS[what]


def _require_reader(casino: Casino, reading: Reading, asked: Asked, token: Token) -> Reader:
    with casino.ledger.connection() as connection:
        login, own_login = connection.execute(_LOGIN).fetchone() or ("", False)
        try:
            own = Reader(login, own_login) if own_login else None
            reader = own or _staff(casino, connection, reading, asked, token)
            _require_auditors(reader, reading, asked)
        except Refusal as refusal:
            who = token.staff if isinstance(refusal, NotPermitted) else ""
            _note(connection, _day(casino), who, asked, refusal.error)
            raise
        _note(connection, _day(casino), reader.who, asked)
    return reader


def _staff(
    casino: Casino,
    connection: "psycopg.Connection[Any]",
    reading: Reading,
    asked: Asked,
    token: Token,
) -> Reader:
    """Whoever is signed on, or in open house whoever the token names.

    A house whose settings were altered and cannot be read counts as open if it never closed.
    """
    try:
        holder = Authority(casino, token).require_reading(reading, asked.what, asked.table)
    except UnreadableEvent:
        if connection.execute(_CLOSED, (property_events.HouseClosed.TOPIC,)).fetchone():
            raise
        holder = None
    return Reader(holder.staff if holder else token.staff)


def _require_auditors(reader: Reader, reading: Reading, asked: Asked) -> None:
    """Refuses a database login of its own what auditors may not read: NotPermitted."""
    if reader.own_login and "auditor" not in reading.roles:
        why = "this database login reads as an auditor does"
        raise NotPermitted(who=reader.who, act=f"`{asked.what}`", why=why)


def _day(casino: Casino) -> date:
    """The current gaming day; by the default settings where the recorded ones are unreadable."""
    casino.begin(Command())
    new = Property.found(casino.asked)
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
    values = (day, who, platform.node(), asked.what, asked.how, about, refused)
    try:
        connection.execute(_NOTE, values)
    except psycopg.errors.ConfigurationLimitExceeded as error:
        raise NotFit(f"Nothing was read: {one_line(error)}.") from error
