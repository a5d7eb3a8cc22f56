"""What people call by a kind and a number, or by a word of the floor, in any language."""

from datetime import timedelta

import pytest

from ops.finding.worded import worded
from ops.words.language import reading
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY
from tests.worlds.pages_here import pages_of, ran

LATER = BEGINS + timedelta(hours=2)


@pytest.fixture
def played(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    coup = f"B01/{DAY}/1/1"
    pit.say("dispute.open", coup=coup, patron="P-10417", complaint="too little")
    with database.session("sabot_auditor") as connection:
        yield connection


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("case 1", ("case", "C-2026-0001")),
        ("Dispute 1", ("case", "C-2026-0001")),
        ("Table  1", ("table", "B01")),
        ("who owes", ("report", "commission")),
        ("fill", ("report", "slips")),
        ("fill", ("page", "/slips")),
        ("fill", ("command", "slip request")),
        ("activity statement", ("report", "statement")),
        ("reopen", ("command", "table reopen")),
        ("late bet", ("alerts", "late bet")),
        ("late bets", ("alerts", "late bet")),
        ("overpaid", ("report", "disputes")),
        ("overpaid", ("report", "exceptions")),
        ("complaints", ("report", "disputes")),
        ("fills", ("report", "slips")),
        ("inquiries", ("page", "/inquiries")),
        ("cases", ("page", "/cases")),
    ],
)
def test_a_kind_with_its_number_and_a_word_of_the_floor_are_found(played, typed, meant):
    assert meant in [(hit.kind, hit.name) for hit in worded(played, typed, LATER)]


@pytest.mark.parametrize("typed", ["case 2", "table 2", "x" * 5000, "%", "", "a b", "(", "7"])
def test_nothing_is_made_up(played, typed):
    assert worded(played, typed, LATER) == []


def test_what_is_found_alone_is_opened_and_a_heading_of_the_manual_has_its_place(played, database):
    async def scene():
        async with pages_of(database, language="en") as ask:
            return [await ask(f"/find?q={each}") for each in ("who+owes", "case+1", "fill")]

    owes, case, fill = ran(scene())

    assert (owes[0], case[0], fill[0]) == (303, 303, 200)
    assert 'href="/slips"' in fill[1]
    assert 'href="/manual/commands#slip-request"' in fill[1]


@pytest.mark.parametrize(("language", "typed"), [("pt", "comissão"), ("zh-Hant", "佣金")])
def test_the_words_of_a_report_are_those_of_the_reader(played, language, typed):
    with reading(language):
        found = [(hit.kind, hit.name) for hit in worded(played, typed, LATER)]

    assert ("report", "commission") in found
