"""Which PostgreSQL this is, how it is reached, whether it may be trusted with money.

Nothing configured: the embedded one, which makes and upgrades itself. `SABOT_DATABASE_URL`:
a real server, upgraded by `sabot db upgrade` only. Every connection works under one of the
roles that the schema made (`sabot_app`, `sabot_projector`, `sabot_auditor`), whoever logs in.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

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
STRICTER = {"synchronous_commit": ("remote_apply",)}  # as good, and more
ADVICE = {
    "fsync": "set fsync = on and restart the server: without it a power cut loses money",
    "full_page_writes": "set full_page_writes = on: without it a power cut tears pages",
    "synchronous_commit": "set synchronous_commit = on: the ledger loosens it where it may",
    "data_checksums": "stop the server and run pg_checksums --enable on its data directory",
    "server_encoding": "make the database again with ENCODING 'UTF8'",
    "client_encoding": "unset PGCLIENTENCODING: Sabot speaks UTF-8",
}
LOCK_NOT_AVAILABLE = "55P03"
_AUDITORS = (
    "This login is an auditor's: it reads reports, replays, cases, exports, the board and the pit, "
    "and records nothing. Commands and terminals take the application's login."
)
_ANALYSTS = (
    "This login is an analyst's: it reads the views of the schema analysis, in any SQL client, and "
    "`sabot db views` explains them. For reports have an administrator GRANT sabot_auditor to it."
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
    """The ledger cannot be reached: {why}. Ask again when it is back."""

    status = LOST

    def __init__(self, why: object) -> None:
        self.why = one_line(why)
        super().__init__((type(self).__doc__ or "").format(why=self.why))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.why,)


class OutcomeUnknown(LedgerLost):
    """The ledger cannot be reached: {why}. Nothing is known to be recorded; send again with the same id."""  # noqa: E501


class LedgerHeld(OutcomeUnknown):
    """Another process holds the ledger, and nothing was recorded. Send the command again; if that goes on, have the database's administrator end whoever holds it."""  # noqa: E501

    def __init__(self, why: object = "another process holds it") -> None:
        super().__init__(why)


class NotFit(Failure):
    """The database is there, and money must not be trusted to it as it is; says what to do."""

    status = LOST


class SchemaBehind(NotFit):
    """The schema is older than this program, or not there: an upgrade mends it."""


class RoleDenied(NotFit):
    """Whoever logs in may not work under the role."""


class Status(Struct, frozen=True):
    """What `sabot db status` shows; `advice` is empty when all is well.

    `unfit`: the part of it without which the ledger is not used.
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
    """One database: the remote one at `url`, the embedded one in `home`, or what is set."""

    def __init__(self, url: str | None = None, home: Embedded | None = None) -> None:
        surrounding = None if home else os.environ.get("SABOT_DATABASE_URL")
        self.given = url or surrounding or None
        self.embedded = None if self.given else home or Embedded()
        self.clock_off = timedelta(0)  # how far this machine's clock is ahead, when last asked

    @property
    def url(self) -> str:
        """Where it is; for the embedded server the superuser's address."""
        if self.embedded:
            return self.embedded.url(user="postgres", database="sabot")
        assert self.given is not None
        return self.given

    @property
    def begun(self) -> bool:
        """Whether there may be a ledger to look into; the embedded one is not made for it."""
        return self.embedded is None or self.embedded.begun

    def connect(self, role: Role | None, say: Say | None = None) -> "psycopg.Connection[Any]":
        """A connection under a role, in autocommit. Raises: LedgerLost, NotFit.

        The embedded server is started, and its schema upgraded, when need be.
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
        """A connection for as long as the block lasts. Raises: LedgerLost, also on the way."""
        import psycopg

        connection = self.connect(role, say)
        try:
            with connection:
                yield connection
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise LedgerLost(error) from error

    def _start(self, say: Say | None) -> None:
        """The embedded server runs; another one is not ours to start. Raises: LedgerLost."""
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
            told = conninfo_to_dict(self.url)
        except psycopg.ProgrammingError as error:
            raise NotFit(f"The database's address cannot be read: {one_line(error)}.") from error
        options = f"{told.get('options') or ''} {_SESSION}".strip()
        if role:
            options += f" -c role={role}"
        fixed = {"options": options, "client_encoding": "UTF8"}
        settings: dict[str, Any] = {**_CONNECTION, **told, **fixed}
        return psycopg.connect(**settings, autocommit=True)

    def _explained(self, error: Exception) -> Exception:
        if "permission denied to set role" in str(error):
            return RoleDenied(self._denied(error))
        if 'role "sabot_' in str(error) or 'parameter "role"' in str(error):
            return SchemaBehind("The database has no Sabot schema yet: run `sabot db upgrade`.")
        if self.embedded and 'database "sabot" does not exist' in str(error):
            return SchemaBehind("The database is not made yet.")
        return LedgerLost(error)

    def _denied(self, error: Exception) -> str:
        """What a login may do that may not do this, and who has to be asked for more."""
        with self.connect_as_is() as connection:
            found = connection.execute(
                "SELECT bool_or(rolname = 'sabot_auditor'), bool_or(rolname = 'sabot_analyst') "
                "FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')"
            ).fetchone()
        audits, analyses = found or (False, False)
        if audits:
            return _AUDITORS
        if analyses:
            return _ANALYSTS
        return (
            f"This login may not work for Sabot: {one_line(error)}. Have an administrator "
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
            raise kind("The database is not fit for the ledger: " + "; ".join(advice) + ".")

    def upgrade(self, say: Say | None = None) -> str:
        """Walks the schema to its newest version, under a lock; answers which that is.

        Raises: LedgerLost, and NotFit when the login may not do it.
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
        """How it stands; the embedded one is started for it. Raises: LedgerLost."""
        if self.embedded:
            with suppress(NotFit):  # which the advice below tells
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
        """Whether whoever logs in owns the ledger's schema. Raises RoleDenied, LedgerLost."""
        with self.connect_as_is() as connection:
            row = connection.execute(
                "SELECT pg_has_role(current_user, 'sabot_owner', 'MEMBER')"
            ).fetchone()
        if row != (True,):
            raise RoleDenied("This login does not own the ledger: only its administrator may.")

    def superuser_from_afar(self) -> bool:
        """Whether whoever logs in is a superuser of a server that is reached over a network.

        The embedded one never is: it listens on no network, and its superuser is whoever has the
        account. Raises LedgerLost.
        """
        with self.connect_as_is() as connection:
            row = connection.execute(
                "SELECT inet_server_addr() IS NOT NULL AND rolsuper "
                "FROM pg_roles WHERE rolname = session_user"
            ).fetchone()
        return row == (True,)

    def connect_as_is(self) -> "psycopg.Connection[Any]":
        """A connection as whoever logs in, for the database's own chores. Raises: LedgerLost."""
        import psycopg

        try:
            return self._open(None)
        except psycopg.OperationalError as error:
            raise LedgerLost(error) from error


