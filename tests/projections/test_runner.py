"""Feeding the projections: whole batches or nothing, once each, and never silently stuck."""

import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest

from domain.events import commission_account, coup, coup_wagers
from ops.cli.starts import record_start
from ops.ledger.database import Database, NotFit
from ops.reports import runner
from ops.reports.follow import follow, run
from ops.reports.rebuild import rebuild
from ops.reports.runner import ProjectionStopped, catch_up, position_of
from projections import PROJECTIONS
from tests.projections.grown import COUPS, OWED, POISON, breaking, last, rows
from tests.worlds.coupon_sheets import with_coupons
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import TIE, GamingTable, disputed, evening, mouth_on, trouble
from tests.worlds.late_bets import late_bets
from tests.worlds.progressive_sheets import sheet
from tests.worlds.signing import signed_and_sent
from tests.worlds.terms_of_sheets import approve

# The same event by its hash, as whoever read it knows it; for coups it says nothing now.
ANTIDOTE = """
    UPDATE ledger.events
       SET (topic, state) = (SELECT topic, state FROM ledger.events WHERE position = 1)
     WHERE position = (SELECT max(position) FROM ledger.events)
"""


def forget(connection, *projections):
    """What dropping the rows leaves."""
    for projection in projections:
        for table in projection.tables:
            connection.execute(f"DELETE FROM {table}")
    connection.execute("DELETE FROM projections.progress")


class Growing:
    """Catches up after every command, as a reader beside the table would."""

    def __init__(self, dispatcher, connection, projections):
        self.dispatcher, self.connection, self.projections = dispatcher, connection, projections

    def dispatch(self, line):
        answer = self.dispatcher.dispatch(line)
        catch_up(self.connection, *self.projections)
        return answer


@pytest.fixture(scope="module")
def grown(server):
    """A connection to projections that grew command by command, and what they had then."""
    every = PROJECTIONS.values()
    with server.database() as database, database.connect("sabot_projector") as connection:
        with mouth_on(database) as dispatcher:
            growing = Growing(dispatcher, connection, every)
            evening(growing)
            disputed(trouble(GamingTable(growing, "B04").open().prepare()))
            closed = GamingTable(growing, "B05").open()
            closed.say("box.attach", box="X-1")
            closed.say("table.buy-in", seat=3, amount=5_00)
            closed.moment += timedelta(hours=1)  # after what the other tables did
            closed.say("property.set", name="adjustment_report", value=100_00)
            closed.say("property.set", name="fill_share", value=9)
            closed.say("property.level", question="new deck", level=20_000, **{"with": "S-12"})
            later = {"file": "united-states", "day": "2099-12-01", "with": "S-12"}
            closed.say("regime.choose", **later)
            closed.say("inquiry.open", about="dealer", subject="D-204", text="looks away")
            closed.say("aml.open", patron="P-10417", text="cash in and out")
            closed.say("patron.no-id", patron="P-10417", direction="in", amount=9_000_00)
            closed.say("table.buy-in", seat=3, amount=11_000_00, confirmed=True)
            closed.say("filing.record", patron="P-10417", of_day="2026-11-21", reference="310")
            closed.say("incident.open", kind="fight", text="at the bar", guests=["guest-1"])
            gift = {"incident": "IR-2026-0001", "amount": 50_00, "reason": "sorry", "table": "B05"}
            closed.say("incident.money", **gift, source="tray", into="person", **{"with": "PB-2"})
            closed.say("patron.limit", patron="P-10417", kind="loss", period="day", amount=500_00)
            closed.say("patron.bar", patron="P-66", reason="left angry")
            closed.say("patron.break", patron="P-9", ends="2026-11-29T06:00:00+00:00")
            both = {"aml_case": "AML-2026-0001", "patron": "P-9"}
            closed.say("aml.subject", **both, text="sits beside")
            closed.say("patron.file", patron="P-9", on_behalf_of="P-10417")
            closed.say("staff.enrol", staff="C-9", name="Cas", role="cage")
            closed.say("staff.licence", staff="C-9", licence="GL-1", until="2027-03-31")
            closed.say("table.close", closer={"10000": 190}, **{"with": "S-11"})
            closed.say("master.audit", day="2026-11-20")
            electronic = ElectronicTable(growing).begin((3, 200_00))
            electronic.play(TIE, (3, "tie", 10_00))
            electronic.say("account.pay-out", seat=3, amount=50_00, to="ticket")
            approve(growing, sheet())
            GamingTable(growing, "B09").open("riverside@1").prepare().play(
                TIE, (3, "fortune", 50_00)
            )
            with_coupons(growing)
            late_bets(GamingTable(growing, "B12").open("pairs@1").prepare(cut_card=14))
            signed_and_sent(dispatcher.for_own_commands())
            record_start(database, "board")
            catch_up(connection, *every)
        yield connection, {each.name: rows(connection, each) for each in every}


