"""Every event has a name of its own, and a sentence where no other event says it."""

from collections import Counter

from domain.events import STREAMS, events_of
from domain.events.base import event_name
from ops.words.events import WORDINGS

EVENTS = [pair for noun in STREAMS for pair in events_of(noun).items()]
NAMES = [event_name(topic, first=kind.FIRST) for topic, kind in EVENTS]


def test_no_two_events_have_the_same_name():
    assert [name for name, many in Counter(NAMES).items() if many > 1] == []


def test_every_event_has_its_sentence_and_no_sentence_is_left_over():
    assert sorted(WORDINGS) == sorted([*NAMES, "Unreadable"])
