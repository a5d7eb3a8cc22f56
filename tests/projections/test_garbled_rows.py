"""Rows of the projections that somebody emptied or garbled: words, and a rebuild repairs them."""

import json
import re
import threading
import time
from contextlib import suppress

import psycopg
import pytest

from ops.board.board import READ
from ops.cli import board
from ops.ledger.schema.declared import make_beside
from ops.verify.rounds import Announcer, Rounds
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import shell
from tests.worlds.browsers import PlainBrowser
from tests.worlds.gaming_table import GamingTable, disputed, evening, mouth_on, trouble
from tests.worlds.held_sessions import sessions_held
from tests.worlds.house_server import house_server

BOOKKEEPING = ("declared", "progress", "rounds")
COMMANDS = (
    *(("board", "--json"), ("report", "commission", "--json"), ("audit", "verify", "--json")),
    ("projections", "status", "--json"),
)
PAGES = ("/", "/reports/commission")
COLUMNS = """
    SELECT c.relname, a.attname, a.atttypid::regtype::text
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
     WHERE c.relkind = 'r' AND c.relnamespace = 'projections'::regnamespace AND c.relname = ANY (%s)
     ORDER BY 1, a.attnum
"""
GARBLED = {
    "text": ["'x'"],
    "text[]": ["'{x}'"],
    "jsonb": ["'\"x\"'", "'[[1]]'"],
    "bigint": ["9e15"],
    "bytea": ["NULL"],
    "timestamp with time zone": ["'infinity'"],
}


def damages(connection, tables):
    """SQL that empties a table, or garbles a row of it in one column."""
    for table, column, kind in connection.execute(COLUMNS, (list(tables),)).fetchall():
        yield f"DELETE FROM projections.{table}"
        for each in GARBLED.get(kind, ()):
            yield (
                f"UPDATE projections.{table} SET {column} = {each}"
                f" WHERE ctid = (SELECT max(ctid) FROM projections.{table})"
            )


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """An open house after an evening, and a browser on its machine."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
        with house_server(database, tmp_path_factory.mktemp("house") / "house") as house:
            yield database, PlainBrowser(house.address)


def asked(database, browser):
    """What each reader answers: its status, and the words if it was a mistake of the program."""
    for words in COMMANDS:
        done = shell(database, *words)
        raised = not isinstance(done.exception, SystemExit | None)
        yield words, done.exit_code, repr(done.exception) if raised else _mistake(done.output)
    for page in PAGES:
        status, text = browser.get(page)
        yield page, status, _mistake(text)


def _mistake(text):
    return text if not text or "mistake" in text else None


def test_whatever_is_emptied_or_garbled_is_said_in_words_and_is_repaired(house):
    database, browser = house
    wrong = []
    with database.connect_as_is() as superuser, sessions_held():
        round_of(database)
        right = [(of, status) for of, status, _ in asked(database, browser)]
        for sql in dict.fromkeys(damages(superuser, BOOKKEEPING)):
            with suppress(psycopg.errors.CheckViolation):
                superuser.execute(sql)
            wrong += [(sql, of, why) for of, _, why in asked(database, browser) if why]
            if "rounds" in sql:
                round_of(database)  # which may tell what it found in the row of the one before
                round_of(database)
            elif (rebuilt := rebuilt_at_last(database)).exit_code:
                wrong.append((sql, rebuilt.output or rebuilt.exception))
            if right != [(of, status) for of, status, _ in asked(database, browser)]:
                wrong.append((sql, "not repaired"))

    assert wrong == []


def rebuilt_at_last(database):
    """A rebuild, which waits as its words say while the house's server does the same by itself."""
    while "by somebody else: wait" in (done := shell(database, "projections", "rebuild")).output:
        time.sleep(0.1)
    return done


def round_of(database):
    Rounds(database, Announcer(lambda *_: None), threading.Event(), share=100).once()


OF_ROWS = (
    {"text": "'x'", "text[]": "'{x}'"},
    {"jsonb": "'\"x\"'"},
    {"jsonb": "'{\"x\": 1}'"},
    {"jsonb": "'[[1]]'"},
    {"date": "'infinity'", "timestamp with time zone": "'infinity'"},
    {"bigint": "-5"},
)


