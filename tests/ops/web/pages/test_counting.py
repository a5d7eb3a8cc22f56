"""A page whose rows are far behind shows what there is, and somebody counts the rest."""

import asyncio
import time
from contextlib import closing

import pytest

from ops.reports import counting
from ops.reports.ask import ask
from ops.web.pages import counting as pages
from ops.web.pages.counting import Counter
from ops.web.pages.floor import Watch
from ops.web.pages.pit import head_of
from ops.web.pages.reports import read
from projections import REPORTS
from tests.worlds.gaming_table import GamingTable

COUPS = REPORTS["coup"]


class Process:
    """In place of one: it counts in the thread that begins it, once a test lets it."""

    lets, status = True, 0

    def __init__(self, do, args):
        self.do, self.args, self.exitcode = do, args, None

    def join(self):
        while not type(self).lets:
            time.sleep(0.01)
        if not type(self).status:
            self.do(*self.args)
        self.exitcode = type(self).status

    def kill(self):
        type(self).lets = True


@pytest.fixture
def counter(database, dispatcher, monkeypatch):
    """A coup is counted, and another one is not; that is far for these tests."""
    table = GamingTable(dispatcher).open().prepare()
    table.bet(3, "player", 100_00)
    table.deal("9S 2C QD 7H", settle=True)
    ask(database, COUPS)
    table.bet(3, "banker", 100_00)
    table.deal("9S 2C QD 7H", settle=True)
    monkeypatch.setattr(counting, "FAR", 0)
    monkeypatch.setattr(counting.os, "nice", lambda _: None)
    monkeypatch.setattr(pages, "forked", Process)
    monkeypatch.setattr(Process, "lets", False)
    with closing(Counter(database)) as counter:
        yield counter


def test_what_there_is_is_shown_at_once_and_the_rest_once_it_is_counted(database, counter):
    counted = counter.of_reports([COUPS])
    now = read(database, COUPS, {}, counted=counted)

    assert counted.goes_on
    assert str(counted.words).startswith("Counted up to ")
    assert now.many == 1

    Process.lets = True
    until = time.monotonic() + 20
    while counter.of_reports([COUPS]) and time.monotonic() < until:
        time.sleep(0.01)

    assert read(database, COUPS, {}).many == 2


def test_who_cannot_count_lets_the_page_wait_and_say_why(counter, monkeypatch):
    monkeypatch.setattr(Process, "status", 1)
    monkeypatch.setattr(Process, "lets", True)
    seen = [counter.of_reports([COUPS])]
    until = time.monotonic() + 20
    while seen[-1] and time.monotonic() < until:
        seen.append(counter.of_reports([COUPS]))

    assert seen[-1] is None


def test_the_pit_is_there_at_once_and_says_how_far_it_is_counted(database, counter):
    async def first_and_last():
        with closing(Watch(database, counter)) as watch:
            first = floor = await watch.begun(20)
            Process.lets = True
            while floor.seen is None or floor.seen.counted:
                floor = await watch.after(floor.number, 20)
            return first, floor

    first, last = asyncio.run(first_and_last())

    assert "Nothing is counted yet" in head_of(first.seen)
    assert [each.table for each in last.seen.tables] == ["B01"]
