"""Who follows a table is woken by what happens there, and not by what happens elsewhere."""

import asyncio
from contextlib import closing

import pytest

from ops.handlers.dispatcher import Dispatcher
from ops.web.news import News
from tests.worlds.gaming_table import GamingTable

PATIENCE = 20.0


@pytest.fixture
def tables(dispatcher: Dispatcher):
    """B01 and B02, which take bets."""
    return [GamingTable(dispatcher, table).open().prepare() for table in ("B01", "B02")]


def woken_by(database, act):
    """The tables whose followers are woken by an act."""

    async def followed():
        with closing(News(database)) as news:
            await news.begun(PATIENCE)
            await news.beyond(0, PATIENCE)
            with news.of_table("B01") as first, news.of_table("B02") as second:
                head = news.head
                await asyncio.to_thread(act)
                assert await news.beyond(head, PATIENCE)
                return {name for name, each in (("B01", first), ("B02", second)) if each.is_set()}

    return asyncio.run(followed())


def test_a_table_wakes_its_own_followers(database, tables):
    bet = {"seat": 3, "spot": "banker", "amount": 100_00}

    assert woken_by(database, lambda: tables[0].say("bet", **bet)) == {"B01"}
    assert woken_by(database, lambda: tables[1].say("bet", **bet)) == {"B02"}


def test_what_is_of_the_house_wakes_everybody(database, tables):
    settings = {"name": "session_idle_minutes", "value": "15"}

    woken = woken_by(database, lambda: tables[0].say("property.set", **settings))

    assert woken == {"B01", "B02"}


def test_a_ledger_that_is_lost_wakes_everybody_and_no_one_is_kept(
    database, tables, superuser, monkeypatch
):
    monkeypatch.setattr("ops.web.news.AGAIN", 0.05)

    async def followed():
        with closing(News(database)) as news:
            await news.begun(PATIENCE)
            with news.of_table("B01") as moved:
                moved.clear()
                superuser.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
                assert await asyncio.to_thread(moved.wait, PATIENCE)
            return dict(news._at_tables)

    assert asyncio.run(followed()) == {}


def test_events_are_read_for_whoever_follows_them_and_not_for_nobody(database, tables):
    bet = {"seat": 3, "spot": "banker", "amount": 100_00}

    async def held_after(news, table):
        head = news.head
        await asyncio.to_thread(lambda: table.say("bet", **bet))
        assert await news.beyond(head, PATIENCE)
        return news.after(head)

    async def followed():
        with closing(News(database)) as news:
            await news.begun(PATIENCE)
            await news.beyond(0, PATIENCE)
            return [await held_after(news, table) for table in tables]

    nobody_asked, asked_just_now = asyncio.run(followed())

    assert nobody_asked is None
    assert {each.table_code for each in asked_just_now} == {"B02"}
