"""A projection that is declared otherwise than its rows are: grown anew by whoever catches up."""

import os
import subprocess
import sys
import time

import pytest
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo

from domain.events import coup
from ops.ledger.database import Database, NotFit
from ops.ledger.schema.declared import MadeByNewer, changed
from ops.reports.ask import ask
from ops.reports.follow import catch_up_or_drop
from ops.reports.rebuild import bring_up, check, recompute_changed
from ops.reports.runner import catch_up, position_of, standings
from projections import PROJECTIONS, REPORTS
from tests import ROOT
from tests.projections.grown import COUPS, VERDICT, breaking, last, rows, shape
from tests.worlds.gaming_table import evening, mouth_on

EVERY = list(PROJECTIONS.values())
WAGERS, SLIPS, RATINGS = (PROJECTIONS[name] for name in ("wagers", "slips", "ratings"))


@pytest.fixture(scope="module")
def read(server):
    """An evening of which all projections have read."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
        with database.connect("sabot_projector") as connection:
            catch_up(connection, *EVERY)
        yield database


@pytest.fixture
def database(server, read):
    """A copy of it for each test."""
    with server.database(like=read) as database:
        yield database


@pytest.fixture
def becomes(monkeypatch):
    """From now on the program declares these."""

    def become(*projections):
        for each in projections:
            monkeypatch.setitem(PROJECTIONS, each.name, each)

    return become


def wider(projection, table):
    """The projection, of which a column has another type."""
    schema = projection.schema.replace("seat               int ", "seat               bigint ")
    schema = schema.replace("kind           text ", "kind           varchar ")
    assert table in projection.tables
    assert schema != projection.schema
    return replace(projection, schema=schema)


def of_analysts(connection):
    """What an analyst sees: views, their columns and types."""
    found = connection.execute(
        "SELECT relname, attname, format_type(atttypid, NULL) FROM pg_attribute "
        "JOIN pg_class c ON c.oid = attrelid AND relnamespace = 'analysis'::regnamespace "
        "WHERE attnum > 0 AND has_table_privilege('sabot_analyst', c.oid, 'SELECT')"
    )
    return {(view, column): kind for view, column, kind in found}


def left_behind(connection):
    """Tables that are neither live nor the rebuild's own."""
    return connection.execute(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname !~ '^(progress|rebuilding)$' "
        "AND relnamespace IN ('beside'::regnamespace, 'outgoing'::regnamespace)"
    ).fetchall()


def test_remarks_are_no_shape_and_tables_views_and_the_version_are():
    remark = replace(COUPS, schema=COUPS.schema.replace("from 1", "counted from 1"))
    others = (VERDICT, replace(COUPS, version=2), replace(COUPS, views=COUPS.views[:1]))

    assert COUPS.shape == remark.shape
    assert len({each.shape for each in (COUPS, *others)}) == 4


def test_a_projection_that_changed_is_grown_anew_when_a_report_is_asked_for(
    database, projector, superuser, becomes
):
    had, before = shape(superuser, "coups"), of_analysts(superuser)
    kept = superuser.execute("SELECT 'projections.wagers'::regclass::oid").fetchone()
    becomes(VERDICT)
    told = ask(database, REPORTS["coup"])
    _, indexes, constraints, grants, owner, options = shape(superuser, "coups")

    assert last(superuser) == told.position
    assert {("settled", "settled")} == set(
        superuser.execute(
            "SELECT phase, verdict FROM analysis.coups WHERE phase = 'settled'"
        ).fetchall()
    )
    assert had[1:] == (indexes, constraints, grants, owner, options)
    assert [] == changed(projector, PROJECTIONS.values()) == left_behind(superuser)
    assert kept == superuser.execute("SELECT 'projections.wagers'::regclass::oid").fetchone()
    now = of_analysts(superuser)
    assert now.keys() - before.keys() == {("coups", "verdict")}
    assert {view for view, _ in before.keys() - now.keys()} == {"cards"}
    assert check(projector, VERDICT).equal


