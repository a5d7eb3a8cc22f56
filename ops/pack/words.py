"""How a pack says things on paper: amounts, moments, places, cards, and tables of them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules.cards import symbol
from domain.rules.money import major
from ops.pack.content import PackContent, PackEvent
from ops.replay.coup_story import CoupStory, Payment, WagerLaid
from ops.words.show import exactly, outcome_words

NOTHING = "–"
Told = Mapping[str, Any]
Section = dict[str, Any]
Lay = TypeVar("Lay", WagerLaid, Payment)


class Said(Struct, frozen=True, dict=True):
    """The content of one pack, and its amounts and moments in words."""

    content: PackContent

    @property
    def story(self) -> CoupStory:
        """The replay."""
        return self.content.replay

    @cached_property
    def events(self) -> dict[int, PackEvent]:
        """Every event by its position."""
        return {each.position: each for each in self.content.events}

    def of_the_coup(self, *topics: str) -> list[PackEvent]:
        """Its own events, or those of some kinds."""
        which = topics or ("coup.",)
        return [each for each in self.content.events if each.topic.startswith(which)]

    @property
    def turning_rule(self) -> str:
        """By which rule its cards were turned."""
        return "R-DEAL-3" if self.of_the_coup("coup.hands-given") else "R-DEAL-5"

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.content.property.zone)

    @cached_property
    def _day(self) -> str:
        """The date on which most of it happened: that of its first card, or of its opening."""
        cards = self.story.cards
        at = cards[0].at if cards else self.of_the_coup()[0].at
        return self._local(at).date().isoformat()

    def _local(self, at: str) -> datetime:
        return datetime.fromisoformat(at).astimezone(self._zone)

    def moment(self, at: str | None) -> str:
        """The time of the property's clock, with the date where it is not the coup's."""
        if at is None:
            return NOTHING
        local = self._local(at)
        day, time = local.date().isoformat(), local.strftime("%H:%M:%S.%f")[:10]
        return time if day == self._day else f"{day} {time}"

    def dated(self, at: str) -> str:
        """The same, always with its date."""
        return self._local(at).strftime("%Y-%m-%d %H:%M:%S.%f")[:21]

    def to_the_millisecond(self, at: str) -> str:
        """As a camera tells it, with the date where it is not the coup's."""
        local = self._local(at)
        time = local.strftime("%H:%M:%S.%f")[:12]
        return time if local.date().isoformat() == self._day else f"{local.date()} {time}"

    def money(self, amount: int) -> str:
        """As the floor says it: 1,000.00."""
        return major(amount, self.content.currency)

    def more(self, amount: int) -> str:
        """An amount with its sign."""
        sign = "+" if amount > 0 else "−" if amount < 0 else ""
        return sign + self.money(abs(amount))

    def exactly(self, minor_units: str) -> str:
        """An exact amount, with as many places as it has."""
        return exactly(Fraction(minor_units), self.content.currency)

    def called(self) -> str:
        """What the dealer called."""
        story = self.story
        return called(story.outcome, story.player_total, story.banker_total) or "No outcome"

    @cached_property
    def settings(self) -> Mapping[str, int]:
        """What the house asked of disputes when this one was opened; nothing: the defaults."""
        opened = min((p for p, e in self.events.items() if e.about == "case"), default=0)
        events = [stated(e) for p, e in self.events.items() if e.about == "property" and p < opened]
        return {
            str(event["name"]): int(event["value"])
            for event in events
            if str(event.get("name", "")).startswith("dispute_")
            and str(event.get("value")).isdigit()
        }

    def disagrees(self, what: str) -> bool:
        """Whether the adjudication says otherwise of this line."""
        return any(each.what.partition(":")[0] == what for each in self.story.disagreements)


def as_said(change: str) -> str:
    """`card 5 = K♥`."""
    what, equals, card = change.partition(" = ")
    return f"{what}{equals}{symbol(card)}" if len(card) == 2 else change


def called(outcome: str | None, player_total: int | None, banker_total: int | None) -> str:
    """`Player wins, 6 to 4`; nothing, when there is no outcome."""
    return outcome_words(outcome, player_total or 0, banker_total or 0) if outcome else ""


def section(
    title: str,
    head: Sequence[str],
    aligned: str,
    rows: Sequence[dict[str, Any]],
    *,
    wide: int,
    note: str = "",
    after: str = "",
) -> Section:
    """A table; `aligned` has a letter for each column, and the column `wide` takes the room."""
    return {
        "title": title,
        "head": list(head),
        "aligned": list(aligned),
        "wide": wide,
        "rows": list(rows),
        "note": note,
        "after": after,
    }


def face(card: str) -> dict[str, Any]:
    """What is printed on a card."""
    text = symbol(card)
    return {"rank": text[:-1], "suit": text[-1], "red": card[1] in "DH"}


def by_seat(lines: Iterable[Lay]) -> Iterator[tuple[Lay, bool]]:
    """Each line, and whether it is its seat's first: the seat is told once."""
    seat = None
    for each in lines:
        yield each, each.seat != seat
        seat = each.seat


def place(position: int) -> str:
    """`#48213`."""
    return f"#{position}"


def places(positions: Sequence[int]) -> str:
    """`#7–#9, #12`: those that follow each other are told as one."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and runs[-1][-1] == position - 1:
            runs[-1][1:] = [position]
        else:
            runs.append([position])
    return ", ".join(NOTHING.join(map(place, run)) for run in runs)


def stated(event: PackEvent) -> Told:
    """What an event tells; nothing, when somebody made it unreadable."""
    try:
        told = json.loads(event.state or "")
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
