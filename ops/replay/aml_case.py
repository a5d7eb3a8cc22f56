"""One case of money laundering from the record, with what people wrote beside it."""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.aml_case import AmlCase
from domain.events import aml_case as events
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.ledger.aml_texts import stored_texts
from ops.ledger.reading import UnreadableEvent
from ops.ledger.streams import read_lines
from ops.replay.inquiry import line_as_dict

if TYPE_CHECKING:
    import psycopg


class AmlFile(Struct, frozen=True):
    """A case: its events, the opening first, and each text by the position of what it is of."""

    lines: list[Line]  # without those that only say that a text is stored
    texts: Mapping[int, str]

    @property
    def opened(self) -> events.Opened:
        """Whom it is about."""
        event: events.Opened = self.lines[0].event
        return event

    @property
    def positions(self) -> list[int]:
        """The events that are evidence, each once."""
        every = (getattr(line.event, "positions", ()) for line in self.lines)
        return sorted({each for some in every for each in some})

    def text_of(self, line: Line) -> str:
        """What somebody wrote with an event; '' for nothing."""
        return self.texts.get(line.position, "")

    @property
    def narrative(self) -> str:
        """The texts that go into a report, in their order."""
        return "\n".join(
            self.text_of(line)
            for line in self.lines
            if getattr(line.event, "narrative", False) and self.text_of(line)
        )

    def as_dict(self, zone: ZoneInfo) -> dict[str, object]:
        """The case as JSON fields, with its moments in the house's time."""
        return {
            "aml_case": self.opened.aml_case,
            "events": [
                line_as_dict(line, zone) | ({"text": text} if (text := self.text_of(line)) else {})
                for line in self.lines
            ],
        }


def read_aml_case(connection: "psycopg.Connection[Any]", address: addresses.AmlCase) -> AmlFile:
    """A case with its texts. Refuses: NotFound. Raises UnreadableEvent."""
    every = read_lines(connection, AmlCase.stream(address))
    if not every:
        raise NotFound(what=Words("case {case}", case=address))
    if not isinstance(every[0].event, events.Opened):
        raise UnreadableEvent(every[0].position)
    stored = stored_texts(connection, str(address))
    texts = {
        of.position: stored.get(line.event.number, "")
        for of, line in pairwise(every)
        if isinstance(line.event, events.TextWritten)
    }
    shown = [line for line in every if not isinstance(line.event, events.TextWritten)]
    return AmlFile(shown, texts)
