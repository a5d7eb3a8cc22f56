"""The dealer's terminal in another language: no English is left, and no line is too wide."""

import asyncio
import io
import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from domain.rules.rulebook import RULEBOOK
from domain.rules.wording import Words
from ops.kit.outcome import Outcome
from ops.terminal.dealer import prompts
from ops.terminal.dealer.plain import Plain
from ops.terminal.dealer.prompts import TOPICS, help_lines
from ops.terminal.dealer.screen.app import DealerScreen
from ops.terminal.dealer.table_now import TableNow
from ops.words.language import shown as in_language
from tests.ops.terminal import typed
from tests.ops.terminal.dealer.states import LARGE, SMALL, STATES, State, shown
from tests.ops.terminal.dealer.tables import NINE, TABLES
from tests.ops.terminal.fakes import settled
from tests.pseudo import english_in, pseudo

# What is the same in every language: what is typed, names and codes.
TYPED = {keys for lines in TOPICS.values() for keys, _ in lines}
TYPED |= {f"? {each}" for each in (*TOPICS, "topics")} | {"PageUp", "sabot rules list"}
NAMES = {"grey-jacket", "USD", "DP", "DB", "DPDB", "REASON", "SLIP", "CASE", "NAME", "PIN"}
_BACKTICKED = re.compile(r"`([^`]*)`")


def english_on(text, *more):
    """English words, but for what is typed; what is cut short may be anything."""
    hints = (each for hint in prompts.HINTS for each in _BACKTICKED.findall(hint))
    return english_in(re.sub(r"\S+…", "", text), *NAMES, *TYPED, *hints, *more)


def picture(app):
    return [strip.text for strip in app.screen._compositor.render_strips()]


def translated(state):
    """The same state; its answers and questions are made here, and come in the language too."""
    answers = tuple(
        replace(each, words=tuple(in_language(Words(words)) for words in each.words))
        for each in state.answers
    )
    return replace(state, answers=answers)


# Of what these say the test itself makes the English.
MADE_UP = {"said", "lost", "sign-on-refused", "sign-on-lost", "too-small", "signed-on-elsewhere"}
# On a page a typed line is cut in two, and has no backticks.
ON_PAGES = {word for keys in TYPED for word in re.findall(r"[a-z]+", keys)} | {"misdeal", "oid"}
ON_PAGES |= {"sabot", "rules", "jacket", "grey", "by-the-window", "big-table@1"}
PAGES = {
    name: state
    for name, state in STATES.items()
    if "training" not in name and state.theme == "dark" and state.colour
}


async def _page(state):
    async with shown(state) as app:
        return picture(app)


@pytest.fixture(autouse=True)
def real_hints(monkeypatch):
    """The screen shows its own hints and help."""
    monkeypatch.setattr("tests.ops.terminal.fakes.FakeTongue", lambda: prompts)


@pytest.mark.parametrize("name", [name for name in PAGES if name.split("-160")[0] not in MADE_UP])
def test_no_word_of_a_page_is_english(name):
    with pseudo():
        lines = asyncio.run(_page(translated(PAGES[name])))

    assert [line for line in lines if english_on(line, *ON_PAGES)] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_line_of_a_page_is_as_wide_as_the_screen_in_wide_letters(name):
    state = PAGES[name]
    with pseudo(wide=True):
        lines = asyncio.run(_page(translated(state)))

    assert {cell_len(line) for line in lines} == {state.size[0]}


# On a ledger: an evening, with everything that is refused and asked on the way.
EVENING = [
    *("look", "3 b 500", "c", "nonsense", "?", "off", "!"),
    *typed.preparation(),
    *(f"? {topic}" for topic in (*TOPICS, "topics", "nothing", "rules", *RULEBOOK)),
    *("= 1", "=", "1 =", "u", "3 x 500", "3 b", "3 b 5x", "3 b 0", "4p2004b-", "3 b 5 b 6"),
    *("3-3 b 5", "9 b 100", "2 b -", "3 b 500 t 25", "3 b 7", "3 p 100", "3 b 600", "4p100 3b-"),
    *("1-3b100 8b5k", "5p1k", "look", "n", "3 b 500", "u", "9c5s7cqd2h9s", "misdraw 2h carry"),
    *("r p", "r x", "d", "look", "s 3=1", "s", "1b9", "void", "void a torn card", "S-11", "look"),
    *("c", "c 3", "c 1", "c P-9", "c 3 7", "waive 3", "waive 3 0.01 a guest", "S-11"),
    *("correct 3 b", "correct 3 b 600 a chip fell", "S-11", "limits 1", "limits 50 5000", "S-11"),
    *("limits t 5 1k --at 20:14", "seat 3 P-9", "seat 4 Mr. Jones", "seat 4", "seat 2 P-1, 4 P-2"),
    *("move 4 6", "leave 6", "leave 9", "dealer D-205", "supervisor S-12", "buy-in 2 500"),
    *("request fill --chips 100=20", "S-11", "slip issue 2026-000001", "slip carry 2026-000001"),
    *("slip receive 2026-000001", "S-11", "slip void 2026-000009 lost", "S-11", "drop 4000"),
    *("cash-out 2 100", "S-11", "cut-card", "look", "end", "load 8", "burn", "burn xx", "cut 3"),
    *("dispute open P-10417 'I had Banker'", "dispute hold C-1", "timing 3 deferred", "look"),
    *("1b100", "9c5s7cqd s", "9s", "s", "=", "n", "move-card 1 banker", "void no cards", "S-11"),
    *("end the shoe is done", "S-11", "reconcile 300", "close --closer 100=1", "S-11"),
    *("leave 1", "leave 2", "leave 3", "leave 5", "leave 6", "leave 8", "look", "?"),
    *("close --closer 100=199 --closer 5=400", "S-11", "look", "?"),
]


def test_no_answer_of_an_evening_is_english(terminal, monkeypatch):
    answers, asides = [], []
    with pseudo():
        session = terminal()
        face = Plain(session, answers.append, asides.append)
        monkeypatch.setattr(session, "open", lambda: None)
        lines = io.StringIO("".join(f"{line}\n" for line in EVENING))
        lines.isatty = lambda: True
        monkeypatch.setattr("sys.stdin", lines)
        face.run()

    typed_names = [*EVENING, "dragon-bonus@1", "Jones"]
    english = {text: words for text in (*answers, *asides)
               if (words := english_on(text, *typed_names))}  # fmt: skip
    import os

    print(
        "\n".join(f"{w} | {t}" for t, w in english.items()), file=open("/tmp/leaks.txt", "w")
    ) if os.environ.get("LEAKS") else None
    print(
        "\n".join(f"{l} => {a}" for l, a in zip(EVENING, answers)),
        file=open("/tmp/answers.txt", "w"),
    )
    assert english == {}
