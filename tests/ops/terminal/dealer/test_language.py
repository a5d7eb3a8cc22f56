"""The terminal speaks the language of whoever is signed on, and else its own."""

import asyncio
import io
from contextlib import closing

import pytest

from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import sign_on
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.plain import Plain
from ops.terminal.dealer.screen.app import DealerScreen
from ops.terminal.dealer.screen.dialogs import SignOn
from ops.terminal.dealer.session import Session
from ops.words.language import spoken
from tests.ops.terminal.dealer.states import line
from tests.ops.terminal.english import english_lines, english_on, lines_of
from tests.ops.terminal.fakes import settled
from tests.pseudo import pseudo
from tests.worlds.closed_house import PIN, DealerAtWork


@pytest.fixture
def house(database):
    """A closed house in which B01 is open; D-204 chose Portuguese, D-205 chose nothing."""
    house = DealerAtWork(database)
    house.sign_off("D-204")
    line = {"command": "staff.language", "staff": "D-204", "language": "pt"}
    assert house.boss.dispatch(line).ok
    yield house
    house.close()


@pytest.fixture(autouse=True)
def made_up_language():
    """Whatever is not English is made up; the terminal's own language is English."""
    with pseudo(speaking="en"):
        yield


def token(house, staff):
    """Of somebody who signed on before the terminal was opened."""
    answer, token = sign_on(Dispatcher(house.casino, "test"), staff, PIN)
    assert answer.ok
    return token


def picture(app):
    return "\n".join(lines_of(app))


def at(session, act, *, until):
    """The screen, as soon as that is so, and what happens there."""

    async def run():
        app = DealerScreen(session)
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(app, pilot, lambda: app.opened and until(app))
            await act(app, pilot)

    asyncio.run(run())


def asks(app):
    return isinstance(app.screen, SignOn)


async def sign(app, pilot, staff):
    await pilot.press(*line(staff), "enter", *line(PIN), "enter")
    await settled(app, pilot, lambda: not asks(app))


async def leave(app, pilot):
    await pilot.press(*"off", "enter")
    await settled(app, pilot, lambda: asks(app))


def test_whoever_signs_on_reads_their_own_language_until_they_sign_off(house, database):
    async def act(app, pilot):
        assert "Nobody is signed on at this terminal." in picture(app)
        await sign(app, pilot, "D-204")
        assert english_lines(lines_of(app), "classic@1") == []
        await leave(app, pilot)
        assert "Nobody is signed on at this terminal." in picture(app)
        await sign(app, pilot, "D-205")
        assert "no shoe" in picture(app)
        await leave(app, pilot)
        await sign(app, pilot, "D-204")
        assert "no shoe" not in picture(app)

    with closing(Session(HouseHere(database), "B01")) as session:
        at(session, act, until=asks)
    assert spoken() == "en"


def test_whoever_is_signed_on_already_reads_their_own_language_from_the_start(house, database):
    async def act(app, pilot):
        assert english_lines(lines_of(app), "classic@1") == []

    with closing(Session(HouseHere(database, token=token(house, "D-204")), "B01")) as session:
        at(session, act, until=lambda app: session.now.read)
    assert spoken() == "en"


def test_a_language_is_followed_when_the_ledger_is_reached_late(house, database):
    with closing(Session(HouseHere(database, token=token(house, "D-204")), "B01")) as session:
        session.open()

        assert spoken() == "pt"


def test_whoever_was_signed_off_elsewhere_is_asked_in_the_terminal_s_own_language(house, database):
    with closing(Session(HouseHere(database, token=token(house, "D-204")), "B01")) as session:
        session.open()
        house.sign_off("D-204")
        outcome = session.say("seat 3 P-1")

        assert "sign-on" == outcome.kind
        assert "D-204 is not signed on" in outcome.words[-1]
        assert spoken() == "en"


def test_a_terminal_whose_own_language_is_another_speaks_it_to_who_chose_none(house, database):
    with pseudo(), closing(Session(HouseHere(database), "B01")) as session:
        session.open()
        for staff, language in (("D-205", "zh-Hant"), ("D-204", "pt")):
            assert session.sign_on(staff, PIN).kind == "done"
            assert spoken() == language
            session.say("off")
            assert spoken() == "zh-Hant"


def test_line_by_line_everything_is_in_the_language_of_whoever_is_signed_on(
    house, database, monkeypatch
):
    lines = io.StringIO("seat 3 P-1\nlook\noff\n")
    monkeypatch.setattr("sys.stdin", lines)
    answers, asides = [], []
    with closing(Session(HouseHere(database, token=token(house, "D-204")), "B01")) as session:
        Plain(session, answers.append, asides.append).run()

    *asides, last = asides
    assert [each for each in (*answers, *asides) if english_on(each, "classic@1")] == []
    assert "Sign on first: `sabot staff sign-on STAFF --table B01`" == last
