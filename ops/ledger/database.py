"""The PostgreSQL in use: how to connect to it, and whether its settings are safe for money.

Without configuration it is the embedded one, which is made and upgraded when needed.
`SABOT_DATABASE_URL` names another server, which only `sabot db upgrade` upgrades. Every connection
uses one of the roles that the schema made (`sabot_app`, `sabot_projector`, `sabot_auditor`),
whatever login it has.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from domain.rules.wording import N_, Words
from ops.ledger.connection import (
    FROM_POOLERS,
    OVERRIDDEN,
    SHARED,
    begin,
    closed_if_wrong,
    first_opened,
    opened,
)
from ops.ledger.embedded import Embedded, EmbeddedError
from ops.ledger.embedded.follower import ensure_followed
from ops.ledger.fit import ADVICE, NotUpgraded, Status, advice_on, compared, read
from ops.ledger.privileges import instead
from ops.ledger.schema import head
from ops.ledger.standby import is_standby, only_reads, replayed_at, where_it_leads
from ops.words.failure import LOST, Failure, Unconfirmed

if TYPE_CHECKING:
    import psycopg

    from ops.ledger.confirmed import Connection
    from ops.ledger.held import Sessions

Role = Literal["sabot_app", "sabot_projector", "sabot_auditor"]
Say = Callable[[str], None]

LOCK_NOT_AVAILABLE = "55P03"


class LedgerLost(Failure):
    """The ledger cannot be reached, or the connection broke; `why` says what happened."""

    status = LOST
    may_be_recorded: ClassVar[bool] = True  # what was sent when it happened
    message: ClassVar[str] = N_("The ledger cannot be reached: {why}. Try again when it is back.")

    def __init__(self, why: object) -> None:
        self.why = one_line(why)
        super().__init__(Words(self.message, why=self.why))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.why,)


class OutcomeUnknown(LedgerLost):
    """The connection broke during a command, which may be recorded or not."""

    message = N_(
        "The ledger cannot be reached: {why}. The command may be recorded or not: send it again "
        "with the same id."
    )


class LedgerHeld(OutcomeUnknown):
    """Another process has locked the ledger; nothing was recorded."""

    may_be_recorded = False
    message = N_(
        "Another process has locked the ledger, and nothing was recorded. Send the command again; "
        "if it happens again, have the database's administrator end that process."
    )

    def __init__(self, why: object = "another process has locked it") -> None:
        super().__init__(why)


class OnStandby(LedgerLost):
    """The database is a standby or a copy: one can only read; `why` says where the leader is."""

    may_be_recorded = False
    message = N_("Nothing was recorded: {why}. Give commands at the leader.")


class NewestMissing(LedgerLost):
    """The record was restored and lacks what this terminal had acknowledged; `why` says it."""

    may_be_recorded = False
    message = N_("{why}")


class NotFit(Failure):
    """The database answers, but is not safe for the ledger; the message says what to do."""

    status = LOST


class SchemaBehind(NotFit):
    """The schema is older than this program, or missing: an upgrade solves it."""


class SchemaMissing(SchemaBehind):
    """There is no schema yet, or no database for it."""


class SchemaOfOthers(NotFit):
    """Another program made the schema under this version's name; no upgrade solves it."""


class RoleDenied(NotFit):
    """The login may not use the role."""


