"""What the pages of an inquiry and of an incident share: their events, a line each."""

from collections.abc import Iterable, Set
from datetime import datetime

from msgspec import Struct

from domain.review.replay import Line
from ops.commands.house_events import House
from ops.replay.inquiry_page import words_of
from ops.replay.people import people_of


class StoryEvent(Struct, frozen=True):
    """One event, in words; `by`: who recorded it."""

    at: datetime
    words: str
    position: int
    by: str


def story_events(
    lines: Iterable[Line], of: House, gone: Set[int] = frozenset()
) -> list[StoryEvent]:
    """The events in order; `gone`: those whose row the report `protection` has lost."""
    return [
        StoryEvent(line.at, words_of(line, of, gone), line.position, ", ".join(people_of(line)))
        for line in lines
    ]
