"""What is asked of each shoe, patron and dealer, one file a question; see README.md."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Any

from domain.events.coup_wagers import WagerSettled
from projections.attention.questions import (
    answers,
    bets,
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
from projections.attention.questions.question import Question
from projections.model import Change, Event, Loads
from projections.rows import Page, Rows, Value

_OF_PATRONS = tuple(
    each.QUESTION for each in (right, counting, first_card, late, late_wins, together, results)
)


def _loads_bets(event: Event) -> Iterable[tuple[Page[Any], Value]]:
    if event.topic != WagerSettled.TOPIC:
        return bets.loads(event)
    return _of_a_patron(event.table, event.fields["patron"], event.gaming_day)


@lru_cache(maxsize=2_048)  # who bets now bets again
def _of_a_patron(table: str, patron: str, day: date) -> Sequence[tuple[Page[Any], Value]]:
    asked = [each.of_a_patron(patron, day) for each in _OF_PATRONS]
    return (bets.BETS.by_key, (table,)), *dict.fromkeys(chain.from_iterable(asked))


def _settled(event: Event, rows: Rows) -> None:
    """A coup was settled, or a wager late: all questions about its patrons are asked."""
    if coup := bets.settled(event, rows):
        for question in _OF_PATRONS:
            question.settled(coup, rows)


_BETS = Question(
    sql=bets.SQL,
    changes={**bets.CHANGES, **dict.fromkeys(bets.ASKED, _settled)},
    loads=_loads_bets,
)
# In this order: the coup that is asked about needs the shoe as `cards` has it, and its dealer.
QUESTIONS = (answers.QUESTION, cards.QUESTION, tray_short.QUESTION, _BETS, *_OF_PATRONS)


def _by_topic() -> Mapping[str, Sequence[tuple[Change, Loads]]]:
    asked = defaultdict(list)
    for question in QUESTIONS:
        for topic, change in question.changes.items():
            asked[topic].append((change, question.loads))
    return asked


BY_TOPIC = _by_topic()  # of the questions that look at the events of a topic