def test_the_status_says_that_a_projection_waits_to_be_grown_anew(projector, becomes):
    before = standings(projector)[1]
    becomes(replace(SLIPS, version=2))
    after = standings(projector)[1]
    bring_up(projector, PROJECTIONS["slips"])

    assert not [each.projection for each in before if each.to_be_grown]
    assert [each.projection for each in after if each.to_be_grown] == ["slips"]
    assert not [each.projection for each in standings(projector)[1] if each.to_be_grown]


def test_a_higher_version_alone_has_the_rows_grown_anew(projector, superuser, becomes):
    superuser.execute("UPDATE projections.coups SET dealer = 'D-13'")
    anew = replace(COUPS, version=2)
    becomes(anew)
    bring_up(projector, anew)

    assert (0,) == superuser.execute(
        "SELECT count(*) FROM projections.coups WHERE dealer = 'D-13'"
    ).fetchone()


def test_views_over_several_that_changed_are_made_when_all_are_in_place(
    projector, superuser, becomes
):
    """A column of another type takes the view away for a moment that nobody sees."""
    before = of_analysts(superuser)
    becomes(wider(WAGERS, "wagers"), wider(SLIPS, "slips"))
    bring_up(projector, PROJECTIONS["wagers"])
    now = of_analysts(superuser)

    assert before.keys() == now.keys()
    assert {("wagers", "seat"): "bigint", ("slips", "kind"): "character varying"} == {
        column: kind for column, kind in now.items() if before[column] != kind
    }
    assert superuser.execute("SELECT count(*) FROM analysis.voids").fetchone() is not None


def test_whoever_reads_sees_the_old_rows_until_the_new_ones_are_there(
    database, projector, superuser, becomes
):
    before = superuser.execute("SELECT count(*) FROM analysis.coups").fetchone()
    becomes(VERDICT)
    with database.connect("sabot_auditor") as reader:
        seen = []

        def said(_):
            seen.append(reader.execute("SELECT count(*) FROM analysis.coups").fetchone())
            seen.append(reader.execute("SELECT count(*) FROM projections.coups").fetchone())
            assert ("coups", "verdict") not in of_analysts(superuser)

        recompute_changed(projector, said)

        assert {before} == set(seen)
        assert before == reader.execute("SELECT count(*) FROM analysis.coups").fetchone()
        assert ("coups", "verdict") in of_analysts(superuser)


# A program that declares coups otherwise: it asks for them, and says what it grew and read.
ANOTHER = """
import sys
from ops.ledger.database import Database
from ops.reports import rebuild
from ops.reports.ask import ask
from projections import PROJECTIONS, REPORTS
from tests.projections.grown import VERDICT

def counted(connection, projection, make_beside=rebuild.make_beside):
    print("grows", projection.name)
    make_beside(connection, projection)

rebuild.make_beside = counted
PROJECTIONS["coups"] = VERDICT
print(len(ask(Database(sys.argv[1]), REPORTS["coup"]).rows))
"""
WAITING = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'beside.rebuilding'::regclass"
)


