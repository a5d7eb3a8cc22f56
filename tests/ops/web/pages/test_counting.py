"""A page whose rows are far behind shows what there is, and somebody counts the rest."""

import asyncio
import os
import threading
import time
from contextlib import closing, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection

import pytest

from ops.ledger.reading import head_of as head_of_ledger
from ops.reports import counting
from ops.reports.ask import ask
from ops.reports.follow import catch_up_or_drop
from ops.reports.locking import LOCK
from ops.reports.runner import catch_up, positions_of
from ops.web.pages import counting as pages
from ops.web.pages.counting import Counter
from ops.web.pages.floor import Watch
from ops.web.pages.pit import head_of
from ops.web.pages.reports import read
from projections import PROJECTIONS, REPORTS
from tests.worlds.gaming_table import GamingTable

COUPS = REPORTS["coup"]


class Process:
    """In place of one: it counts in a thread, once a test lets it."""

    lets, status, begun = True, 0, 0

    def __init__(self, do, args):
        given, theirs = args
        self.exitcode = None
        self._pipe = Connection(os.dup(theirs.fileno()))
        self._thread = threading.Thread(target=self._run, args=(do, given), daemon=True)
        self._thread.start()
        type(self).begun += 1

    def _run(self, do, given):
        while not type(self).lets:
            time.sleep(0.01)
        if not type(self).status:
            with suppress(SystemExit):
                do(given, self._pipe)
        self._pipe.close()
        self.exitcode = type(self).status

    def join(self):
        self._thread.join()

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
    monkeypatch.setattr(pages, "FAR", 0)
    monkeypatch.setattr(pages, "FEW", 0)
    monkeypatch.setattr(pages, "GRACE", 0.01)
    monkeypatch.setattr(counting, "LINGERS", 5)
    monkeypatch.setattr(counting.os, "nice", lambda _: None)
    monkeypatch.setattr(pages, "forked", Process)
    monkeypatch.setattr(Process, "lets", False)
    monkeypatch.setattr(Process, "begun", 0)
    with closing(Counter(database)) as counter:
        yield counter


def test_what_there_is_is_shown_at_once_and_the_rest_once_it_is_counted(database, counter):
    counted = counter.of_reports([COUPS])
    now = read(database, COUPS, {}, counted=counted)

    assert counted.goes_on
    assert not read(database, COUPS, {"shoe": "B09/2026-11-21/1"}, counted=counted).never_named
    assert str(counted.words).startswith("Counted up to ")
    assert now.many == 1

    Process.lets = True
    until = time.monotonic() + 20
    while counter.of_reports([COUPS]) and time.monotonic() < until:
        time.sleep(0.01)

    assert read(database, COUPS, {}).many == 2


def test_what_takes_a_moment_is_waited_for(database, counter, monkeypatch):
    monkeypatch.setattr(pages, "FEW", 3_000)
    monkeypatch.setattr(pages, "PATIENCE", 20)
    monkeypatch.setattr(Process, "lets", True)

    assert counter.of_reports([COUPS]) is None
    assert read(database, COUPS, {}).many == 2


def test_one_process_counts_whatever_pages_ask_for(database, counter):
    reports = [COUPS, REPORTS["slips"], REPORTS["ratings"]]
    asked = [counter.of_reports([each]) for each in reports]
    Process.lets = True
    until = time.monotonic() + 20
    while any(counter.of_reports([each]) for each in reports) and time.monotonic() < until:
        time.sleep(0.01)

    assert all(each.goes_on for each in asked)
    assert [read(database, each, {}).position for each in reports] == [asked[0].head] * 3
    assert Process.begun == 1


def test_what_is_asked_for_meanwhile_comes_in_and_the_slow_ones_come_last(
    database, counter, monkeypatch
):
    ours, theirs = Pipe()
    ours.send(["coups", "protection"])
    fed = []

    def feed(connection, these, stopped, until):
        fed.append({each.name for each in these})
        if len(fed) == 1:
            ours.send(["slips"])
        catch_up_or_drop(connection, these, stopped, until=until)

    monkeypatch.setattr(counting, "catch_up_or_drop", feed)
    with database.session("sabot_projector") as connection:
        counting._count_for(connection, theirs)
        reached = positions_of(connection, [PROJECTIONS[each] for each in ("slips", "protection")])
        head = head_of_ledger(connection)

    assert fed == [{"coups"}, {"coups", "slips"}, {"protection"}]
    assert reached == {"slips": head, "protection": head}


def test_a_page_that_lacks_nothing_does_not_wait_for_who_counts(database, counter):
    ask(database, COUPS)
    with database.session("sabot_projector") as counts, counts.transaction():
        counts.execute(LOCK)
        with database.session("sabot_projector") as reads:
            reads.execute("SET lock_timeout = '1s'")  # it would be an error
            reached = catch_up(reads, PROJECTIONS["coups"])

    assert reached == counter.of_reports([REPORTS["slips"]]).head


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
