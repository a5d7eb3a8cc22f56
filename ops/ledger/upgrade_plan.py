"""What an upgrade would do, what it would lock, and what its login may not do."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.ledger.fit import ADVICE, NotUpgraded, read
from ops.ledger.schema import missing_after
from ops.ledger.schema.declared import declared_otherwise
from ops.ledger.schema.inventory import ROLES
from ops.ledger.upgrading import require_ours
from projections import PROJECTIONS

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

# Statements that lock a table, and who then waits.
_LOCKING = {
    r"ALTER TABLE (?:ONLY )?([\w.]+)": "everybody",
    r"DROP (?:TABLE|TRIGGER \w+ ON) ([\w.]+)": "everybody",
    r"CREATE (?:UNIQUE )?INDEX \w+ ON ([\w.]+)": "writers",
    r"CREATE TRIGGER .*? ON ([\w.]+)": "writers",
}
_SIZE = """
    SELECT greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::bigint, pg_table_size(oid)
      FROM pg_class WHERE oid = to_regclass(%s)
"""
_RIGHTS = """
    SELECT current_user, current_database(),
           has_database_privilege(current_database(), 'CREATE'),
           has_schema_privilege('public', 'CREATE'),
           (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user),
           (SELECT coalesce(array_agg(rolname::text), '{}') FROM pg_roles WHERE rolname = ANY (%s)),
           (SELECT coalesce(array_agg(rolname::text), '{}') FROM pg_roles
             WHERE rolname = ANY (%s) AND pg_has_role(oid, 'USAGE'))
"""


class Lock(Struct, frozen=True):
    """A table that is locked while the upgrade runs; `waits`: `everybody`, or only `writers`."""

    table: str
    waits: str
    rows: int  # as PostgreSQL estimates
    bytes: int


class Plan(Struct, frozen=True):
    """What an upgrade would do. `missing`: what an administrator must run before it."""

    schema: str | None
    files: list[str]
    locks: list[Lock]
    reports: list[str]  # projections whose rows are computed again, beside those that are read
    missing: list[str]

    @property
    def possible(self) -> bool:
        """Whether this login may do it."""
        return not self.missing


def plan(connection: "Connection") -> Plan:
    """What an upgrade would do now. Raises NotUpgraded."""
    made, settings, _ = read(connection)
    require_ours(made)
    if settings["server_encoding"] != "UTF8":
        raise NotUpgraded(f"The database cannot be upgraded: {ADVICE['server_encoding']}.")
    due = missing_after(made.version)
    otherwise = declared_otherwise(connection, PROJECTIONS.values()) if made.version else []
    files = [file for place in due for file in sorted(place.glob("*.sql"))]
    return Plan(
        made.version,
        [f"{file.parent.name}/{file.name}" for file in files],
        _locks(connection, files) if made.version else [],
        [each.name for each in otherwise],
        _missing(connection, made.version) if due or otherwise else [],
    )


def _locks(connection: "Connection", files: list[Path]) -> list[Lock]:
    """The tables that are there and that a statement of the files locks."""
    text = "\n".join(file.read_text() for file in files)
    sql = re.sub(r"\$\$.*?\$\$|--[^\n]*", "", text, flags=re.DOTALL)
    waits: dict[str, str] = {}
    for statement, whose in _LOCKING.items():
        for table in re.findall(statement, sql, re.DOTALL):
            waits.setdefault(table, whose)
    sizes = {table: connection.execute(_SIZE, (table,)).fetchone() for table in sorted(waits)}
    return [Lock(table, waits[table], *size) for table, size in sizes.items() if size]


def _missing(connection: "Connection", version: str | None) -> list[str]:
    """What an administrator has to run first."""
    row = connection.execute(_RIGHTS, (list(ROLES), list(ROLES))).fetchone()
    assert row
    login, database, may_create, in_public, makes_roles, there, member = row
    if version:
        return [] if "sabot_owner" in member else [f"GRANT sabot_owner TO {login}"]
    absent = [] if makes_roles else [role for role in ROLES if role not in there]
    strange = [] if makes_roles else [role for role in ROLES if role not in member]
    return [
        *(f"CREATE ROLE {role} NOLOGIN" for role in absent),
        *([f"GRANT {', '.join(strange)} TO {login}"] if strange else []),
        *([] if may_create else [f"GRANT CREATE ON DATABASE {database} TO {login}"]),
        *([] if in_public else [f"GRANT CREATE ON SCHEMA public TO {login}"]),
    ]
