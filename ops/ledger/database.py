"""The PostgreSQL in use: how to connect to it, and whether its settings are safe for money.

Without configuration it is the embedded one, which is made and upgraded when needed.
`SABOT_DATABASE_URL` names another server, which only `sabot db upgrade` upgrades. Every connection
uses one of the roles that the schema made (`sabot_app`, `sabot_projector`, `sabot_auditor`),
whatever login it has.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from msgspec import Struct

from domain.rules.wording import N_, Words
from ops.ledger.embedded import Embedded, EmbeddedError
from ops.ledger.privileges import loose, tighten
from ops.ledger.schema import ensure_version, head, walk
from ops.words.failure import LOST, Failure

if TYPE_CHECKING:
    import psycopg

Role = Literal["sabot_app", "sabot_projector", "sabot_auditor"]
Say = Callable[[str], None]

REQUIRED_SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "data_checksums": "on",
    "server_encoding": "UTF8",
    "client_encoding": "UTF8",
}
STRICTER = {"synchronous_commit": ("remote_apply",)}  # also accepted
ADVICE = {
    "fsync": "set fsync = on and restart the server, or a power cut loses events",
    "full_page_writes": "set full_page_writes = on, or a power cut damages the database",
    "synchronous_commit": "set synchronous_commit = on; Sabot relaxes it where that is safe",
    "data_checksums": "stop the server and run pg_checksums --enable on its data directory",
    "server_encoding": "make a new database with ENCODING 'UTF8'",
    "client_encoding": "unset PGCLIENTENCODING; Sabot uses UTF-8",
}
LOCK_NOT_AVAILABLE = "55P03"
_AUDITORS = (
    "This is an auditor's login, which can only read: reports, replays, cases, exports, the board "
    "and the pit. For commands and terminals use the application's login."
)
_ANALYSTS = (
    "This is an analyst's login, which can only read the views of the schema analysis, with an SQL "
    "client (`sabot db views` explains them). For reports, have an administrator GRANT "
    "sabot_auditor to it."
)
_SESSION = (
    "-c search_path=projections -c jit=off -c timezone=UTC -c default_transaction_read_only=off "
    r"-c lock_timeout=30s -c default_transaction_isolation=read\ committed"
)
_CONNECTION = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "sabot",
}


class LedgerLost(Failure):
    """The ledger cannot be reached, or the connection broke; `why` says what happened."""

    status = LOST
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

    message = N_(
        "Another process has locked the ledger, and nothing was recorded. Send the command again; "
        "if it happens again, have the database's administrator end that process."
    )

    def __init__(self, why: object = "another process has locked it") -> None:
        super().__init__(why)


class NotFit(Failure):
    """The database answers, but is not safe for the ledger; the message says what to do."""

    status = LOST


class SchemaBehind(NotFit):
    """The schema is older than this program, or missing: an upgrade solves it."""


class RoleDenied(NotFit):
    """The login may not use the role."""


class Status(Struct, frozen=True):
    """What `sabot db status` shows; `advice` is empty if all is well.

    `unfit`: the advice that must be followed before the ledger can be used.
    """

    url: str | None
    embedded: bool
    server: str
    schema: str | None
    settings: dict[str, str]
    advice: list[str]
    unfit: list[str]

    @property
    def ok(self) -> bool:
        """Whether the ledger may be used."""
        return not self.unfit


class Database:
    """One database: the server at `url`, the embedded one in `home`, or the configured one."""

    def __init__(self, url: str | None = None, home: Embedded | None = None) -> None:
        configured = None if home else os.environ.get("SABOT_DATABASE_URL")
        self.given = url or configured or None
        self.embedded = None if self.given else home or Embedded()
        self.clock_off = timedelta(0)  # how far this machine's clock was ahead at the last check

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

    def connect(self, role: Role | None, say: Say | None = None) -> "psycopg.Connection[Any]":
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
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise LedgerLost(error) from error

    def _start(self, say: Say | None) -> None:
        """Starts the embedded server; another one is not Sabot's to start. Raises: LedgerLost."""
        if self.embedded:
            try:
                self.embedded.ensure_running(say)
            except EmbeddedError as error:
                raise LedgerLost(error) from error

    def _ready(self, role: Role | None) -> "psycopg.Connection[Any]":
        import psycopg

        try:
            connection = self._open(role)
            self._require_fit(connection)
        except psycopg.OperationalError as error:
            raise self._explained(error) from error
        return connection

    def _open(self, role: Role | None) -> "psycopg.Connection[Any]":
        import psycopg
        from psycopg.conninfo import conninfo_to_dict

        try:
            address = conninfo_to_dict(self.url)
        except psycopg.ProgrammingError as error:
            raise NotFit(
                f"The database's address cannot be read: {one_line(error)}. Write it as in "
                "postgresql://login@server/database."
            ) from error
        options = f"{address.get('options') or ''} {_SESSION}".strip()
        if role:
            options += f" -c role={role}"
        fixed = {"options": options, "client_encoding": "UTF8"}
        settings: dict[str, Any] = {**_CONNECTION, **address, **fixed}
        return psycopg.connect(**settings, autocommit=True)

    def _explained(self, error: Exception) -> Exception:
        """A failed connection's error, as one that says what to do."""
        if "permission denied to set role" in str(error):
            return RoleDenied(self._denied(error))
        if 'role "sabot_' in str(error) or 'parameter "role"' in str(error):
            return SchemaBehind("The database has no Sabot schema yet: run `sabot db upgrade`.")
        if self.embedded and 'database "sabot" does not exist' in str(error):
            return SchemaBehind("The database does not exist yet: run `sabot db upgrade`.")
        return LedgerLost(error)

    def _denied(self, error: Exception) -> str:
        """What the login may do instead, or how to let it do more."""
        with self.connect_as_is() as connection:
            row = connection.execute(
                "SELECT bool_or(rolname = 'sabot_auditor'), bool_or(rolname = 'sabot_analyst') "
                "FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')"
            ).fetchone()
        audits, analyses = row or (False, False)
        if audits:
            return _AUDITORS
        if analyses:
            return _ANALYSTS
        return (
            f"This login may not use Sabot: {one_line(error)}. Have an administrator "
            "GRANT sabot_app, sabot_projector, sabot_auditor to it."
        )

    def _require_fit(self, connection: "psycopg.Connection[Any]") -> None:
        try:
            version, settings, self.clock_off = _read(connection)
        except Exception:
            connection.close()
            raise
        advice = _advice(version, settings)
        if advice:
            connection.close()
            kind = SchemaBehind if _behind(version) else NotFit
            raise kind("The database is not safe for the ledger: " + "; ".join(advice) + ".")

    def upgrade(self, say: Say | None = None) -> str:
        """Upgrades the schema to its newest version, which is returned, under a lock.

        Raises: LedgerLost; NotFit when the login may not do it.
        """
        if say:
            say("Upgrading the ledger's schema …")
        self._start(say)
        if self.embedded:
            _make_database(self.embedded.url(user="postgres", database="postgres"))
        with self.connect_as_is() as connection:
            _, settings, _ = _read(connection)
            if settings["server_encoding"] != "UTF8":
                raise NotFit(f"The database cannot be upgraded: {ADVICE['server_encoding']}.")
        _walk(self.url)
        return head()

    def status(self) -> Status:
        """The state of the database; starts the embedded one. Raises: LedgerLost."""
        if self.embedded:
            with suppress(NotFit):  # the advice below says the same
                self.connect("sabot_app").close()
        with self.connect_as_is() as connection:
            version, settings, self.clock_off = _read(connection)
            unfit = _advice(version, settings)
            return Status(
                url=self.url if self.embedded else None,
                embedded=self.embedded is not None,
                server=connection.info.parameter_status("server_version") or "",
                schema="head" if version == head() else version,
                settings=settings,
                advice=[*unfit, *(loose(connection) if version == head() else ())],
                unfit=unfit,
            )

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

    def connect_as_is(self) -> "psycopg.Connection[Any]":
        """A connection with the login's own rights, for upgrades and checks. Raises: LedgerLost."""
        import psycopg

        try:
            return self._open(None)
        except psycopg.OperationalError as error:
            raise LedgerLost(error) from error


