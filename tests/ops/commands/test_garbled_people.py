"""Rows beside the record that somebody garbled: who signs on is answered in words."""

from contextlib import contextmanager

from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import sign_on
from ops.ledger.secrets import People
from tests.worlds.closed_house import PIN

COLUMNS = """
    SELECT c.relname, a.attname, a.atttypid::regtype::text
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
     WHERE c.relkind = 'r' AND c.relnamespace = 'people'::regnamespace
       AND c.relname NOT IN ('device_lines', 'peppers') AND NOT a.attisdropped
     ORDER BY 1, a.attnum
"""
GARBLED = {
    "timestamp with time zone": ("'infinity'", "'-infinity'", "'4000-01-01 BC'", "'99999-01-01'"),
    "text": ("'é'", "''"),
    "text[]": ("'{NULL}'", "'{{a,b},{c,d}}'"),
    "integer": ("2147483647", "-2147483648"),
    "bytea": ("''", "NULL"),
}
TABLES = ("staff", "pin_places", "sessions", "recovery")
KEYS = ("staff", "patron", "place", "session", "only_one")


def garbled(connection):
    for table, column, kind in connection.execute(COLUMNS).fetchall():
        for value in GARBLED[kind] if column not in KEYS else ():
            yield f"UPDATE people.{table} SET {column} = {value}"


@contextmanager
def restored(connection):
    """Puts the rows back afterwards."""
    connection.execute("CREATE SCHEMA kept")
    for table in TABLES:
        connection.execute(f"CREATE TABLE kept.{table} AS TABLE people.{table}")
    yield
    for table in TABLES:
        connection.execute(f"TRUNCATE people.{table}")
        connection.execute(f"INSERT INTO people.{table} SELECT * FROM kept.{table}")
    connection.execute("DROP SCHEMA kept CASCADE")


def test_whoever_signs_on_is_answered_whatever_a_row_has(house, superuser):
    house.enrol("D-206", "dealer")

    def signs_on(staff, secret, new_pin=None):
        answer, _ = sign_on(Dispatcher(house.casino, "test"), staff, secret, new_pin)
        return answer.ok or answer.body["message"]

    asked = (
        lambda: signs_on("D-205", PIN),
        lambda: signs_on("D-206", "2345678923", "471108"),
        lambda: not People(house.casino.ledger).is_recovery_secret("ABCDE-FGHIJ"),
    )
    raised = []
    for sql in garbled(superuser):
        with restored(superuser):
            superuser.execute(sql)
            for each in asked:
                try:
                    assert each()
                except Exception as error:  # noqa: BLE001
                    raised.append((sql, repr(error)))

    assert raised == []
