"""A database that one test after another uses: what the last one wrote is taken out of it.

To copy a database, and to fill the caches of the sessions that are new to it, costs more than most
tests. One whose shape a test changed is not used again.
"""

import time
from collections.abc import Iterator

import psycopg

from tests.worlds.held_sessions import every_session

OFTEN = 50  # tests; what was deleted stays in the files
_OWN = "nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'"
_TABLES = f"""
SELECT format('%I.%I', nspname, relname), pg_relation_size(pg_class.oid) > 0
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
 WHERE relkind = 'r' AND {_OWN}
"""
_GUARDS = "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE tgenabled = 'A'"
_OTHERS = """
  FROM pg_stat_activity
 WHERE datname = current_database() AND backend_type = 'client backend'
   AND pid <> pg_backend_pid() AND pid <> ALL (%s)
"""
# Where a definition stands, and of which rows.
_DEFINITIONS = {
    "pg_namespace": _OWN,
    "pg_class": f"relnamespace IN (SELECT oid FROM pg_namespace WHERE {_OWN})",
    "pg_attribute": "attrelid >= 16384 AND attrelid IN (SELECT oid FROM pg_class WHERE "
    f"relnamespace IN (SELECT oid FROM pg_namespace WHERE {_OWN}))",
    "pg_proc": "true",
    "pg_rewrite": "true",
    "pg_constraint": "true",
    "pg_database": "datname = current_database()",
    "pg_db_role_setting": "setdatabase = (SELECT oid FROM pg_database"
    " WHERE datname = current_database())",
}


class UsedAgain:
    """One database at `address`, a superuser's."""

    def __init__(self, name: str, address: str) -> None:
        self.name, self.address = name, address
        self.sessions = every_session()
        self._used = 0
        self._connection = psycopg.connect(address, autocommit=True)
        self._connection.execute("SET session_replication_role = replica")
        self._guards = self._connection.execute(_GUARDS).fetchall()
        self._first = [table for table, filled in self._tables() if filled]
        every = [*_DEFINITIONS.items(), *((table, "true") for table in self._first)]
        self._ask_shape = " UNION ALL ".join(
            f"SELECT '{where}', count(*), max(xmin::text::bigint) FROM {where} WHERE {which}"
            for where, which in every
        )
        self._ask_shape += (
            " UNION ALL SELECT 'pg_trigger', count(*), sum(hashtext(t::text)) FROM pg_trigger t"
        )
        self._shape = self._connection.execute(self._ask_shape).fetchall()

    def clean(self) -> bool:
        """Takes out what the last test wrote; says whether it is as it was before."""
        self._used += 1
        try:
            return self._used < OFTEN and self._cleaned()
        except psycopg.OperationalError:  # the test ended every session
            return False

    def _cleaned(self) -> bool:
        self._end_others()
        if self._connection.execute(self._ask_shape).fetchall() != self._shape:
            return False
        written = [each for each, filled in self._tables() if filled and each not in self._first]
        if written:
            self._connection.execute(";".join(self._deleted(written)))
        return True

    def close(self) -> None:
        self.sessions.keep(set())
        self._connection.close()

    def _tables(self) -> list[tuple[str, bool]]:
        return self._connection.execute(_TABLES).fetchall()

    def _end_others(self) -> None:
        """Ends every session but those that are held, and waits for it."""
        held = self.sessions.pids()
        while self._connection.execute(
            f"SELECT pg_terminate_backend(pid) {_OTHERS}", (held,)
        ).fetchall():
            time.sleep(0.002)
        there = self._connection.execute("SELECT pid FROM pg_stat_activity").fetchall()
        self.sessions.keep({pid for (pid,) in there})

    def _deleted(self, tables: list[str]) -> Iterator[str]:
        """SQL that takes out every row, also where a trigger refuses it to everybody."""
        guards = [(table, name) for table, name in self._guards if table in tables]
        yield from (f"ALTER TABLE {table} DISABLE TRIGGER {name}" for table, name in guards)
        yield from (f"DELETE FROM {table}" for table in tables)
        yield from (f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}" for table, name in guards)