def one_line(error: object) -> str:
    """An error's message on one line, without a full stop; of a server's error, no details."""
    if isinstance(error, LedgerLost):
        return error.why
    if getattr(error, "sqlstate", None) == LOCK_NOT_AVAILABLE:
        return "another process holds a lock that is needed"
    message = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    return " ".join(message.split()).rstrip(".?")


def machine_clock() -> datetime:
    """This machine's time, whatever clock a command is given."""
    return datetime.now(UTC)


def clock_off(asked: datetime, server: datetime, answered: datetime) -> timedelta:
    """How far this machine's clock is ahead of the server's, at least; negative: behind.

    `asked` and `answered`: this machine's time before and after the server's time was read.
    """
    if server < asked:
        return asked - server
    return min(answered - server, timedelta(0))


def _read(
    connection: "psycopg.Connection[Any]",
) -> tuple[str | None, dict[str, str], timedelta]:
    """The schema's version, the settings, and how far this machine's clock is ahead."""
    import psycopg

    names = list(REQUIRED_SETTINGS)
    columns = ", ".join(f"current_setting('{name}')" for name in names)
    asked = machine_clock()
    row = None
    with suppress(psycopg.errors.UndefinedTable):
        row = connection.execute(
            f"SELECT version_num, clock_timestamp(), {columns} FROM public.schema_version"  # noqa: S608
        ).fetchone()
    if row is None:
        asked = machine_clock()
        row = connection.execute(f"SELECT NULL, clock_timestamp(), {columns}").fetchone()
    assert row is not None
    version, server, *settings = row
    off = clock_off(asked, server, machine_clock())
    return version, dict(zip(names, settings, strict=True)), off


