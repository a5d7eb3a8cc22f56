"""Whether a database's settings and its schema's version are fit for money; what to do if not."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.ledger.privileges import loose
from ops.ledger.schema import digests, head, released, tables_made
from ops.ledger.schema.inventory import Difference, differences

if TYPE_CHECKING:
    import psycopg

REQUIRED_SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "data_checksums": "on",
    "ignore_checksum_failure": "off",
    "zero_damaged_pages": "off",
    "session_replication_role": "origin",
    "server_encoding": "UTF8",
    "client_encoding": "UTF8",
}
STRICTER = {"synchronous_commit": ("remote_apply",)}  # also accepted
_OF_LOGIN = "ask a superuser to reset it, for the database, the login and the server"
ADVICE = {
    "fsync": "set fsync = on and restart the server, or a power cut loses events",
    "full_page_writes": "set full_page_writes = on, or a power cut damages the database",
    "synchronous_commit": "set synchronous_commit = on; Sabot relaxes it where that is safe",
    "data_checksums": "stop the server and run pg_checksums --enable on its data directory",
    "ignore_checksum_failure": f"damaged pages would be read as good: {_OF_LOGIN}",
    "zero_damaged_pages": f"damaged pages would be read as empty: {_OF_LOGIN}",
    "session_replication_role": f"triggers would not run: {_OF_LOGIN}",
    "server_encoding": "make a new database with ENCODING 'UTF8'",
    "client_encoding": "unset PGCLIENTENCODING; Sabot uses UTF-8",
}


_MADE = "jsonb_object_agg(version_num, to_jsonb(v))"  # whatever columns an older one has


class NotUpgraded(Exception):
    """Why the schema cannot be upgraded, and what to do."""


class Made(Struct, frozen=True):
    """The versions of the schema that were made in a database, each with what is noted of it."""

    rows: Mapping[str, Mapping[str, str]]

    @property
    def version(self) -> str | None:
        """The newest, or None: there is no schema yet."""
        return max(self.rows, default=None)

    @property
    def known(self) -> Collection[str]:
        """The versions that this program knows."""
        return digests().keys()

    @property
    def behind(self) -> bool:
        """Whether an upgrade of the schema is needed."""
        return self.version is None or self.version < head()

    @property
    def serves(self) -> bool:
        """Whether this program may work with it; a newer version says from which program on."""
        version = self.version or ""
        return version <= head() or self.rows[version].get("serves", version) <= head()

    @property
    def other(self) -> str | None:
        """The first version that was made from other files than this program has, or None."""
        ours = digests()
        return next(
            (
                version
                for version, noted in sorted(self.rows.items())
                if version in ours and noted.get("digest") != ours[version]
            ),
            None,
        )


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
    differences: list[Difference]
    only_reads: str  # on a standby or a copy: that it is one, and where its leader is
    replayed_at: datetime | None  # on a standby: when its newest commit was made at the leader
    standby_away: bool  # the synchronous standby does not answer; one can read

    @property
    def ok(self) -> bool:
        """Whether the ledger may be used."""
        return not self.unfit


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


def read(connection: "psycopg.Connection[Any]") -> tuple[Made, dict[str, str], timedelta]:
    """The schema's versions, the settings, and how far this machine's clock is ahead."""
    import psycopg

    names = list(REQUIRED_SETTINGS)
    columns = ", ".join(f"current_setting('{name}')" for name in names)
    asked = machine_clock()
    row = None
    with suppress(psycopg.errors.UndefinedTable):
        row = connection.execute(
            f"SELECT {_MADE}, clock_timestamp(), {columns} FROM public.schema_version v"  # noqa: S608
        ).fetchone()
    if row is None:
        asked = machine_clock()
        row = connection.execute(f"SELECT NULL, clock_timestamp(), {columns}").fetchone()
    assert row is not None
    made, server, *settings = row
    off = clock_off(asked, server, machine_clock())
    return Made(made or {}), dict(zip(names, settings, strict=True)), off


def advice_on(made: Made, settings: dict[str, str]) -> list[str]:
    """What must be done before the ledger can be used; empty if it can."""
    wrong = [
        f"{name} is {settings[name]}: {ADVICE[name]}"
        for name, wanted in REQUIRED_SETTINGS.items()
        if settings[name] not in (wanted, *STRICTER.get(name, ()))
    ]
    if made.other:
        return [*wrong, of_others(made)]
    if made.behind:
        return [*wrong, f"its schema is {made.version or 'missing'}: run `sabot db upgrade`"]
    return wrong if made.serves else [*wrong, newer(made)]


DISK_FULL = "the disk of the database is full; free space there"


def compared(
    connection: "psycopg.Connection[Any]", made: Made
) -> tuple[list[Difference], list[str], list[str]]:
    """What is not as the upgrade made it; what of it is unfit, and what only advice."""
    import psycopg

    if made.other or made.version != head():
        return [], [], []
    try:
        frozen = released().get(head(), {}).get("objects")
        every = [*differences(connection, frozen), *tables_made.differences(connection)]
        advice = loose(connection)
    except psycopg.errors.InsufficientPrivilege:
        return [], [], ["this login may not compare what is there with what the upgrade made"]
    except psycopg.errors.DiskFull:  # tables are made for it, and taken away
        return [], [DISK_FULL], []
    unfit = [str(each) for each in sorted(every) if not each.harmless]
    advice += [str(each) for each in sorted(every) if each.harmless]
    return sorted(every), unfit, advice


def of_others(made: Made) -> str:
    """What to do with a schema that other files made under a version's name."""
    noted = made.rows[made.other or ""].get("program")
    program = f"Sabot {noted}" if noted else "a Sabot before 1.0"
    return (
        f"its schema {made.other} was made by {program} and is another than this program's, and a "
        "record is never written anew. With the program that made it run `sabot audit verify`, "
        "`sabot audit export --tiles DIR` and `sabot export events --into DIR`, as `sabot manual "
        'production` says under "A ledger from before 1.0", and keep the files. For this program '
        "begin a new ledger, in another database or with another SABOT_HOME"
    )


def newer(made: Made) -> str:
    """What to do with a schema that this program may not work with."""
    return f"its schema is {made.version}, made by a newer Sabot, so upgrade this program"


def made_in(connection: "psycopg.Connection[Any]") -> Made:
    """The versions that were made in a database that has their table."""
    row = connection.execute(f"SELECT {_MADE} FROM public.schema_version v").fetchone()  # noqa: S608
    return Made((row and row[0]) or {})