def garbled_at_once(connection, tables):
    """For each table, the SQL that empties it, or garbles all columns of some kinds in a row."""
    columns = {}
    for table, column, kind in connection.execute(COLUMNS, (list(tables),)).fetchall():
        columns.setdefault(table, []).append((column, kind))
    for table, kinds in columns.items():
        yield table, f"DELETE FROM projections.{table}"
        for values in OF_ROWS:
            if changes := [f"{each} = {values[kind]}" for each, kind in kinds if kind in values]:
                last = f"ctid = (SELECT max(ctid) FROM projections.{table})"
                yield table, f"UPDATE projections.{table} SET {', '.join(changes)} WHERE {last}"


def readers_of(table):
    """The commands that read a table; of a projection whose table no report reads, one that waits.

    Each report that waits for a projection does so in the same way.
    """
    (of,) = (each.name for each in PROJECTIONS.values() if table in each.tables)
    if of in {each.name for each in READ}:
        yield ("board",)
    waits = [each for each in REPORTS.values() if of in each.projections]
    reads = [each for each in waits if re.search(rf"\b{table}\b", each.sql)]
    for each in reads or waits[:1]:
        yield "report", each.name


@pytest.fixture
def boards_are_json_too(monkeypatch):
    """What is printed as a board is written as `board --json` writes it, too, and read once."""

    printed = board.page

    def both(seen, width):
        assert json.dumps(seen.as_dict(), ensure_ascii=False)
        return printed(seen, width)

    monkeypatch.setattr(board, "page", both)


@pytest.mark.usefixtures("boards_are_json_too")
def test_a_row_of_a_report_that_somebody_garbled_is_said_in_words(server):
    wrong = []
    with server.database() as database, database.connect_as_is() as superuser, sessions_held():
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
        assert shell(database, "projections", "rebuild").exit_code == 0
        tables = [table for each in PROJECTIONS.values() for table in each.tables]
        superuser.execute("CREATE SCHEMA kept")
        for table in tables:
            superuser.execute(f"CREATE TABLE kept.{table} AS TABLE projections.{table}")
        for table, sql in garbled_at_once(superuser, tables):
            with suppress(psycopg.errors.CheckViolation):
                superuser.execute(sql)
                for words in readers_of(table):
                    done = shell(database, *words)
                    if not isinstance(done.exception, SystemExit | None):
                        wrong.append((sql, words, done.exception))
                    elif done.exit_code and "projections rebuild" not in done.stderr:
                        wrong.append((sql, words, done.stderr))
            superuser.execute(f"DELETE FROM projections.{table}")
            superuser.execute(f"INSERT INTO projections.{table} SELECT * FROM kept.{table}")

    assert wrong == []


def test_one_projection_is_built_again_beside_another_whose_views_are_garbled(house):
    database, _ = house
    with database.connect_as_is() as superuser, sessions_held():
        one, *_, other = PROJECTIONS
        superuser.execute(
            "UPDATE projections.declared SET views = '\"x\"' WHERE projection = %s", (other,)
        )
        for names in ([one], [other], []):
            rebuilt = shell(database, "projections", "rebuild", *names)
            assert rebuilt.exit_code == 0, rebuilt.output


def test_the_row_of_a_projection_that_is_declared_no_more_stops_no_rebuild(house):
    database, _ = house
    with database.connect_as_is() as superuser, sessions_held():
        superuser.execute(
            "INSERT INTO projections.declared (projection, program, shape, tables, definition, "
            "views, grown) VALUES ('x', '', '', '{}', '', '{}', '{x}') "
            "ON CONFLICT (projection) DO UPDATE SET shape = '', grown = '{x}'"
        )
        rebuilt = shell(database, "projections", "rebuild")
        assert rebuilt.exit_code == 0, rebuilt.output


def test_a_projection_that_was_begun_beside_under_another_name_stops_no_rebuild(house):
    database, _ = house
    begun = PROJECTIONS["tables_now"]
    with database.connect_as_is() as superuser, sessions_held():
        make_beside(superuser, begun)  # a rebuild that ended before it swapped
        superuser.execute(
            "UPDATE projections.declared SET projection = 'y' WHERE projection = %s", (begun.name,)
        )
        rebuilt = rebuilt_at_last(database)
        assert rebuilt.exit_code == 0, rebuilt.output