def _advice(version: str | None, settings: dict[str, str]) -> list[str]:
    wrong = [
        f"{name} is {settings[name]}: {ADVICE[name]}"
        for name, wanted in REQUIRED_SETTINGS.items()
        if settings[name] not in (wanted, *STRICTER.get(name, ()))
    ]
    if version == head():
        return wrong
    if _behind(version):
        return [*wrong, f"its schema is {version or 'missing'}: run `sabot db upgrade`"]
    return [*wrong, f"its schema is {version}, made by a newer Sabot, so upgrade this program"]


def _behind(version: str | None) -> bool:
    return version is None or version < head()


def _require_no_database_functions() -> None:
    """Requires that no setting of the library hides events from their readers. Raises NotFit."""
    value = os.environ.get("POSTGRES_ENABLE_DB_FUNCTIONS", "")
    if value.strip().lower() not in ("", "n", "no", "f", "false", "off", "0"):
        raise NotFit(
            f"POSTGRES_ENABLE_DB_FUNCTIONS is {value!r}, which hides events from their readers. "
            "Unset it and start again."
        )


def _make_database(maintenance_url: str) -> None:
    import psycopg

    with (
        psycopg.connect(maintenance_url, autocommit=True) as connection,
        suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation),
    ):
        if not connection.execute("SELECT FROM pg_database WHERE datname = 'sabot'").rowcount:
            connection.execute("CREATE DATABASE sabot ENCODING 'UTF8' TEMPLATE template0")


# A lock of the upgrade's own table, because any login may take an advisory lock. It waits up to a
# minute for another upgrade, and after that only 5 s for readers.
_ONE_AT_A_TIME = """
    SET LOCAL lock_timeout = '60s';
    LOCK TABLE public.schema_version IN SHARE UPDATE EXCLUSIVE MODE;
    SET LOCAL lock_timeout = '5s';
"""


def _walk(url: str) -> None:
    import psycopg

    from ops.ledger.schema.declared import declare  # imports all projections

    try:
        with psycopg.connect(
            url, connect_timeout=5, client_encoding="UTF8", autocommit=True
        ) as connection:
            ensure_version(connection)
            with connection.transaction():
                connection.execute(_ONE_AT_A_TIME)
                row = connection.execute("SELECT version_num FROM public.schema_version").fetchone()
                version = row[0] if row else None
                if not (_behind(version) or version == head()):
                    raise NotFit(
                        f"The schema cannot be upgraded: it is {version}, made by a newer Sabot. "
                        "Upgrade this program."
                    )
                walk(connection, version)
                declare(connection)
                tighten(connection)
    except psycopg.OperationalError as error:
        raise LedgerLost(error) from error
    except psycopg.Error as error:
        raise NotFit(
            f"This login cannot upgrade the schema: {one_line(error)}. Use a login that may create "
            "schemas and roles."
        ) from error
