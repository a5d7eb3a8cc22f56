"""What is asked of each shoe, patron and dealer, one file a question; see README.md."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from projections.attention.questions import (
    answers,
    cards,
    counting,
    first_card,
    late,
    late_wins,
    results,
    right,
    together,
    tray_short,
)
from projections.model import Change, Loads

_OF_PATRONS = (right, counting, first_card, late, late_wins, together)
# In this order: those about wagers need the shoe as `cards` has it.
QUESTIONS = tuple(each.QUESTION for each in (answers, cards, *_OF_PATRONS, tray_short, results))


def _by_topic() -> Mapping[str, Sequence[tuple[Change, Loads]]]:
    asked = defaultdict(list)
    for question in QUESTIONS:
        for topic, change in question.changes.items():
            asked[topic].append((change, question.loads))
    return asked


BY_TOPIC = _by_topic()  # of the questions that look at the events of a topic
