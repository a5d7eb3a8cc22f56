"""Every table beside the events: a row that is deleted, altered, added or swapped is found.

The tables, their columns and their keys come from the schema, so that a new table is not forgotten:
it is attacked as soon as it is there.
"""

import json
import threading
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from domain.rules.place import Place
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.numbered import taken
from ops.ledger import machine, pin_tries, sessions
from ops.ledger.secrets import People
from ops.verify.rounds import Announcer, Rounds
from ops.verify.verification import walk
from tests.acceptance.channels import shell
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.devices import KEY, token_of
from tests.worlds.gaming_table import DAY, GamingTable, generate, mouth_on

KEYS = {"DEV-1": KEY, "DEV-2": KEY.replace("3q2", "4q2")}

# Tables that nobody has to believe, and what finds a wrong row in them. Those without a column are
# there to be locked.
NOT_BELIEVED = {
    "locks.turns": "a turn only saves retries",
    "ledger.servers": "a start compares its newest row with its own server, against mistakes",
    "public.schema_version": "every start compares it, and refuses another version",
    "public.schema_objects": "`sabot db status` compares it with what is there",
    "people.peppers": "each process compares it with its own pepper, with which it seals",
    "projections.declared": "every report compares its shape with the program's",
    "projections.progress": "every report compares it with the events, and `projections check`",
    "projections.rounds": "each round writes it anew",
    "beside.progress": "rows that are being computed",
    "beside.rebuilding": "who computes them, while the session lasts",
}
# What cannot be told from what the house itself does.
AS_THE_HOUSE_DOES = {
    ("people.patrons", "delete"): "a name is erased for good: no event may keep that it was there",
    ("people.sessions", "delete"): "who is signed on there has to sign on again",
    (
        "people.sessions",
        "alter used to -infinity",
    ): "who is signed on there has to sign on again",
    (
        "people.pin_places",
        "delete",
    ): "the machine waits no more; the wrong PINs of each number count",
    ("ledger.forms", "add"): "no row has its number, so nothing is read by it",
}

COLUMNS = """
    SELECT n.nspname || '.' || c.relname, a.attname, a.atttypid::regtype::text,
           EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid
                      AND (i.indisunique OR i.indisexclusion)
                      AND a.attnum = ANY (i.indkey))
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     ORDER BY 1, a.attnum
"""
OTHER = {
    "text": "coalesce({0}, '') || 'x'",
    "bytea": "CASE WHEN length({0}) > 0 THEN set_byte({0}, 0, 255 - get_byte({0}, 0)) "
    "ELSE decode(repeat('00', 32), 'hex') END",
    "bigint": "coalesce({0}, 0) + 1",
    "integer": "coalesce({0}, 0) + 1",
    "smallint": "coalesce({0}, 0::smallint) + 1000::smallint",
    "boolean": "NOT {0}",
    "uuid": "gen_random_uuid()",
    "date": "{0} + 1",
    "timestamp with time zone": "{0} + interval '1 day'",
    "text[]": "array_append({0}, 'x')",
}


def tables_of(connection):
    """Every table that somebody has to believe: its columns, each with its type, and its key."""
    found = {}
    for table, column, kind, is_key in connection.execute(COLUMNS):
        columns, key = found.setdefault(table, ({}, []))
        columns[column] = kind
        if is_key:
            key.append(column)
    assert found.keys() >= NOT_BELIEVED.keys()
    return {
        name: each
        for name, each in found.items()
        if name not in NOT_BELIEVED and not name.startswith("projections.")  # `projections check`
    }


def attacks(table, columns, key):
    """SQL for each way to change one or two rows, by its name."""
    last = f"ctid = (SELECT max(ctid) FROM {table})"
    others = [each for each in columns if each not in key] or list(columns)
    yield "delete", f"DELETE FROM {table} WHERE {last}"
    for column, kind in columns.items():
        changed = OTHER[kind].format(column)
        if columns == {"only_one": "boolean"} or column == "only_one":
            continue  # there is one row, and no other value
        yield f"alter {column}", f"UPDATE {table} SET {column} = {changed} WHERE {last}"
        for moment in ("infinity", "-infinity") if kind.startswith("timestamp") else ():
            sql = f"UPDATE {table} SET {column} = '{moment}' WHERE {last}"
            yield f"alter {column} to {moment}", sql
    if "only_one" not in columns:
        unique = key or list(columns)
        values = (
            OTHER[columns[each]].format(each) if each in unique else each
            for each in columns
        )  # fmt: skip
        yield "add", f"INSERT INTO {table} SELECT {', '.join(values)} FROM {table} WHERE {last}"
        if len(columns) > len(key):
            names, theirs = ", ".join(others), ", ".join(f"o.{each}" for each in others)
            first = f"(SELECT min(ctid) FROM {table})"
            yield (
                "swap",
                f"UPDATE {table} AS t SET ({names}) = (SELECT {theirs} FROM {table} o"
                f" WHERE o.ctid = CASE WHEN t.ctid = {first} THEN (SELECT max(ctid) FROM {table})"
                f" ELSE {first} END)"
                f" WHERE t.ctid IN ({first}, (SELECT max(ctid) FROM {table}))",
            )