class Database:
    """One database: the server at `url`, the embedded one in `home`, or the configured one."""

    sessions: "Sessions | None" = None  # that are held, where many ask again and again

    def __init__(self, url: str | None = None, home: Embedded | None = None) -> None:
        configured = None if home else os.environ.get("SABOT_DATABASE_URL")
        self.given = url or configured or None
        self.embedded = None if self.given else home or Embedded()
        self.clock_off = timedelta(0)  # how far this machine's clock was ahead at the last check
        self.only_reads = ""  # why nothing could be recorded here, at the last check
        self._pooled: bool | None = None  # by a pooler that shares none; None: not known yet

    @property
    def url(self) -> str:
        """The address to connect to; for the embedded server the superuser's."""
        if self.embedded:
            return self.embedded.url(user="postgres", database="sabot")
        assert self.given is not None
        return self.given

    @property
    def begun(self) -> bool:
        """Whether there may be a ledger to read; does not make the embedded one."""
        return self.embedded is None or self.embedded.begun

    def connect(self, role: Role | None, say: Say | None = None) -> "Connection":
        """A connection under a role, in autocommit. Raises: LedgerLost, NotFit.

        The embedded server is started, and its schema upgraded, if necessary.
        """
        _require_no_database_functions()
        self._start(say)
        try:
            return self._ready(role)
        except SchemaBehind:
            if not self.embedded:
                raise
            self.upgrade(say)
            return self._ready(role)

    @contextmanager
    def session(self, role: Role, say: Say | None = None) -> Iterator["psycopg.Connection[Any]"]:
        """A connection for as long as the block lasts. Raises: LedgerLost, also if it breaks."""
        import psycopg

        connection = self.connect(role, say)
        try:
            with connection:
                yield connection
        except psycopg.errors.ReadOnlySqlTransaction as error:
            raise OnStandby(self.only_reads or error) from error
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise LedgerLost(error) from error

    def _start(self, say: Say | None) -> None:
        """Starts the embedded server; another one is not Sabot's to start. Raises: LedgerLost."""
        if self.embedded:
            try:
                self.embedded.ensure_running(say)
                ensure_followed(self.embedded.mark.path.parent)
            except EmbeddedError as error:
                raise LedgerLost(error) from error

    def _ready(self, role: Role | None) -> "Connection":
        import psycopg

        try:
            connection = self._open(role)
            with closed_if_wrong(connection):
                self._require_fit(connection)
        except psycopg.Error as error:
            raise self._explained(error) from error
        return connection

    def _open(self, role: Role | None) -> "Connection":
        """Raises psycopg.Error; NotFit for an address or a pooler that cannot be used."""
        import psycopg
        from psycopg.conninfo import conninfo_to_dict

        try:
            address = conninfo_to_dict(self.url)
        except psycopg.ProgrammingError as error:
            raise NotFit(
                f"The database's address cannot be read: {one_line(error)}. Write it as in "
                "postgresql://login@server/database."
            ) from error
        if self.sessions and (held := self.sessions.take(address)):
            with suppress(psycopg.OperationalError):  # it ended meanwhile
                return self._begun(held, role)
        if self._pooled is not None:
            connection = opened(address)
        elif first := first_opened(address):
            connection, self._pooled = first
        else:
            raise NotFit(SHARED)
        if self.sessions and not self._pooled:
            connection = self.sessions.lent(connection, address)
        return self._begun(connection, role)

    def _begun(self, connection: "Connection", role: Role | None) -> "Connection":
        with closed_if_wrong(connection):
            if wrong := begin(connection, role):
                raise NotFit(OVERRIDDEN.format(what="; ".join(wrong)))
        return connection

    def _explained(self, error: Exception) -> Exception:
        """A failed connection's error, as one that says what to do."""
        import psycopg

        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return RoleDenied(self._denied(error))
        if isinstance(error, psycopg.errors.InvalidParameterValue):  # there is no such role
            return SchemaMissing("The database has no Sabot schema yet: run `sabot db upgrade`.")
        if self.embedded and 'database "sabot" does not exist' in str(error):
            return SchemaMissing("The database does not exist yet: run `sabot db upgrade`.")
        for words, advice in FROM_POOLERS.items():
            if words in str(error):
                return NotFit(f"The database cannot be used: {one_line(error)}. {advice}")
        return LedgerLost(error)

    def _denied(self, error: Exception) -> str:
        """What the login may do instead, or how to let it do more."""
        with self.connect_as_is() as connection:
            return instead(connection) or (
                f"This login may not use Sabot: {one_line(error)}. Have an administrator "
                "GRANT sabot_app, sabot_projector, sabot_auditor to it."
            )

    def _require_fit(self, connection: "psycopg.Connection[Any]") -> None:
        made, settings, self.clock_off = read(connection)
        self.only_reads = only_reads(connection)
        if advice := advice_on(made, settings):
            older = SchemaBehind if made.version else SchemaMissing
            kind = SchemaOfOthers if made.other else older if made.behind else NotFit
            raise kind("The database is not safe for the ledger: " + "; ".join(advice) + ".")

    def upgrade(self, say: Say | None = None) -> str:
        """Upgrades the schema to its newest version, which is returned, under a lock.

        Raises: LedgerLost; NotFit when the login may not do it.
        """
        from ops.ledger.upgrading import make_database, upgrade

        if say:
            say("Upgrading the ledger's schema …")
        self._start(say)
        if self.embedded:
            make_database(self.embedded.url(user="postgres", database="postgres"))
        with self.connect_as_is() as connection:
            if is_standby(connection):
                raise OnStandby(where_it_leads(connection))
            _, settings, _ = read(connection)
            if settings["server_encoding"] != "UTF8":
                raise NotFit(f"The database cannot be upgraded: {ADVICE['server_encoding']}.")
            with _in_words():
                upgrade(connection)
        return head()

    @contextmanager
    def for_upgrade(self, say: Say | None = None) -> "Iterator[Connection]":
        """A connection with the login's own rights. Raises NotFit or LedgerLost, in words."""
        self._start(say)
        with self.connect_as_is() as connection, _in_words():
            yield connection

    def status(self) -> Status:
        """The state of the database; starts the embedded one. Raises: LedgerLost.

        An older schema stays as it is: who looks before an upgrade has not decided it.
        """
        if self.embedded:
            self._start(None)
            with suppress(NotFit):  # the advice below says the same
                try:
                    self._ready("sabot_app").close()
                except SchemaMissing:
                    self.upgrade()
        with self.connect_as_is() as connection:
            made, settings, self.clock_off = read(connection)
            away: list[str] = []
            unfit = advice_on(made, settings) or (away := self._unconfirmed())
            differing, wrong, advice = compared(connection, made)
            unfit += wrong
            why = only_reads(connection)
            return Status(
                url=self.url if self.embedded else None,
                embedded=self.embedded is not None,
                server=connection.info.parameter_status("server_version") or "",
                schema="head" if made.version == head() else made.version,
                settings=settings,
                advice=[*unfit, *advice],
                unfit=unfit,
                differences=differing,
                only_reads=why,
                replayed_at=replayed_at(connection) if why else None,
                standby_away=bool(away),
            )

    def _unconfirmed(self) -> list[str]:
        """Why nothing can be recorded safely, if the synchronous standby does not answer."""
        try:
            with suppress(NotFit), closing(self._ready("sabot_auditor")) as connection:
                connection.execute("SELECT ledger.flush()")
        except Unconfirmed as error:
            return [str(error)]
        return []

    def require_owner(self) -> None:
        """Requires a login that owns the ledger's schema. Raises RoleDenied, LedgerLost."""
        with self.connect_as_is() as connection:
            row = connection.execute(
                "SELECT pg_has_role(current_user, 'sabot_owner', 'MEMBER')"
            ).fetchone()
        if row != (True,):
            raise RoleDenied(
                "This login does not own the ledger. Use the login with which the database's "
                "administrator runs `sabot db upgrade`."
            )

    def superuser_from_afar(self) -> bool:
        """Whether the login is a superuser on a server that is reached over a network.

        Never for the embedded server: it listens on no network, and whoever has the account is its
        superuser. Raises LedgerLost.
        """
        with self.connect_as_is() as connection:
            row = connection.execute(
                "SELECT inet_server_addr() IS NOT NULL AND rolsuper "
                "FROM pg_roles WHERE rolname = session_user"
            ).fetchone()
        return row == (True,)

    def connect_as_is(self) -> "Connection":
        """A connection with the login's own rights, for upgrades and checks. Raises: LedgerLost."""
        import psycopg

        try:
            return self._open(None)
        except psycopg.Error as error:
            raise self._explained(error) from error


