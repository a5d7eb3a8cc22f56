"""A server remembers what it acknowledged: also without a key a restored record is noticed."""

import asyncio
import shutil
import subprocess
from contextlib import closing

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.handlers.remembered import Remembered
from ops.ledger.cluster import server_of
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.growth import last_event
from ops.ledger.recorder import flush
from ops.proof.seen import mark_of, require_own
from ops.web.news import News
from tests.waiting import until
from tests.worlds.gaming_table import BANKER_WINS, GamingTable, mouth_on
from tests.worlds.restores import TWO, alerts

PATIENCE = 20.0


@pytest.fixture(autouse=True)
def own_marks(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_ACKNOWLEDGED", str(tmp_path / "acknowledged"))


def remember(database):
    with closing(Remembered(database)) as remembered, database.session("sabot_auditor") as open_one:
        remembered.note(open_one, last_event(open_one))


def compare(database):
    with database.session("sabot_auditor") as connection:
        Remembered(database).compare(connection)


@pytest.fixture
def restored(server, database):
    """A record that was restored from before the newest events that a server saw."""
    with mouth_on(database) as house:
        table = GamingTable(house).open().prepare()
    with server.database(like=database) as again:
        with mouth_on(database) as house:
            table.dispatcher = house
            table.play(BANKER_WINS, (3, "banker", 100_00))
        yield database, again


def test_what_was_acknowledged_and_is_missing_rings_until_two_people_go_on(restored):
    database, again = restored
    remember(database)
    for _ in range(2):
        compare(again)
    rung = alerts(again)
    with mouth_on(again) as house:
        assert house.for_own_commands().dispatch({"command": "audit.restored", **TWO}).ok
    compare(again)

    assert rung == ["record restored"]
    assert alerts(again) == []


def test_a_command_of_the_shell_is_not_recorded_then_but_for_those_that_decide(restored):
    database, again = restored
    remember(database)
    env = {"SABOT_DATABASE_URL": again.url}
    words = ["table", "seat", "B01", "7", "P-7", "--by", "D-204"]
    refused = CliRunner().invoke(cli, words, env=env)
    rung = alerts(again)
    with mouth_on(again) as house:
        assert house.for_own_commands().dispatch({"command": "audit.restored", **TWO}).ok
    done = CliRunner().invoke(cli, words, env=env)

    assert (refused.exit_code, done.exit_code) == (3, 0), done.output
    assert "that were acknowledged are missing" in refused.stderr
    assert rung == ["record restored"]


def test_a_home_is_of_one_house(server, database, monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    with mouth_on(database) as house:
        GamingTable(house).open()
    with server.database() as other, server.database(like=database) as restored:
        with mouth_on(other) as house:
            GamingTable(house, "B02").open()
        for each in (database, restored):
            with each.session("sabot_auditor") as connection:
                require_own(connection)
        serves = CliRunner().invoke(cli, ["serve"], env={"SABOT_DATABASE_URL": other.url})

    assert serves.exit_code == 3
    assert f"The home {tmp_path} is of another house" in serves.stderr


def test_a_server_notices_that_its_database_was_restored_beneath_it(restored, monkeypatch):
    database, again = restored
    monkeypatch.setattr("ops.web.news.AGAIN", 0.05)

    async def followed():
        mine = Database(database.given)
        with closing(News(mine)) as news:
            await news.begun(PATIENCE)
            await news.beyond(0, PATIENCE)
            assert news.missing == ""
            mine.given = again.given
            await asyncio.to_thread(_end_sessions, database)
            assert await asyncio.to_thread(until, lambda: news.missing)
            return news.missing

    assert "that were acknowledged are missing" in asyncio.run(followed())
    assert alerts(again) == ["record restored"]


def test_a_server_remembers_no_event_that_came_while_it_waited_for_the_disk(database, monkeypatch):
    """A crash may leave nothing of such a one, and nobody had an answer about it."""
    with mouth_on(database) as house:
        table = GamingTable(house).open().prepare()
        bets = iter([100_00])

        def flush_beside_a_bet(connection):
            flush(connection)
            for amount in bets:
                table.bet(3, "banker", amount)

        monkeypatch.setattr("ops.web.news.flush", flush_beside_a_bet)
        monkeypatch.setattr("ops.handlers.remembered.SELDOM", PATIENCE)  # the file has the first
        with database.session("sabot_auditor") as connection:
            before = last_event(connection)

            async def followed():
                with closing(News(Database(database.given))) as news:
                    await news.begun(PATIENCE)
                    assert await asyncio.to_thread(until, lambda: mark_of(connection))
                    return mark_of(connection)

            mark = asyncio.run(followed())

    assert (mark.until, mark.mark) == (before.position, before.hash)


def _end_sessions(database):
    with closing(database.connect_as_is()) as superuser:
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_record_that_has_everything_does_not_ring(restored):
    database, again = restored
    remember(again)
    compare(database)  # it goes on after what was seen

    assert alerts(database) == []


def _copy(data, to):
    """As an administrator does it, who keeps whose the files are."""
    subprocess.run(["cp", "-a", str(data), str(to)], check=True)


def test_a_data_directory_that_was_copied_back_is_noticed(tmp_path):
    home = Embedded(tmp_path / "house")
    try:
        database = Database(home=home)
        with mouth_on(database) as house:
            table = GamingTable(house).open()
        home.stop()
        _copy(home.data, tmp_path / "backup")
        with mouth_on(database) as house:
            table.dispatcher = house
            table.prepare()
        remember(database)
        with database.session("sabot_auditor") as connection:
            before = server_of(connection)
        home.stop()
        shutil.rmtree(home.data)
        _copy(tmp_path / "backup", home.data)
        compare(database)

        with database.session("sabot_auditor") as connection:
            assert server_of(connection) == before != ""
        assert alerts(database) == ["record restored"]
    finally:
        home.destroy()
