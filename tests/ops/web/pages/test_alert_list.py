"""The list of alerts: open ones first, the gravest first, page by page, each with its own page."""

import re
from contextlib import closing
from datetime import timedelta
from html import unescape

import pytest

from domain.rules.refusals import BadValue
from ops.board.board import Board
from ops.reports.paging import Turn
from ops.reports.runner import reading_session
from ops.web.pages import alert_list
from ops.web.pages.alert_list import asked_in, page_of
from projections.attention.recorded_alerts import KINDS_THERE, RECORDED
from projections.ranks import RANKS
from tests.worlds.gaming_table import BEGINS, DAY, GamingTable, evening
from tests.worlds.pages_here import pages_of, ran


@pytest.fixture
def troubles(dispatcher, database):
    """An evening with everything that is an exception; one of them is acknowledged."""
    evening(dispatcher)
    (late,) = [each.alert for each in seen_of(database).alerts if each.kind == "late bet"]
    line = {"command": "alert.acknowledge", "alert": late, "text": "told the dealer", "by": "S-11"}
    assert dispatcher.dispatch(line).ok
    return late


@pytest.fixture
def closed(dispatcher):
    """A gaming day that is closed with late bets, of which one is acknowledged, and a variance."""
    table = GamingTable(dispatcher).open().prepare()
    table.bet(3, "banker", 100_00)
    table.say("draw", card="KC")
    late = [
        f"late-bet/{table.ask('bet', seat=seat, spot=spot, amount=25_00).body['position']}"
        for seat, spot in ((1, "player"), (5, "player"), (5, "tie"))
    ]
    table.deal("9S 2C QD")
    table.say("settle")
    table.say("commission.collect", seat=3, amount=5_00)
    table.end_shoe()
    table.say("table.drop", amount=0)
    table.say("table.close", closer={"10000": 98}, **{"with": "S-11"})
    table.say("alert.acknowledge", alert=late[1], text="told the dealer", by="S-11")
    return late


def seen_of(database, minutes=24):
    with closing(Board(database, now=lambda: BEGINS + timedelta(minutes=minutes))) as board:
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


def test_those_of_a_closed_day_come_after_the_board_s_and_before_those_that_are_done(
    closed, database, monkeypatch
):
    first, done, last = closed
    seen = seen_of(database, minutes=24 * 60)
    board = {each.alert for each in seen.alerts}
    page = page_of(database, seen, asked_in({}))
    names = [each.name for each in page.lines]

    assert board == {*names[: len(board)]}
    assert not board & {*closed}
    assert [last, first, done] == [each for each in names if each in closed]
    assert names[-1] == done
    assert [each.is_open for each in page.lines] == [True] * page.many + [False]
    assert page.many == len(board) + sum(each.many for each in seen.past)
    assert page_of(database, seen, asked_in({"kind": "late bet"})).many == 2
    assert page_of(database, seen, asked_in({"to": "2026-11-20"})).many == 0
    monkeypatch.setattr(alert_list, "MOST", 1)
    pages = [page_of(database, seen, asked_in({}))]
    while after := pages[-1].part.after:
        pages.append(page_of(database, seen, asked_in({}), Turn(after=after)))
    back = [pages[-1]]
    while before := back[-1].part.before:
        back.append(page_of(database, seen, asked_in({}), Turn(before=before)))
    assert [each.name for page in pages for each in page.lines] == names
    assert [each.lines for each in reversed(back)] == [each.lines for each in pages]
    assert {each.many for each in pages} == {page.many}


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
    for name, (_, page) in pages.items():
        position = name.rpartition("/")[2].rstrip("+")
        assert f'<span class="when">{DAY} ' in page
        assert f'href="/ledger/{position}"' in page


@pytest.mark.parametrize("place", ["/tables/B01", "/alerts?table=B01"])
def test_an_alert_is_acknowledged_where_it_is_listed_and_one_comes_back_there(
    troubles, database, place
):
    async def scene():
        async with pages_of(database) as ask:
            return await ask(place, "sabot-language=en")

    _, page = ran(scene())
    forms = re.findall(r'<form method="post" action="/alerts/acknowledge">(.*?)</form>', page, re.S)
    names = {re.search(r'name="alert" value="([^"]+)"', each)[1] for each in forms}

    assert names
    assert names <= {each.alert for each in seen_of(database).alerts if each.acknowledgeable}
    assert troubles not in names
    assert all(f'name="then" value="{place}"' in each for each in forms)


def test_which_kinds_are_on_record_is_the_same_and_reads_no_row_by_row(troubles, database):
    seen_of(database)
    with reading_session(database) as (connection, _):
        named = {"kinds": [*RANKS]}
        every = connection.execute(f"SELECT DISTINCT kind FROM {RECORDED}").fetchall()
        there = connection.execute(KINDS_THERE, named).fetchall()
    with database.connect(None) as connection, connection.transaction(force_rollback=True):
        connection.execute("SET LOCAL search_path = projections")
        connection.execute(
            """INSERT INTO exceptions
               SELECT 1000000 + n, 'late bet', at, table_code, gaming_day, shoe, coup, patron, "by",
                      detail, command_id, NULL, at, NULL, rank, NULL, NULL
                 FROM generate_series(1, 9000) AS n, (SELECT * FROM exceptions LIMIT 1) AS one"""
        )
        connection.execute("ANALYZE exceptions")
        plan = " ".join(row[0] for row in connection.execute(f"EXPLAIN {KINDS_THERE}", named))

    assert sorted(there) == sorted(every) != []
    assert "exceptions_by_kind" in plan
    assert "Seq Scan on exceptions" not in plan