@pytest.mark.parametrize(
    ("batch", "together"), [(1, True), (40, False), (1_000, False)], ids=["1", "40", "1000"]
)
def test_a_projection_made_anew_is_the_one_that_grew_command_by_command(
    grown, monkeypatch, batch, together
):
    every = PROJECTIONS.values()
    connection, had = grown
    forget(connection, *every)
    assert not any(found for each in every for found in rows(connection, each).values())
    monkeypatch.setattr(runner, "BATCH", batch)
    fed = [every] if together else [[each] for each in every]
    reached = {catch_up(connection, *some) for some in fed}

    assert had == {each.name: rows(connection, each) for each in every}
    empty = [name for tables in had.values() for name, found in tables.items() if not found]
    assert empty == [], "give a command in `grown`, in this file, that fills them"
    assert {last(connection)} == reached


def test_who_catches_up_says_the_position_after_every_batch(dispatcher, projector, monkeypatch):
    monkeypatch.setattr(runner, "BATCH", 10)
    GamingTable(dispatcher).open().prepare()
    said = []
    end = catch_up(projector, COUPS, progress=said.append)

    assert said == [10, end]
    assert end == last(projector) == position_of(projector, COUPS)
    assert catch_up(projector, COUPS, progress=said.append) == end
    assert len(said) == 2


def test_an_error_in_the_middle_of_a_batch_leaves_rows_and_position_together(
    dispatcher, projector, monkeypatch
):
    evening(dispatcher)
    monkeypatch.setattr(runner, "BATCH", 50)
    whole = []

    def said(position):
        whole.append((position, rows(projector, COUPS)))

    with pytest.raises(ProjectionStopped, match="by zero") as stopped:
        catch_up(
            projector,
            breaking(COUPS, coup_wagers.LimitFoundBroken.TOPIC, lambda: 1 // 0),
            progress=said,
        )
    left = position_of(projector, COUPS), rows(projector, COUPS)
    catch_up(projector, COUPS)
    mended = rows(projector, COUPS)
    forget(projector, COUPS)
    catch_up(projector, COUPS)

    assert left == whole[-1]
    assert left[0] + 10 < stopped.value.position < left[0] + 50
    assert mended == rows(projector, COUPS)


def test_a_connection_killed_in_the_middle_of_a_batch_leaves_nothing_half_done(
    dispatcher, database, projector, superuser
):
    evening(dispatcher)
    with database.connect("sabot_projector") as doomed:
        pid = doomed.info.backend_pid

        def kill():
            superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))

        with pytest.raises(psycopg.OperationalError):
            catch_up(doomed, breaking(COUPS, coup.Settled.TOPIC, kill))
    assert (position_of(projector, COUPS), rows(projector, COUPS)) == (0, {COUPS.tables[0]: []})
    assert catch_up(projector, COUPS) == last(projector)


def test_a_event_that_cannot_be_processed_stops_that_projection_loudly_and_no_other(
    dispatcher, projector, superuser
):
    evening(dispatcher)
    catch_up(projector, COUPS)
    before = position_of(projector, COUPS), rows(projector, COUPS)
    superuser.execute(POISON)
    bad = last(projector)

    for _ in range(2):
        with pytest.raises(ProjectionStopped, match=f"coups stopped at position {bad}: 'coup'"):
            catch_up(projector, COUPS)
    assert before == (position_of(projector, COUPS), rows(projector, COUPS))
    assert bad == catch_up(projector, OWED)


def test_four_who_catch_up_at_once_neither_double_nor_miss(
    dispatcher, database, projector, monkeypatch
):
    every = list(PROJECTIONS.values())
    monkeypatch.setattr(runner, "BATCH", 3)
    evening(dispatcher)
    positions = queue.SimpleQueue()

    def catch(_):
        with database.connect("sabot_projector") as connection:
            return catch_up(connection, *every, progress=positions.put)

    with ThreadPoolExecutor(4) as pool:
        reached = set(pool.map(catch, range(4)))
    found = [rows(projector, each) for each in every]
    said = [positions.get() for _ in range(positions.qsize())]
    forget(projector, *every)
    catch_up(projector, *every)

    assert {last(projector)} == reached
    assert sorted(set(said)) == sorted(said)
    assert [rows(projector, each) for each in every] == found


class Follower:
    """A thread that follows; `seen` hears of each position it has reached and on which backend."""

    def __init__(self, database, monkeypatch, projection=OWED):
        self.database, self.projection = database, projection
        self.seen, self.said, self.stop = (
            queue.SimpleQueue(),
            queue.SimpleQueue(),
            threading.Event(),
        )
        # So that only a notification wakes it in time.
        monkeypatch.setattr("ops.reports.follow.POLL", 30.0)
        monkeypatch.setattr("ops.reports.follow.bring_up", self._catch_up)
        self.thread = threading.Thread(
            target=follow, args=(database, [projection], self.stop, self.said.put)
        )

    def _catch_up(self, connection, *projections, until):
        reached = catch_up(connection, *projections, until=until)
        self.seen.put((reached, connection.info.backend_pid))
        return reached

    def until(self, position, seconds=10.0):
        """The backend that reached a position."""
        reached = -1
        while reached < position:
            reached, backend = self.seen.get(timeout=seconds)
        return backend

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        with self.database.connect_as_is() as connection:
            connection.execute("NOTIFY sabot_ledger")
        self.thread.join(10)
        assert not self.thread.is_alive()


