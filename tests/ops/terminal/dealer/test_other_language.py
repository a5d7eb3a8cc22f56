"""The dealer's terminal in another language: no English is left, and no line is too wide."""

import asyncio
import io
import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from domain.rules.wording import Words
from ops.kit.outcome import Second
from ops.terminal.dealer import prompts
from ops.terminal.dealer.help_topics import TOPICS
from ops.terminal.dealer.plain import Plain
from ops.terminal.dealer.screen.app import DealerScreen
from ops.terminal.dealer.screen.dialogs import SecondPerson
from ops.words.language import shown as in_language
from tests.ops.terminal import typed
from tests.ops.terminal.dealer.states import LARGE, STATES, shown
from tests.ops.terminal.english import english_lines, english_on, lines_of
from tests.ops.terminal.fakes import settled
from tests.pseudo import pseudo


def translated(state):
    """The same state; its answers and questions are made here, and come in the language too."""
    answers = tuple(
        replace(each, words=tuple(in_language(Words(words)) for words in each.words))
        for each in state.answers
    )
    return replace(state, answers=answers)


# Of what these say the test itself makes the English.
MADE_UP = {"said", "lost", "sign-on-refused", "sign-on-lost", "too-small", "signed-on-elsewhere"}
PAGES = {
    name: state
    for name, state in STATES.items()
    if "training" not in name and state.theme == "dark" and state.colour
}


async def _page(state):
    async with shown(state) as app:
        return lines_of(app)


@pytest.fixture(autouse=True)
def real_hints(monkeypatch):
    """The screen shows its own hints and help."""
    monkeypatch.setattr("tests.ops.terminal.fakes.FakeTongue", lambda: prompts)


@pytest.mark.parametrize("name", [name for name in PAGES if name.split("-160")[0] not in MADE_UP])
def test_no_word_of_a_page_is_english(name):
    with pseudo():
        lines = asyncio.run(_page(translated(PAGES[name])))

    assert english_lines(lines, "misdeal", "oid") == []


@pytest.mark.parametrize("name", PAGES)
def test_every_line_of_a_page_is_as_wide_as_the_screen_in_wide_letters(name):
    state = PAGES[name]
    with pseudo(wide=True):
        lines = asyncio.run(_page(translated(state)))

    assert {cell_len(line) for line in lines} == {state.size[0]}


# On a ledger: an evening, with what is refused and asked on the way.
SECOND = Second("S-11")
EVENING = (
    *("look", "3 b 500", "c", "nonsense", "?", "off", "!"),
    *typed.preparation(),
    *(f"? {topic}" for topic in (*TOPICS, "topics", "nothing", "rules", "r-irr-4", "r-bet-99")),
    *("= 1", "=", "1 =", "u", "3 x 500", "3 b", "3 b 5x", "3 b 0", "4p2004b-", "3 b 5 b 6"),
    *("3-3 b 5", "9 b 100", "2 b -", "3 b 500 t 25", "3 b 7", "3 p 100", "3 b 600", "4p100 3b-"),
    *("1-3b100 8b5k", "5p1k", "look", "n", "3 b 500", "u", "9c5s7cqd2h9s", "misdraw 2h carry"),
    *("r p", "r x", "d", "look", "s 3=1", "s", "1b9", "void", "void a torn card", "look"),
    *("c", "c 3", "c 1", "c P-9", "c 3 7", "waive 3", "waive 3 0.01 a guest"),
    *("correct 3 b", "correct 3 b 600 a chip fell", "limits 1", "limits 50 5000"),
    *("limits t 5 1k --at 20:14", "seat 3 P-9", "seat 4 Mr. Jones", "seat 4", "seat 2 P-1, 4 P-2"),
    *("move 4 6", "leave 6", "leave 9", "dealer D-205", "supervisor S-12", "buy-in 2 500"),
    *("request fill --chips 100=20", "slip issue 2026-000001", "slip carry 2026-000001"),
    *("slip receive 2026-000001", "slip void 2026-000001 lost", "drop 4000", "cash-out 2 100"),
    *("cut-card", "look", "1b100", "8c5s7cqd s", "9s", "s", "=", "n", "2d 3d 4d 5d", "s", "end"),
    *("load 8", "burn", "burn xx", "cut 3", "timing 3 deferred", "dispute hold C-1"),
    *("dispute open P-10417 'I had Banker'", "end the shoe is done", "reconcile 300"),
    *("close --closer 100=1", "c 1,2,3,5,8", *(f"leave {seat}" for seat in (1, 2, 3, 5, 8))),
    *("look", "?", "close --closer 100=199 --closer 5=400", "look", "?"),
)


# Typed, or named by whoever typed: a rule set, a reason, a field of a command.
NAMES = {"dragon-bonus@1", "Sabot", "UTC", "Jones", "torn card", "lost", "I had Banker"}
NAMES |= {"CARD", "case", "xx", *EVENING}
NAMES |= {"table open dragon-bonus@1 --opener 100=200", "table open RULES", "table drop 4000"}
WORDS = {word for each in NAMES for word in re.findall("[A-Za-z]+", each)}
WORDS |= {"minimum", "maximum", "differential", "et"}  # in backticks, and behind a dialog


def english_answers(*answers):
    return [each for each in answers if english_on(each, *NAMES)]


def test_no_answer_of_an_evening_is_english(terminal, monkeypatch):
    answers, asides = [], []
    with pseudo():
        session = terminal()
        face = Plain(session, answers.append, asides.append)
        monkeypatch.setattr(session, "open", lambda: None)
        monkeypatch.setattr("ops.terminal.dealer.plain._second", lambda asks_pin: SECOND)
        lines = io.StringIO("".join(f"{line}\n" for line in EVENING))
        lines.isatty = lambda: True
        monkeypatch.setattr("sys.stdin", lines)
        face.run()

    assert len(answers) == len(EVENING)
    assert english_answers(*answers, *asides) == []


async def _played(session):
    """Every page of an evening that is English, and what was said on it."""
    app, english = DealerScreen(session), []
    async with app.run_test(size=LARGE) as pilot:
        await settled(app, pilot, lambda: app.opened)
        for each in EVENING:
            app.line.put(each)
            app.line.enter()
            await settled(app, pilot, lambda: not app.busy)
            while isinstance(app.screen, SecondPerson):
                english += english_lines(lines_of(app), *WORDS)
                await pilot.press(*SECOND.staff, "enter")
                await settled(app, pilot, lambda: not app.busy)
            english += english_lines(lines_of(app), *WORDS)
            while len(app.screen_stack) > 1:
                await pilot.press("escape")
            app.line.clear_line()
        await pilot.press("pageup")
        await settled(app, pilot)
        english += english_lines(lines_of(app), *WORDS)
    return [
        *dict.fromkeys(english),
        *english_answers(*(message.words for message in app.notes.messages)),
    ]


def test_no_page_of_an_evening_is_english(terminal, monkeypatch):
    with pseudo():
        session = terminal()
        monkeypatch.setattr(session, "open", lambda: None)
        english = asyncio.run(_played(session))

    assert english == []
