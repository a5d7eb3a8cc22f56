"""The ledger in the floor's words: a sentence for every event, its fields as people write them."""

import re

import pytest

from domain.events.base import event_name
from ops.words.language import shown
from ops.words.own_sentences import own_sentence
from ops.words.stored_values import stored_words, value_words
from tests.worlds.stored_events import KINDS, stored

# What no person writes: Python's values and lists, a moment as it is stored, a template not filled.
UNFILLED = re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|[\[\]{}]|\dT\d\d:\d\d")
AS_TYPED = ("content", "what_if")  # a rule set's file, a question: as somebody wrote them
CODES = re.compile(r"(?<![\w-])[A2-9TJQK][CDHS](?![\w-])")  # cards as they are stored


@pytest.mark.parametrize("topic", KINDS)
def test_every_kind_of_event_has_a_sentence_of_its_own(topic):
    kind, fields = KINDS[topic], stored(topic)
    fields.pop("at")
    words = shown(own_sentence({"type": event_name(topic, first=kind.FIRST), **fields}, "USD"))

    assert words
    assert "goes with another event" not in words
    assert not UNFILLED.search(words)
    assert topic == "dispute.noted" or not CODES.search(words)
    for amount in amounts(topic, fields):
        assert str(amount) not in words.split()


def amounts(topic, fields):
    """What is stored in minor units, if it could be nothing else."""
    return [
        value
        for name, value in fields.items()
        if isinstance(value, int) and value_words(topic, name, value, "USD") != str(value)
        and abs(value) > 1000
    ]  # fmt: skip


@pytest.mark.parametrize("topic", KINDS)
def test_every_field_is_as_people_write_it(topic):
    fields = {name: each for name, each in stored(topic).items() if name not in AS_TYPED}
    for field in stored_words(topic, fields, "USD"):
        assert field.words
        assert not UNFILLED.search(field.words), field
        assert not CODES.search(field.words), field


@pytest.mark.parametrize(
    ("topic", "name", "value", "words"),
    [
        ("coup.settled", "paid", 200_00, "200.00"),
        ("coup.card-dealt", "face_down", True, "yes"),
        ("coup.card-dealt", "card", "9S", "9♠"),
        ("table-day.filled", "chips", {"10000": 50, "2500": 40}, "50 of 100, 40 of 25"),
        ("table-day.opened", "limits", {"tie": [500, 100_000]}, "tie 5.00, 1,000.00"),
        ("commission-account.commission-accrued", "exact", "125.25", "1.2525"),
        ("dispute.opened", "wagers", [{"seat": 3, "paid": 0}], "seat 3, paid 0.00"),
        ("staff-member.enrolled", "for_two", [], "·"),
        ("alert.acknowledged", "since", "2026-11-21T20:14:02+01:00", "2026-11-21 20:14:02"),
    ],
)
def test_a_value_is_written_by_what_it_means(topic, name, value, words):
    assert value_words(topic, name, value, "USD") == words


def test_a_setting_that_is_an_amount_is_one():
    fields = {"name": "reporting_amount", "value": "1500000", "before": "1000000"}
    words = [each.words for each in stored_words("property.setting-changed", fields, "USD")]

    assert words == ["reporting_amount", "15,000.00", "10,000.00"]