def test_who_follows_sees_a_event_within_a_second(dispatcher, database, monkeypatch):
    with Follower(database, monkeypatch) as follower:
        follower.until(0)
        pit = GamingTable(dispatcher).open()
        for seat in (1, 3, 5):
            position = pit.say("table.leave", seat=seat).body["position"]

            follower.until(position, seconds=1.0)


def test_who_follows_survives_the_loss_of_its_connection(
    dispatcher, database, superuser, monkeypatch
):
    with Follower(database, monkeypatch) as follower:
        backend = follower.until(0)
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (backend,))
        GamingTable(dispatcher).open()
        again = follower.until(last(superuser))

        assert backend != again
        assert "Trying again in 0.1 s." in follower.said.get(timeout=1)


def test_who_follows_waits_longer_and_longer_for_a_server_that_is_not_there():
    said, stop = [], threading.Event()

    def hear(words):
        said.append(words.rpartition("Trying again in ")[2])
        if len(said) == 3:
            stop.set()

    follow(Database("postgresql://127.0.0.1:1/sabot"), [OWED], stop, hear)

    assert said == ["0.1 s.", "0.2 s.", "0.4 s."]


def test_all_projections_are_run_and_the_one_that_stops_is_counted(
    dispatcher, database, superuser, projector, monkeypatch
):
    evening(dispatcher)
    superuser.execute(POISON)
    bad = last(superuser)
    said, seen, stop = queue.SimpleQueue(), queue.SimpleQueue(), threading.Event()

    def watched(connection, *projections, until):
        reached = catch_up(connection, *projections, until=until)
        seen.put(reached)
        return reached

    monkeypatch.setattr("ops.reports.follow.bring_up", watched)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run, database, stop, said.put)
        try:
            words = said.get(timeout=10)
            assert seen.get(timeout=10) == bad
        finally:
            stop.set()

    assert words.startswith(f"The projection coups stopped at position {bad}")
    assert running.result(10) == 1
    assert position_of(projector, COUPS) == 0


def test_a_mistake_of_ours_in_one_projection_stops_that_one(dispatcher, database, monkeypatch):
    evening(dispatcher)
    broken = breaking(OWED, commission_account.CommissionAccrued.TOPIC, lambda: {}["nothing"])
    said, stop = [], threading.Event()

    def hear(words):
        said.append(words)
        stop.set()

    assert follow(database, [COUPS, broken], stop, hear) == 1
    assert "commission_owed stopped at position" in said[0]
    assert "KeyError" in said[0] or "'nothing'" in said[0]
    with database.connect("sabot_auditor") as reader:
        assert position_of(reader, COUPS) == last(reader)


def test_a_database_that_is_not_fit_is_not_followed(database, superuser):
    superuser.execute(f"ALTER DATABASE {superuser.info.dbname} SET synchronous_commit = off")

    with pytest.raises(NotFit, match="synchronous_commit"):
        run(database, threading.Event(), lambda _: None)


@contextmanager
def following_until(stop):
    """A thread that ends with the test, however that ends."""
    with ThreadPoolExecutor(1) as pool:
        try:
            yield pool
        finally:
            stop.set()


def test_what_the_database_would_not_do_just_now_stops_nothing(dispatcher, database, superuser):
    evening(dispatcher)
    said, stop = queue.SimpleQueue(), threading.Event()
    with following_until(stop) as pool, database.session("sabot_auditor") as reader:
        with superuser.transaction():
            superuser.execute("LOCK TABLE projections.coups IN ACCESS EXCLUSIVE MODE")
            following = pool.submit(follow, database, [COUPS], stop, said.put)
            waits = "SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'relation'"
            while not (waiting := superuser.execute(waits).fetchall()):
                assert not following.done()
            superuser.execute("SELECT pg_cancel_backend(%s)", waiting[0])
            words = said.get(timeout=10)
        while position_of(reader, COUPS) < last(reader):
            assert not following.done()
        stop.set()

        assert 0 == following.result(10)
    assert "canceling statement" in words
    assert "Trying again" in words


def test_one_that_stopped_is_taken_up_again_when_it_was_rebuilt(dispatcher, database, superuser):
    evening(dispatcher)
    superuser.execute(POISON)
    said, stop = queue.SimpleQueue(), threading.Event()
    with following_until(stop) as pool, database.session("sabot_projector") as projector:
        following = pool.submit(follow, database, [COUPS, OWED], stop, said.put)
        said.get(timeout=10)
        superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        superuser.execute(ANTIDOTE)
        rebuild(projector, COUPS)
        GamingTable(dispatcher, "B07").open()
        position = last(projector)
        while position_of(projector, COUPS) < position:
            assert not following.done()
        stop.set()

        assert 0 == following.result(10)
