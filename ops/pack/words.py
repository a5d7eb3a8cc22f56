"""The words of a pack on paper: amounts, moments, places, cards, and tables of them.

They are in the reader's language; a pack for the regulator is always made in English.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from typing import TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct, convert

from domain.rules.cards import symbol
from ops.ledger.chain import Fields
from ops.pack.content import PackContent, PackEvent
from ops.pack.printed import Face
from ops.replay.coup_story import CoupStory, Payment, WagerLaid
from ops.words import coups, language
from ops.words.language import _

NOTHING = "–"
Lay = TypeVar("Lay", WagerLaid, Payment)


class Wording(Struct, frozen=True, dict=True):
    """The content of one pack, with functions for its amounts and moments in words."""

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
        """The coup's own events, or those of the given topics."""
        which = topics or ("coup.",)
        return [each for each in self.content.events if each.topic.startswith(which)]

    @cached_property
    def after_four(self) -> set[str]:
        """The spots that take bets only after the first four cards (R-BET-8)."""
        rules = self.content.rules
        stated = rules.terms.get("terms", {}) if rules else {}
        terms = convert(stated, dict[str, dict[str, object]])
        return {spot for spot, each in terms.items() if each.get("after_four")}

    @property
    def turning_rule(self) -> str:
        """The rule by which the coup's cards were turned."""
        return "R-DEAL-3" if self.of_the_coup("coup.hands-given") else "R-DEAL-5"

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.content.property.zone)

    @cached_property
    def _day(self) -> date:
        """The date of the coup's first card, or of its opening if it has none."""
        cards = self.story.cards
        at = cards[0].at if cards else self.of_the_coup()[0].at
        return self._local(at).date()

    def _local(self, at: str) -> datetime:
        return datetime.fromisoformat(at).astimezone(self._zone)

    def moment(self, at: str | None, places: int = 1) -> str:
        """The house's time, with the date if it is not the coup's."""
        if at is None:
            return NOTHING
        local = self._local(at)
        same_day = local.date() == self._day
        return language.clock(local, places) if same_day else language.moment(local, places)

    def dated(self, at: str) -> str:
        """The house's time, always with the date."""
        return language.moment(self._local(at), places=1)

    def to_the_millisecond(self, at: str) -> str:
        """The time to the millisecond, with the date if it is not the coup's."""
        return self.moment(at, places=3)

    def money(self, amount: int) -> str:
        """An amount with separators: `1,000.00`."""
        return language.amount(amount, self.content.currency)

    def more(self, amount: int) -> str:
        """An amount with its sign."""
        sign = "+" if amount > 0 else "−" if amount < 0 else ""
        return sign + self.money(abs(amount))

    def exactly(self, minor_units: str) -> str:
        """An exact amount, with as many places as it has."""
        return coups.exactly(Fraction(minor_units), self.content.currency)

    def called(self) -> str:
        """The outcome that the dealer called."""
        story = self.story
        return called(story.outcome, story.player_total, story.banker_total) or _("No outcome")

    @cached_property
    def settings(self) -> Mapping[str, int]:
        """The house's settings for disputes when this one was opened; a default is left out."""
        opened = min((p for p, e in self.events.items() if e.about == "case"), default=0)
        events = [stated(e) for p, e in self.events.items() if e.about == "property" and p < opened]
        return {
            str(event["name"]): int(event["value"])
            for event in events
            if str(event.get("name", "")).startswith("dispute_")
            and str(event.get("value")).isdecimal()
        }

    def disagrees(self, what: str) -> bool:
        """Whether the record differs from the adjudication about this."""
        return any(each.what.partition(":")[0] == what for each in self.story.disagreements)


def with_suit(change: str) -> str:
    """A change of a what-if with the card's suit as its symbol: `card 5 = K♥`."""
    what, equals, card = change.partition(" = ")
    return f"{what}{equals}{symbol(card)}" if len(card) == 2 else change


def called(outcome: str | None, player_total: int | None, banker_total: int | None) -> str:
    """`Player wins, 6 to 4`; '' when there is no outcome."""
    return coups.outcome(outcome, player_total or 0, banker_total or 0) if outcome else ""


def face(card: str) -> Face:
    """The print of a card."""
    text = symbol(card)
    return Face(rank=text[:-1], suit=text[-1], red=card[1] in "DH")


def by_seat(lines: Iterable[Lay]) -> Iterator[tuple[Lay, bool]]:
    """Each line, and whether it is the first of its seat: the seat is named once."""
    seat = None
    for each in lines:
        yield each, each.seat != seat
        seat = each.seat


def place(position: int) -> str:
    """A position in the ledger: `#48213`."""
    return f"#{position}"


def places(positions: Sequence[int]) -> str:
    """Positions, with consecutive ones as a range: `#7–#9, #12`."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and runs[-1][-1] == position - 1:
            runs[-1][1:] = [position]
        else:
            runs.append([position])
    return ", ".join(NOTHING.join(map(place, run)) for run in runs)


def stated(event: PackEvent) -> Fields:
    """An event's fields, or {} if an alteration made them unreadable."""
    try:
        fields = json.loads(event.state or "")
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}
