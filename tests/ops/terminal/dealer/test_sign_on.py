"""Who deals signs on in place; what proves it is seen by nobody and kept nowhere."""

import asyncio
import io
import threading
from contextlib import closing
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner

from domain.rules.pins import WRONG_PINS
from ops.cli import cli
from ops.commands.signed_on import NOBODY
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import sign_on
from ops.kit.outcome import Link, Outcome, Second
from ops.ledger.database import LedgerLost, OutcomeUnknown
from ops.ledger.files import data_home
from ops.ledger.recorder import Ledger
from ops.terminal.dealer import plain as plain_face
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.plain import Plain
from ops.terminal.dealer.screen.app import DealerScreen
from ops.terminal.dealer.screen.dialogs import SecondPerson, SignOn
from ops.terminal.dealer.session import Session
from tests.conftest import ELSEWHERE, HERE
from tests.ops.terminal.dealer.states import AWAY, UNSURE, WRONG, line
from tests.ops.terminal.dealer.tables import betting
from tests.ops.terminal.fakes import FakeSession, screen, settled
from tests.worlds.closed_house import GUESS, OTHER, PIN, DealerAtWork

LIMIT = "limits 50 5000"


@pytest.fixture
def house(database):
    """A closed house in which B01 is open, and nobody is at work but the administrator."""
    house = DealerAtWork(database)
    goes(house, "D-204")
    yield house
    house.close()


def goes(house, staff):
    house.casino.forget()  # they may have come at another terminal
    house.sign_off(staff)


def elsewhere(house, staff):
    """They sign on at another terminal."""
    dispatcher = Dispatcher(house.casino, "test")
    answer, _ = sign_on(dispatcher, staff, PIN)
    assert answer.ok
    return dispatcher


@pytest.fixture
def kept():
    """What the terminal's file of tokens was told."""
    return []


@pytest.fixture
def session(house, database, kept):
    """A terminal at B01 at which nobody is signed on."""
    session = Session(HouseHere(database), "B01", save_token=kept.append, forget_token=kept.append)
    with closing(session):
        yield session


def at(session, act, *, alone=True):
    """The screen, what happens there, and all that stood on it."""

    async def run():
        app = screen(session) if isinstance(session, FakeSession) else DealerScreen(session)
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(app, pilot, lambda: app.opened and (asked(app) or not alone))
            try:
                await act(app, pilot)
            finally:
                if isinstance(session, FakeSession):
                    session.let_go()
        return app

    return asyncio.run(run())


def asked(app):
    return isinstance(app.screen, SignOn)


def words(app):
    return " ".join(message.words for message in app.notes.messages)


def told(app):
    """What the dialog says."""
    return str(app.screen._words.render())


def picture(app):
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips)


async def sign(app, pilot, *typed):
    """What is typed, each with Enter; until it is judged, or more is asked."""
    for each in typed:
        await pilot.press(*line(each), "enter")
    await settled(app, pilot, lambda: not asked(app) or not app.screen._waits)


async def say(app, pilot, typed):
    await pilot.press(*line(typed), "enter")
    await settled(app, pilot, lambda: not app.busy)


# On a ledger.
def test_whoever_deals_signs_on_before_anything_else_and_deals(house, session, kept):
    async def act(app, pilot):
        await sign(app, pilot, "D-204", PIN)
        assert not asked(app)
        assert "D-204" in words(app)
        await say(app, pilot, "seat 3 P-1")
        assert session.now.seat(3).patron == "P-1"

    at(session, act)

    assert [token.staff for token in kept] == ["D-204"]
    assert session._presence.token.staff == "D-204"
    assert house.member("D-204").table == "B01"


def test_a_one_time_code_chooses_a_pin_that_is_typed_twice(house, session):
    code = house.enrol("D-206", "dealer")["code"]

    async def act(app, pilot):
        await sign(app, pilot, "D-206", code, "12")
        assert told(app) == "The new PIN is not 4 to 32 digits: choose another."
        await sign(app, pilot, OTHER, PIN)
        assert "The two PINs differ." in told(app)
        await sign(app, pilot, OTHER, OTHER)
        assert not asked(app)

    at(session, act)

    assert house.member("D-206").signed_on
    goes(house, "D-206")
    assert session.sign_on("D-206", PIN).words == (
        "That is not the PIN of D-206. Check the number, then type both again.",
    )