@pytest.fixture(scope="module")
def house(server):
    """A house that has at least two rows in each table."""
    with server.database() as database:
        closed = ClosedHouse(database, EVERY_ROLE)
        for device, key in KEYS.items():
            closed.enrol(device, "device", public_key=key)
        closed.enrol("D-205", "dealer")
        closed.join("D-206", "dealer")
        closed.enrol("D-206", "dealer")  # whose old PIN is kept
        table = closed.table(number("dealer"), number("supervisor")).open().prepare()
        table.bet(3, "player", 100_00)
        for amount, (device, key) in enumerate(KEYS.items(), 2):
            sender = Dispatcher(closed.casino, "feed", token=token_of(device, key))
            line = {"command": "bet", "table": "B01", "seat": 3, "spot": "player"}
            lines = [{**line, "amount": amount * 100_00, "device_n": n} for n in (1, 2)]
            assert [each.ok for each in taken(sender, lines)] == [True, True]
        ledger = closed.casino.ledger
        for name in ("pit-1", "pit-2"):
            People(ledger).name_patron(f"P-{name}", f"Mrs {name}")
            closed.ask(number("cage"), "patron.file", patron=f"P-{name}", address=f"Mrs {name}")
            suspected = {"patron": "P-10417", "text": f"Mrs {name}"}
            assert closed.ask(number("surveillance"), "aml.open", **suspected)["ok"]
            with ledger.connection() as connection:
                connection.execute(*sessions.begin(name * 8, name * 8))
            with patch.object(machine, "here", lambda: Place(mark=name)):  # noqa: B023
                pin_tries.count(ledger, "D-205")
        closed.close()
        yield database


@pytest.fixture(scope="module")
def shoes(server):
    """Two generated shoes, and two readings."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            for table in ("B01", "B02"):
                generate(GamingTable(dispatcher, table).open("electronic@1"))
        for _ in range(2):
            assert shell(database, "report", "wagers", "--day", DAY).exit_code == 0
        yield database


def faults(database):
    return [each.words for each in walk(database, jobs=1).faults]


@contextmanager
def restored(connection, table):
    """Puts a table's rows back afterwards."""
    connection.execute("SET session_replication_role = replica")
    for (trigger,) in connection.execute(
        "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal", (table,)
    ).fetchall():
        connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
    for (check,) in connection.execute(
        "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'c'",
        (table,),
    ).fetchall():
        connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {check}")
    connection.execute(f"CREATE SCHEMA kept; CREATE TABLE kept.rows AS TABLE {table}")
    try:
        yield
    finally:
        connection.execute(f"TRUNCATE {table}")
        connection.execute(f"INSERT INTO {table} SELECT * FROM kept.rows")
        connection.execute("DROP SCHEMA kept CASCADE")


def test_a_row_that_is_deleted_altered_added_or_swapped_is_found(house, shoes):
    """By a superuser with the triggers off; each in words that name what it is."""
    missed, tried = [], set()
    for database in (house, shoes):
        Rounds(database, Announcer(lambda *_: pytest.fail("too soon")), threading.Event(),
               share=100).once()  # fmt: skip
        with database.connect_as_is() as superuser:
            for table, (columns, key) in tables_of(superuser).items():
                (rows,) = superuser.execute(f"SELECT count(*) FROM {table}").fetchone()
                if not rows:
                    continue
                for attack, sql in attacks(table, columns, key):
                    if attack == "swap" and rows < 2:
                        continue
                    with restored(superuser, table):
                        assert superuser.execute(sql).rowcount > 0, (table, attack)
                        found = faults(database)
                    tried.add((table, attack.split()[0]))
                    if not found and (table, attack) not in AS_THE_HOUSE_DOES:
                        missed.append((table, attack))
            assert faults(database) == []

    assert missed == []
    with house.connect_as_is() as superuser:
        wanted = {
            (table, attack.split()[0])
            for table, (columns, key) in tables_of(superuser).items()
            for attack, _ in attacks(table, columns, key)
        }
    assert tried == wanted


def test_a_device_s_number_does_not_come_back_when_its_row_is_deleted(house):
    with house.connect_as_is() as superuser, restored(superuser, "people.device_lines"):
        superuser.execute("DELETE FROM people.device_lines")
        found = faults(house)
        closed = ClosedHouse(house, {})
        sender = Dispatcher(closed.casino, "feed", token=token_of("DEV-1"))
        line = {"command": "bet", "table": "B01", "seat": 3, "spot": "player", "amount": 900_00}
        (answer,) = taken(sender, [{**line, "device_n": 2, "id": "another"}])
        closed.close()

    assert any("The last number of DEV-1's lines is no longer stored" in each for each in found)
    assert (answer.body["error"], "3" in answer.body["message"]) == ("NumberReused", True)


def test_nothing_beside_the_record_tells_the_auditor_a_name(house):
    with house.connect("sabot_auditor") as auditor:
        told = json.dumps(
            [
                *auditor.execute("SELECT what, whose, content FROM people.sealed_rows()"),
                *auditor.execute("SELECT * FROM people.digests()"),
            ]
        )

    assert "Mrs" not in told
