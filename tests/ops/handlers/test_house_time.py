"""A refusal tells a moment by the house's clock, in whatever form the record has it."""

import ast
from pathlib import Path

import pytest

from ops.words.language import reading, shown
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable

COUP = f"B01/{DAY}/1/1"
BOTH = {"reason": "typed wrong", "with": "S-11"}
BEFORE = "2026-11-21T20:00:02.250000+00:00"


def early_bet(pit):
    pit.bet(3, "banker", 100_00)
    return pit.ask("draw", card="KC", at=BEFORE, late=True)


def early_coup(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    return pit.ask("open", at=BEFORE, late=True)


def before_the_newest(pit):
    return pit.ask("bet", seat=3, spot="banker", amount=100_00, at=BEFORE)


def empty_seat(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("table.seat", seat=6, patron="P-6")
    return pit.ask("coup.move-wager", coup=COUP, seat=3, spot="banker", to_seat=6, **BOTH)


def seat_that_nobody_took(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    return pit.ask("coup.move-wager", coup=COUP, seat=3, spot="banker", to_seat=7, **BOTH)


def early_case(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    fields = {"coup": COUP, "patron": "P-10417", "complaint": "short", "by": "S-11"}
    return pit.ask("dispute.open", **fields, at=BEFORE, late=True)


@pytest.fixture
def in_vienna(dispatcher):
    """A house whose clock is an hour ahead of UTC."""
    pit = GamingTable(dispatcher)
    pit.say("property.set", name="zone", value="Europe/Vienna")
    return pit.open().prepare()


@pytest.mark.parametrize(
    "asked",
    [early_bet, early_coup, before_the_newest, empty_seat, seat_that_nobody_took, early_case],
    ids=lambda asked: asked.__name__,
)
def test_a_refusal_tells_the_time_by_the_clock_of_the_house(in_vienna, asked):
    answer = asked(in_vienna)

    assert not answer.ok
    for words in (answer.body["message"], answer.reason):
        assert " 21:00:" in words
        assert "20:00:" not in words
        assert "T2" not in words
        assert "+00:00" not in words


def test_the_date_in_it_is_that_of_the_readers_language(in_vienna):
    answer = before_the_newest(in_vienna)
    with reading("pt"):
        assert "21/11/2026 21:00:02,250" in shown(answer.reason)


@pytest.mark.parametrize("room", ["domain", "ops/handlers", "ops/commands", "ops/typed"])
def test_no_sentence_has_a_moment_as_a_program_writes_it(room):
    raw = [
        f"{path}:{each.lineno} {ast.unparse(each.value)}"
        for path in sorted(Path(room).rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("Words", "counted")
        for each in call.keywords
        if ".isoformat(" in ast.unparse(each.value) and "day" not in ast.unparse(each.value)
    ]

    assert raw == []
