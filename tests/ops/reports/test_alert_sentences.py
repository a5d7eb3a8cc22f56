"""Every kind of alert says in the report, too, what and whom it is about."""

import pytest

from domain.events.base import event_name
from ops.reports.cells import detail_sentences
from ops.words.alerts import alert_words
from ops.words.language import shown
from projections.attention.alerts import RAISED
from projections.attention.exceptions import AT_A_COUP, ELSEWHERE
from tests.worlds.stored_events import KINDS, stored

STANDING = {
    "fill needed": {"tray": 500_00, "floor": 1_000_00, "chips": ["500"]},
    "tray below zero": {"tray": -500_00},
    "commission owed": {"owing": [{"patron": "P-1", "owed": 5_00}]},
}


def told(kind, detail):
    row = {"kind": kind, "detail": detail}
    return " ".join(map(shown, detail_sentences(row, "USD")))


@pytest.mark.parametrize("topic", sorted({*RAISED, *AT_A_COUP, *ELSEWHERE}))
def test_an_alert_that_an_event_raises_has_its_sentence(topic):
    name = event_name(topic, first=KINDS[topic].FIRST)
    detail = {"type": name, "patron": "P-1", "coup": "B01/2026-11-21/1/1", **stored(topic)}

    assert told(RAISED.get(topic, ""), detail), topic


@pytest.mark.parametrize("kind", STANDING)
def test_an_alert_of_how_things_stand_has_its_sentence(kind):
    assert told(kind, STANDING[kind])


@pytest.mark.parametrize("kind", ["cash near", "cash over", "cash split"])
@pytest.mark.parametrize("others", [{"alike": ["p-1"]}, {"agents": ["P-7"]},
                                    {"alike": ["p-1"], "agents": ["P-7"]}])  # fmt: skip
def test_cash_of_several_is_said_to_be_that_of_all_of_them(kind, others):
    (topic,) = [each for each, known in RAISED.items() if known == kind]
    name = event_name(topic, first=KINDS[topic].FIRST)
    detail = {"type": name, **stored(topic), "patron": "P-1", "alike": [], "agents": [], **others}
    named = " and ".join(each for some in others.values() for each in some)

    for words in (alert_words(kind, detail, "USD"), told(kind, detail)):
        assert words.startswith(f"P-1, together with {named}, "), words
    assert "together" not in alert_words(kind, {**detail, "alike": [], "agents": []}, "USD")


def test_what_is_suspected_is_said_as_on_the_board():
    for topic, kind in RAISED.items():
        if kind in ("little play", "cash split"):
            name = event_name(topic, first=KINDS[topic].FIRST)
            detail = {"type": name, "patron": "P-1", **stored(topic)}
            assert told(kind, detail) == alert_words(kind, detail, "USD")
            assert detail["patron"] in told(kind, detail)
            late = {"facts": [detail]}  # entered late, the command says nothing of it
            assert alert_words("late entry", late, "USD") == "Recorded late."
