"""Projections grown anew: to take the live place, to be checked, to tell what the record said."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from domain.events import coup
from ops.ledger.growth import position_at
from ops.ledger.schema.declared import make_beside, swap_in
from ops.reports import rebuild as copies
from ops.reports.ask import ask, ask_on
from ops.reports.moments import Typed
from ops.reports.rebuild import BeingRebuilt, check, rebuild, temporary_rows
from ops.reports.runner import ProjectionStopped, catch_up, position_of
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import shell
from tests.projections.grown import COUPS, OWED, POISON, breaking, last, rows, shape
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable, evening, trouble
from tests.worlds.held_sessions import sessions_held

EVERY = list(PROJECTIONS.values())


def test_what_is_rebuilt_is_what_grew_in_the_same_shape(dispatcher, projector, superuser):
    evening(dispatcher)
    trouble(GamingTable(dispatcher, "B04").open().prepare())
    catch_up(projector, *EVERY)
    tables = [table for each in EVERY for table in each.tables]
    grown = {each.name: rows(projector, each) for each in EVERY}
    shapes = {table: shape(superuser, table) for table in tables}
    for table in tables:
        superuser.execute(f"DELETE FROM projections.{table}")
    reached = {rebuild(projector, each) for each in EVERY}

    assert grown == {each.name: rows(projector, each) for each in EVERY}
    assert shapes == {table: shape(superuser, table) for table in tables}
    assert {last(projector)} == reached
    assert ("0", "0") == tuple(
        superuser.execute(
            "SELECT count(*)::text FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace "
            "WHERE nspname = %s AND relname !~ '^(progress|rebuilding)'",
            (schema,),
        ).fetchone()[0]
        for schema in ("beside", "outgoing")
    )


def test_a_rebuilt_projection_grows_on(dispatcher, projector):
    pit = GamingTable(dispatcher).open().prepare()
    rebuild(projector, COUPS)
    pit.play(BANKER_WINS, (3, "banker", 50_00))
    catch_up(projector, COUPS)

    assert [("settled",)] == projector.execute("SELECT phase FROM coups").fetchall()
    assert check(projector, COUPS).equal


def test_while_it_is_rebuilt_the_live_rows_answer_and_the_tables_deal(
    dispatcher, projector, database
):
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 50_00))
    catch_up(projector, *EVERY)
    seen = []

    def said(_):
        if not seen:
            seen.append(len(ask(database, REPORTS["coup"]).rows))
            pit.play(BANKER_WINS, (3, "banker", 50_00))
            seen.append(len(ask(database, REPORTS["coup"]).rows))

    rebuild(projector, COUPS, said)

    assert [1, 2] == seen
    assert 2 == len(ask(database, REPORTS["coup"]).rows)


def test_views_over_a_rebuilt_projection_read_the_new_rows(dispatcher, projector, superuser):
    evening(dispatcher)
    catch_up(projector, COUPS)
    superuser.execute("""
        CREATE VIEW projections.seen WITH (security_barrier = true) AS
            SELECT coup, phase FROM projections.coups WHERE phase = 'settled';
        ALTER VIEW projections.seen OWNER TO sabot_owner;
        GRANT SELECT ON projections.seen TO sabot_auditor;
        CREATE VIEW public.over_it AS SELECT count(*) FROM projections.seen;
    """)
    (before,) = superuser.execute("SELECT * FROM public.over_it").fetchone()
    superuser.execute("DELETE FROM projections.coups")
    rebuild(projector, COUPS)

    assert (before,) == superuser.execute("SELECT * FROM public.over_it").fetchone()
    assert (["security_barrier=true"],) == superuser.execute(
        "SELECT reloptions FROM pg_class WHERE oid = 'projections.seen'::regclass"
    ).fetchone()
    assert (True,) == superuser.execute(
        "SELECT has_table_privilege('sabot_auditor', 'projections.seen', 'SELECT')"
    ).fetchone()


def test_a_rebuild_that_breaks_leaves_the_live_rows_and_can_be_had_again(
    dispatcher, projector, superuser
):
    evening(dispatcher)
    catch_up(projector, COUPS)
    live = rows(projector, COUPS)
    with pytest.raises(ProjectionStopped, match="by zero"):
        rebuild(projector, breaking(COUPS, coup.Settled.TOPIC, lambda: 1 // 0))
    left = rows(projector, COUPS)
    rebuild(projector, COUPS)

    assert live == left == rows(projector, COUPS)


def _ask_as_it_is(database):
    """After it was caught up, by somebody who was quicker than the swap."""
    with database.session("sabot_projector") as connection:
        return ask_on(connection, REPORTS["coup"], {}, lambda *_: None)


def test_who_asks_while_rows_are_swapped_waits_and_sees_them_all(
    dispatcher, projector, database, superuser
):
    """A snapshot from before the swap would miss what was written beside since."""
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 50_00))
    catch_up(projector, COUPS)
    make_beside(projector, COUPS)
    projector.execute("SET search_path = beside, projections")
    with ThreadPoolExecutor(1) as pool:
        with projector.transaction():
            catch_up(projector, COUPS)
            swap_in(projector, [COUPS])
            asked = pool.submit(_ask_as_it_is, database)
            while not superuser.execute(
                "SELECT FROM pg_locks WHERE NOT granted AND locktype = 'relation'"
            ).fetchall():
                assert not asked.done()
        told = asked.result(10)

    assert 1 == len(told.rows)


def test_reports_and_rebuilds_do_not_stand_in_each_others_way(dispatcher, database, projector):
    evening(dispatcher)
    catch_up(projector, *EVERY)
    until = time.monotonic() + 1.5

    def ask_on():
        while time.monotonic() < until:
            for name in ("ratings", "table-win", "commission-proof"):
                ask(database, REPORTS[name])

    with ThreadPoolExecutor(2) as pool:
        asking = [pool.submit(ask_on) for _ in range(2)]
        while time.monotonic() < until:
            for each in (PROJECTIONS["table_win"], PROJECTIONS["wagers"]):
                rebuild(projector, each)
        for each in asking:
            each.result(10)


def test_a_swap_gives_way_to_who_reads_and_then_wants_what_it_holds(
    dispatcher, database, projector, superuser
):
    """Whoever begins to wait last would be ended by the server, and that may be the reader."""
    evening(dispatcher)
    wagers = PROJECTIONS["wagers"]
    catch_up(projector, wagers)
    with database.connect("sabot_auditor") as reader, ThreadPoolExecutor(1) as pool:
        reader.execute("BEGIN")
        reader.execute("LOCK TABLE projections.wagers IN ACCESS SHARE MODE")
        swap = pool.submit(rebuild, projector, wagers)
        while not superuser.execute("SELECT FROM pg_locks WHERE NOT granted").fetchall():
            assert not swap.done()
        time.sleep(1.2)  # by now the server has looked for a circle, and there was none
        read = reader.execute("SELECT count(*) FROM analysis.wagers").fetchone()
        reader.execute("COMMIT")

        assert swap.result(10) == last(projector)
    assert read[0] > 0


def test_two_do_not_rebuild_one_projection_at_once(dispatcher, database, projector):
    GamingTable(dispatcher).open()
    refused = []

    def said(_):
        with database.connect("sabot_projector") as other:
            try:
                rebuild(other, OWED)
            except BeingRebuilt as error:
                refused.append(str(error))

    rebuild(projector, OWED, said)

    assert [
        "The projection commission_owed is being rebuilt by somebody else: wait until they are "
        "done."
    ] == refused


def test_a_projection_that_stopped_goes_on_once_it_is_rebuilt(dispatcher, projector, superuser):
    evening(dispatcher)
    superuser.execute(POISON)
    bad = last(projector)
    with pytest.raises(ProjectionStopped):
        catch_up(projector, COUPS)
    stopped = projector.execute("SELECT stopped_at, stopped_why FROM progress").fetchone()
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute("DELETE FROM ledger.events WHERE position = %s", (bad,))
    rebuild(projector, COUPS)

    assert (bad, "'coup'") == stopped
    assert (None, None) == projector.execute(
        "SELECT stopped_at, stopped_why FROM progress"
    ).fetchone()


def test_a_check_names_the_rows_that_differ(dispatcher, database, projector, superuser):
    evening(dispatcher)
    catch_up(projector, *EVERY)
    good = shell(database, "projections", "check", "coups", "wagers")
    superuser.execute("UPDATE projections.coups SET dealer = 'D-13' WHERE number = 1")
    superuser.execute("DELETE FROM projections.wagers WHERE spot = 'tie'")
    bad = shell(database, "projections", "check", "coups", "wagers", "--json")
    coups, wagers = json.loads(bad.stdout)["rows"]

    assert (0, ["equal", "equal"]) == (
        good.exit_code,
        [line.rpartition(": ")[2] for line in good.stdout.splitlines()],
    )
    assert (1, False, False) == (bad.exit_code, coups["equal"], wagers["equal"])
    assert "D-13" in coups["differing"][0]
    assert "+" == coups["differing"][0][0]
    assert {"-"} == {line[0] for line in wagers["differing"]}
    assert position_of(projector, COUPS) == coups["position"]


def test_all_are_rebuilt_by_one_command(dispatcher, database, projector, superuser):
    evening(dispatcher)
    catch_up(projector, *EVERY)
    grown = {each.name: rows(projector, each) for each in EVERY}
    superuser.execute("DELETE FROM projections.coups")
    result = shell(database, "projections", "rebuild")

    assert (0, len(EVERY)) == (result.exit_code, len(result.stdout.splitlines()))
    assert grown == {each.name: rows(projector, each) for each in EVERY}


def told_now(database, **narrowed):
    """What every report answers."""
    return {
        each.name: ask(database, each, **_known(each, narrowed)).as_dict()
        for each in REPORTS.values()
    }


def _known(report, narrowed):
    return {name: value for name, value in narrowed.items() if name in report.narrowings}


@pytest.fixture
def held():
    """Of many who ask, each is given a session that another has left."""
    with sessions_held():
        yield


@pytest.mark.usefixtures("held")
def test_as_of_a_moment_every_report_says_what_it_said_then(dispatcher, database, superuser):
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 50_00), (5, "player", 25_00))
    before = told_now(database)
    [(moment,)] = superuser.execute(
        "SELECT recorded_at FROM ledger.events ORDER BY position DESC LIMIT 1"
    ).fetchall()
    pit.say(
        "correct", coup=f"B01/{DAY}/1/1", seat=5, spot="player", to=25_00, reason="misread",
        **{"with": "S-11"},
    )  # fmt: skip
    after = told_now(database)
    then = {each.name: ask(database, each, Typed(moment)).as_dict() for each in REPORTS.values()}

    assert before == {name: {**told, "as_of": None} for name, told in then.items()}
    assert {moment.isoformat()} == {told["as_of"] for told in then.values()}
    assert before["wagers"]["rows"] != after["wagers"]["rows"]
    assert [] == before["voids"]["rows"] != after["voids"]["rows"]
    for name in ("wagers", "voids", "exceptions"):
        later = ask(database, REPORTS[name], Typed(datetime.now(UTC))).as_dict()
        assert after[name]["rows"] == later["rows"]


def of_two_days(dispatcher):
    """Commands whose events belong to two gaming days, one of them late."""
    pit = GamingTable(dispatcher, "C04").open().prepare()
    pit.play(BANKER_WINS, (3, "player", 50_00))
    pit.end_shoe()
    late = {"late": True, "with": "S-11"}
    answer = pit.ask("table.roll-over", closer={"10000": 200, "2500": 2}, **late)
    assert answer.ok, str(answer)


@pytest.mark.usefixtures("held")
def test_a_day_as_it_was_needs_only_its_own_events_and_those_of_the_house(dispatcher, database):
    evening(dispatcher)
    trouble(GamingTable(dispatcher, "B04").open().prepare())
    for day in ("2026-11-22", "2026-11-23"):
        other = GamingTable(dispatcher, f"C0{day[-1]}")
        other.moment += timedelta(days=int(day[-2:]) - 21)
        other.open(day=day).prepare()
        other.play(BANKER_WINS, (3, "banker", 50_00), (5, "player", 25_00))
        other.say("commission.collect", seat=3, amount=1_00)
        other.say("table.buy-in", seat=3, amount=12_000_00)
    of_two_days(dispatcher)
    moment = datetime.now(UTC)
    for narrowed in ({"day": DAY}, {"day": "2026-11-22"}, {"shoe": "C03/2026-11-23/1"}):
        for report in REPORTS.values():
            asked = _known(report, narrowed)
            live, then = (
                ask(database, report, **asked),
                ask(database, report, Typed(moment), **asked),
            )

            assert live.rows == then.rows
    assert ask(database, REPORTS["wagers"], day="2026-11-22").rows


@pytest.mark.usefixtures("held")
def test_before_the_first_event_there_was_nothing(dispatcher, database):
    pit = GamingTable(dispatcher).open()
    for report in REPORTS.values():
        told = ask(database, report, Typed(pit.moment - timedelta(days=9_000)))

        assert (0, []) == (told.position, told.rows)


def test_who_asks_for_what_was_leaves_nothing_behind(dispatcher, database, projector):
    evening(dispatcher)
    with temporary_rows(projector, [COUPS], until=20):
        assert 20 == position_of(projector, COUPS)
    assert 0 == position_of(projector, COUPS)
    assert {COUPS.tables[0]: []} == rows(projector, COUPS)


def test_the_position_of_a_moment_is_the_last_that_was_recorded_by_then(
    dispatcher, database, projector
):
    evening(dispatcher)
    recorded = projector.execute(
        "SELECT recorded_at, max(position) FROM ledger.events GROUP BY 1 ORDER BY 1"
    ).fetchall()
    hair = timedelta(microseconds=1)

    assert 0 == position_at(projector, recorded[0][0] - hair)
    for moment, position in recorded:
        assert position == position_at(projector, moment)
    for (_, before), (moment, _) in pairwise(recorded):
        assert before == position_at(projector, moment - hair)


@pytest.mark.parametrize(
    "said",
    [
        *("yesterday", "2026-13-01", "25:00", "2099-01-01", "0001-01-01T00:00+14:00"),
        "9999-12-31T23:59:59-12:00",
    ],
)
def test_a_moment_that_is_none_is_refused(played, said):
    result = shell(played, "report", "coup", "--as-of", said)

    assert (1, True) == (result.exit_code, result.stderr.startswith("BadValue"))


def test_a_moment_without_an_offset_is_of_the_property_s_clock(dispatcher, database):
    dispatcher.dispatch({"command": "property.set", "name": "zone", "value": "Asia/Singapore"})
    GamingTable(dispatcher).open()
    result = shell(database, "report", "coup", "--as-of", "2026-11-21T20:00", "--json")

    assert "2026-11-21T20:00:00+08:00" == json.loads(result.stdout)["as_of"]


def test_somebody_may_follow_while_all_is_checked(dispatcher, database, projector, monkeypatch):
    monkeypatch.setattr(copies, "PIECE", 20)
    evening(dispatcher)

    def keep():
        with database.connect("sabot_projector") as connection:
            pit = GamingTable(dispatcher, "B09").open().prepare()
            for _ in range(7):
                pit.play(BANKER_WINS, (3, "banker", 50_00))
                catch_up(connection, *EVERY)

    catch_up(projector, *EVERY)
    thread = threading.Thread(target=keep)
    thread.start()
    try:
        checked = [check(projector, each) for each in (COUPS, OWED, PROJECTIONS["wagers"])]
    finally:
        thread.join()

    assert [True] * 3 == [each.equal for each in checked]
