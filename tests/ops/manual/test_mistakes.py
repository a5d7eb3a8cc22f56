"""The dealer's table of mistakes is what `? mistake` shows, with what each line then comes to.

Each line is typed as it stands there, in an evening where its mistake was made.
"""

import re
from contextlib import closing

import pytest

from ops.manual.topics import PAGES
from ops.terminal.dealer.help_topics import TOPICS
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.phrases import sentences
from ops.terminal.dealer.session import Session
from tests.ops.manual.generated import REWRITE, made_again, table
from tests.ops.manual.pages import entered
from tests.ops.terminal import typed

PAGE = PAGES / "dealer.md"
SIGNED = "A supervisor signs. "
MISTAKES = {line: what for line, what in TOPICS["mistake"] if not line.startswith("?")}
EVENING = """
    3 b 500
    5 p 100
    9c5s7cqd
    move-card 4 banker
    4h
    misdraw 9h
    s
    correct 3 b 500 REASON
    correct 3 b as p REASON
    3 b 100
    2c2d2h2s7c s
    card 6 = 5h REASON
    coup move-wager 3 b REASON --to-seat 4
    3 b 1000
    9c5s7cqd4h s
    correct 3 b stake 400 REASON
    buy-in 3 5000
    money correct last REASON --amount 500
    3 b 100
    2c3s3d6s s
    card 4 = ad then 3h kd REASON
    card B01/2026-11-21/1/1 3 = 8c REASON
    3 b 100
    kd5s2cqd4h
    card 3 = 9c untyped REASON
    void REASON
"""


@pytest.fixture(scope="module")
def answers(server, tmp_path_factory):
    """What the screen says to each line of the table, and who has to sign first."""
    with server.database() as database, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SABOT_HOME", str(tmp_path_factory.mktemp("dealer")))
        with closing(Session(HouseHere(database), "B01", by="D-204")) as session:
            session.open()
            for line in (*typed.preparation(), "seat 4 P-10502"):
                assert session.say(line).kind == "done", line
            lines = [line.strip() for line in EVENING.strip().splitlines()]
            said = {line: _answer(session, line) for line in lines}
    return {line: said[line] for line in MISTAKES}


def _answer(session, line):
    outcome, signed = entered(session, line)
    assert outcome.kind == "done", (line, outcome)
    words = sentences(each.removeprefix("! ") for each in outcome.words)
    words = re.sub(r"#\d+ of [-\d]+ [:\d]+", "#48213 of 2026-11-21 20:14:07", words)
    return SIGNED + words if signed else words


def _table(answers):
    head = "What happened | What to type | What the screen says"
    return table(head, [(what, f"`{line}`", answers[line]) for line, what in MISTAKES.items()])


def test_the_page_says_what_each_line_of_the_table_comes_to(answers):
    now = made_again(PAGE.read_text(), {"mistakes": lambda: _table(answers)})
    if REWRITE:
        PAGE.write_text(now)

    assert now == PAGE.read_text(), "SABOT_REWRITE=1 writes it anew"


def test_where_it_says_two_people_two_people_are_asked(answers):
    two = [line for line, what in MISTAKES.items() if "two people" in what]

    assert len(two) > 1
    assert [line for line in two if not answers[line].startswith(SIGNED)] == []
