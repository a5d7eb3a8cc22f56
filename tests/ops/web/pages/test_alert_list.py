"""The list of alerts: open ones first, the gravest first, page by page, each with its own page."""

import re
from contextlib import closing
from datetime import timedelta
from html import unescape

import pytest

from domain.rules.refusals import BadValue
from ops.board.board import Board
from ops.reports.paging import Turn
from ops.web.pages import alert_list
from ops.web.pages.alert_list import asked_in, page_of
from tests.worlds.gaming_table import BEGINS, DAY, evening
from tests.worlds.pages_here import pages_of, ran


@pytest.fixture
def troubles(dispatcher, database):
    """An evening with everything that is an exception; one of them is acknowledged."""
    evening(dispatcher)
    (late,) = [each.alert for each in seen_of(database).alerts if each.kind == "late bet"]
    line = {"command": "alert.acknowledge", "alert": late, "text": "told the dealer", "by": "S-11"}
    assert dispatcher.dispatch(line).ok
    return late


def seen_of(database):
    with closing(Board(database, now=lambda: BEGINS + timedelta(minutes=24))) as board:
        return board.once()


def listed(database, after="", **asked):
    return page_of(database, seen_of(database), asked_in(asked), Turn(after))


def test_open_alerts_come_first_as_on_the_board_and_then_those_that_are_done(troubles, database):
    page = listed(database)
    names = [each.name for each in page.lines]

    board = [each.alert for each in seen_of(database).alerts]
    assert set(names[: page.many]) == set(board)
    ranks = {each.alert: each.rank for each in seen_of(database).alerts}
    assert sorted(map(ranks.get, names[: page.many])) == [*map(ranks.get, names[: page.many])]
    done = {each.name: (each.is_open, each.by, each.text) for each in page.lines[page.many :]}
    assert done[troubles] == (False, "S-11", "told the dealer")


def test_a_page_ends_and_the_next_goes_on_after_it_whatever_was_acknowledged_meanwhile(
    troubles, database, dispatcher, monkeypatch
):
    whole = [each.name for each in listed(database).lines]
    monkeypatch.setattr(alert_list, "MOST", 3)
    first = listed(database)
    last = first.lines[-1].name
    assert dispatcher.dispatch(
        {"command": "alert.acknowledge", "alert": last, "text": "seen", "by": "S-11"}
    ).ok
    pages, after = [first], first.part.after
    while after:
        pages.append(listed(database, after))
        after = pages[-1].part.after

    names = [each.name for page in pages for each in page.lines]
    assert all(len(page.lines) <= 3 for page in pages)
    assert set(names) == set(whole)
    assert [each for each in names if each != last][: len(first.lines) - 1] == whole[:2]
    assert names.count(last) == 2  # when it was open, and among those that are done


def test_the_list_is_read_forth_and_back_alike_a_page_at_a_time(
    troubles, database, dispatcher, monkeypatch
):
    for each in listed(database).lines[::2]:
        line = {"command": "alert.acknowledge", "alert": each.name, "text": "seen", "by": "S-11"}
        dispatcher.dispatch(line)
    seen = seen_of(database)
    whole = [each.name for each in page_of(database, seen, asked_in({})).lines]
    monkeypatch.setattr(alert_list, "MOST", 2)
    pages = [page_of(database, seen, asked_in({}))]
    while after := pages[-1].part.after:
        pages.append(page_of(database, seen, asked_in({}), Turn(after=after)))
    back = [pages[-1]]
    while before := back[-1].part.before:
        back.append(page_of(database, seen, asked_in({}), Turn(before=before)))

    assert [each.name for page in pages for each in page.lines] == whole
    assert {each.is_open for page in pages for each in page.lines} == {True, False}
    assert [page.lines for page in reversed(back)] == [page.lines for page in pages]


def test_the_list_is_narrowed_to_a_kind_a_table_and_a_span(troubles, database):
    kinds = {each.kind for each in listed(database, kind="undue card").lines}
    tables = {each.table for each in listed(database, table="B02").lines}

    assert kinds == {"undue card"}
    assert tables == {"B02"}
    assert listed(database, **{"from": DAY, "to": DAY}).lines
    assert not listed(database, to="2026-11-20").lines


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ({"kind": "late bets"}, BadValue),
        ({"from": "yesterday"}, BadValue),
        ({"from": "2026-11-22", "to": "2026-11-21"}, BadValue),
    ],
)
def test_what_is_no_narrowing_is_refused(asked, refusal):
    with pytest.raises(refusal):
        asked_in(asked)


def test_an_end_of_a_page_that_is_none_is_refused(troubles, database):
    with pytest.raises(BadValue, match="the page before"):
        listed(database, after="late-bet/1")


def test_every_alert_of_the_list_has_a_page_which_says_who_acknowledged_it(troubles, database):
    async def scene():
        async with pages_of(database) as ask:
            _, every = await ask("/alerts", "sabot-language=en")
            names = [unescape(each) for each in re.findall(r'href="/alerts/([^"?]+)"', every)]
            pages = {each: await ask(f"/alerts/{each}", "sabot-language=en") for each in names}
            return every, pages

    every, pages = ran(scene())

    assert {status for status, _ in pages.values()} == {200}
    assert "acknowledged by S-11" in pages[troubles][1]
    assert "told the dealer" in pages[troubles][1]
    assert "told the dealer" in every
    assert 'action="/alerts/acknowledge"' not in pages[troubles][1]
