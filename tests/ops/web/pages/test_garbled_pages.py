"""Rows and events that somebody garbled: every page answers in words."""

from contextlib import contextmanager, suppress

import psycopg
import pytest

from ops.board.board import READ
from ops.finding import opening
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import shell
from tests.faults import FULL
from tests.worlds.browsers import PlainBrowser
from tests.worlds.gaming_table import DAY, GamingTable, disputed, evening, mouth_on, trouble
from tests.worlds.house_server import house_server

SHOE = f"B04/{DAY}/1"
ALWAYS = (
    *("/", "/tables/B04", "/wall", "/wall/B04", "/cases", "/cases/C-2026-0001"),
    *(f"/roads/{SHOE}.svg", f"/coups/{SHOE}/1", f"/coups/{SHOE}/1?event=3", "/watch/B04"),
)
SHEETS = {
    "/patrons/P-10417": opening.OF_PATRON,
    f"/stays/B04/{DAY}/stay-1": opening.OF_STAY,
    f"/days/{DAY}": opening.OF_DAY,
    "/staff/D-204": opening.OF_STAFF,
    f"/shoes/{SHOE}": opening.OF_SHOE,
}
COLUMNS = """
    SELECT a.attname, a.atttypid::regtype::text
      FROM pg_attribute a
     WHERE a.attrelid = %(table)s::regclass AND a.attnum > 0 AND NOT a.attisdropped
       AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid
                          AND i.indisunique AND a.attnum = ANY (i.indkey))
     ORDER BY a.attnum
"""
OF_ROWS = (
    {"text": "'x'", "text[]": "'{x}'", "jsonb": "'\"x\"'", "bigint": "-5", "numeric": "'NaN'"},
    {"jsonb": "'[[1]]'", "date": "'infinity'", "timestamp with time zone": "'infinity'"},
    dict.fromkeys(("text", "bigint", "integer", "jsonb", "date", "numeric", "boolean"), "NULL"),
)
NAMES = ("table_code", "patron", "shoe", "coup", "stay", "name", "alias")


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """An open house after an evening, and a browser on its machine."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
        assert shell(database, "projections", "rebuild").exit_code == 0
        with house_server(database, tmp_path_factory.mktemp("house") / "house") as house:
            yield database, house, PlainBrowser(house.address)


@contextmanager
def restored(connection, table):
    """Puts a table's rows back afterwards."""
    connection.execute("SET session_replication_role = replica")
    connection.execute(f"CREATE SCHEMA kept; CREATE TABLE kept.rows AS TABLE {table}")
    try:
        yield
    finally:
        connection.execute(f"TRUNCATE {table}")
        connection.execute(f"INSERT INTO {table} SELECT * FROM kept.rows")
        connection.execute("DROP SCHEMA kept CASCADE")


def garbled(connection, table):
    """SQL that garbles the columns of some types, whatever was declared of them."""
    columns = connection.execute(COLUMNS, {"table": table}).fetchall()
    for name, _ in columns:
        connection.execute(f'ALTER TABLE {table} ALTER "{name}" DROP NOT NULL')
    for (check,) in connection.execute(
        "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'c'",
        (table,),
    ).fetchall():
        connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {check}")
    for values in OF_ROWS:
        changes = [
            f'"{name}" = {values[kind]}'
            for name, kind in columns
            if kind in values and name not in NAMES
        ]
        if changes:
            yield f"UPDATE {table} SET {', '.join(changes)}"


def pages_of(projection):
    """The pages that read its rows."""
    reports = [each.name for each in REPORTS.values() if projection in each.projections]
    if projection in {each.name for each in READ}:
        yield from ALWAYS
    yield from (f"/reports/{each}" for each in reports)
    yield from (page for page, names in SHEETS.items() if {*names} & {*reports})


@pytest.mark.parametrize("projection", ["coups", "patrons", "wagers"])
def test_a_page_over_garbled_rows_answers_in_words(house, projection):
    """Each page over one of the garblings, in `scripts/faults` over all of them."""
    database, server, browser = house
    pages = list(pages_of(projection))
    wrong = []
    with database.connect_as_is() as superuser:
        for table in PROJECTIONS[projection].tables:
            name = f"projections.{table}"
            for n, sql in enumerate(garbled(superuser, name)):
                asked = pages if FULL else pages[n :: len(OF_ROWS)]
                with restored(superuser, name), suppress(psycopg.errors.IntegrityError):
                    superuser.execute(sql)
                    wrong += [(sql, *each) for each in mistakes(server, browser, asked)]

    assert wrong == []


def mistakes(house, browser, pages):
    """The pages that fail, each with the last line of the server's log."""
    for page in pages:
        status, text = browser.get(page)
        if status == 500 or "mistake" in text:
            yield page, house.log.read_text().splitlines()[-1]


@contextmanager
def altered(connection, position, sql):
    """Alters an event past the triggers, and puts it back."""
    connection.execute(f"UPDATE ledger.events SET {sql} WHERE position = {position}")
    try:
        yield
    finally:
        connection.execute(
            "UPDATE ledger.events AS e SET state = k.state, metadata = k.metadata, topic = k.topic"
            "  FROM public.kept AS k WHERE (e.position, k.position) = (%s, %s)",
            (position, position),
        )


ALTERED = (
    *("state = '\\xff'", "state = 'null'", "state = '[]'", "state = '{}'", "topic = 'x'"),
    *("metadata = 'x'", "metadata = 'null'", "metadata = '[]'"),
    """state = convert_to(replace(convert_from(state, 'UTF8'), '"2', '"x'), 'UTF8')""",
)


def test_a_page_over_an_altered_event_answers_in_words(house):
    """Events of every second kind, each altered in one way; in `scripts/faults` in every way."""
    database, server, browser = house
    wrong = []
    with database.connect_as_is() as superuser:
        superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        superuser.execute("CREATE TABLE public.kept AS TABLE ledger.events")
        firsts = superuser.execute(
            "SELECT topic, min(position) FROM ledger.events WHERE topic <> 'property.founded'"
            " GROUP BY topic ORDER BY 2"
        ).fetchall()[::2]
        for n, (topic, position) in enumerate(firsts):
            for sql in ALTERED if FULL else ALTERED[n % len(ALTERED) :][:1]:
                pages = (
                    f"/ledger/{position}",
                    f"/ledger/{position + 1}",
                    f"/ledger?until={position}",
                )
                with altered(superuser, position, sql):
                    wrong += [(topic, sql, *each) for each in mistakes(server, browser, pages)]
                    if sql in ALTERED[:1]:
                        assert "can no longer be read" in browser.get(pages[0])[1]

    assert wrong == []