def test_a_wrong_pin_is_told_and_the_right_one_does(house, session):
    async def act(app, pilot):
        await sign(app, pilot, "D-204", GUESS)
        assert told(app) == (
            "That is not the PIN of D-204. Check the number, then type both again."
        )
        await sign(app, pilot, PIN)
        assert not asked(app)

    at(session, act)


def test_guessing_locks_the_number_and_the_dialog_stays(house, session, kept, patient):
    async def act(app, pilot):
        await sign(app, pilot, "D-205", GUESS)
        for _ in range(WRONG_PINS):
            await sign(app, pilot, GUESS)
        assert "D-205 is locked" in told(app)
        await sign(app, pilot, PIN)
        assert "D-205 is locked" in told(app)
        await pilot.press("escape")

    at(session, act)

    assert kept == []
    assert not house.member("D-205").signed_on


def test_who_only_looks_follows_the_table_and_a_line_asks_again(house, session):
    async def act(app, pilot):
        await pilot.press("escape")
        await settled(app, pilot)
        seat = {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-9"}
        assert elsewhere(house, "D-205").dispatch(seat).ok
        await settled(app, pilot, lambda: session.now.seat(3) is not None)
        await say(app, pilot, "leave 3")
        assert asked(app)
        assert "`leave 3` stays on the line." in told(app)
        assert app.line.value == "leave 3"
        await sign(app, pilot, "D-204", PIN)
        await pilot.press("enter")
        await settled(app, pilot, lambda: not app.busy)
        assert session.now.seat(3) is None

    at(session, act)


def test_who_only_looks_is_shown_no_patron_s_name_until_they_sign_on(house, session):
    seat = {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-9"}
    assert elsewhere(house, "D-205").dispatch(seat).ok
    later = {**seat, "seat": 5, "patron": "P-10"}

    async def act(app, pilot):
        await pilot.press("escape")
        await settled(app, pilot, lambda: session.now.seat(3) is not None)
        assert house.boss.dispatch({"command": "staff.sign-off", "staff": "D-205"}).ok
        assert elsewhere(house, "D-205").dispatch(later).ok
        await settled(app, pilot, lambda: session.now.seat(5) is not None)
        await say(app, pilot, "c")
        shown = picture(app) + words(app)
        assert "taken" in shown
        assert "P-9" not in shown
        assert "P-10" not in shown
        await say(app, pilot, "n")
        await sign(app, pilot, "D-204", PIN)
        await settled(app, pilot, lambda: "P-10" in picture(app))
        assert "P-9" in picture(app)
        assert session.say("off").kind == "sign-on"
        assert {each.patron for each in session.now.seats} == {"taken"}

    at(session, act)


def test_in_open_house_names_are_shown_to_whoever_looks(pit, database):
    with closing(Session(HouseHere(database), "B01")) as session:
        session.open()
        assert session.now.seat(3).patron == "P-10417"


def test_who_signs_on_elsewhere_is_asked_here_again_and_no_line_is_lost(house, session, at_place):
    async def act(app, pilot):
        await sign(app, pilot, "D-204", PIN)
        goes(house, "D-204")
        at_place(ELSEWHERE)
        elsewhere(house, "D-204")
        at_place(HERE)
        await say(app, pilot, "seat 3 P-1")
        assert asked(app)
        assert "`seat 3 P-1` stays on the line." in told(app)
        await sign(app, pilot, "D-204", PIN)
        assert "D-204 is still signed on at pit-2 (as ann), since 12:00." in told(app)
        assert "Enter again signs you off there." in told(app)
        await pilot.press("enter")
        await settled(app, pilot, lambda: not asked(app))
        assert app.line.value == "seat 3 P-1"
        await pilot.press("enter")
        await settled(app, pilot, lambda: not app.busy)
        assert session.now.seat(3).patron == "P-1"

    at(session, act)


def test_a_relief_signs_off_and_the_next_dealer_on(house, session, kept):
    async def act(app, pilot):
        await sign(app, pilot, "D-204", PIN)
        await say(app, pilot, "late 20:14")
        assert session.late.time == "20:14"
        await say(app, pilot, "off")
        assert asked(app)
        assert not session.late.time
        assert not house.member("D-204").signed_on
        assert "On record" not in words(app)
        await sign(app, pilot, "D-205", PIN)
        assert "D-204 is the dealer of B01. Type `dealer D-205` when you take over." in words(app)
        await say(app, pilot, "dealer D-205")
        assert not app.screen_stack[1:], "a relief takes one PIN"
        assert session.now.dealer == "D-205"
        await say(app, pilot, "seat 3 P-1")
        assert session.now.seat(3).patron == "P-1"

    at(session, act)

    assert [getattr(each, "staff", each) for each in kept] == ["D-204", "D-204", "D-205"]
    assert session._presence.token.staff == "D-205"
    assert house.member("D-205").signed_on


def test_a_pin_that_is_typed_as_a_number_is_on_no_record(house, session, superuser):
    """By who signs on, and by who signs as the second person."""

    async def act(app, pilot):
        await sign(app, pilot, PIN, PIN)
        assert "Type the staff number first, then its PIN." in told(app)
        assert PIN not in words(app) + told(app)
        assert (app.focused.id, app.focused.value) == ("staff", "")
        await pilot.press(*PIN)
        assert PIN not in picture(app)
        await pilot.press("ctrl+u")

    at(session, act)
    assert session.sign_on("D-204", PIN).kind == "done"
    asked_to_sign = session.say(LIMIT)
    refused = session.say(LIMIT, Second(PIN, PIN))
    stored = superuser.execute(
        "SELECT convert_from(state, 'UTF8') FROM ledger.events "
        "UNION ALL SELECT answer FROM ledger.commands "
        "UNION ALL SELECT pin_places::text FROM people.pin_places AS pin_places"
    ).fetchall()

    assert (asked_to_sign.kind, refused.kind) == ("second", "second")
    assert refused.asks == asked_to_sign.words[:-1]
    assert PIN not in repr((refused, stored))
    assert session.say(LIMIT, Second("S-11", PIN)).kind == "done"


def test_whoever_signs_off_where_nobody_is_signed_on_is_asked_who_they_are(house, session):
    async def act(app, pilot):
        await pilot.press("escape")
        assert not asked(app)
        await say(app, pilot, "off")
        assert asked(app)

    at(session, act)


def test_in_open_house_nobody_is_asked_and_nobody_signs_off(database):
    session = Session(HouseHere(database), "B01", by="D-204")

    async def act(app, pilot):
        assert not asked(app)
        await say(app, pilot, "off")
        assert "Nobody signs on here yet." in words(app)

    with closing(session):
        at(session, act, alone=False)


def test_what_proves_it_stands_nowhere(house, session, superuser):
    code = house.enrol("D-206", "dealer")["code"]
    seen = []

    async def act(app, pilot):
        for keys in ("D-206", code, OTHER, OTHER):
            for key in keys:
                await pilot.press(key)
                seen.append(picture(app))
            await sign(app, pilot, "")
            seen.append(picture(app))
        assert not asked(app)
        await say(app, pilot, LIMIT)
        assert isinstance(app.screen, SecondPerson)
        await pilot.press(*"S-11", "enter")
        for key in PIN:
            await pilot.press(key)
            seen.append(picture(app))
        await pilot.press("enter")
        await settled(app, pilot, lambda: not app.busy)
        seen.extend([words(app), *app.line.history.lines])

    at(session, act)

    files = [file.read_bytes().decode() for file in (data_home() / "terminal").glob("*.json")]
    record = superuser.execute("SELECT state::text, metadata::text FROM ledger.events").fetchall()
    assert files
    for secret in (code, OTHER, PIN):
        assert not [each for each in (*seen, *files, session.draft, str(record)) if secret in each]


def test_nothing_typed_unseen_can_be_copied():
    session = FakeSession(betting())
    session.must_sign_on = True

    async def act(app, pilot):
        await pilot.press(*"D-204", "enter", *PIN, "shift+home", "ctrl+c", "ctrl+x")
        assert PIN not in app.clipboard

    at(session, act)


# Several terminals of one machine, which keep one file.
class File:
    """What `save_token`, `forget_token` and `saved_token` do with it."""

    def __init__(self):
        self.token = NOBODY

    def keep(self, token):
        self.token = token

    def forget(self, staff):
        self.token = NOBODY if self.token.staff == staff else self.token


@pytest.fixture
def terminals(house, database):
    """Two at B01, with nobody on either."""
    file, made = File(), []
    for _ in range(2):
        how = {"save_token": file.keep, "forget_token": file.forget}
        made.append(Session(HouseHere(database), "B01", **how, saved_token=lambda: file.token))
        made[-1].open()
    yield made
    for each in made:
        each.close()


def test_a_person_at_two_terminals_of_a_table_is_heard_at_both(house, terminals):
    one, two = terminals
    assert [each.sign_on("D-204", PIN).kind for each in terminals] == ["done", "done"]

    assert [each.must_sign_on for each in terminals] == [False, False]
    assert one.say("seat 3 P-1").kind == "done"
    assert two.say("seat 5 P-2").kind == "done"
    assert one.say("off").kind == "sign-on"
    assert two.say("seat 1 P-3").kind == "sign-on"
    assert not house.member("D-204").signed_on


def test_the_next_dealer_at_another_terminal_of_the_machine_relieves_the_one_before(
    house, terminals
):
    one, two = terminals
    one.sign_on("D-204", PIN)
    relieved = two.sign_on("D-205", PIN)

    assert "D-204 was signed off here." in relieved.words
    assert not house.member("D-204").signed_on
    assert one.say("seat 3 P-1").kind == "sign-on"  # nobody says it in another's name
    assert two.say("seat 3 P-1").kind == "done"


def test_a_place_that_guessed_waits_at_the_terminal_too(house, session):
    told = [session.sign_on("D-204", GUESS) for _ in range(4)]

    assert told[-1].kind == "refused"
    assert told[-1].words[0].startswith("Too many wrong PINs were typed on this machine. Wait ")


# What is lost on the way.
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_sign_on_whose_answer_is_lost_is_tried_again(house, session, kept, monkeypatch, when):
    append = Ledger.append
    broken = threading.Event()

    def breaking(ledger, *what):
        if threading.current_thread().name == "listener" or ledger is house.casino.ledger:
            return append(ledger, *what)
        if not broken.is_set() and when == "after":
            append(ledger, *what)
        if not broken.is_set():
            broken.set()
            raise OutcomeUnknown("the line broke")
        return append(ledger, *what)

    code = house.enrol("D-206", "dealer")["code"]
    monkeypatch.setattr("ops.terminal.dealer.session.PATIENCE", 0.0)
    session._house.dispatcher.patience = 0.0

    async def act(app, pilot):
        monkeypatch.setattr(Ledger, "append", breaking)
        await sign(app, pilot, "D-206", code, OTHER, OTHER)
        assert "It is not known yet whether D-206 is signed on. Press Enter to try again." in told(
            app
        )
        assert kept == []
        await pilot.press("enter")
        await settled(app, pilot, lambda: not asked(app))
        await say(app, pilot, "seat 3 P-1")
        assert session.now.seat(3).patron == "P-1"

    at(session, act)

    assert [token.staff for token in kept] == ["D-206"]


def test_who_looks_on_after_a_lost_answer_is_signed_on_all_the_same(house, session, kept):
    session.open()
    dispatch = session._house.dispatcher.dispatch

    def lost(*what):
        dispatch(*what)
        raise OutcomeUnknown("the line broke")

    session._house.dispatcher.dispatch = lost
    assert session.sign_on("D-204", PIN).kind == "lost"
    session._house.dispatcher.dispatch = dispatch

    assert session.say("seat 3 P-1").kind == "done"
    assert [token.staff for token in kept] == ["D-204"]


def test_a_ledger_that_cannot_tell_about_a_code_is_asked_again_by_enter():
    session = FakeSession(betting())
    session.must_sign_on = True
    asked_of = []

    def awaits_code(staff):
        asked_of.append(staff)
        if len(asked_of) == 1:
            raise LedgerLost("the server closed the connection")
        return False

    session.awaits_code = awaits_code

    async def act(app, pilot):
        await pilot.press(*"D-204", "enter")
        await settled(app, pilot, lambda: "cannot be reached" in told(app))
        await sign(app, pilot, PIN)
        assert not asked(app)

    at(session, act)

    assert session.typed == [("D-204", PIN, None)]


def test_who_cannot_be_asked_at_first_is_asked_when_the_ledger_is_back():
    session = FakeSession(betting())
    session.link, session.must_sign_on = Link(up=False, why="it is not there"), True

    async def act(app, pilot):
        assert not asked(app)
        session.becomes(link=Link())
        await settled(app, pilot, lambda: asked(app))

    at(session, act, alone=False)


# By keys alone.
def test_keys_pressed_ahead_arrive_where_they_belong():
    session = FakeSession(betting())
    session.must_sign_on = True
    session.signing.extend([WRONG, UNSURE])

    async def act(app, pilot):
        await sign(app, pilot, "D-204", GUESS)
        await sign(app, pilot, PIN)
        await pilot.press("enter")
        await settled(app, pilot, lambda: not asked(app))

    at(session, act)

    assert session.typed == [("D-204", GUESS, None), ("D-204", PIN, None), ("D-204", PIN, None)]


def test_what_is_typed_while_the_screen_starts_is_the_answer_to_its_question_and_on_no_line():
    session = FakeSession(betting())
    session.must_sign_on, session.draft = True, "3 b"
    there = threading.Event()
    session.open = lambda: there.wait(20) and None

    async def run():
        app = screen(session)
        async with app.run_test() as pilot:
            await pilot.press(*"D-204", "enter", *PIN, "enter")
            assert app.line.value == ""
            assert "Your keys are kept." in app.page.hint.plain
            there.set()
            await settled(app, pilot, lambda: bool(session.typed) and not asked(app))
            assert app.line.value == "3 b"
            assert PIN not in repr(app.line.history.lines)

    asyncio.run(run())

    assert session.typed == [("D-204", PIN, None)]
    assert PIN not in repr(session.kept)


@pytest.mark.parametrize("kind", ["lost", "unsent"])
def test_what_was_not_heard_is_tried_again_as_it_was_typed(kind):
    session = FakeSession(betting())
    session.must_sign_on = True
    session.signing.append(Outcome(kind, ("The ledger cannot be reached: it is away.",)))

    async def act(app, pilot):
        await pilot.press(*"D-204", "enter", *PIN, "enter")
        await settled(app, pilot, lambda: len(session.typed) == 1 and not app.screen._waits)
        assert "Press Enter to try again." in told(app)
        await pilot.press("enter")
        await settled(app, pilot, lambda: not asked(app))

    at(session, act)

    assert session.typed == [("D-204", PIN, None)] * 2


def test_two_enters_are_one_try():
    session = FakeSession(betting())
    session.must_sign_on = True
    session.signing.append(WRONG)

    async def act(app, pilot):
        session.hold()
        await pilot.press(*"D-204", "enter", *GUESS, "enter")
        await settled(app, pilot, lambda: bool(session.typed))
        await pilot.press("enter", *"99", "enter")
        session.let_go()
        await settled(app, pilot, lambda: not app.screen._waits)
        assert app.screen._secret.value == ""

    at(session, act)

    assert session.typed == [("D-204", GUESS, None)]


def test_who_mends_the_number_is_asked_what_that_one_takes():
    session = FakeSession(betting())
    session.must_sign_on = True
    session.codes = {"D-206"}

    async def act(app, pilot):
        await pilot.press(*"D-206", "enter", *"K7QX", "enter")
        await settled(app, pilot, lambda: app.screen._takes_code)
        await pilot.press(*OTHER, "shift+tab", "shift+tab", "backspace", "4", "enter")
        await settled(app, pilot, lambda: not asked(app))

    at(session, act)

    assert session.typed == [("D-204", "K7QX", None)]


def test_f10_leaves_from_the_dialog():
    session = FakeSession(betting())
    session.must_sign_on = True

    async def act(app, pilot):
        await pilot.press("f10")
        await settled(app, pilot, lambda: not app.is_running)

    at(session, act)


def test_lines_behind_one_that_nobody_is_heard_for_come_back():
    session = FakeSession(betting(), AWAY)

    async def act(app, pilot):
        session.hold()
        await pilot.press(*line("3 b 500"), "enter", *line("n"), "enter")
        session.let_go()
        await settled(app, pilot, lambda: asked(app))
        assert app.line.value == "3 b 500"
        assert "1 line was not sent: n." in words(app)

    at(session, act, alone=False)

    assert session.lines == ["3 b 500"]


# A second person beside whoever is signed on.
async def second(app, pilot, pin, staff="S-11"):
    """Until the line is done, or somebody is asked again."""
    asked = app.screen
    assert isinstance(asked, SecondPerson)
    await pilot.press(*staff, "enter", *pin, "enter")

    def over():
        again = isinstance(app.screen, SecondPerson) and app.screen is not asked
        return not app.busy and (again or not app.sending.unsigned)

    await settled(app, pilot, over)


@pytest.fixture
def dealing(house, session):
    """D-204 is signed on."""
    session.open()
    assert session.sign_on("D-204", PIN).kind == "done"
    return session


def test_a_second_person_types_their_pin_and_it_is_done(dealing):
    async def act(app, pilot):
        await say(app, pilot, LIMIT)
        await second(app, pilot, PIN)
        assert dealing.now.limits["main"] == [50_00, 5_000_00]
        assert app.line.value == ""

    at_open(dealing, act)


def test_whom_the_line_names_types_only_the_pin_which_nobody_sees(dealing):
    async def act(app, pilot):
        await say(app, pilot, f"table {LIMIT.replace('50 5000', '--minimum 50')} --with S-11")
        assert app.focused.password
        await pilot.press(*PIN)
        assert PIN not in picture(app)
        await pilot.press("enter")
        await settled(app, pilot, lambda: not app.busy)
        assert dealing.now.limits["main"][0] == 50_00

    at_open(dealing, act)


def test_nobody_signs_for_what_is_refused_whoever_signs(dealing):
    async def act(app, pilot):
        await say(app, pilot, "correct 3 b 500 a chip fell")
        assert not isinstance(app.screen, SecondPerson)
        assert app.notes.messages[-1].kind == "refused"

    at_open(dealing, act)


def test_a_terminal_that_is_opened_for_another_dealer_asks_who_is_here(house, dealing, database):
    with closing(
        Session(HouseHere(database, token=dealing._presence.token), "B01", by="D-206")
    ) as session:
        session.open()

        assert session.must_sign_on
        assert session.signed_on == "D-204"


def test_a_second_person_who_mistypes_is_asked_again_and_the_right_pin_does_it(dealing):
    async def act(app, pilot):
        await say(app, pilot, LIMIT)
        await second(app, pilot, GUESS)
        assert "That is not the PIN of S-11. Check the number" in words(app)
        assert "From the next coup on: Player and Banker 50–5,000" in " ".join(app.screen._words)
        assert app.line.value == ""
        assert dealing.now.limits["main"][0] != 50_00
        await second(app, pilot, PIN, staff="")  # the number is there already
        assert dealing.now.limits["main"][0] == 50_00
        assert app.line.value == ""

    at_open(dealing, act)


def test_a_second_person_who_guesses_is_locked(house, dealing, patient):
    async def act(app, pilot):
        await say(app, pilot, LIMIT)
        await second(app, pilot, GUESS)
        for _ in range(WRONG_PINS - 1):
            await second(app, pilot, GUESS, staff="")  # the number is there already
        await second(app, pilot, PIN)
        assert "S-11 is locked" in app.notes.messages[-1].words
        await pilot.press("escape")
        await settled(app, pilot, lambda: not isinstance(app.screen, SecondPerson))
        assert app.line.value == LIMIT
        assert dealing.now.limits["main"][0] != 50_00

    at_open(dealing, act)


def at_open(session, act):
    """At a session that is open already."""
    session.open = lambda: None
    return at(session, act, alone=False)


# The plain face.
def lines_in(monkeypatch, *lines, tty):
    stdin = io.StringIO("".join(f"{each}\n" for each in lines))
    stdin.isatty = lambda: tty
    monkeypatch.setattr("sys.stdin", stdin)


def test_a_script_is_told_to_sign_on_first_and_ends(session, monkeypatch):
    lines_in(monkeypatch, "seat 3 P-1", tty=False)
    told = []

    assert Plain(session, told.append, told.append).run() == 1
    assert told == ["Sign on first: `sabot staff sign-on STAFF --table B01`"]
    assert session.now.seat(3) is None


def test_at_a_plain_terminal_the_pin_is_asked_unseen(house, session, monkeypatch, capsys):
    code = house.enrol("D-206", "dealer")["code"]
    unseen = iter([GUESS, code, "12", OTHER, PIN, OTHER, OTHER])
    monkeypatch.setattr(plain_face, "getpass", lambda asks: next(unseen))
    lines_in(monkeypatch, "D-204", "D-206", "seat 3 P-1", "off", "", tty=True)
    told = []
    Plain(session, told.append, told.append).run()

    assert told[0] == (
        "Refused: That is not the PIN of D-204. Check the number, then type both again."
    )
    assert any("P-1" in each for each in told)
    assert not house.member("D-206").signed_on
    assert list(unseen) == []
    assert not [each for each in (*told, capsys.readouterr().out) if OTHER in each or code in each]


def test_who_only_looks_at_a_plain_terminal_sees_the_table(session, monkeypatch):
    lines_in(monkeypatch, "", "seat 3 P-1", "", tty=True)
    told = []

    assert Plain(session, told.append, told.append).run() == 1
    assert "B01, classic@1, USD 10.00 to 5,000.00." in told
    assert session.now.seat(3) is None


# The command.
def test_a_terminal_needs_a_screen_or_says_what_does_not():
    outcome = CliRunner().invoke(cli, ["dealer", "B01"])

    assert outcome.exit_code == 2
    assert "with `--plain` it takes lines instead" in outcome.stderr


@pytest.mark.parametrize("how", [[], ["--plain"]])
def test_a_table_that_is_none_is_refused_before_there_is_a_screen(how):
    outcome = CliRunner().invoke(cli, ["dealer", "x y", *how])

    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("BadValue: ")
    assert "x y" in outcome.stderr


# What is small.
def test_a_pin_stands_in_no_mistake_of_the_program():
    assert PIN not in repr(Second("S-11", PIN))


def test_the_clock_is_the_house_s(terminal, another):
    another().dispatch({"command": "property.set", "name": "zone", "value": "Asia/Macau"})
    session = terminal()
    app = DealerScreen(session)

    assert session.now.clock.zone == "Asia/Macau"
    assert app._clock().utcoffset() == datetime.now(ZoneInfo("Asia/Macau")).utcoffset()


def test_a_whole_act_has_no_ghost_and_tab_goes_on_all_the_same():
    async def run():
        app = DealerScreen(FakeSession(betting()))
        async with app.run_test() as pilot:
            await settled(app, pilot, lambda: app.opened)
            await pilot.press(*"3 b")
            await settled(app, pilot, lambda: app.line._suggestion.startswith("3 b "))
            await pilot.press("ctrl+u", "c")
            await settled(app, pilot)
            assert app.line._suggestion == ""
            await pilot.press("tab")
            assert app.line.value == "c 1"

    asyncio.run(run())


def test_a_second_person_who_types_the_pin_as_a_number_begins_with_an_empty_field(dealing):
    async def act(app, pilot):
        await say(app, pilot, LIMIT)
        await second(app, pilot, PIN, staff=PIN)
        assert "Type the staff number first, then its PIN." in " ".join(app.screen._words)
        assert (app.focused.id, app.focused.value) == ("staff", "")
        await second(app, pilot, PIN)
        assert dealing.now.limits["main"][0] == 50_00

    at_open(dealing, act)


def test_another_dealer_who_is_not_signed_on_is_told_without_an_option_nobody_typed(dealing):
    refused = dealing.say("dealer D-209")

    assert refused.kind == "refused"
    assert "D-209 is not signed on as a dealer" in refused.words[0]
    assert "--staff" not in refused.words[0]


def test_a_number_in_small_letters_signs_on_who_has_it(house, session, kept):
    outcome = session.sign_on("d-204", PIN)

    assert (outcome.kind, outcome.words) == ("done", ("D-204 is signed on.",))
    assert kept[-1].staff == "D-204"