def one_line(error: object) -> str:
    """What went wrong; of an error that the server told, its words and not where it was."""
    if isinstance(error, LedgerLost):
        return error.why
    if getattr(error, "sqlstate", None) == LOCK_NOT_AVAILABLE:
        return "another process holds a lock that is needed, and did not let it go"
    told = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    return " ".join(told.split()).rstrip(".?")


def machine_clock() -> datetime:
    """When it is by this machine, whatever clock a command is given."""
    return datetime.now(UTC)


def clock_off(asked: datetime, server: datetime, heard: datetime) -> timedelta:
    """How far this machine's clock is ahead, at the least, of a server asked and heard then."""
    if server < asked:
        return asked - server
    return min(heard - server, timedelta(0))


def _read(
    connection: "psycopg.Connection[Any]",
) -> tuple[str | None, dict[str, str], timedelta]:
    """The schema's version, the settings, and how far this machine's clock is ahead."""
    import psycopg

    names = list(REQUIRED_SETTINGS)
    asked = ", ".join(f"current_setting('{name}')" for name in names)
    begun = machine_clock()
    row = None
    with suppress(psycopg.errors.UndefinedTable):
        row = connection.execute(
            f"SELECT version_num, clock_timestamp(), {asked} FROM public.schema_version"  # noqa: S608
        ).fetchone()
    if row is None:
        begun = machine_clock()
        row = connection.execute(f"SELECT NULL, clock_timestamp(), {asked}").fetchone()
    assert row is not None
    version, server, *settings = row
    off = clock_off(begun, server, machine_clock())
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
        return [*wrong, f"its schema is {version or 'not there'}: run `sabot db upgrade`"]
    return [*wrong, f"its schema is {version}, made by a newer Sabot: upgrade this program"]


def _behind(version: str | None) -> bool:
    return version is None or version < head()


def _require_no_database_functions() -> None:
    """A setting of the library's. Refuses: NotFit, whatever it is set to but no."""
    said = os.environ.get("POSTGRES_ENABLE_DB_FUNCTIONS", "")
    if said.strip().lower() not in ("", "n", "no", "f", "false", "off", "0"):
        raise NotFit(
            f"POSTGRES_ENABLE_DB_FUNCTIONS is {said!r}, which loses events for their readers: "
            "unset it and start again."
        )


def _make_database(maintenance_url: str) -> None:
    import psycopg

    with (
        psycopg.connect(maintenance_url, autocommit=True) as connection,
        suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation),
    ):
        if not connection.execute("SELECT FROM pg_database WHERE datname = 'sabot'").rowcount:
            connection.execute("CREATE DATABASE sabot ENCODING 'UTF8' TEMPLATE template0")


# Of the walk's own table, which only who upgrades may lock: an advisory lock is anybody's. Others
# upgrade for a minute at most, and whoever reads is not waited for as long as they like.
_ONE_AT_A_TIME = """
    SET LOCAL lock_timeout = '60s';
    LOCK TABLE public.schema_version IN SHARE UPDATE EXCLUSIVE MODE;
    SET LOCAL lock_timeout = '5s';
"""


def _walk(url: str) -> None:
    import psycopg

    from ops.ledger.schema.declared import declare  # and with it all projections

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
                        f"The schema cannot be upgraded: it is {version}. A newer Sabot made it: "
                        "upgrade this program."
                    )
                walk(connection, version)
                declare(connection)
                tighten(connection)
    except psycopg.OperationalError as error:
        raise LedgerLost(error) from error
    except psycopg.Error as error:
        raise NotFit(
            "The schema cannot be upgraded by this login: "
            f"{one_line(error)}. "
            "Log in as one that may create schemas and roles."
        ) from error
