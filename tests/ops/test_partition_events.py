"""Partitioning the events of a ledger that is there, as the script of `ops/later` does it."""

from datetime import date
from pathlib import Path

import psycopg
import pytest

import ops
from domain.addresses import stream_id
from ops.cli.audit import walk
from ops.copies import check
from ops.runner import catch_up
from projections import PROJECTIONS
from tests.projections import BANKER_WINS, Pit, evening

SCRIPT = (Path(ops.__file__).parent / "later" / "partition_events.sql").read_text()
TODAY_S = SCRIPT.replace("current_date", "date '2026-11-21'")
LATER, FAR = date(2027, 1, 24), date(2190, 1, 1)
EVERY = list(PROJECTIONS.values())


@pytest.fixture
def partitioned(dispatcher, superuser):
    """An evening was dealt before."""
    evening(dispatcher)
    superuser.execute("CREATE VIEW public.seen AS SELECT count(*) FROM ledger.events")
    superuser.execute(TODAY_S)


def events_in(superuser, part):
    return superuser.execute(f"SELECT count(*) FROM ONLY ledger.{part}").fetchone()[0]


def play(dispatcher, table, day):
    """A coup at a table of its own, on that day."""
    pit = Pit(dispatcher, table)
    pit.moment += LATER - pit.moment.date()
    pit.open(day=day.isoformat()).prepare()
    pit.play(BANKER_WINS, (3, "banker", 50_00))


def test_what_was_there_is_the_first_partition_and_the_ledger_goes_on(
    dispatcher, database, superuser, partitioned
):
    before = events_in(superuser, "events_first")
    dispatcher.casino._made_up = True
    play(dispatcher, "C01", LATER)
    play(dispatcher, "C02", FAR)
    parts = ("events_first", f"events_{LATER:%Y_%m}", "events_default")
    counts = [events_in(superuser, part) for part in parts]
    with database.session("sabot_projector") as connection:
        catch_up(connection, *EVERY)
        differing = [each.differing for each in (check(connection, each) for each in EVERY)]
    chain = walk(database)

    assert (True, sum(counts)) == (chain.ok, chain.events)
    assert (before, 20, 20) <= tuple(counts)
    assert [[]] * len(EVERY) == differing
    assert (chain.events,) == superuser.execute("SELECT * FROM public.seen").fetchone()


def test_nothing_in_any_partition_is_ever_changed(superuser, partitioned):
    parts = superuser.execute(
        "SELECT inhrelid::regclass::text FROM pg_inherits "
        "WHERE inhparent = 'ledger.events'::regclass"
    ).fetchall()

    assert 14 == len(parts)
    for table in ("ledger.events", *(part for (part,) in parts)):
        for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET actor = ''", f"TRUNCATE {table}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                superuser.execute(sql)


def test_run_again_it_makes_only_what_is_not_there(superuser, partitioned):
    [month] = superuser.execute(
        "SELECT max(inhrelid::regclass::text) FROM pg_inherits "
        "WHERE inhparent = 'ledger.events'::regclass AND inhrelid::regclass::text LIKE '%%_2%%'"
    ).fetchone()
    superuser.execute(f"ALTER TABLE ledger.events DETACH PARTITION {month}; DROP TABLE {month}")
    superuser.execute(TODAY_S)

    assert superuser.execute("SELECT to_regclass(%s)::text", (month,)).fetchone() == (month,)


def test_the_lowest_stream_of_a_day_is_where_its_addresses_begin(superuser, partitioned):
    for day in (date(2026, 11, 21), date(2190, 1, 1)):
        [lowest] = superuser.execute("SELECT ledger.first_stream(%s)", (day,)).fetchone()

        assert lowest.hex[:12] == stream_id("coup", "B01", day).hex[:12]
        assert lowest <= stream_id("coup", "B01", day)
