"""Late entry at the dealer's terminal: `late 20:14` until `late off`."""

import asyncio
import io
import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from ops.kit.outcome import Second
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.late_entry import LateEntry
from ops.terminal.dealer.plain import Plain
from ops.terminal.dealer.session import Session
from ops.typed.acts import Late, NotUnderstood
from ops.typed.grammar import parse
from tests.ops.terminal import typed
from tests.ops.terminal.dealer.killed import sits_down_again
from tests.ops.terminal.dealer.tables import BET, table
from tests.ops.terminal.fakes import FakeSession, screen, settled

OPENED = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
NOW = datetime(2026, 11, 21, 22, 40, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """What the clock shows now, as its only item."""
    shows = [NOW]
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: shows[0])
    monkeypatch.setattr("ops.commands.machine_time.FURTHEST_AHEAD", timedelta(minutes=5))
    return shows


@pytest.fixture
def session(terminal, clock):
    """A terminal at B01, whose patrons sat down at eight: before all that is entered late."""
    clock[0] = OPENED
    session = terminal()
    for line in typed.preparation():
        assert session.say(line).kind == "done", line
    clock[0] = NOW
    return session


def recorded(database, topic):
    """When each event of the topic happened, and whether it was entered late."""
    with database.connect("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT convert_from(state, 'UTF8')::json ->> 'at', metadata FROM ledger.events "
            "WHERE topic = %s ORDER BY position",
            (topic,),
        ).fetchall()
    return [
        (f"{datetime.fromisoformat(at):%H:%M}", "late" in json.loads(more)) for at, more in rows
    ]


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("late 20:14", Late("20:14")),
        ("LATE  9:05", Late("09:05")),
        ("late 20:14:07", Late("20:14:07")),
        ("late 2026-11-21 20:14", Late("2026-11-21 20:14")),
        ("late off", Late()),
    ],
)
def test_how_it_is_typed(line, act):
    assert parse(line) == act


@pytest.mark.parametrize("line", ["late", "late 25:00", "late 2014", "late 20:14 3 b 500"])
def test_other_words_are_no_time(line):
    with pytest.raises(NotUnderstood, match="After `late`, type the time by the house"):
        parse(line)


def test_what_follows_happened_at_that_time_until_it_is_off(session, database):
    begun = session.say("late 20:14")
    session.say("3 b 500")
    changed = session.say("late 20:20")
    session.say("1 b 50")
    over = session.say("late off")
    session.say("3 t 25")

    assert (begun.kind, begun.words) == (
        "done",
        ("Late entry: what you enter now happened at 20:14. `late off` ends it.",),
    )
    assert "20:20" in changed.words[0]
    assert over.words == ("Late entry has ended: what you enter now happens now.",)
    assert recorded(database, "coup.wager-placed") == [
        ("20:14", True),
        ("20:20", True),
        ("22:40", False),
    ]


def test_after_midnight_it_is_the_same_gaming_day(session, clock, database):
    clock[0] = NOW + timedelta(hours=5)
    session.say("late 23:50")
    session.say("3 b 500")
    session.say("late 0:30")
    moment = session.late.moment

    assert moment == datetime(2026, 11, 22, 0, 30, tzinfo=UTC)
    assert recorded(database, "coup.wager-placed") == [("23:50", True)]


def test_a_time_that_is_still_to_come_is_refused_at_once(session):
    outcome = session.say("late 23:30")

    assert (outcome.kind, outcome.left) == ("refused", "late 23:30")
    assert "50 minutes in the future" in outcome.words[0]
    assert session.late == LateEntry()


def test_keys_that_repeat_are_late_too(session, database):
    session.say("late 22:30")
    session.say("3 b 500")
    session.say("9c5s7cqd9s s")
    session.say("=")

    assert recorded(database, "coup.wager-placed") == [("22:30", True)] * 2
    assert set(recorded(database, "coup.card-dealt")) == {("22:30", True)}


def test_a_line_with_a_time_of_its_own_keeps_it(session, database):
    session.say("late 20:14")
    session.say("buy-in 3 500 --at 20:10 --late")

    assert recorded(database, "table-day.bought-in") == [("20:10", True)]


def test_a_bet_after_the_first_card_still_takes_a_second_person(session, clock):
    session.say("3 b 500")
    clock[0] = NOW + timedelta(minutes=10)
    session.say("9c5s7cqd")
    session.say("late 22:45")
    outcome = session.say("1 b 50")

    assert outcome.kind == "second"
    assert session.say("1 b 50", Second("S-11")).kind == "done"


def test_after_a_kill_it_is_still_on_and_after_leaving_it_is_not(session, database, clock):
    session.say("late 20:14")
    session.keep("3 b 500")
    with sits_down_again(session, database) as (again, _):
        assert (again.draft, again.late) == ("3 b 500", session.late)
        again.keep("")
    with closing(Session(HouseHere(database), "B01", by="D-204")) as third:
        assert third.late == LateEntry()


def test_after_a_kill_the_next_day_it_is_off(session, database, clock):
    session.say("late 20:14")
    clock[0] = NOW + timedelta(days=1)
    with sits_down_again(session, database) as (again, _):
        assert again.late == LateEntry()


def test_the_plain_terminal_marks_every_answer(terminal, monkeypatch):
    told, session = [], terminal()
    lines = [*typed.preparation(), "late 20:14", "3 b 500", "late off", "1 b 50"]
    face = Plain(session, told.append, lambda _: None)
    monkeypatch.setattr(session, "open", lambda: None)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    face.run()

    assert told[-4].startswith("LATE 20:14. Late entry: what you enter now happened at 20:14.")
    assert told[-3].startswith("LATE 20:14. ")
    assert "LATE" not in told[-1]


def test_the_screen_shows_it_in_its_head_and_where_one_types():
    session = FakeSession(table(BET))
    session.late = LateEntry("20:14", NOW)

    async def run():
        app = screen(session)
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(app, pilot, lambda: app.opened)
            return app.page.head.plain, app.page.hint.plain

    head, hint = asyncio.run(run())

    assert head.startswith(" LATE 20:14  B01 ")
    assert hint.startswith(" LATE 20:14 ")
    assert max(map(len, head.splitlines())) <= 80
