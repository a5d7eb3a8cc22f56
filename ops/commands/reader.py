"""Who reads: asked before anything is told, and put on record with what they asked for.

A login of the database that is not the application's, as an auditor has one, is who it is: it
reads as an auditor does, and signs on nowhere. Everybody else reads as they command, by the token
of their sign-on, or in open house as nobody in particular.
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
from domain.rules.wording import Words
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
    """The command that somebody reads with, how, and what it is narrowed to."""

    what: str
    how: How = "screen"
    about: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def table(self) -> str | None:
        """The one table that it is about, by its code or by the address of a shoe or a coup."""
        named = next(filter(None, map(self.about.get, ("coup", "shoe", "table"))), None)
        return named.partition("/")[0] if named else None


class Reader(Struct, frozen=True):
    """Who reads; `own_login`: a database login that is not the application's."""

    who: str = ""
    own_login: bool = False


def require_reader(database: Database, asked: Asked, token: Token) -> Reader:
    """Whoever asks, if they may; a line is on record either way, and one only.

    Refuses: NotSignedOn, NotPermitted. Raises: LedgerLost, NotFit.
    """
    reading = reading_of(asked.what)
    if reading is None:
        return Reader()
    casino = Casino(Ledger(database, "sabot_auditor"))
    with closing(casino):
        return casino.ask(lambda: _require_reader(casino, reading, asked, token))


def reading_of(what: str) -> Reading | None:
    """Who may read something, by its command; a report, printed or exported, says so itself."""
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
    """Who is signed on; in open house it is nobody's to prove.

    A house whose settings somebody altered is open if it was never closed.
    """
    try:
        holder = Authority(casino, token).require_reading(reading, asked.what, asked.table)
    except UnreadableEvent:
        if connection.execute(_CLOSED, (property_events.HouseClosed.TOPIC,)).fetchone():
            raise
        holder = None
    return Reader(holder.staff if holder else token.staff)


def _require_auditors(reader: Reader, reading: Reading, asked: Asked) -> None:
    """A login of its own reads what auditors read. Refuses: NotPermitted."""
    if reader.own_login and "auditor" not in reading.roles:
        why = Words("this database login has an auditor's rights")
        raise NotPermitted(who=reader.who, act=f"`{asked.what}`", why=why)


def _day(casino: Casino) -> date:
    """The gaming day that it is; by the settings of a new house, where those make no sense."""
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