def another(database):
    """Another process, of that program."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", ANOTHER, database.url]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)


def test_of_two_processes_that_notice_at_once_one_grows_and_the_other_waits(
    database, projector, superuser
):
    """Here both have noticed before either may begin."""
    (before,) = superuser.execute("SELECT count(*) FROM projections.coups").fetchone()
    superuser.execute("BEGIN; LOCK TABLE beside.rebuilding IN ACCESS EXCLUSIVE MODE")
    two = [another(database) for _ in range(2)]
    end = time.monotonic() + 60
    while superuser.execute(WAITING).fetchone() != (2,):
        assert time.monotonic() < end
        assert {process.poll() for process in two} == {None}
    superuser.execute("ROLLBACK")
    said = [process.communicate(timeout=60) for process in two]

    assert sorted(said) == [(f"{before}\n", ""), (f"grows coups\n{before}\n", "")]
    assert [] == projector.execute("SELECT FROM beside.rebuilding").fetchall()
    assert [] == left_behind(superuser)


def test_a_table_that_is_declared_no_more_goes(projector, superuser, becomes):
    schema = RATINGS.schema[: RATINGS.schema.index("-- Who had which chair")]
    keep = {topic: change for topic, change in RATINGS.changes.items() if "seat" not in topic}
    becomes(replace(RATINGS, schema=schema, changes=dict.fromkeys(keep, lambda *_: None)))
    recompute_changed(projector)

    assert (None,) == superuser.execute("SELECT to_regclass('projections.chairs')").fetchone()
    assert [] == left_behind(superuser)


def test_a_projection_of_another_name_takes_its_tables_over(
    projector, superuser, becomes, monkeypatch
):
    had = superuser.execute("SELECT count(*) FROM projections.stays").fetchone()
    monkeypatch.delitem(PROJECTIONS, "ratings")
    becomes(replace(RATINGS, name="sittings"))
    recompute_changed(projector)

    assert had == superuser.execute("SELECT count(*) FROM projections.stays").fetchone()
    assert [("sittings",)] == superuser.execute(
        "SELECT projection FROM projections.progress WHERE projection IN ('ratings', 'sittings')"
    ).fetchall()
    assert [] == left_behind(superuser)


@pytest.fixture
def own_login(database, superuser):
    """A login that may work under the program's roles, and does not own the schema."""
    name = f"sabot_test_grower_{os.getpid()}"
    superuser.execute(f"CREATE ROLE {name} LOGIN")
    superuser.execute(f"GRANT sabot_app, sabot_projector, sabot_auditor TO {name}")
    yield Database(make_conninfo(database.url, user=name))
    superuser.execute(f"DROP ROLE {name}")


def test_who_does_not_own_the_schema_grows_what_was_declared_and_nothing_else(
    database, projector, own_login, becomes
):
    becomes(VERDICT)
    with pytest.raises(NotFit, match="run `sabot db upgrade`"):
        ask(own_login, REPORTS["coup"])
    assert ["coups"] == [each.name for each in changed(projector, PROJECTIONS.values())]
    database.upgrade()

    assert ask(own_login, REPORTS["coup"]).rows
    assert [] == changed(projector, PROJECTIONS.values())


def test_an_older_program_does_not_grow_them_back(database, superuser, projector):
    superuser.execute(
        "UPDATE projections.declared SET program = '99.1', shape = 'other', live_shape = 'other' "
        "WHERE projection = 'coups'"
    )
    for call in (lambda: ask(database, REPORTS["coup"]), database.upgrade):
        with pytest.raises(MadeByNewer) as refused:
            call()
        assert str(refused.value) == (
            "The projection coups was made by Sabot 99.1, which is newer. Upgrade this program."
        )
    assert ask(database, REPORTS["table-win"]).rows


def test_a_growth_that_breaks_leaves_the_old_rows_and_is_not_tried_again_and_again(
    projector, superuser, becomes
):
    had = rows(projector, COUPS)
    becomes(breaking(VERDICT, coup.Settled.TOPIC, lambda: 1 // 0))
    said, stopped = [], set()
    catch_up_or_drop(projector, list(PROJECTIONS.values()), stopped, said.append)

    assert {"coups"} == stopped
    assert len(said) == 1
    assert had == rows(projector, COUPS)
    assert (
        "by zero"
        in projector.execute(
            "SELECT stopped_why FROM progress WHERE projection = 'coups'"
        ).fetchone()[0]
    )
    becomes(VERDICT)
    bring_up(projector, VERDICT)
    assert last(projector) == position_of(projector, VERDICT)


def test_somebody_s_own_view_that_is_in_the_way_is_named(projector, superuser, becomes):
    superuser.execute("CREATE VIEW public.mine AS SELECT seat FROM analysis.wagers")
    becomes(wider(WAGERS, "wagers"))
    with pytest.raises(NotFit, match=r"somebody's own.*analysis\.wagers.*Drop it"):
        bring_up(projector, PROJECTIONS["wagers"])
    superuser.execute("DROP VIEW public.mine")
    bring_up(projector, PROJECTIONS["wagers"])

    assert ("wagers", "seat") in of_analysts(superuser)