def one_line(error: object) -> str:
    """An error's message on one line, without a full stop; of a server's error, no details."""
    if isinstance(error, LedgerLost):
        return error.why
    if getattr(error, "sqlstate", None) == LOCK_NOT_AVAILABLE:
        return "another process holds a lock that is needed"
    message = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    return " ".join(message.split()).rstrip(".?")


def _require_no_database_functions() -> None:
    """Requires that no setting of the library hides events from their readers. Raises NotFit."""
    value = os.environ.get("POSTGRES_ENABLE_DB_FUNCTIONS", "")
    if value.strip().lower() not in ("", "n", "no", "f", "false", "off", "0"):
        raise NotFit(
            f"POSTGRES_ENABLE_DB_FUNCTIONS is {value!r}, which hides events from their readers. "
            "Unset it and start again."
        )


@contextmanager
def _in_words() -> Iterator[None]:
    """Raises NotFit or LedgerLost, in words, for an upgrade that fails."""
    import psycopg

    try:
        yield
    except NotUpgraded as error:
        raise NotFit(str(error)) from error
    except psycopg.OperationalError as error:
        raise LedgerLost(error) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise NotFit(
            f"This login cannot upgrade the schema: {one_line(error)}. `sabot db upgrade "
            "--dry-run` names the rights that it lacks."
        ) from error
    except psycopg.Error as error:
        raise NotFit(
            f"The schema cannot be upgraded, and is as it was: {one_line(error)}."
        ) from error
