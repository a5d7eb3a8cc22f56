"""A ledger from before the first release: refused in words that say what to do, and kept as it is.

`golden/kept/before` has one of commit 9e93f3c3 as SQL: a table's evening, a key, a checkpoint. It
cannot be taken over: its hashes and its seals are over another form, as is computed here.
"""

import gzip
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.ledger.chain import COLUMNS, GENESIS, Recorded, field, link
from ops.ledger.database import Database
from ops.manual.topics import PAGES
from tests import ROOT

FILE = ROOT / "tests" / "golden" / "kept" / "before" / "9e93f3c3.sql.gz"
TABLES = ("ledger.events", "ledger.commands", "public.schema_version", "projections.progress")
ASKED = ("board", "report commission", "audit verify", "projections status", "db backup")
LINES = ("bet S01 3 banker 100", "table seat S01 3 P-9", "db upgrade", "db upgrade --dry-run")
TO_DO = ("audit verify", "audit export --tiles DIR", "export events --into DIR")


@pytest.fixture(scope="module")
def before(server):
    """The ledger, in a database of its own."""
    name = f"sabot_before_{uuid4().hex}"
    server.run(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    try:
        with psycopg.connect(server.address(name), autocommit=True) as connection:
            connection.execute(gzip.decompress(FILE.read_bytes()))
        yield Database(server.address(name))
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def events(before):
    with psycopg.connect(before.url) as connection:
        rows = connection.execute(f"SELECT {COLUMNS} FROM ledger.events ORDER BY position")
        return [Recorded(*row) for row in rows]


def said(database, line):
    """How a command ends, and what it says, in one line."""
    result = CliRunner().invoke(cli, ["--database", database.url, *line.split()])
    return result.exit_code, " ".join(result.output.split())


def rows_of(database):
    """All that is in its tables."""
    with psycopg.connect(database.url) as connection:
        return [
            connection.execute(f"SELECT r::text FROM {name} r ORDER BY 1").fetchall()
            for name in TABLES
        ]


def form_of_then(event):
    """What was hashed of an event, in another order and without the hash of the one before."""
    moment = (event.recorded_at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    texts = (event.table_code, event.actor, event.command_id, event.metadata)
    fields = (
        event.originator_id.bytes,
        event.originator_version.to_bytes(8),
        event.topic.encode(),
        event.state,
        event.position.to_bytes(8),
        moment.to_bytes(8),
        event.gaming_day.isoformat().encode(),
        *(each.encode() for each in texts),
    )
    return b"sabot-event-1" + b"".join(map(field, fields))


def test_its_chain_is_whole_in_the_form_of_then_and_in_no_place_in_today_s(events):
    behind = [*zip([GENESIS, *(each.hash for each in events)], events, strict=False)]
    then = [sha256(b"\x02" + hashed + form_of_then(event)).digest() for hashed, event in behind]
    now = [link(hashed, event) for hashed, event in behind]

    assert len(events) == 85
    assert then == [each.hash for each in events]
    assert not set(now) & set(then)


def test_an_answer_lacks_the_moment_that_its_hash_and_its_seal_cover_today(before):
    with psycopg.connect(before.url) as connection:
        columns = connection.execute("SELECT * FROM ledger.commands LIMIT 0").description

    assert "sent_at" not in [each.name for each in columns]


@pytest.mark.parametrize("line", [*ASKED, *LINES])
def test_whatever_is_asked_of_it_says_what_to_do_and_changes_nothing(before, line):
    there = rows_of(before)
    status, words = said(before, line)

    assert status == 3
    assert "its schema 0001_first was made by a Sabot before 1.0" in words
    assert all(f"`sabot {each}`" in words for each in TO_DO)
    assert "begin a new ledger, in another database or with another SABOT_HOME" in words
    assert there == rows_of(before)


def test_the_status_says_the_same(before):
    status, words = said(before, "db status")

    assert status == 1
    assert 'production` says under "A ledger from before 1.0"' in words


def test_the_manual_has_the_steps_that_are_named():
    page = (PAGES / "production.md").read_text()
    _, steps = page.split("### A ledger from before 1.0\n")
    steps, _ = steps.split("\n## ", 1)

    for each in TO_DO:
        assert f"sabot {each.removesuffix(' DIR')}" in steps
